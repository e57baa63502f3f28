"""Post cards: what a page shows of an entry, for one viewer, in one statement for any number of entries."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from itertools import product
from typing import Any

from markupsafe import Markup
from sqlalchemy import Select, Text, bindparam

from app.accounts.models import User
from app.core import ids
from app.core.statements import AnyViewer, Compiled, as_array, is_one_of
from app.core.text import to_html
from app.posts.cards.columns import select_cards
from app.posts.media.cards import CardImage, read_images
from app.posts.models import EVERYONE, Post

NAMED_REPOSTERS = 2


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote it, as much as a card shows."""

    id: int
    handle: str
    name: str
    avatar: str | None
    is_private: bool = False

    @property
    def url(self) -> str:
        return f"/@{self.handle}"


@dataclass(frozen=True, slots=True)
class Reposter:
    """Somebody who reposted it; without a handle it is the viewer."""

    handle: str | None
    name: str


@dataclass(frozen=True, slots=True)
class QuotedPost:
    """A post inside another one's card."""

    id: int
    author: Author
    text: str
    html: Markup
    warning: str
    folded: str | None  # the words of the viewer's filter that it is folded for
    images: tuple[CardImage, ...]
    is_quote: bool  # of a third post, which only its own page shows
    created_at: datetime

    @property
    def url(self) -> str:
        return f"{self.author.url}/{self.id}"


@dataclass(frozen=True, slots=True, eq=False)
class PostCard:
    """An entry, ready to be shown; one object for all to whom it looks the same, so that what is kept is found."""

    entry_id: int  # the place in the feed: of the post, or of the repost
    id: int
    author: Author
    text: str
    html: Markup
    warning: str
    images: tuple[CardImage, ...]
    created_at: datetime
    is_edited: bool
    audience: str
    likes: int
    replies: int
    reposts: int
    is_liked: bool  # by the viewer
    is_bookmarked: bool
    is_reposted: bool
    folded: str | None  # the words of the viewer's filter that it is folded for
    conversation_id: int
    reply_to_id: int | None
    answers: str | None  # the handle of whom it answers, if the viewer may know
    is_quote: bool
    quoted: QuotedPost | None  # None also where the viewer may not see it
    reposters: tuple[Reposter, ...]
    more_reposters: int

    @property
    def url(self) -> str:
        return f"{self.author.url}/{self.id}"

    @property
    def entered_at(self) -> datetime:
        """Return when it came into the list: when it was written or, of a repost, when that was made."""
        return ids.time_of(self.entry_id)

    @property
    def said(self) -> str:
        """Return what may be said of it where nothing can be folded, as in a title: its warning, if it has one."""
        if self.folded is not None:
            return "Filtered post"
        return self.warning or self.text or ("Image" if len(self.images) == 1 else "Images")

    @property
    def is_public(self) -> bool:
        """Say whether everybody may see it, so that everybody may hand it on."""
        return self.audience == EVERYONE and not self.author.is_private


def cards_for(entry_ids: Sequence[int], *, viewer: User | None, muted_too: bool = False) -> list[PostCard]:
    """Return the cards of those entries that the viewer may see, in the order given."""
    if not entry_ids:
        return []
    rows = _cards[viewer is not None, muted_too].rows(ids=as_array(entry_ids), viewer_id=viewer.id if viewer else None)
    cards = {card.entry_id: card for card in to_cards(rows)}
    return [cards[entry_id] for entry_id in entry_ids if entry_id in cards]


def _select_named(has_viewer: bool, muted_too: bool) -> Select[*tuple[Any, ...]]:
    cards = select_cards(AnyViewer() if has_viewer else None, muted_too=muted_too)
    return cards.where(is_one_of(Post.id, bindparam("ids", type_=Text)))


# Nearly every page asks it: to build the statement takes ten times as long as to run it.
_cards = {kind: Compiled(partial(_select_named, *kind)) for kind in product((True, False), repeat=2)}


def to_cards(rows: Iterable[Sequence[Any]]) -> list[PostCard]:
    """Return the cards of rows that `select_cards` selected."""
    return [_card(*row) for row in rows]


@lru_cache(maxsize=5000)
def _card(
    entry_id: int,
    post_id: int,
    text: str,
    warning: str,
    audience: str,
    is_edited: bool,
    author_id: int,
    handle: str,
    name: str,
    avatar: str | None,
    is_private: bool,
    likes: int,
    replies: int,
    reposts: int,
    mentioned: str | None,
    conversation_id: int,
    images: str | None,
    reply_to_id: int | None,
    answers: str | None,
    quote_of_id: int | None,
    quoted: str | None,
    reposters: str | None,
    is_liked: bool,
    is_bookmarked: bool,
    is_reposted: bool,
    folded: str | None,
) -> PostCard:
    by = [Reposter(*each) for each in json.loads(reposters)] if reposters else []
    return PostCard(
        entry_id=entry_id,
        id=post_id,
        author=Author(author_id, handle, name, avatar, is_private),
        text=text,
        html=to_html(text, frozenset((mentioned or "").split())),
        warning=warning,
        images=read_images(images),
        created_at=ids.time_of(post_id),
        is_edited=is_edited,
        audience=audience,
        likes=likes,
        replies=replies,
        reposts=reposts,
        is_liked=is_liked,
        is_bookmarked=is_bookmarked,
        is_reposted=is_reposted,
        folded=folded,
        conversation_id=conversation_id,
        reply_to_id=reply_to_id,
        answers=answers,
        is_quote=quote_of_id is not None,
        quoted=_quoted_post(*json.loads(quoted)) if quoted else None,
        reposters=tuple(by[:NAMED_REPOSTERS]),
        more_reposters=max(0, len(by) - NAMED_REPOSTERS),
    )


def _quoted_post(
    post_id: int, text: str, warning: str, images: str | None, is_quote: bool, folded: str | None, *author: Any
) -> QuotedPost:
    html, created_at = to_html(text, frozenset()), ids.time_of(post_id)
    return QuotedPost(post_id, Author(*author), text, html, warning, folded, read_images(images), is_quote, created_at)
