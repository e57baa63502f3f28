"""How a page of a home looks: conversations in one piece, or every post on its own, as the reader chose.

It is decided after the page, and changes nothing of it. Which conversations have had a place on the pages above is said
by the way onwards, so that a later page can say that it goes on with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.accounts.reader import SessionReader
from app.core.ids import MAX_ID
from app.posts.cards.cards import PostCard
from app.posts.streams.rendering import Stream, in_conversations, plain
from app.web.paging import Page

MAX_NAMED = 50  # conversations that the way onwards names


def lay_out(page: Page[PostCard], *, reader: SessionReader, shown_before: str = "") -> Stream:
    """Lay out a page of a reader's home; `shown_before` is what the way to it says of the pages above."""
    if not reader.groups_conversations:
        return plain(page)
    before = _read(shown_before)
    named = _going_on(page.items, before)
    if page.next_url and named:
        page = replace(page, next_url=f"{page.next_url}&talks={'.'.join(map(str, named))}")
    return in_conversations(page, viewer=reader, shown_before=before)


def _read(shown_before: str) -> frozenset[int]:
    """Return the conversations that a way onwards names; what makes no sense names none."""
    ids = [each for each in shown_before.split(".")[:MAX_NAMED] if each.isascii() and each.isdigit() and len(each) < 17]
    return frozenset(int(each) for each in ids if int(each) <= MAX_ID)


def _going_on(cards: Sequence[PostCard], before: frozenset[int]) -> list[int]:
    """Return the conversations of which there may be something below a page: those that began below it."""
    replies = {card.conversation_id for card in cards if card.reply_to_id is not None and not card.is_repost}
    below = cards[-1].entry_id if cards else MAX_ID
    return sorted((each for each in replies | before if each < below), reverse=True)[:MAX_NAMED]
