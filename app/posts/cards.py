"""Post cards: what a page shows of a post, for one viewer, in one statement for any number of posts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from markupsafe import Markup
from sqlalchemy import ColumnElement, Select, case, exists, false, func, select

from app.accounts.models import User
from app.core import ids
from app.core.statements import AnyViewer, is_one_of
from app.core.text import to_html
from app.extensions import db
from app.posts.models import Bookmark, Like, Post, PostCounters, PostMention
from app.posts.queries import visible_to


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote it, as much as a card shows."""

    id: int
    handle: str
    name: str
    avatar: str | None

    @property
    def url(self) -> str:
        return f"/@{self.handle}"


@dataclass(frozen=True, slots=True, eq=False)
class PostCard:
    """One post, ready to be shown; the same object for all to whom it looks the same, so that what is kept is found."""

    id: int
    author: Author
    text: str
    html: Markup
    created_at: datetime
    likes: int
    is_liked: bool  # by the viewer
    is_bookmarked: bool

    @property
    def url(self) -> str:
        return f"{self.author.url}/{self.id}"


def cards_for(post_ids: Sequence[int], *, viewer: User | None, muted_too: bool = False) -> list[PostCard]:
    """Return the cards of those posts that the viewer may see, in the order given."""
    if not post_ids:
        return []
    shown = select_cards(viewer, muted_too=muted_too).where(is_one_of(Post.id, post_ids))
    cards = {card.id: card for card in to_cards(db.session.execute(shown))}
    return [cards[post_id] for post_id in post_ids if post_id in cards]


def select_cards(viewer: User | AnyViewer | None, *, muted_too: bool = False) -> Select[*tuple[Any, ...]]:
    """Select what cards show, of the posts that the viewer may see; `to_cards` understands the rows."""
    mentions = (
        select(func.string_agg(func.lower(User.handle), " "))
        .join(PostMention, PostMention.user_id == User.id)
        .where(PostMention.post_id == Post.id, User.deleted_at.is_(None))
        .correlate(Post)
        .scalar_subquery()
    )
    mentioned = case((Post.text.contains("@"), mentions))  # most posts name nobody: they need not be looked up
    likes = func.coalesce(PostCounters.likes, 0)
    shown = select(Post.id, Post.text, User.id, User.handle, User.name, User.avatar, mentioned, likes, *_marks(viewer))
    shown = shown.join(User, User.id == Post.author_id).outerjoin(PostCounters, PostCounters.post_id == Post.id)
    return shown.where(visible_to(viewer, muted_too=muted_too))


def _marks(viewer: User | AnyViewer | None) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return whether the viewer likes a post, and whether it is in their bookmarks."""
    if viewer is None:
        return false(), false()
    return (
        exists().where(Like.post_id == Post.id, Like.user_id == viewer.id).correlate(Post),
        exists().where(Bookmark.post_id == Post.id, Bookmark.user_id == viewer.id).correlate(Post),
    )


def to_cards(rows: Iterable[Sequence[Any]]) -> list[PostCard]:
    """Return the cards of rows that `select_cards` selected."""
    return [_card(*row) for row in rows]


@lru_cache(maxsize=5000)
def _card(
    post_id: int,
    text: str,
    author_id: int,
    handle: str,
    name: str,
    avatar: str | None,
    mentioned: str | None,
    likes: int,
    is_liked: bool,
    is_bookmarked: bool,
) -> PostCard:
    return PostCard(
        id=post_id,
        author=Author(author_id, handle, name, avatar),
        text=text,
        html=to_html(text, frozenset((mentioned or "").split())),
        created_at=ids.time_of(post_id),
        likes=likes,
        is_liked=is_liked,
        is_bookmarked=is_bookmarked,
    )
