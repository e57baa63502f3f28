"""Understand what was typed into the search field: words, phrases, exclusion, tags, from:, has:, before:, after:."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from enum import StrEnum

import regex

from app.core.text import HANDLE, is_tag, tag_key

MAX_TERMS = 30
LONGEST_WORD = 300  # a pasted address
SHORTEST_START = 4  # "tomato" also finds tomatoes; "car" would find careful
SHORTEST_STAR = 2
OPERATORS = ("from", "has", "before", "after")
IMAGES = frozenset("image images photo photos picture pictures".split())

_QUOTES = '"“”„«»'
_TOKEN = regex.compile(
    r"""-?(?:"(?P<phrase>[^"]*)"|“(?P<phrase>[^”]*)”|„(?P<phrase>[^“”]*)[“”]|«(?P<phrase>[^»]*)»)"""
    rf"""|[{_QUOTES}]|[^\s\x1c-\x1f{_QUOTES}]+"""
)
_OPERATOR = regex.compile(r"(?P<name>\p{L}+):(?P<value>.*)", regex.DOTALL)
_DATE = regex.compile(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?")
_LAST_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?=[^\p{L}\p{M}\p{N}]*$)")
_AROUND = ".,;:!?…'’()[]{}"  # what stands around a word in a sentence


class Kind(StrEnum):
    """What a part of a query asks for."""

    WORD = "a word, as it is written"
    START = "a word, or a longer one that starts with it"
    PHRASE = "words in this order"
    TAG = "a tag"
    FROM = "who wrote it, by handle"
    FROM_ME = "written by the viewer"
    IMAGE = "an image"
    BEFORE = "older than this day"
    AFTER = "from this day on"
    NOTHING = "left out"


WORDS = frozenset({Kind.WORD, Kind.START, Kind.PHRASE})


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a query: what was typed, what it was taken for, and a sentence where that needs one."""

    typed: str
    kind: Kind
    value: str = ""
    is_excluded: bool = False
    remark: str = ""

    def left_out(self, remark: str) -> Term:
        """Return the same part as one that the search does without."""
        return replace(self, kind=Kind.NOTHING, remark=remark)


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query. Its terms cover everything in it but spaces, in order."""

    typed: str
    terms: tuple[Term, ...]

    @property
    def is_blank(self) -> bool:
        """Say whether nothing was typed."""
        return not self.terms

    @property
    def asks(self) -> bool:
        """Say whether anything that was typed can be searched for."""
        return any(term.kind is not Kind.NOTHING for term in self.terms)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return a sentence for everything that was not, or not quite, understood; each once."""
        return tuple(dict.fromkeys(term.remark for term in self.terms if term.remark))

    def wanted(self, *kinds: Kind) -> list[Term]:
        """Return the terms of these kinds that must hold."""
        return [term for term in self.terms if term.kind in kinds and not term.is_excluded]

    def unwanted(self, *kinds: Kind) -> list[Term]:
        """Return the terms of these kinds that must not hold."""
        return [term for term in self.terms if term.kind in kinds and term.is_excluded]


def understand(typed: str) -> Query:
    """Take a query apart. Whatever it is, every part of it is understood or has a sentence that says why not."""
    terms = list(_terms(typed))
    days = [place for place, term in enumerate(terms) if term.kind in (Kind.BEFORE, Kind.AFTER)]
    first = max((terms[place].value for place in days if terms[place].kind is Kind.AFTER), default="")
    end = min((terms[place].value for place in days if terms[place].kind is Kind.BEFORE), default="9999")
    if first >= end:
        sentence = f"No post can be from before {end} and also from {first} or later."
        terms[days[-1]] = replace(terms[days[-1]], remark=sentence)
    return Query(typed, tuple(terms))


def short(typed: str) -> str:
    """Return what was typed in quotation marks, as much of it as a sentence bears."""
    return f"“{typed if len(typed) <= 40 else typed[:40] + '…'}”"


def _terms(typed: str) -> Iterator[Term]:
    for number, match in enumerate(_TOKEN.finditer(typed)):
        if number == MAX_TERMS:
            rest = typed[match.start() :].rstrip()
            sentence = f"Only the first {MAX_TERMS} words count; everything from {short(match[0])} on was ignored."
            yield Term(rest, Kind.NOTHING, remark=sentence)
            return
        yield _term(match)


def _term(match: regex.Match[str]) -> Term:
    typed, phrase = match[0], match["phrase"]
    is_excluded = typed.startswith("-")
    if phrase is not None:
        return _phrase(Term(typed, Kind.PHRASE, phrase.strip(), is_excluded))
    if typed in _QUOTES:
        sentence = f"A quotation mark ({typed}) isn’t closed, so the words after it were searched one by one."
        return Term(typed, Kind.NOTHING, remark=sentence)
    bare = typed.removeprefix("-")
    operator = _OPERATOR.fullmatch(bare)
    if operator and not operator["value"].startswith("//"):  # that is an address
        return _operator(typed, operator["name"], operator["value"], is_excluded)
    tag = tag_key(bare[1:].strip(_AROUND))
    if bare.startswith("#") and is_tag(tag):
        return Term(typed, Kind.TAG, tag, is_excluded)
    return _word(Term(typed, Kind.WORD, bare, is_excluded))


def _phrase(term: Term) -> Term:
    if not term.value:
        return term.left_out(f"There’s nothing between the quotation marks in {short(term.typed)}.")
    if len(term.value) > LONGEST_WORD:
        return term.left_out(f"{short(term.typed)} is too long, so it was ignored.")
    return term


def _word(term: Term) -> Term:
    """Return a word; in long ones the beginning is enough, unless it says what must not be there."""
    if len(term.value) > LONGEST_WORD:
        return term.left_out(f"{short(term.typed)} is too long for a word, so it was ignored.")
    last = _LAST_WORD.search(term.value)
    letters = len(last[0]) if last else 0
    if term.value.endswith("*") and letters:
        if letters >= SHORTEST_STAR:
            return replace(term, kind=Kind.START)
        return replace(
            term, remark=f"{short(term.typed)} needs two letters before the *, so it was searched as a word."
        )
    if letters >= SHORTEST_START and last and not last[0].isdigit() and not term.is_excluded:
        return replace(term, kind=Kind.START)
    return term


def _operator(typed: str, name: str, value: str, is_excluded: bool) -> Term:
    key = name.casefold()
    if key == "from":
        return _from(Term(typed, Kind.FROM, value.rstrip(_AROUND), is_excluded))
    if key == "has":
        known = value.rstrip(_AROUND).casefold() in IMAGES
        term = Term(typed, Kind.IMAGE, "", is_excluded)
        sentence = f"Search doesn’t know {short(typed)} (only has:image), so it was ignored."
        return term if known else term.left_out(sentence)
    if key in ("before", "after"):
        return _day(Term(typed, Kind.BEFORE if key == "before" else Kind.AFTER, value.rstrip(_AROUND), is_excluded))
    meant = get_close_matches(key, OPERATORS, n=1)
    sentence = f"Search doesn’t know {short(name + ':')}, so it was searched as a word."
    hint = f" Did you mean “{meant[0]}:”?" if meant else ""
    return replace(_word(Term(typed, Kind.WORD, f"{name}:{value}", is_excluded)), remark=sentence + hint)


def _from(term: Term) -> Term:
    if term.value.casefold() == "me":
        return replace(term, kind=Kind.FROM_ME, value="")
    handle = term.value.removeprefix("@")
    if not handle:
        return term.left_out(f"{short(term.typed)} needs a handle right after it (from:@someone), so it was ignored.")
    if not regex.fullmatch(HANDLE, handle):
        return term.left_out(f"{short(term.value)} isn’t a valid handle, so it was ignored.")
    return replace(term, value=handle)


def _day(term: Term) -> Term:
    """Return a term whose value is a day: the first one of what was named, which may be a month or a year."""
    if not term.value:
        return term.left_out(f"{short(term.typed)} needs a date right after it (2026-03-31), so it was ignored.")
    day = _first_day(term.value)
    if day is None:
        return term.left_out(f"{short(term.value)} isn’t a valid date, so it was ignored.")
    if term.is_excluded:
        other = "after" if term.kind is Kind.BEFORE else "before"
        return term.left_out(f"{short(term.typed)} was ignored. Try {other}:{term.value} instead.")
    return replace(term, value=day.isoformat())


def _first_day(value: str) -> date | None:
    match = _DATE.fullmatch(value)
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return None
