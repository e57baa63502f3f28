"""What an author may mean after an @ or a #, while they are still typing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex
from sqlalchemy import (
    CompoundSelect,
    Integer,
    Select,
    Subquery,
    and_,
    cast,
    false,
    func,
    literal,
    or_,
    select,
    union,
)
from sqlalchemy.sql.selectable import LateralFromClause

from app.accounts.models import User, UserCounters
from app.accounts.queries import has_word_starting
from app.core.statements import starts_with
from app.core.text import tag_key
from app.extensions import db
from app.posts.models import Post, PostTag
from app.posts.visibility import visible_to
from app.social.models import Follow
from app.social.queries import followed_by, listable_to

MAX_SUGGESTIONS = 8
MAX_COUNTED_POSTS = 100

# What is looked at before it is put in order. One letter may stand for half the site; the next one narrows it down.
MAX_PEOPLE = 1_000
MAX_USES = 20_000
MAX_TRIED = 1_000
MAX_TAGS = 24

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}_]{0,64}")


@dataclass(frozen=True)
class TagUse:
    """A tag, and how many posts under it one may see; `MAX_COUNTED_POSTS` stands for that many and more."""

    tag: str
    posts: int


def people_starting(prefix: str, *, viewer: User | None) -> Sequence[User]:
    """Return people whose handle, or a word of whose name, starts like this: friends first, then the well-known.

    Where nothing has been typed yet, it is one of those that the viewer follows.
    """
    if not _WORD.fullmatch(prefix) or not (prefix or viewer):
        return []
    people = select(User).join(UserCounters, UserCounters.user_id == User.id)
    people = people.where(User.id.in_(_candidates(prefix, viewer)), listable_to(viewer))
    known = (UserCounters.followers.desc(), User.id.desc())
    if viewer is None:
        return db.session.scalars(people.order_by(*known).limit(MAX_SUGGESTIONS)).all()
    follows, follows_back = followed_by(viewer.id, User.id), followed_by(User.id.expression, literal(viewer.id))
    closeness = 2 * cast(follows, Integer) + cast(follows_back, Integer)
    others = people.where(User.id != viewer.id).order_by(closeness.desc(), *known)
    return db.session.scalars(others.limit(MAX_SUGGESTIONS)).all()


def _candidates(prefix: str, viewer: User | None) -> Select[int] | CompoundSelect[int]:
    """Select all people that the viewer follows and who fit; of all others as many as can be ranked quickly."""
    followed = select(Follow.followed_id).where(Follow.follower_id == viewer.id if viewer else false())
    if not prefix:
        return followed
    by_handle = starts_with(func.lower(User.handle), prefix.lower())
    by_name = false() if "_" in prefix else has_word_starting(prefix)  # where words end at an _
    friends = followed.join(User, User.id == Follow.followed_id).where(or_(by_handle, by_name))
    others = [select(User.id).where(fits).limit(MAX_PEOPLE).subquery() for fits in (by_handle, by_name)]
    return union(friends, *(select(each.c.id) for each in others))


def tags_starting(prefix: str, *, viewer: User | None) -> list[TagUse]:
    """Return the tags that start like this, those with the most posts first, and none whose posts one may not see."""
    key = tag_key(prefix)
    if not key or not _WORD.fullmatch(key):
        return []
    most_used = _most_used(key)
    posts = _visible_posts(most_used, viewer)
    seen = select(most_used.c.tag, posts.c.number).join(posts, posts.c.number > 0)
    some = seen.order_by(most_used.c.uses.desc(), most_used.c.tag).limit(MAX_TAGS).subquery()
    offered = select(some.c.tag, some.c.number).order_by(some.c.number.desc(), some.c.tag).limit(MAX_SUGGESTIONS)
    return [TagUse(tag, number) for tag, number in db.session.execute(offered)]


def _most_used(prefix: str) -> Subquery:
    """Select the tags that start like this, those first that are in most posts that everybody may see.

    Were others counted, the order would tell of them. What only some may see comes last, but it comes.
    """
    found = select(PostTag).where(starts_with(PostTag.tag, prefix)).limit(MAX_USES).subquery()
    everybody = func.count(Post.id)
    public = and_(Post.id == found.c.post_id, visible_to(None))
    ranked = select(found.c.tag, everybody.label("uses")).outerjoin_from(found, Post, public).group_by(found.c.tag)
    return ranked.order_by(everybody.desc(), found.c.tag).limit(MAX_TRIED).subquery()


def _visible_posts(tags: Subquery, viewer: User | None) -> LateralFromClause:
    """Count for each tag the posts that the viewer may see, as far as it matters here."""
    under = select(Post.id).join(PostTag, PostTag.post_id == Post.id).where(PostTag.tag == tags.c.tag)
    seen = under.where(visible_to(viewer)).limit(MAX_COUNTED_POSTS).correlate(tags).lateral()
    return select(func.count().label("number")).select_from(seen).lateral()
