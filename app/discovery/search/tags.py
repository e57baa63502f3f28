"""Find tags by how they begin, with the number of posts that the viewer would find under them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from sqlalchemy import Integer, Select, Text, bindparam, func, literal, select, text

from app import addresses
from app.accounts.models import User
from app.core.paging import PAGE_SIZE
from app.core.statements import AnyViewer, Compiled
from app.core.text import tag_key
from app.discovery.search.lookup import Lookup
from app.discovery.search.syntax import WORDS, Kind
from app.posts.models import Post, PostTag, Viewer
from app.posts.visibility import visible_to

MAX_COUNTED_POSTS = 100  # beyond, "100+" says enough, and a tag of a hundred thousand posts costs no more than another
CANDIDATES = 20  # of which the most used stand above the posts
MAX_STEPS = 10_000  # from tag to tag, for one page: so many that the viewer must not know of may lie between two others


@dataclass(frozen=True)
class TagFound:
    """A tag, and how many posts the viewer sees under it."""

    tag: str
    posts: int

    @property
    def url(self) -> str:
        return addresses.tag(self.tag)

    @property
    def count(self) -> str:
        """Return the number in words."""
        if self.posts > MAX_COUNTED_POSTS:
            return f"{MAX_COUNTED_POSTS}+ posts"
        return f"{self.posts} post" + ("" if self.posts == 1 else "s")


def search_tags(
    lookup: Lookup, *, viewer: User | None, at: Sequence[int]
) -> tuple[Sequence[TagFound], tuple[int, ...] | None]:
    """Return a page of tags in the order of the alphabet, and where the next one starts: its last tag, by letters."""
    after = "".join(map(chr, at))
    found = list(islice(_tags(lookup, viewer, after=after, limit=PAGE_SIZE + 1), PAGE_SIZE + 1))
    page = found[:PAGE_SIZE]
    return page, tuple(map(ord, page[-1].tag)) if len(found) > PAGE_SIZE else None


def best_tags(lookup: Lookup, *, viewer: User | None, size: int = 5) -> list[TagFound]:
    """Return the most used tags among the first that match; the very tag first."""
    very = set(_beginnings(lookup))
    tags = islice(_tags(lookup, viewer, limit=CANDIDATES), CANDIDATES)
    return sorted(tags, key=lambda found: (found.tag not in very, -found.posts, found.tag))[:size]


def _beginnings(lookup: Lookup) -> list[str]:
    """Return how the tags that are looked for may begin: as any word of the query, or as all of them written as one."""
    words = [tag_key(term.value).strip("#@*") for term in lookup.query.wanted(*WORDS)]
    tags = [term.value for term in lookup.query.wanted(Kind.TAG)]
    long_ones = [word for word in words if len(word) > 1]  # a lone letter among words says nothing about a tag
    beginnings = sorted({*long_ones, *tags, "".join(words), "_".join(words)} - {""})
    # The list of "tea" holds that of "teapot".
    return [word for word in beginnings if not any(word != other and word.startswith(other) for other in beginnings)]


def _tags(lookup: Lookup, viewer: User | None, *, limit: int, after: str = "") -> Iterator[TagFound]:
    """Yield tags with posts that the viewer may see, in the order of the alphabet."""
    for beginning in _beginnings(lookup):
        end = beginning + chr(0x10FFFF)
        if after < end:
            yield from _tags_between(max(beginning, after), end, viewer, limit=limit, is_shown=after >= beginning)


def _tags_between(start: str, end: str, viewer: User | None, *, limit: int, is_shown: bool) -> Iterator[TagFound]:
    """Yield the tags from `start` (without it if it was shown before) to below `end`."""
    who = {"viewer_id": viewer.id} if viewer else {}
    found = _statement(viewer is None, is_shown)
    rows = found.rows(**who, start=start, end=end, limit=limit, max_steps=MAX_STEPS)
    yield from (TagFound(tag, number) for tag, number in rows)


@cache
def _statement(for_strangers: bool, is_shown: bool) -> Compiled:
    return Compiled(lambda: _select_between(None if for_strangers else AnyViewer(), is_shown=is_shown))


def _select_between(viewer: Viewer, *, is_shown: bool) -> Select[str, int]:
    """Select tags in the order of the alphabet, with the number of posts that the viewer may see.

    From each tag the index leads to the next one, however many posts it has. It has an order of its own, by characters
    and not by language, with operators of its own. Tags that the viewer must not know of are left out here, so that
    nothing that is made of what is found, as a cursor, can tell of them.
    """
    start, end, limit = bindparam("start", type_=Text), bindparam("end", type_=Text), bindparam("limit", type_=Integer)
    after, before = PostTag.tag.bool_op("~>~"), PostTag.tag.bool_op("~<~")
    within = select(PostTag.tag).where(before(end)).order_by(text("tag USING ~<~")).limit(1)
    first = within.where(after(start) if is_shown else PostTag.tag.bool_op("~>=~")(start))
    steps = select(first.scalar_subquery().label("tag"), literal(1).label("number")).cte("steps", recursive=True)
    step = within.where(after(steps.c.tag)).correlate(steps).scalar_subquery()
    goes_on = (steps.c.tag.is_not(None), steps.c.number < bindparam("max_steps", type_=Integer))
    steps = steps.union_all(select(step, steps.c.number + 1).where(*goes_on))
    seen = select(literal(1)).join_from(PostTag, Post, Post.id == PostTag.post_id)
    seen = seen.where(PostTag.tag == steps.c.tag, visible_to(viewer)).limit(MAX_COUNTED_POSTS + 1).correlate(steps)
    posts = select(func.count().label("number")).select_from(seen.subquery()).lateral()
    return select(steps.c.tag, posts.c.number).join(posts, posts.c.number > 0).limit(limit)
