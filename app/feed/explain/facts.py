"""Ask the rules of a home feed about one entry and one reader; `reasons` puts the answers into words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Select, bindparam, select

from app.accounts.models import User
from app.core.statements import AnyViewer, Compiled
from app.extensions import db
from app.feed import rules
from app.posts.models import Post
from app.social.models import REPOSTS, Follow
from app.social.queries import muted_by


@dataclass(frozen=True)
class Finding:
    """One rule, and what it says here."""

    rule: str
    says: str  # to whoever runs the site
    lets_through: bool | None = None  # None: it explains, it does not decide
    tells: str | None = None  # to the reader, where it is for them to know


@dataclass(frozen=True)
class Question:
    """An entry and a reader, with everybody whom the answer is about."""

    reader: User
    entry: Post
    by: User  # whose entry it is: the author, or whoever reposted
    post: Post  # what it shows
    author: User  # of the post
    follow: Follow | None  # of the reader to `by`

    @property
    def is_repost(self) -> bool:
        return self.entry.repost_of_id is not None

    @property
    def is_own(self) -> bool:
        return self.reader.id == self.by.id


@dataclass(frozen=True)
class Verdicts:
    """What the rules say, all asked in one statement."""

    is_in: bool
    follows_at_volume: bool
    follows_tag: bool
    reply_belongs: bool
    is_among_best: bool
    reposts_muted: bool
    earlier_id: int | None
    is_repeat: bool


def question(reader: User, entry: Post) -> Question:
    """Load what is needed to explain an entry."""
    post = db.session.get_one(Post, entry.repost_of_id) if entry.repost_of_id else entry
    by, author = (db.session.get_one(User, each.author_id) for each in (entry, post))
    return Question(reader, entry, by, post, author, db.session.get(Follow, (reader.id, by.id)))


def verdicts(asked: Question) -> Verdicts:
    """Ask the rules."""
    [row] = _verdicts.rows(**rules.reader(asked.reader), entry_id=asked.entry.id)
    return Verdicts(*row)


@Compiled
def _verdicts() -> Select[*tuple[Any, ...]]:
    viewer = AnyViewer()
    return select(
        rules.in_home_of(viewer),
        rules.follows_author(viewer),
        rules.follows_tag(viewer),
        rules.reply_belongs(viewer),
        rules.is_among_best(),
        muted_by(viewer.id, Post.author_id, REPOSTS),
        rules.first_entry_before(viewer).scalar_subquery(),
        rules.is_repeat_for(viewer),
    ).where(Post.id == bindparam("entry_id", type_=BigInteger))
