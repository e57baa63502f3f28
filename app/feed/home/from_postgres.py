"""The home feed from Postgres alone: the fallback, the oracle of the windows, and all that lies below them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Boolean,
    ColumnElement,
    Integer,
    Select,
    Subquery,
    and_,
    bindparam,
    func,
    literal,
    or_,
    select,
    union,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute, aliased

from app.accounts.models import UserCounters
from app.accounts.reader import Reader
from app.core.ids import MAX_ID
from app.core.statements import AnyViewer, Compiled
from app.feed.rules.home import in_home_of, values_of
from app.posts.models import Post, PostTag, TagFollow
from app.social.models import Follow

MANY = 300  # accounts followed, from which on Postgres looks at the newest posts of all first
PROBED = 2000  # of them

_Newest = aliased(Post)


def get_ready() -> None:
    """Compile the statements before they are needed: whoever waits for a Redis that went away waits long enough."""
    _newest_below.compile()
    _newest_above.compile()
    _oldest_above.compile()


def ids_below(viewer: Reader, *, before: int | None, size: int, without_filter: int = 0) -> list[int]:
    """Return the newest entries of the home feed below a place."""
    asked = _bounds(viewer, before=before, size=size)
    return [row[0] for row in _newest_below.rows(**asked, without_filter=without_filter)]


def news_above(viewer: Reader, *, above: int, before: int | None = None, size: int, own_too: bool) -> list[int]:
    """Return the newest entries in the home feed above a place, and below another: by others, or also one's own posts.

    What one has reposted one had before one already.
    """
    asked = _bounds(viewer, above=above, before=before, size=size)
    return [row[0] for row in _newest_above.rows(**asked, own_too=own_too)]


def ids_rising(viewer: Reader, *, above: int, size: int) -> list[int]:
    """Return the oldest entries of the home feed above a place, the oldest first."""
    asked = _bounds(viewer, above=above, size=size)
    return [row[0] for row in _oldest_above.rows(**asked, without_filter=0)]


def _bounds(viewer: Reader, *, size: int, before: int | None = None, above: int = 0) -> dict[str, Any]:
    below = MAX_ID if before is None else before
    return {**values_of(viewer), "below": below, "above": above, "size": size, "many": MANY, "probed": PROBED}


@Compiled
def _newest_below() -> Select[int]:
    return _select_home()


@Compiled
def _newest_above() -> Select[int]:
    return _select_home(news_only=True)


@Compiled
def _oldest_above() -> Select[int]:
    return _select_home(upwards=True)


def _select_home(*, news_only: bool = False, upwards: bool = False) -> Select[int]:
    """Select the newest entry ids of a home feed between two places or, upwards, the oldest.

    A first look takes the newest candidates, whatever the rules say of them, and applies the rules to these alone: that
    is nearly always enough. If it does not fill the page it counts for nothing, and the rules are applied to what each
    author and tag has, as far down as it takes.
    """
    viewer, size = AnyViewer(), _size()
    rules = (in_home_of(viewer), _is_news(viewer)) if news_only else (in_home_of(viewer),)
    first = _entries(_candidates(viewer, upwards), *rules, upwards=upwards).limit(size).cte("first_look")
    is_full = select(func.count()).select_from(first).scalar_subquery() >= size
    each = _newest_of_each(viewer, *rules, when=~is_full, most=size, upwards=upwards)
    found = union_all(select(first.c.id).where(is_full), select(each.c.id)).subquery("either")
    return select(found.c.id).order_by(_from(found.c.id, upwards)).limit(size)


def _from(entry_id: ColumnElement[int] | InstrumentedAttribute[int], upwards: bool) -> ColumnElement[int]:
    return entry_id.asc() if upwards else entry_id.desc()


def _between(post_id: ColumnElement[int] | InstrumentedAttribute[int]) -> ColumnElement[bool]:
    below, above = bindparam("below", type_=BigInteger), bindparam("above", type_=BigInteger)
    return and_(post_id < below, post_id > above)


def _size() -> BindParameter[int]:
    return bindparam("size", type_=Integer)


def _is_news(viewer: AnyViewer) -> ColumnElement[bool]:
    own_too = bindparam("own_too", type_=Boolean)
    return or_(Post.author_id != viewer.id, and_(own_too, Post.repost_of_id.is_(None)))


def _entries(candidates: Subquery, *rules: ColumnElement[bool], upwards: bool) -> Select[int]:
    """Select those of the candidates for which all rules hold, in the order of reading."""
    entries = select(Post.id).join(candidates, candidates.c.id == Post.id).where(*rules)
    return entries.order_by(_from(Post.id, upwards))


def _candidates(viewer: AnyViewer, upwards: bool) -> Subquery:
    """Select what is likely to fill a page: for a reader who follows many the newest posts of all, of which most are
    by those that they follow; for others the newest of each author and tag, twice as many as a page shows."""
    following = select(UserCounters.following).where(UserCounters.user_id == viewer.id).scalar_subquery()
    many = bindparam("many", type_=Integer)
    newest = select(_Newest.id).where(_Newest.deleted_at.is_(None), _between(_Newest.id), following >= many)
    of_all = (
        newest.order_by(_from(_Newest.id, upwards)).limit(bindparam("probed", type_=Integer)).subquery("newest_of_all")
    )
    of_each = _newest_of_each(viewer, when=following < many, most=_size() * 2, upwards=upwards)
    return union_all(select(of_all.c.id), select(of_each.c.id)).subquery("candidates")


def _newest_of_each(
    viewer: AnyViewer, *rule: ColumnElement[bool], when: ColumnElement[bool], most: ColumnElement[int], upwards: bool
) -> Subquery:
    """Select, of all that each author and each tag of a home has, the newest for which a rule holds; or the oldest.

    LATERAL over the index on (author, id) reads few entries per author, however quiet or loud they are; a plain join
    is a hundred times slower for a reader of quiet authors.
    """
    own = select(viewer.id.label("author_id"))
    followed = select(Follow.followed_id).where(Follow.follower_id == viewer.id)
    sources = union_all(own, followed).subquery("sources")
    authors = select(sources.c.author_id).where(when).subquery("authors")
    theirs = select(Post.id).where(Post.author_id == authors.c.author_id, Post.deleted_at.is_(None), _between(Post.id))
    newest = theirs.where(*rule).order_by(_from(Post.id, upwards)).limit(most).lateral("newest")
    tags = select(TagFollow.tag).where(TagFollow.user_id == viewer.id, when).subquery("tags")
    under = select(PostTag.post_id).join(Post, Post.id == PostTag.post_id)
    under = under.where(PostTag.tag == tags.c.tag, Post.deleted_at.is_(None), _between(PostTag.post_id), *rule)
    tagged = under.order_by(_from(PostTag.post_id, upwards)).limit(most).lateral("newest_tagged")
    both = union(
        select(newest.c.id).select_from(authors).join(newest, literal(True)),
        select(tagged.c.post_id).select_from(tags).join(tagged, literal(True)),
    ).subquery("of_each_and_tag")
    return select(both.c.id).order_by(_from(both.c.id, upwards)).limit(most).subquery("newest_of_each")
