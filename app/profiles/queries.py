"""What is told of a person beside their posts."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import BigInteger, Select, bindparam, func, select
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.accounts.reader import Reader
from app.core import clock
from app.core.statements import AnyViewer, Compiled
from app.posts.models import Post, PostTag, Viewer
from app.posts.visibility import DELETED, visible_to

_Latest = aliased(Post)  # keeps its own rows inside a statement that selects from the same table
MAX_POSTS_READ = 100  # the latest: what is counted costs no more for an author of a hundred thousand
MAX_TAGS = 6


def tags_most_used_by(author: User, *, viewer: Reader | None) -> list[str]:
    """Return the tags that stand in most of an author's latest posts, among those that the viewer would find there."""
    who = {"viewer_id": viewer.id} if viewer else {}
    return [row[0] for row in _statement(viewer is None).rows(**who, author_id=author.id)]


@cache
def _statement(for_strangers: bool) -> Compiled:
    return Compiled(lambda: _select_tags(None if for_strangers else AnyViewer()))


def _select_tags(viewer: Viewer) -> Select[str]:
    theirs = _Latest.author_id == bindparam("author_id", type_=BigInteger)
    latest = select(_Latest.id).where(theirs, ~DELETED.sql(None, _Latest, None))
    latest_ids = latest.order_by(_Latest.id.desc()).limit(MAX_POSTS_READ).subquery()
    tags = select(PostTag.tag).join(latest_ids, latest_ids.c.id == PostTag.post_id)
    tags = tags.join(Post, Post.id == PostTag.post_id).where(visible_to(viewer))
    return tags.group_by(PostTag.tag).order_by(func.count().desc(), PostTag.tag).limit(MAX_TAGS)


def pace_of(posts: int, *, since: datetime) -> str:
    """Say how much an author writes, in words; nothing of an author who has not written."""
    a_week = posts / max(1.0, (clock.now() - since) / timedelta(weeks=1))
    if a_week >= 10:
        return f"about {round(a_week / 7)} a day"
    if a_week >= 1:
        return f"about {round(a_week)} a week"
    return "less than one a week" if posts else ""
