"""The statement that finds posts: the newest that match a query and that the viewer may see, each with its place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache, partial
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Double, Integer, Select, Text, cast, exists, func, select, true
from sqlalchemy import bindparam as bind
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.core.ids import SEQUENCE_BITS
from app.core.statements import AnyViewer, Compiled, as_array, as_tsquery, is_one_of
from app.discovery.search.lookup import Lookup
from app.discovery.search.syntax import Kind
from app.posts.models import Post, PostImage, PostTag
from app.posts.visibility import visible_to

# What matches twice as well stands where it would stand had it been written so much later.
HALF_LIFE = timedelta(days=30)
# A match is never called worse than 2^-10: so a place is always a positive number.
WORST = 10

_HALF_LIFE_IDS = HALF_LIFE / timedelta(milliseconds=1) * 2**SEQUENCE_BITS
_Found, _Tag, _Image = aliased(Post), aliased(PostTag), aliased(PostImage)


class Match(NamedTuple):
    """A post that was found, and its place among others: the higher the better."""

    place: int
    id: int


@dataclass(frozen=True)
class _Shape:
    """What a query asks for, without the values: all queries of a shape share one compiled statement."""

    has_viewer: bool
    by_index: bool
    has_words: bool
    has_unwanted_words: bool
    authors: int | None = None  # how many; None are all
    has_unwanted_authors: bool = False
    tags: int = 0
    unwanted_tags: int = 0
    image: bool | None = None


def newest_matches(
    lookup: Lookup, *, viewer: User | None, bottom: int, top: int, limit: int | None, by_index: bool
) -> list[Match]:
    """Return the newest matches from `bottom` to below `top`, newest first.

    Without the index every post between the two is looked at, from the newest on, until there are enough matches.
    """
    query, authors, unwanted_authors = lookup.query, lookup.authors, lookup.unwanted_authors
    tags = [term.value for term in query.wanted(Kind.TAG)]
    unwanted_tags = [term.value for term in query.unwanted(Kind.TAG)]
    is_wanted, is_unwanted = bool(query.wanted(Kind.IMAGE)), bool(query.unwanted(Kind.IMAGE))
    if is_wanted and is_unwanted:
        return []
    shape = _Shape(
        has_viewer=viewer is not None,
        by_index=by_index,
        has_words=bool(lookup.words),
        has_unwanted_words=bool(lookup.unwanted_words),
        authors=None if authors is None else min(len(authors), 2),
        has_unwanted_authors=bool(unwanted_authors),
        tags=len(tags),
        unwanted_tags=len(unwanted_tags),
        image=is_wanted if is_wanted or is_unwanted else None,
    )
    values = {
        "viewer_id": viewer.id if viewer else None,
        "bottom": bottom,
        "top": top,
        "limit": limit,
        "words": lookup.words,
        "exact_words": lookup.exact_words,
        "unwanted_words": lookup.unwanted_words,
        "author": min(authors or {0}),
        "authors": as_array(sorted(authors or ())),
        "unwanted_authors": as_array(sorted(unwanted_authors)),
        **{f"tag_{number}": tag for number, tag in enumerate(tags)},
        **{f"unwanted_tag_{number}": tag for number, tag in enumerate(unwanted_tags)},
    }
    return _statement(shape).rows_as(Match, **values)


@lru_cache(maxsize=500)
def _statement(shape: _Shape) -> Compiled:
    # Looking at one post after the other is the only way where no index is asked, whatever the values are.
    is_one_way = shape == _Shape(shape.has_viewer, False, shape.has_words, shape.has_unwanted_words)
    return Compiled(partial(_build, shape), planned_anew=not is_one_way)


def _build(shape: _Shape) -> Select[*tuple[Any, ...]]:
    within = (Post.id >= bind("bottom", type_=BigInteger), Post.id < bind("top", type_=BigInteger))
    # The offsets are fences: candidates are looked at one by one, by their ids and in their order, until enough of them
    # are visible. Were the tables of `visible_to` part of one join with the candidates, Postgres might read all posts
    # of their authors for each candidate: without statistics it takes either for a single row.
    candidates = select(Post.id).where(*within, *_conditions(shape)).order_by(Post.id.desc()).offset(0).subquery()
    viewer = AnyViewer() if shape.has_viewer else None
    # A search that names authors finds their posts though the viewer mutes them, as the profile shows them.
    is_visible = visible_to(viewer, _Found, muted_too=shape.authors is not None)
    candidate = select(_Found.id, _Found.words).where(_Found.id == candidates.c.id, is_visible)
    found = candidate.correlate(candidates).offset(0).lateral()
    place = _place(shape, found.c.id, found.c.words).label("place")
    matches = select(place, found.c.id).join_from(candidates, found, true())
    return matches.order_by(candidates.c.id.desc()).limit(bind("limit", type_=Integer))


def _conditions(shape: _Shape) -> list[ColumnElement[bool]]:
    """Return what must hold besides that the viewer may see it."""
    # Never reposts; and the half of `visible_to` that an index of each author's posts answers.
    conditions: list[ColumnElement[bool]] = [Post.repost_of_id.is_(None), Post.deleted_at.is_(None)]
    if shape.has_words:
        # The function is what the operator calls, only that no index goes with it.
        match = Post.words.bool_op("@@") if shape.by_index else partial(func.ts_match_vq, Post.words)
        conditions.append(match(as_tsquery(bind("words", type_=Text))))
    if shape.has_unwanted_words:
        conditions.append(~Post.words.bool_op("@@")(as_tsquery(bind("unwanted_words", type_=Text))))
    if shape.authors == 1:  # of one author an index knows the order
        conditions.append(Post.author_id == bind("author", type_=BigInteger))
    elif shape.authors is not None:
        conditions.append(is_one_of(Post.author_id, bind("authors", type_=Text)))
    if shape.has_unwanted_authors:
        conditions.append(~is_one_of(Post.author_id, bind("unwanted_authors", type_=Text)))
    conditions += [_tagged(f"tag_{number}") for number in range(shape.tags)]
    conditions += [~_tagged(f"unwanted_tag_{number}") for number in range(shape.unwanted_tags)]
    if shape.image is not None:
        has_image = exists().where(_Image.post_id == Post.id)
        conditions.append(has_image if shape.image else ~has_image)
    return conditions


def _tagged(name: str) -> ColumnElement[bool]:
    return exists().where(_Tag.post_id == Post.id, _Tag.tag == bind(name, type_=Text))


def _place(shape: _Shape, post_id: ColumnElement[int], vector: ColumnElement[Any]) -> ColumnElement[int]:
    """Return where a match stands: at its time, moved by how well it matches.

    That time and the text are all there is to it: not the hour of the search, nor what became of a post. So a match
    keeps its place, and a cursor keeps its meaning.
    """
    if not shape.has_words:
        return post_id + 0
    words, exact_words = bind("words", type_=Text), bind("exact_words", type_=Text)
    rank = cast(func.ts_rank_cd(vector, as_tsquery(words), 1), Double)  # 1: long posts match less
    has_very_words = cast(vector.bool_op("@@")(as_tsquery(exact_words)), Integer)  # tea before teapot
    relevance = func.greatest(rank * (1 + has_very_words), 2.0**-WORST)
    doublings = func.ln(relevance) / math.log(2) + WORST
    return post_id + cast(func.floor(doublings * _HALF_LIFE_IDS), BigInteger)
