"""Post cards: what a page shows of a post, for one viewer, in one statement for any number of posts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from markupsafe import Markup
from sqlalchemy import Select, case, func, select

from app.accounts.models import User
from app.core import ids
from app.core.statements import AnyViewer, is_one_of
from app.core.text import to_html
from app.extensions import db
from app.posts.models import Post, PostMention
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
    """One post, ready to be shown; the same object for everybody who may see it, so that what is kept is found fast."""

    id: int
    author: Author
    text: str
    html: Markup
    created_at: datetime

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
    shown = select(Post.id, Post.text, User.id, User.handle, User.name, User.avatar, mentioned)
    return shown.join(User, User.id == Post.author_id).where(visible_to(viewer, muted_too=muted_too))


def to_cards(rows: Iterable[Sequence[Any]]) -> list[PostCard]:
    """Return the cards of rows that `select_cards` selected."""
    return [_card(*row) for row in rows]


@lru_cache(maxsize=5000)
def _card(
    post_id: int, text: str, author_id: int, handle: str, name: str, avatar: str | None, mentioned: str | None
) -> PostCard:
    return PostCard(
        id=post_id,
        author=Author(author_id, handle, name, avatar),
        text=text,
        html=to_html(text, frozenset((mentioned or "").split())),
        created_at=ids.time_of(post_id),
    )
