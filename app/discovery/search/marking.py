"""Mark in the posts found what was searched for, where it stands."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import regex
from markupsafe import Markup, escape

from app.discovery.search.syntax import WORDS, Kind, Query
from app.posts.cards.cards import PostCard

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_TAG = regex.compile(r"(<[^>]*>)")


class Sought(NamedTuple):
    """Words that stand behind each other; of the last one perhaps only the beginning."""

    words: tuple[str, ...]
    is_start: bool

    def ends_at(self, words: list[str], place: int) -> int | None:
        """Return where it ends if it begins at a place."""
        end = place + len(self.words)
        *before, last = self.words
        if end > len(words) or words[place : end - 1] != before:
            return None
        fits = words[end - 1].startswith(last) if self.is_start else words[end - 1] == last
        return end if fits else None


def mark(cards: Iterable[PostCard], query: Query) -> list[PostCard]:
    """Return cards in whose text the words of a query are marked."""
    sought = tuple(_sought(query))
    return [_marked(card, sought) for card in cards] if sought else list(cards)


def _sought(query: Query) -> Iterator[Sought]:
    for term in query.wanted(*WORDS):
        if words := tuple(_folded(word) for word in _WORD.findall(term.value)):
            yield Sought(words, term.kind is Kind.START)


@lru_cache(maxsize=500)
def _marked(card: PostCard, sought: tuple[Sought, ...]) -> PostCard:
    """Return one object for one card and search: what is rendered of it is kept."""
    return replace(card, html=mark_words(card.html, sought))


def mark_words(text: Markup, sought: tuple[Sought, ...]) -> Markup:
    """Mark words in HTML of ours: in its text, never in a tag."""
    pieces = _TAG.split(text)
    return Markup("").join(
        Markup(piece) if number % 2 else _mark_plain(html.unescape(piece), sought)  # noqa: S704
        for number, piece in enumerate(pieces)
    )


def _mark_plain(text: str, sought: tuple[Sought, ...]) -> Markup:
    places = [match.span() for match in _WORD.finditer(text)]
    words = [_folded(text[start:end]) for start, end in places]
    out, done, number = [], 0, 0
    while number < len(words):
        ends = [end for each in sought if (end := each.ends_at(words, number)) is not None]
        if not ends:
            number += 1
            continue
        start, stop = places[number][0], places[max(ends) - 1][1]
        out += [escape(text[done:start]), Markup("<mark>{}</mark>").format(text[start:stop])]
        done, number = stop, max(ends)
    return Markup("").join([*out, escape(text[done:])])


@lru_cache(maxsize=10_000)
def _folded(word: str) -> str:
    """Return a word without capitals and accents, as the search compares it."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))
