"""Why am I seeing this? What the rules find about an entry, in sentences to its reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.accounts.models import User
from app.core.text import mentioned_handles, to_html
from app.feed.explain import facts, wording
from app.feed.explain.facts import Question, Verdicts
from app.posts.cards.cards import PostCard
from app.posts.models import Post


@dataclass(frozen=True)
class Answer:
    """Why somebody sees an entry, in sentences to them."""

    card: PostCard
    opening: str
    sentences: Sequence[Markup]
    closing: Markup


def answer(reader: User, entry: Post, card: PostCard, *, at: str) -> Answer:
    """Tell a reader, who is on the page `at`, why an entry is there."""
    asked = facts.question(reader, entry)
    found = facts.verdicts(asked)
    told = [finding for finding in wording.findings(asked, found) if finding.tells]
    if not found.is_in:  # what would let it through does not matter where something else does not
        told = [finding for finding in told if finding.lets_through is not True] or told
    place = _place(at)
    if place is None:
        opening = "It’s in your home feed." if found.is_in else "It’s no longer in your home feed."
    else:
        opening = f"{place} {'It’s also in your home feed.' if found.is_in else 'It’s not in your home feed.'}"
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
        return "Explore shows everyone’s posts."
    if path.startswith("/tags/"):
        return "A tag’s page shows every post with that tag."
    if path.startswith("/search"):
        return "It matches your search."
    if path == "/bookmarks":
        return "You bookmarked it."
    if path.startswith("/@") and path.count("/") == 1:
        return "A profile shows all of someone’s posts that you can see."
    return "You opened this post or its conversation."


def _closing(asked: Question, found: Verdicts) -> str:
    checked = "Checked against your mutes, blocks and word filters"
    if not found.is_in:
        return f"{checked}."
    if asked.is_own:
        return "Your own posts are never hidden from you."
    ways = f"unfollow or mute @{asked.by.handle}" if asked.follow else f"mute @{asked.by.handle}"
    return f"{checked}; nothing hides it. To see less like this, {ways}, mute this conversation or filter its words."
