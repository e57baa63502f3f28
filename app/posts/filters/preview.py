"""What a word filter would catch, before it is stored: the same words, read by the same Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape
from sqlalchemy import func, select

from app.core.statements import is_one_of
from app.extensions import db
from app.posts.cards.cards import PostCard
from app.posts.filters.matching import words_of
from app.posts.models import Post

# They stand around a hit until it is HTML. Nobody can write them: text that is stored has no control characters.
OPEN, CLOSE = "\x02", "\x03"
BEFORE, LONGEST = 60, 240


@dataclass(frozen=True)
class Caught:
    """A post that a filter would catch, and what of it is shown, with the hits marked."""

    card: PostCard
    html: Markup


def caught(cards: Sequence[PostCard], pattern: str) -> list[Caught]:
    """Return those of the cards that a pattern catches."""
    words = words_of(Post)
    marked = func.regexp_replace(words, pattern, rf"{OPEN}\&{CLOSE}", "gi")
    found = select(Post.id, marked).where(
        is_one_of(Post.id, [card.id for card in cards]), words.regexp_match(pattern, "i")
    )
    hits = {row[0]: row[1] for row in db.session.execute(found)}
    return [Caught(card, _excerpt(hits[card.id])) for card in cards if card.id in hits]


def _excerpt(said: str) -> Markup:
    """Return the words around the first hit as safe HTML, every hit in them marked."""
    said = " ".join(said.replace("\x01", " ").split())
    start = max(0, said.index(OPEN) - BEFORE)
    part = said[start : start + LONGEST]
    if part.count(OPEN) > part.count(CLOSE):  # cut inside a hit
        part += CLOSE
    part = ("…" if start else "") + part + ("…" if start + LONGEST < len(said) else "")
    return Markup(str(escape(part)).replace(OPEN, "<mark>").replace(CLOSE, "</mark>"))  # noqa: S704
