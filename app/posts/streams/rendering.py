"""Lists of posts as HTML: kept cards, put into the kept HTML of conversations and of what replies answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from markupsafe import Markup

from app import addresses
from app.accounts.reader import Reader
from app.core.zones import Zone
from app.posts.cards.cards import PostCard
from app.posts.cards.rendering import Line, card_parts
from app.posts.streams.contexts import Context, answered_by, contexts_of
from app.posts.streams.items import Item, grouped, line_at, one_by_one
from app.web import kept
from app.web.csrf import current_token
from app.web.kept import Kept, slot
from app.web.paging import Page


@dataclass(frozen=True)
class Stream(Page[PostCard]):
    """A page of posts, and how they are laid out. `items` are its entries, newest first, however they look."""

    layout: Sequence[Item] = ()
    contexts: Mapping[int, Context] = field(default_factory=dict)  # by the entry above which they stand
    shown_before: frozenset[int] = frozenset()  # conversations of which there was something on the pages above


def plain(page: Page[PostCard]) -> Stream:
    """Lay out every post on its own."""
    return _laid_out(page, one_by_one(page.items))


def in_context(page: Page[PostCard], *, viewer: Reader | None) -> Stream:
    """Lay out every post on its own, below what it answers."""
    contexts = answered_by(page.items, viewer=viewer)
    return _laid_out(page, one_by_one(page.items), contexts)


def in_conversations(
    page: Page[PostCard], *, viewer: Reader | None, shown_before: frozenset[int] = frozenset()
) -> Stream:
    """Lay out the posts of a conversation in one piece, below what the first of them answers."""
    layout = grouped(page.items)
    contexts = contexts_of([item.cards[0] for item in layout if not item.cards[0].is_repost], viewer=viewer)
    return _laid_out(page, layout, contexts, shown_before)


def _laid_out(
    page: Page[PostCard],
    layout: Sequence[Item],
    contexts: Mapping[int, Context] | None = None,
    shown_before: frozenset[int] = frozenset(),
) -> Stream:
    same = (page.items, page.next_url, page.is_first, page.below, page.prev_url, page.is_upwards, page.around)
    return Stream(*same, layout, contexts or {}, shown_before)


def render_stream(page: Page[PostCard], *, zone: Zone, has_menu: bool, line: Line | None = None) -> Markup:
    """Return the HTML of a page of posts, with a line above the first place where all is as old as its entry."""
    token = current_token().encode() if has_menu else b""
    stream = page if isinstance(page, Stream) else plain(page)
    return Markup(stream_for(stream, token, zone=zone, has_menu=has_menu, line=line).decode())  # noqa: S704


def stream_for(stream: Stream, token: bytes, *, zone: Zone, has_menu: bool, line: Line | None) -> bytes:
    """Return the same as it is sent; `token` is that of the session, for the forms of its cards."""
    layout = stream.layout
    at = line_at(layout, line.entry_id) if line else None
    html = []
    for place, item in enumerate(layout):
        words = line.words if line and place == at else ""
        html.append(_item(item, stream, token, zone=zone, has_menu=has_menu, line=words))
    return b"".join(html)


def _item(item: Item, stream: Stream, token: bytes, *, zone: Zone, has_menu: bool, line: str) -> bytes:
    first = item.cards[0]
    context = stream.contexts.get(first.entry_id)
    goes_on = first.conversation_id in stream.shown_before and not first.is_repost
    if context is None and len(item.cards) == 1 and not goes_on:
        return token.join(card_parts(first, zone=zone, has_menu=has_menu, line=line))
    above = context.nearest.id if context and context.nearest and not context.missing else None
    turns, shown = [], {above, first.reply_to_id, None}
    for card in item.cards:
        html = token.join(card_parts(card, zone=zone, has_menu=has_menu))
        is_cut_off = card.reply_to_id not in shown
        turn = _turn(above is not None and card.reply_to_id == above, is_cut_off)
        turns.append(turn.fill({"post": html, "onwards": addresses.thread(card.reply_to_id or 0).encode()}))
        above = card.id
        shown.add(above)
    values = {"turns": b"".join(turns), "context": _context(context) if context else b""}
    return _talk(line, goes_on, len(item.cards) > 1).fill(values)


@lru_cache(maxsize=100)
def _talk(line: str, goes_on: bool, is_several: bool) -> Kept:
    slots = {"context": slot("context"), "turns": slot("turns")}
    return kept.render("posts/_talk.html", **slots, line=line, goes_on=goes_on, is_several=is_several)


@lru_cache(maxsize=4)
def _turn(answers_above: bool, is_cut_off: bool) -> Kept:
    slots = {"post": slot("post"), "onwards": slot("onwards") if is_cut_off else ""}
    return kept.render("posts/_turn.html", **slots, answers_above=answers_above)


@lru_cache(maxsize=5000)
def _context(context: Context) -> bytes:
    return kept.render("posts/_context.html", context=context).parts[0]
