"""Post cards: what a page shows of a post, for one viewer, in one statement for any number of posts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup
from sqlalchemy import false, func, select

from app.accounts.models import User
from app.core import ids
from app.core.text import to_html
from app.extensions import db
from app.posts.models import Post, PostMention
from app.posts.queries import visible_to
from app.social.queries import followed_by, muted_by


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


@dataclass(frozen=True, slots=True)
class PostCard:
    """One post, ready to be shown."""

    id: int
    author: Author
    text: str
    html: Markup
    created_at: datetime
    is_own: bool
    follows_author: bool
    mutes_author: bool

    @property
    def url(self) -> str:
        return f"{self.author.url}/{self.id}"


def cards_for(post_ids: Sequence[int], *, viewer: User | None, muted_too: bool = False) -> list[PostCard]:
    """Return the cards of those posts that the viewer may see, in the order given."""
    if not post_ids:
        return []
    mentions = (
        select(func.array_agg(func.lower(User.handle)))
        .join(PostMention, PostMention.user_id == User.id)
        .where(PostMention.post_id == Post.id, User.deleted_at.is_(None))
        .correlate(Post)
        .scalar_subquery()
    )
    viewer_id = viewer.id if viewer else None
    marks = [followed_by(viewer.id, Post.author_id), muted_by(viewer.id, Post.author_id)] if viewer else [false()] * 2
    shown = (
        select(Post.id, Post.text, User.id, User.handle, User.name, User.avatar, mentions, *marks)
        .join(User, User.id == Post.author_id)
        .where(Post.id.in_(post_ids), visible_to(viewer, muted_too=muted_too))
    )
    cards = {}
    for post_id, text, author_id, handle, name, avatar, mentioned, follows, mutes in db.session.execute(shown):
        cards[post_id] = PostCard(
            id=post_id,
            author=Author(author_id, handle, name, avatar),
            text=text,
            html=to_html(text, frozenset(mentioned or ())),
            created_at=ids.time_of(post_id),
            is_own=author_id == viewer_id,
            follows_author=follows,
            mutes_author=mutes,
        )
    return [cards[post_id] for post_id in post_ids if post_id in cards]
