"""What stands above a reply in a list: what it answers, in two lines, as far as the viewer may see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app import addresses
from app.accounts.reader import Reader
from app.posts.cards.cards import Author, PostCard, author_of, said_in
from app.posts.cards.missing import why_missing
from app.posts.facts import Facts, facts_about, facts_above
from app.posts.media.cards import read_images
from app.posts.visibility import is_visible

MAX_SAID = 300  # characters of which two lines are shown


@dataclass(frozen=True, slots=True)
class Snippet:
    """The beginning of a post that is shown for the sake of its answers, and is no entry."""

    id: int
    author: Author
    said: str
    conversation_id: int

    @property
    def url(self) -> str:
        return addresses.post(self.author.handle, self.id)


@dataclass(frozen=True, slots=True)
class Context:
    """What a reply answers: the first post of its conversation, what is left out, and the nearest post above it.

    Where the first post cannot be seen, what is left out is above the nearest one.
    """

    first: Snippet | None  # None where it is the nearest, or cannot be seen
    nearest: Snippet | None
    left_out: int  # besides these two, of those that the viewer may see
    is_counted: bool  # whether these are all
    missing: str  # why the post that it answers is not shown, in words; none where it is the nearest

    @property
    def leaves_some_out(self) -> bool:
        """Say whether there is something above the nearest post, besides the first one."""
        return self.left_out > 0 or (self.first is not None and not self.is_counted)

    @property
    def earlier(self) -> str:
        """Return what is left out, in words."""
        if not self.left_out:
            return "Earlier replies"
        more = "" if self.is_counted else "+"
        return f"{self.left_out}{more} earlier {'reply' if self.left_out == 1 and not more else 'replies'}"


def answered_by(cards: Iterable[PostCard], *, viewer: Reader | None) -> dict[int, Context]:
    """Return what the replies among some cards answer, by their entries; one statement, where there are any."""
    replies = [card for card in cards if card.reply_to_id is not None]
    if not replies:
        return {}
    facts = facts_about({card.reply_to_id or 0 for card in replies}, viewer=viewer)
    return {card.entry_id: _answered(facts.get(card.reply_to_id or 0), viewer) for card in replies}


def _answered(post: Facts | None, viewer: Reader | None) -> Context:
    if post is None or not is_visible(post, viewer):
        return Context(None, None, 0, is_counted=True, missing=_why_missing(post, viewer))
    return Context(None, _snippet(post), 0, is_counted=True, missing="")


def missing_among(ids: Iterable[int], *, viewer: Reader | None) -> dict[int, str]:
    """Return of which posts nothing is shown above their answers any more, and why, in words."""
    asked = list(ids)
    facts = facts_about(asked, viewer=viewer) if asked else {}
    contexts = {post_id: _answered(facts.get(post_id), viewer) for post_id in asked}
    return {post_id: context.missing for post_id, context in contexts.items() if context.missing}


def contexts_of(cards: Iterable[PostCard], *, viewer: Reader | None) -> dict[int, Context]:
    """Return the same and the conversation above it, as far as it is shown."""
    replies = [card for card in cards if card.reply_to_id is not None]
    if not replies:
        return {}
    around = {each for card in replies for each in (card.reply_to_id, card.conversation_id) if each}
    facts = facts_above(sorted(around), viewer=viewer)
    return {card.entry_id: _context(card, facts, viewer) for card in replies}


def _context(card: PostCard, facts: Mapping[int, Facts], viewer: Reader | None) -> Context:
    above = _ids_above(card, facts)
    seen = [facts[each] for each in above if each in facts and is_visible(facts[each], viewer)]
    first = facts.get(card.conversation_id)
    is_whole = card.conversation_id in above
    if not is_whole and first and is_visible(first, viewer):
        seen.append(first)
    has_first = len(seen) > 1 and seen[-1].id == card.conversation_id
    return Context(
        first=_snippet(seen[-1]) if has_first else None,
        nearest=_snippet(seen[0]) if seen else None,
        left_out=max(0, len(seen) - 1 - has_first),
        is_counted=is_whole,
        missing="" if seen and seen[0].id == card.reply_to_id else _why_missing(facts.get(above[0]), viewer),
    )


def _ids_above(card: PostCard, facts: Mapping[int, Facts]) -> list[int]:
    """Return what a reply stands below, the nearest first, as far up as it was read."""
    above, post_id = list[int](), card.reply_to_id
    while post_id is not None:
        above.append(post_id)
        post = facts.get(post_id)
        post_id = post.reply_to_id if post else None
    return above


def _why_missing(post: Facts | None, viewer: Reader | None) -> str:
    if post is None or post.is_deleted or post.author_is_deleted:
        return why_missing(is_gone=True, is_unwanted=False)
    return why_missing(is_gone=False, is_unwanted=is_visible(post, viewer, muted_too=True))


def _snippet(post: Facts) -> Snippet:
    said = said_in(post.collapsing_phrase, post.warning, post.text, read_images(post.images))
    return Snippet(post.id, author_of(post), said[:MAX_SAID], post.thread_id or post.id)
