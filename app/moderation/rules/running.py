"""Try a rule on the posts of the last days, in slices: the same decision as for what is written now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from sqlalchemy import ARRAY, Text, cast, func, select
from sqlalchemy.dialects.postgresql import array

from app.accounts.models import STAFF, User
from app.core import ids
from app.extensions import db
from app.posts.models import Post, PostImage
from app.posts.rules.judging import recent_of
from app.posts.rules.matching import Conditions, Written, matches
from app.posts.rules.models import Rule

SLICE = 500
MAX_LISTED = 30


class _Row(NamedTuple):
    id: int
    author_id: int
    text: str
    warning: str
    joined_at: datetime
    alts: Sequence[str]

    def written(self) -> Written:
        """Return the post as it would have been judged when it was written."""
        at = ids.time_of(self.id)
        recent = partial(recent_of, self.author_id, at=at, before=self.id)
        return Written(self.text, self.warning, self.alts, at=at, joined_at=self.joined_at, recent_of_author=recent)


def run_slice(rule: Rule, *, size: int = SLICE) -> bool:
    """Look at some more posts; say whether there are more."""
    assert rule.run_at is not None and rule.run_to is not None
    rows = _posts(rule.run_at, rule.run_to, size)
    asks = Conditions(*(getattr(rule, name) for name in Conditions._fields))
    matched = [row.id for row in rows if matches(asks, row.written())]
    rule.run_matched += len(matched)
    rule.run_newest = [*reversed(matched), *rule.run_newest][:MAX_LISTED]
    rule.run_at = rows[-1].id if len(rows) == size else rule.run_to
    return rule.is_running


def _posts(after: int, before: int, size: int) -> list[_Row]:
    """Select posts above one and below another, the oldest first; those who run the site are not judged."""
    said = select(func.array_agg(PostImage.alt)).where(PostImage.post_id == Post.id).correlate(Post)
    alts = func.coalesce(said.scalar_subquery(), cast(array([]), ARRAY(Text)))
    columns = (Post.id, Post.author_id, Post.text, Post.warning, User.created_at, alts)
    judged = (Post.deleted_at.is_(None), Post.repost_of_id.is_(None), User.role.not_in(STAFF))
    found = select(*columns).join(User, User.id == Post.author_id).where(Post.id > after, Post.id < before, *judged)
    return [_Row(*row) for row in db.session.execute(found.order_by(Post.id).limit(size))]
