"""What large conversations are read with: Postgres decides which posts have a place, over as many as there are.

Small ones are decided over facts (`deciding`); a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    CTE,
    BigInteger,
    ColumnElement,
    Integer,
    Select,
    cast,
    exists,
    false,
    func,
    literal,
    null,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import aliased

from app.accounts.reader import Reader
from app.core.statements import AnyViewer, Compiled
from app.posts.models import Post, PostRow, Viewer
from app.posts.threads.structure import (
    BRANCHES,
    DEEPEST,
    LONGEST_CHAIN,
    MAX_COUNTED_ANSWERS,
    MAX_SEARCHED_POSTS,
    MAX_SHOWN_BELOW,
    given,
    select_erased,
)
from app.posts.visibility import one_visible_to, visible_in_thread


class Link(NamedTuple):
    """An answer in an author's chain, and how many answers besides the next link the viewer would find below it."""

    number: int
    id: int
    answers: int


class Branch(NamedTuple):
    """An answer, or one below another, and how many answers the viewer would find below it."""

    id: int
    parent_id: int | None
    answers: int


def read_links(post_id: int, author_id: int, *, viewer: Reader | None) -> list[Link]:
    """Return the first own answer of an author to a post, the first own answer to that, and so on."""
    who = {"viewer_id": viewer.id} if viewer else {}
    found = _compiled(_select_links, for_strangers=viewer is None)
    return sorted(found.rows_as(Link, **who, post_id=post_id, author_id=author_id))


def read_branches(post_id: int, *, viewer: Reader | None, after: int, but: int) -> Sequence[Branch]:
    """Return the answers to a post past `after`, without `but`, and below each the first few, level by level."""
    who = {"viewer_id": viewer.id} if viewer else {}
    found = _compiled(_select_branches, for_strangers=viewer is None)
    return sorted(found.rows_as(Branch, **who, post_id=post_id, after=after, but=but), key=lambda branch: branch.id)


Build = Callable[[Viewer], Select[*tuple[Any, ...]]]


@cache
def _compiled(build: Build, *, for_strangers: bool) -> Compiled:
    """Keep each statement twice: for strangers, and for everybody else."""
    return Compiled(lambda: build(None if for_strangers else AnyViewer()))


def _select_links(viewer: Viewer) -> Select[*tuple[Any, ...]]:
    own = aliased(Post)
    links = select(given("post_id").label("id"), literal(0).label("number")).cte("links", recursive=True)
    is_own = (own.reply_to_id == links.c.id, own.author_id == given("author_id"))
    following = select(own.id).where(*is_own, one_visible_to(viewer, own, muted_too=True)).order_by(own.id).limit(1)
    link = following.correlate(links).lateral("link")
    longer = select(link.c.id, links.c.number + 1).select_from(links).join(link, true())
    links = links.union_all(longer.where(links.c.number < LONGEST_CHAIN))
    found = select(links.c.number, links.c.id, _answers(viewer, links, without=links).label("answers"))
    return found.where(links.c.number > 0)


def _select_branches(viewer: Viewer) -> Select[*tuple[Any, ...]]:
    answer = aliased(Post)
    direct = select(answer.id).where(answer.reply_to_id == given("post_id"), answer.id > given("after"))
    direct = direct.where(answer.id != given("but"), _is_listed(viewer, answer))
    direct = direct.order_by(answer.id).limit(BRANCHES + 1)
    both = union_all(select(direct.subquery()), select(_erased(viewer).subquery())).subquery("both")
    first = select(both.c.id).order_by(both.c.id).limit(BRANCHES + 1).subquery("first")
    nowhere = cast(null(), BigInteger).label("parent_id")
    tree = select(first.c.id, nowhere, literal(1).label("depth")).cte("tree", recursive=True)
    child = aliased(Post)
    children = select(child.id).where(child.reply_to_id == tree.c.id, _is_listed(viewer, child))
    few = children.order_by(child.id).limit(MAX_SHOWN_BELOW).correlate(tree).lateral("few")
    deeper = select(few.c.id, tree.c.id, tree.c.depth + 1).select_from(tree).join(few, true())
    tree = tree.union_all(deeper.where(tree.c.depth < DEEPEST))
    return select(tree.c.id, tree.c.parent_id, _answers(viewer, tree).label("answers"))


def _erased(viewer: Viewer) -> Select[int]:
    """Select the posts that left no row, but an answer that the viewer sees, or sees something below."""
    answer = aliased(Post)
    return select_erased(
        BRANCHES + 1,
        lambda answer_id: exists().where(answer.id == answer_id, _is_listed(viewer, answer)),
    )


def _is_listed(viewer: Viewer, post: PostRow) -> ColumnElement[bool]:
    """Hold for the answers that have a place: one can see them, or something below them, however far down.

    The search goes on only below what cannot be seen, and ends with the first post that can: Postgres evaluates no more
    of the recursion than is fetched.
    """
    answer, deeper = aliased(Post), aliased(Post)
    shown = visible_in_thread(viewer, answer).label("is_shown")
    answers = select(answer.id, shown).where(answer.reply_to_id == post.id).correlate(post)
    below = answers.cte(recursive=True, nesting=True)
    farther = select(deeper.id, visible_in_thread(viewer, deeper)).join(below, deeper.reply_to_id == below.c.id)
    below = below.union_all(farther.where(~below.c.is_shown))
    searched = select(below.c.is_shown).limit(MAX_SEARCHED_POSTS).subquery()
    something = select(literal(True)).where(searched.c.is_shown).limit(1).scalar_subquery()
    # Not EXISTS, for which Postgres might read everything that anybody ever answered into a table first.
    return or_(visible_in_thread(viewer, post), func.coalesce(something, false()))


def _answers(viewer: Viewer, places: CTE, *, without: CTE | None = None) -> ColumnElement[int]:
    """Count the answers that have a place, up to a limit: whether there are more of them changes nothing."""
    answer = aliased(Post)
    some = select(answer.id).where(answer.reply_to_id == places.c.id, _is_listed(viewer, answer))
    if without is not None:
        other = without.alias()
        some = some.where(answer.id.not_in(select(other.c.id)))
    counted = select(func.count()).select_from(some.limit(MAX_COUNTED_ANSWERS).correlate(places).subquery())
    return cast(counted.scalar_subquery(), Integer)
