"""The home feed from Postgres alone: the fallback, the oracle of the windows, and all that lies below them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    func,
    literal,
    or_,
    select,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute, aliased

from app.accounts.models import User, UserCounters
from app.core.ids import MAX_ID
from app.core.statements import AnyViewer, Compiled
from app.posts.cards import PostCard, select_cards, to_cards
from app.posts.models import Post
from app.posts.queries import author_visible_to
from app.social.models import Follow
from app.social.queries import AccountId

MANY = 300  # accounts followed, from which on Postgres looks at the newest posts of all first
PROBED = 2000  # of them

_Follow = aliased(Follow)  # keeps its own rows inside a statement that selects from the same table


def in_home_of(viewer: User | AnyViewer, author_id: AccountId = Post.author_id) -> ColumnElement[bool]:
    """Hold for the entries of a home feed that are not hidden: by somebody followed, or one's own."""
    # Not EXISTS, which Postgres would answer by reading everybody whom the viewer follows into a table first.
    followed = select(literal(True)).where(_Follow.follower_id == viewer.id, _Follow.followed_id == author_id)
    return or_(author_id == viewer.id, followed.limit(1).scalar_subquery())


def cards(viewer: User, before: int | None, size: int) -> list[PostCard]:
    """Return cards of the home feed from Postgres alone: fallback, oracle, and all that lies below the floor."""
    return to_cards(_cards_below.rows(**_bounds(viewer, before=before, size=size)))


def ids_above(viewer: User, *, above: int, size: int) -> list[int]:
    """Return the newest entries by others in the home feed above a place."""
    return [row[0] for row in _newest_above.rows(**_bounds(viewer, above=above, size=size))]


def _bounds(viewer: User, *, size: int, before: int | None = None, above: int = 0) -> dict[str, int]:
    below = MAX_ID if before is None else before
    return {"viewer_id": viewer.id, "below": below, "above": above, "size": size, "many": MANY, "probed": PROBED}


@Compiled
def _cards_below() -> Select[*tuple[Any, ...]]:
    found = _select_home(own_too=True).subquery("found")
    return select_cards(AnyViewer()).join(found, found.c.id == Post.id).order_by(Post.id.desc())


@Compiled
def _newest_above() -> Select[int]:
    return _select_home(own_too=False)


def _select_home(*, own_too: bool) -> Select[int]:
    """Select the newest entry ids of a home feed between two places.

    For a reader of many accounts the newest of all posts are probed first: most of what they follow is among them. If
    that does not fill the page it counts for nothing, and each author is asked.
    """
    viewer, size = AnyViewer(), bindparam("size", type_=Integer)
    probe = _probe(viewer, own_too=own_too).limit(size).cte("probe")
    is_full = select(func.count()).select_from(probe).scalar_subquery() >= size
    each = _ask_each_author(viewer, size, own_too=own_too, unless=is_full).subquery("each")
    found = union_all(select(probe.c.id).where(is_full), select(each.c.id)).subquery("either")
    return select(found.c.id).order_by(found.c.id.desc()).limit(size)


def _between(post_id: ColumnElement[int] | InstrumentedAttribute[int]) -> ColumnElement[bool]:
    below, above = bindparam("below", type_=BigInteger), bindparam("above", type_=BigInteger)
    return and_(post_id < below, post_id > above)


def _probe(viewer: AnyViewer, *, own_too: bool) -> Select[int]:
    """Select entries of a home among the newest posts of all, for somebody who follows many."""
    following = select(UserCounters.following).where(UserCounters.user_id == viewer.id).scalar_subquery()
    newest = select(Post.id, Post.author_id).where(Post.deleted_at.is_(None), _between(Post.id))
    newest = newest.where(following >= bindparam("many", type_=Integer)).order_by(Post.id.desc())
    posts = newest.limit(bindparam("probed", type_=Integer)).subquery("newest_of_all")
    entries = select(posts.c.id).where(in_home_of(viewer, posts.c.author_id))
    if not own_too:
        entries = entries.where(posts.c.author_id != viewer.id)
    return entries.where(author_visible_to(viewer, posts.c.author_id)).order_by(posts.c.id.desc())


def _ask_each_author(
    viewer: AnyViewer, size: BindParameter[int], *, own_too: bool, unless: ColumnElement[bool]
) -> Select[int]:
    """Select entries of a home: from each author the newest few, then the newest of these.

    LATERAL over the index on (author, id) reads `size` entries per author at most, however quiet or loud they are;
    a plain join is a hundred times slower for a reader of quiet authors.
    """
    own = select(viewer.id.label("author_id"))
    followed = select(Follow.followed_id.label("author_id")).where(Follow.follower_id == viewer.id)
    sources = (union_all(own, followed) if own_too else followed).subquery("sources")
    visible = select(sources.c.author_id).where(~unless, author_visible_to(viewer, sources.c.author_id))
    authors = visible.subquery("authors")
    theirs = select(Post.id).where(Post.author_id == authors.c.author_id, Post.deleted_at.is_(None), _between(Post.id))
    newest = theirs.order_by(Post.id.desc()).limit(size).lateral("newest")
    entries = select(newest.c.id).select_from(authors).join(newest, literal(True))
    return entries.order_by(newest.c.id.desc()).limit(size)
