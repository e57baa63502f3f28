"""Which posts are around one, as ids, in one statement: it asks who answered whom, not who may see what.

Bounded on all sides: of a conversation that is larger than what is read here, Postgres decides (`statements`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import (
    CTE,
    BigInteger,
    BindParameter,
    ColumnElement,
    Select,
    Text,
    bindparam,
    cast,
    exists,
    literal,
    null,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import aliased

from app.core.statements import Compiled
from app.posts.models import Post
from app.posts.visibility import DELETED

MAX_POSTS_ABOVE = 10
LONGEST_CHAIN = 20
BRANCHES = 10  # answers on a page, each with what hangs below it
MAX_SHOWN_BELOW = 3  # answers that are shown below an answer
DEEPEST = 3
MAX_COUNTED_ANSWERS = 50
MAX_SEARCHED_POSTS = 5000  # posts of a conversation among which answers to erased ones are looked for
SEARCHED_DEPTH = 2  # levels below what is shown and counted in which something to show is looked for

DEEPEST_READ = DEEPEST + 1 + SEARCHED_DEPTH
CANDIDATES = BRANCHES + 6  # answers that are read for a page, of which some may not be shown
MAX_POSTS_BELOW = 200  # below a post: larger conversations are decided by Postgres

ABOVE, FIRST, LINK, ANSWER, ERASED, BELOW = "above", "first", "link", "answer", "erased", "below"


class Spot(NamedTuple):
    """A post around the one that was opened."""

    part: str
    id: int
    parent_id: int | None  # which it answers, of those below an answer or a link
    number: int  # how far above it is, which link of the chain, how deep below


@dataclass(frozen=True)
class Structure:
    """The posts around one, visible or not."""

    above: Sequence[int]  # the farthest first
    first: int | None  # post of the conversation, if the one that was opened is an answer
    links: Sequence[int]  # the first own answer that is not deleted, the first own answer to that, and so on
    answers: Sequence[int]  # past the cursor, without the first link
    erased: Sequence[int]  # posts of the conversation that left answers and no row
    below: dict[int, list[int]]  # what answers the links, the answers and the erased posts, without links
    deepest: frozenset[int]  # posts below, of which it was not read what answers them
    is_whole: bool  # nothing that hangs below was left out, but where one post has too many answers

    @property
    def ids(self) -> set[int]:
        """Return all of them."""
        below = (each for answers in self.below.values() for each in answers)
        first = () if self.first is None else (self.first,)
        return {*self.above, *first, *self.links, *self.answers, *self.erased, *below}


def read_structure(post_id: int, *, after: int) -> Structure:
    """Read which posts are around one; of its answers, those with higher ids than `after`."""
    parts: defaultdict[str, list[Spot]] = defaultdict(list)
    for spot in _structure.rows_as(Spot, post_id=post_id, after=after):
        parts[spot.part].append(spot)
    below: defaultdict[int, list[int]] = defaultdict(list)
    for spot in sorted(parts[BELOW], key=lambda spot: spot.id):
        below[spot.parent_id or 0].append(spot.id)
    in_order = {
        part: [spot.id for spot in sorted(spots, key=lambda spot: spot.number)] for part, spots in parts.items()
    }
    return Structure(
        above=in_order.get(ABOVE, [])[::-1],
        first=parts[FIRST][0].id if parts[FIRST] else None,
        links=in_order.get(LINK, ()),
        answers=sorted(in_order.get(ANSWER, ())),
        erased=sorted(in_order.get(ERASED, ())),
        below=below,
        deepest=frozenset(spot.id for spot in parts[BELOW] if spot.number == DEEPEST_READ),
        is_whole=len(parts[BELOW]) <= MAX_POSTS_BELOW,
    )


def given(name: str) -> BindParameter[int]:
    return bindparam(name, type_=BigInteger)


@Compiled
def _structure() -> Select[*tuple[Any, ...]]:
    opened = select(Post.id, Post.author_id, Post.reply_to_id, Post.thread_id).where(Post.id == given("post_id"))
    post = opened.cte("opened")
    up, links = _up(post), _links(post)
    answers, erased = _answers(links).cte("answers"), select_erased(CANDIDATES).cte("erased")
    down = _down(answers, erased, links)
    nowhere, below = cast(null(), BigInteger), _part(BELOW, down.c.id, down.c.parent_id, down.c.depth)
    parts = union_all(
        _part(ABOVE, up.c.id, nowhere, up.c.distance),
        _part(FIRST, post.c.thread_id, nowhere, literal(0)).where(post.c.thread_id.is_not(None)),
        _part(LINK, links.c.id, nowhere, links.c.number).where(links.c.number > 0),
        _part(ANSWER, answers.c.id, nowhere, literal(0)),
        _part(ERASED, erased.c.id, nowhere, literal(0)),
        select(below.where(down.c.parent_id.is_not(None)).limit(MAX_POSTS_BELOW + 1).subquery()),
    ).subquery("parts")
    return select(*(parts.c[name] for name in Spot._fields))


def _part(name: str, post_id: Any, parent_id: Any, number: Any) -> Select[*tuple[Any, ...]]:
    columns = (literal(name, Text), post_id, parent_id, number)
    return select(*(column.label(field) for field, column in zip(Spot._fields, columns, strict=True)))


def _up(post: CTE) -> CTE:
    """Select what the post stands below, the nearest first."""
    step = aliased(Post)
    nearest = select(post.c.reply_to_id.label("id"), literal(1).label("distance"))
    up = nearest.where(post.c.reply_to_id.is_not(None)).cte("up", recursive=True)
    farther = select(step.reply_to_id, up.c.distance + 1).join(up, up.c.id == step.id)
    return up.union_all(farther.where(step.reply_to_id.is_not(None), up.c.distance < MAX_POSTS_ABOVE))


def _links(post: CTE) -> CTE:
    """Select how the author went on, were nothing of it for a few."""
    own, author = aliased(Post), select(post.c.author_id).scalar_subquery()
    links = select(post.c.id, literal(0).label("number")).cte("links", recursive=True)
    is_own = (own.reply_to_id == links.c.id, own.author_id == author, ~DELETED.sql(None, own, None))
    link = select(own.id).where(*is_own).order_by(own.id).limit(1).correlate(links).lateral("link")
    longer = select(link.c.id, links.c.number + 1).select_from(links).join(link, true())
    return links.union_all(longer.where(links.c.number < LONGEST_CHAIN))


def _answers(links: CTE) -> Select[int]:
    answer = aliased(Post)
    direct = select(answer.id).where(answer.reply_to_id == given("post_id"), answer.id > given("after"))
    return direct.where(answer.id.not_in(select(links.c.id))).order_by(answer.id).limit(CANDIDATES)


def select_erased(most: int, is_kept: Callable[[ColumnElement[int]], ColumnElement[bool]] | None = None) -> Select[int]:
    """Select the posts of a conversation that left no row but answers; of `post_id`, if it began the conversation.

    `is_kept` says which of the answers, given by their ids, keep its place.
    """
    member, parent = aliased(Post), aliased(Post)
    members = select(member.id, member.reply_to_id).where(member.thread_id == given("post_id"))
    searched = members.order_by(member.id).limit(MAX_SEARCHED_POSTS).subquery("searched")
    erased = select(searched.c.reply_to_id.label("id")).where(
        searched.c.reply_to_id > given("after"),
        searched.c.reply_to_id != given("post_id"),
        ~exists().where(parent.id == searched.c.reply_to_id),
    )
    erased = erased.where(is_kept(searched.c.id)) if is_kept else erased
    return erased.distinct().order_by(searched.c.reply_to_id).limit(most)


def _down(answers: CTE, erased: CTE, links: CTE) -> CTE:
    """Select what hangs below, as deep as it is shown, counted, and looked through for something to show."""
    nowhere = cast(null(), BigInteger).label("parent_id")
    seeds = union_all(
        select(answers.c.id, nowhere, literal(1).label("depth")),
        select(erased.c.id, nowhere, literal(1)),
        select(links.c.id, nowhere, literal(DEEPEST)).where(links.c.number > 0),  # only counted below these
    ).subquery("seeds")
    down = select(seeds.c.id, seeds.c.parent_id, seeds.c.depth).cte("down", recursive=True)
    child = aliased(Post)
    children = select(child.id).where(child.reply_to_id == down.c.id, child.id.not_in(select(links.c.id)))
    some = children.order_by(child.id).limit(MAX_COUNTED_ANSWERS + 1).correlate(down).lateral("some")
    deeper = select(some.c.id, down.c.id, down.c.depth + 1).select_from(down).join(some, true())
    return down.union_all(deeper.where(down.c.depth < DEEPEST_READ))
