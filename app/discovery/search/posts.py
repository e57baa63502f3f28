"""Find posts by what is in them: the best of the newest first, in pages that stay as they are while others post."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import BigInteger, Select, bindparam, select

from app.accounts.models import User
from app.core.paging import PAGE_SIZE, cut
from app.core.statements import Compiled
from app.discovery.search.lookup import Lookup
from app.discovery.search.matching import Match, newest_matches
from app.posts.models import Post

# So many matches are ranked at a time, the newest first: see docs/decisions/0012.
STRETCH = 200
# So many posts are looked at one by one before an index is asked: a word that is in every second post is found at once,
# and its 500,000 places in the index need not be read.
NEWEST = 20_000


def search_posts(
    lookup: Lookup, *, viewer: User | None, at: Sequence[int]
) -> tuple[Sequence[int], tuple[int, ...] | None]:
    """Return a page of the posts that match, and the numbers that say where the next one starts.

    `at` is empty for the top, the id below which the next stretch starts, or the bounds of the stretch one is in and
    the place and id of its last match shown. The bounds do not move, so whatever is written, deleted or hidden
    meanwhile changes nothing for the others.
    """
    last: tuple[int, ...] = ()
    if len(at) == 4:
        top, bottom, *_ = at
        last = tuple(at[2:])
        matches = _matches(lookup, viewer, bottom, top)
    else:
        found = _matches(lookup, viewer, lookup.first_id, at[0] if at else lookup.end_id, limit=STRETCH + 1)
        matches = found[:STRETCH]
        top = matches[0].id + 1 if matches else 0
        bottom = matches[-1].id if len(found) > STRETCH else 0
    left = [match for match in sorted(matches, reverse=True) if not last or match < last]
    page = left[:PAGE_SIZE]
    if len(left) > PAGE_SIZE:
        return [match.id for match in page], (top, bottom, *page[-1])
    return [match.id for match in page], (bottom,) if bottom else None


def latest_found(
    lookup: Lookup, *, viewer: User | None, at: Sequence[int]
) -> tuple[Sequence[int], Sequence[int] | None]:
    """Return a page of the posts that match, the newest first, however well they do."""
    top = at[0] if at else lookup.end_id
    ids = [match.id for match in _matches(lookup, viewer, lookup.first_id, top, limit=PAGE_SIZE + 1)]
    page, next_top = cut(ids, key=lambda post_id: post_id)
    return page, (next_top,) if next_top else None


def _matches(lookup: Lookup, viewer: User | None, bottom: int, top: int, *, limit: int | None = None) -> list[Match]:
    """Return the newest matches from `bottom` to below `top`, newest first."""
    edge = next((row[0] for row in _edge.rows(top=top, newest=NEWEST)), 0)
    near = newest_matches(lookup, viewer=viewer, bottom=max(edge, bottom), top=top, limit=limit, by_index=False)
    if edge <= bottom or len(near) == limit:
        return near
    left = None if limit is None else limit - len(near)
    return near + newest_matches(lookup, viewer=viewer, bottom=bottom, top=edge, limit=left, by_index=True)


@Compiled
def _edge() -> Select[int]:
    """Select the first of the posts that are no longer looked at one by one."""
    posts = select(Post.id).where(Post.id < bindparam("top", type_=BigInteger)).order_by(Post.id.desc())
    return posts.offset(bindparam("newest", type_=BigInteger)).limit(1)
