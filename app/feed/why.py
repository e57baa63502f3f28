"""Why am I seeing this? What the rules find about an entry, in sentences to its reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup
from sqlalchemy import func, select

from app.accounts.models import User
from app.core import clock
from app.core.text import mentioned_handles, to_html
from app.extensions import db
from app.feed import questions, reasons
from app.feed.questions import Question, Verdicts
from app.posts.cards import PostCard
from app.posts.models import Post, WordFilter


@dataclass(frozen=True)
class Answer:
    """Why somebody sees an entry, in sentences to them."""

    card: PostCard
    opening: str
    sentences: Sequence[Markup]
    closing: Markup


def answer(reader: User, entry: Post, card: PostCard, *, at: str) -> Answer:
    """Tell a reader, who is on the page `at`, why an entry is there."""
    asked = questions.question(reader, entry)
    found = questions.verdicts(asked)
    told = [finding for finding in reasons.findings(asked, found) if finding.tells]
    if not found.is_in:  # what would let it through does not matter where something else does not
        told = [finding for finding in told if finding.lets_through is not True] or told
    place = _place(at)
    if place is None:
        opening = "It is in your home feed." if found.is_in else "It is no longer in your home feed."
    else:
        opening = f"{place} {'It is also in your home feed.' if found.is_in else 'It is not in your home feed.'}"
    sentences = [finding.tells or "" for finding in told]
    closing = _closing(asked, found)
    return Answer(card, opening, [_linked(sentence) for sentence in sentences], _linked(closing))


def _linked(sentence: str) -> Markup:
    return to_html(sentence, frozenset(mentioned_handles(sentence)))


def _place(at: str) -> str | None:
    """Say what the page shows on which somebody is; None of home."""
    path = at.partition("?")[0]
    if path in {"/", "/feed", "/feed/new"}:
        return None
    if path.startswith("/explore"):
        return "Explore shows what everybody posts."
    if path.startswith("/tags/"):
        return "The page of a tag shows whatever is posted under it."
    if path.startswith("/search"):
        return "It matches what you searched for."
    if path == "/bookmarks":
        return "You bookmarked it."
    if path.startswith("/@") and path.count("/") == 1:
        return "A profile shows everything that its owner posts and that you may see."
    return "You opened its page, or the conversation that it is part of."


def _closing(asked: Question, found: Verdicts) -> str:
    filters = _number_of_filters(asked.reader)
    words = (
        f"your {filters} word filter{'s' if filters > 1 else ''}" if filters else "word filters, of which you have none"
    )
    checked = f"It was checked against whom you mute and block, the conversations you muted, and {words}"
    if not found.is_in:
        return f"{checked}."
    if asked.is_own:
        return f"{checked}; but nothing ever hides from you what is your own."
    name = f"@{asked.by.handle}"
    ways = f"Unfollowing or muting {name}" if asked.follow else f"Muting {name}"
    return f"{checked}; nothing hides it. {ways}, muting this conversation or a filter on its words would take it away."


def _number_of_filters(reader: User) -> int:
    """Return how many word filters of somebody hold now."""
    holds = WordFilter.until.is_(None) | (WordFilter.until > clock.now())
    return db.session.scalar(select(func.count()).where(WordFilter.user_id == reader.id, holds)) or 0
