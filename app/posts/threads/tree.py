"""Conversations: what a post answers and what answers it, each in one statement, however long or deep they are.

How one reads: what the author went on to say comes first and in one piece, as it was written; then the answers, the
oldest first, because people answer what is there already, and because new ones arrive below and move nothing. Under
each answer come the first few answers to it; whatever is left out is counted and has an address.

A post that cannot be shown leaves a place where something hangs below it. One that was erased with its author's account
has left no row: its answers still know its id, which is its time, so it stands in its order below the first post of the
conversation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from sqlalchemy import exists, or_, select

from app import addresses
from app.accounts.models import User
from app.core.paging import cut
from app.core.statements import AnyViewer, Compiled
from app.extensions import db
from app.posts.models import Post, PostMention, Viewer
from app.posts.threads.statements import BRANCHES, MOST_COUNTED, Rows, select_above, select_chain, select_replies
from app.social.queries import blocks_between


@dataclass(frozen=True, slots=True)
class Place:
    """A post's place in a conversation, whether or not it can be shown there."""

    id: int
    is_gone: bool = False
    is_unwanted: bool = False  # the viewer chose not to read it
    is_shown: bool = True
    answers: int = 0  # that the viewer would find below it, counted up to MOST_COUNTED
    below: tuple[Place, ...] = ()

    @property
    def more(self) -> int:
        """Return how many answers are not shown below it."""
        return self.answers - len(self.below)

    @property
    def is_counted(self) -> bool:
        """Say whether `more` is the whole number."""
        return self.answers < MOST_COUNTED

    @property
    def missing(self) -> str:
        """Return why it is not shown, in words."""
        if self.is_gone:
            return "This post was deleted."
        return "You chose to hide this post." if self.is_unwanted else "This post isn’t visible to you."

    @property
    def url(self) -> str:
        """Return where it is read with what hangs below it, also where its author must not be named."""
        return addresses.thread(self.id)


@dataclass(frozen=True, slots=True)
class Above:
    """What a post answers, the nearest last; `beginning` is the first post of the conversation if it is farther up."""

    places: tuple[Place, ...] = ()
    beginning: Place | None = None


def above(parent_id: int, thread_id: int, *, viewer: User | None) -> Above:
    """Return the nearest posts above an answer, up to the first one of its conversation."""
    rows = _rows(select_above, viewer, parent_id=parent_id, thread_id=thread_id)
    first, *places = (Place(*facts) for _, *facts in sorted(rows, reverse=True))
    is_farther = first.id not in {place.id for place in places}
    can_be_read = first.is_shown or first.is_unwanted
    return Above(tuple(places), first if is_farther and can_be_read else None)


def chain(post_id: int, author_id: int, *, viewer: User | None) -> tuple[Place, ...]:
    """Return how the author went on: the first own answer to a post, the first own answer to that, and so on."""
    rows = sorted(_rows(select_chain, viewer, post_id=post_id, author_id=author_id))
    last = len(rows)
    return tuple(Place(link, answers=answers - (number < last)) for number, link, answers in rows)


def replies(
    post_id: int, *, viewer: User | None, after: int | None, but: int | None = None
) -> tuple[Sequence[Place], int | None]:
    """Return a page of the answers to a post with what hangs below them, and where the next page starts.

    `but` is the answer that its author's chain starts with.
    """
    places: defaultdict[int | None, list[Place]] = defaultdict(list)
    for parent_id, *facts in _rows(select_replies, viewer, post_id=post_id, after=after or 0, but=but or 0):
        places[parent_id].append(Place(*facts))
    page, next_after = cut(_in_order(places[None]), BRANCHES, key=lambda place: place.id)
    return [_with_below(place, places) for place in page], next_after


def _with_below(place: Place, places: dict[int | None, list[Place]]) -> Place:
    below = tuple(_with_below(each, places) for each in _in_order(places.get(place.id, [])))
    return replace(place, below=below)


def _in_order(places: list[Place]) -> list[Place]:
    return sorted(places, key=lambda place: place.id)


def ids_in(places: Iterable[Place]) -> list[int]:
    """Return the ids of the posts that are shown in some places and below them."""
    found = []
    for place in places:
        found += [place.id] if place.is_shown else []
        found += ids_in(place.below)
    return found


def addressed_by(post: Post, *, viewer: User) -> Sequence[str]:
    """Return the handles of those that an answer among mentioned people is for; the author of the post first."""
    mentioned = exists().where(PostMention.post_id == post.id, PostMention.user_id == User.id)
    others = (User.id != viewer.id, User.deleted_at.is_(None), ~blocks_between(viewer.id, User.id))
    people = select(User.handle).where(or_(User.id == post.author_id, mentioned), *others)
    return db.session.scalars(people.order_by((User.id == post.author_id).desc(), User.id)).all()


Build = Callable[[Viewer], Rows]


def _rows(build: Build, viewer: User | None, **values: int) -> list[tuple[Any, ...]]:
    who = {"viewer_id": viewer.id} if viewer else {}
    return _compiled(build, for_strangers=viewer is None).rows(**who, **values)


@cache
def _compiled(build: Build, *, for_strangers: bool) -> Compiled:
    """Keep each statement twice: for strangers, and for everybody else."""
    return Compiled(lambda: build(None if for_strangers else AnyViewer()))
