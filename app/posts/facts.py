"""Facts about posts: what a card shows and what the clauses decide by, for one viewer, in one flat statement."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import ARRAY, BigInteger, ColumnElement, Text, bindparam, cast, column, func, literal, select
from sqlalchemy.orm import aliased

from app.accounts.reader import Reader
from app.core.statements import Compiled, as_array
from app.posts.fact_columns import select_facts
from app.posts.filters.matching import matches_among
from app.posts.highlights import highlights_among
from app.posts.models import Post
from app.social.models import HIGHLIGHTS

MAX_ABOVE = 10


class Facts(NamedTuple):
    """A post, and how its viewer stands to it: the columns of the statement, and what is found out for few viewers."""

    # What its card shows; the same to many viewers, so that what is made of it is kept.
    id: int
    text: str
    warning: str
    audience: str
    is_edited: bool
    author_id: int
    handle: str
    name: str
    avatar: str | None
    is_private: bool  # the author
    likes: int
    replies: int
    reposts: int
    mentioned: str | None  # the handles that the text may link to
    thread_id: int | None
    images: str | None
    link: str | None  # what is known of the page it links to
    reply_to_id: int | None
    answers: str | None  # the handle of the author it answers, if the viewer may know
    quote_of_id: int | None
    is_liked: bool  # by the viewer
    is_bookmarked: bool
    is_reposted: bool
    is_hidden: bool  # by a moderator, from all but its author
    is_held: bool  # by a rule, until a moderator has looked at it, and hidden as long
    # What the clauses decide by.
    is_deleted: bool = False
    author_is_deleted: bool = False
    is_removed: bool = False  # by a moderator
    author_is_suspended: bool = False
    author_is_limited: bool = False
    repost_of_id: int | None = None
    reply_to_author_id: int | None = None
    volume: str | None = None  # at which the viewer follows the author
    follows_answered: bool = False
    is_mentioned: bool = False  # the viewer, in a post for the people that it mentions
    follows_tag: bool = False
    is_blocked: bool = False  # one by the other, viewer and author
    mute: str | None = None  # of the author by the viewer: everything, or what they repost
    conversation_muted: bool = False
    has_filters: bool = False  # the viewer
    quotes: int = 0  # shown on its own page
    all_reposts: int = 0  # also those that few may see

    # What is asked only where it matters.
    is_highlight: bool = False  # where the viewer wants nothing else of the author
    hiding_phrase: str | None = None  # of the viewer's filter that hides it
    collapsing_phrase: str | None = None  # of the one that collapses it

    @property
    def is_on_its_own(self) -> bool:
        """Say whether it is neither a repost nor a reply."""
        return self.repost_of_id is None and self.reply_to_id is None

    @property
    def shown(self) -> tuple[object, ...]:
        """Return what its card shows: `Facts(*shown)` without how the viewer stands to it."""
        return self[:_SHOWN]


_SHOWN = Facts._fields.index("is_deleted")
_SELECTED = Facts._fields[: Facts._fields.index("is_highlight")]


def facts_about(ids: Iterable[int], *, viewer: Reader | None, without_filter: int = 0) -> dict[int, Facts]:
    """Return the facts about those of the posts that have a row, by id; one filter of the viewer may be left aside."""
    asked = {"ids": as_array(list(ids)), "viewer_id": viewer.id if viewer else None}
    facts = {post.id: post for post in _facts.rows_as(Facts, **asked)}
    return facts if viewer is None else _with_rare_facts(facts, viewer, without_filter)


def facts_above(ids: Iterable[int], *, viewer: Reader | None) -> dict[int, Facts]:
    """Return the facts about posts and about what they answer, up to MAX_ABOVE posts above each of them, by id."""
    asked = {"ids": as_array(list(ids)), "viewer_id": viewer.id if viewer else None}
    facts = {post.id: post for post in _facts_above.rows_as(Facts, **asked)}
    return facts if viewer is None else _with_rare_facts(facts, viewer, 0)


def _with_rare_facts(facts: dict[int, Facts], viewer: Reader, without_filter: int) -> dict[int, Facts]:
    """Add what is dear to find out and matters to few viewers, in a statement of its own where it does."""
    by_others = [post.id for post in facts.values() if post.has_filters and post.author_id != viewer.id]
    if by_others:
        matches = matches_among(by_others, viewer_id=viewer.id, without_filter=without_filter)
        facts |= {
            match.id: facts[match.id]._replace(hiding_phrase=match.hiding, collapsing_phrase=match.collapsing)
            for match in matches
        }
    if wanted := [post.id for post in facts.values() if post.volume == HIGHLIGHTS and post.is_on_its_own]:
        highlights = highlights_among(wanted)
        facts |= {each: facts[each]._replace(is_highlight=True) for each in highlights}
    return facts


def _and_above() -> ColumnElement[Any]:
    """Select the posts `ids` and what they answer, as an array."""
    ids = func.unnest(cast(_IDS, ARRAY(BigInteger)))
    given = ids.table_valued(column("id", BigInteger), name="given").render_derived()
    step = aliased(Post)
    up = select(given.c.id, literal(0).label("distance")).cte("up", recursive=True)
    farther = select(step.reply_to_id, up.c.distance + 1).join(up, up.c.id == step.id)
    up = up.union(farther.where(step.reply_to_id.is_not(None), up.c.distance < MAX_ABOVE))
    return select(func.array_agg(up.c.id)).scalar_subquery()


_IDS = bindparam("ids", type_=Text)
_facts = Compiled(lambda: select_facts(_SELECTED, _IDS))
_facts_above = Compiled(lambda: select_facts(_SELECTED, _and_above()))
