"""What conversations are read with, as statements that are built once; `threads` understands the rows.

A place is a post's place in a conversation, also where it cannot be shown, and even where it has left no row.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    CTE,
    BigInteger,
    BindParameter,
    ColumnElement,
    FromClause,
    Integer,
    Select,
    bindparam,
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

from app.posts.models import Post, PostRow, Viewer
from app.posts.visibility import one_visible_to, standing_in_thread, visible_in_thread

MOST_ABOVE = 10
LONGEST_CHAIN = 20
BRANCHES = 10  # answers on a page, each with what hangs below it
FEW = 3  # answers that are shown below an answer
DEEPEST = 3
MOST_COUNTED = 50
MOST_SEARCHED = 5000  # posts of a conversation among which answers to erased ones are looked for
MISSING_IN_A_ROW = 2  # posts below each other that cannot be shown, past which the next one is still found

Rows = Select[*tuple[Any, ...]]


def _given(name: str) -> BindParameter[int]:
    return bindparam(name, type_=BigInteger)


def select_above(viewer: Viewer) -> Rows:
    """Select what `parent_id` stands below, itself included, and the first post of `thread_id`, the farthest."""
    step = aliased(Post)
    up = select(_given("parent_id").label("id"), literal(1).label("distance")).cte("up", recursive=True)
    farther = select(step.reply_to_id, up.c.distance + 1).join(up, up.c.id == step.id)
    up = up.union_all(farther.where(step.reply_to_id.is_not(None), up.c.distance < MOST_ABOVE))
    first = select(_given("thread_id"), literal(MOST_ABOVE + 1))
    places = union_all(select(up.c.id, up.c.distance), first).subquery("places")
    return _with_facts(viewer, places, places.c.distance)


def select_chain(viewer: Viewer) -> Rows:
    """Select the first own answer of `author_id` to `post_id`, the first own answer to that, and so on."""
    own = aliased(Post)
    links = select(_given("post_id").label("id"), literal(0).label("number")).cte("links", recursive=True)
    is_own = (own.reply_to_id == links.c.id, own.author_id == _given("author_id"))
    following = select(own.id).where(*is_own, one_visible_to(viewer, own, muted_too=True)).order_by(own.id).limit(1)
    link = following.correlate(links).lateral("link")
    longer = select(link.c.id, links.c.number + 1).select_from(links).join(link, true())
    links = links.union_all(longer.where(links.c.number < LONGEST_CHAIN))
    return select(links.c.number, links.c.id, _answers(viewer, links)).where(links.c.number > 0)


def select_replies(viewer: Viewer) -> Rows:
    """Select the answers to `post_id` past `after`, without `but`, and below each the first few, level by level."""
    answer = aliased(Post)
    direct = select(answer.id).where(answer.reply_to_id == _given("post_id"), answer.id > _given("after"))
    direct = direct.where(answer.id != _given("but"), _is_listed(viewer, answer))
    direct = direct.order_by(answer.id).limit(BRANCHES + 1)
    both = union_all(select(direct.subquery()), select(_erased(viewer).subquery())).subquery("both")
    first = select(both.c.id).order_by(both.c.id).limit(BRANCHES + 1).subquery("first")
    nowhere = cast(null(), BigInteger).label("parent_id")
    tree = select(first.c.id, nowhere, literal(1).label("depth")).cte("tree", recursive=True)
    child = aliased(Post)
    children = select(child.id).where(child.reply_to_id == tree.c.id, _is_listed(viewer, child))
    few = children.order_by(child.id).limit(FEW).correlate(tree).lateral("few")
    deeper = select(few.c.id, tree.c.id, tree.c.depth + 1).select_from(tree).join(few, true())
    tree = tree.union_all(deeper.where(tree.c.depth < DEEPEST))
    return _with_facts(viewer, tree, tree.c.parent_id).add_columns(_answers(viewer, tree))


def _erased(viewer: Viewer) -> Rows:
    """Select the posts of a conversation that left no row but answers; of `post_id`, if it began the conversation."""
    member, answer, parent = aliased(Post), aliased(Post), aliased(Post)
    members = select(member.id, member.reply_to_id).where(member.thread_id == _given("post_id"))
    searched = members.order_by(member.id).limit(MOST_SEARCHED).subquery("searched")
    erased = select(searched.c.reply_to_id).join(answer, answer.id == searched.c.id)
    erased = erased.where(
        searched.c.reply_to_id > _given("after"),
        searched.c.reply_to_id != _given("post_id"),
        ~exists().where(parent.id == searched.c.reply_to_id),
        visible_in_thread(viewer, answer),
    )
    return erased.distinct().order_by(searched.c.reply_to_id).limit(BRANCHES + 1)


def _with_facts(viewer: Viewer, places: FromClause, where: ColumnElement[Any]) -> Rows:
    """Select where places are, and of the posts there whether they are gone, unwanted, shown: as `Place` takes them."""
    post = aliased(Post)
    facts = select(where, places.c.id, *standing_in_thread(viewer, post).values()).select_from(places)
    return facts.outerjoin(post, post.id == places.c.id)


def _is_listed(viewer: Viewer, post: PostRow, missing: int = MISSING_IN_A_ROW) -> ColumnElement[bool]:
    """Hold for the answers that have a place: one can see them, or something below them."""
    shown = visible_in_thread(viewer, post)
    if not missing:
        return shown
    below = aliased(Post)
    something = select(literal(True)).where(below.reply_to_id == post.id, _is_listed(viewer, below, missing - 1))
    # Not EXISTS, for which Postgres might read everything that anybody ever answered into a table first.
    return or_(shown, func.coalesce(something.limit(1).scalar_subquery(), false()))


def _answers(viewer: Viewer, places: CTE) -> ColumnElement[int]:
    """Count the answers that have a place, up to a limit: whether there are more of them changes nothing."""
    answer = aliased(Post)
    some = select(answer.id).where(answer.reply_to_id == places.c.id, _is_listed(viewer, answer)).limit(MOST_COUNTED)
    counted = select(func.count()).select_from(some.correlate(places).subquery())
    return cast(counted.scalar_subquery(), Integer)
