"""Which authors are pushed and which are pulled: by what it costs to push them, with room between up and down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from flask import current_app
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import UserCounters
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock, ids
from app.extensions import db
from app.feed.models import BOTH, PULL, AuthorMode
from app.posts.models import Post
from app.site.settings import the_site

MAX_PULLED_AUTHORS = 64
MEASURED = timedelta(days=7)
# An author is demoted only when the cost has fallen to this part of what promoted them.
HYSTERESIS = 0.6
RECONSIDERED_EVERY = 500


@dataclass(frozen=True)
class Cost:
    """What an author costs, against what is too much (1.0)."""

    user_id: int
    share: float


def recompute(only: Sequence[int] | None = None) -> None:
    """Promote authors who cost too much to push and demote those who no longer do."""
    pulled = set(db.session.scalars(select(AuthorMode.user_id).where(AuthorMode.mode == PULL)))
    costs = {cost.user_id: cost.share for cost in _costs(pulled, only)}
    unmeasured = 0.0 if only is None else 1.0  # an author who is not looked at now keeps their mode
    stays = {user_id for user_id in pulled if costs.get(user_id, unmeasured) >= HYSTERESIS}
    comes = {user_id for user_id, share in costs.items() if share >= 1}
    wanted = sorted(stays | comes, key=lambda user_id: -costs.get(user_id, 1))[:MAX_PULLED_AUTHORS]
    for user_id in sorted(set(wanted) - pulled):
        promote(user_id)
    for user_id in sorted(pulled - set(wanted)):
        demote(user_id)


def reconsider(author_id: int) -> None:
    """Recompute one author right after a follow, when the number of followers has come to a round number."""
    followers = db.session.scalar(select(UserCounters.followers).where(UserCounters.user_id == author_id)) or 0
    if followers and (followers % RECONSIDERED_EVERY == 0 or followers == the_site().celebrity_followers):
        recompute(only=[author_id])


def promote(author_id: int) -> None:
    """Merge an author's posts at read from now on. Homes keep what was pushed."""
    change = insert(AuthorMode).values(user_id=author_id, mode=PULL, change=1)
    db.session.execute(
        change.on_conflict_do_update(index_elements=["user_id"], set_={"mode": PULL, "change": AuthorMode.change + 1})
    )


def demote(author_id: int) -> None:
    """Push an author's posts again, and merge them as well until no home from the time of pull is left."""
    pulled = select(AuthorMode).where(AuthorMode.user_id == author_id, AuthorMode.mode == PULL).with_for_update()
    mode = db.session.scalars(pulled).one_or_none()
    if mode is None:
        return
    mode.mode, mode.change = BOTH, mode.change + 1
    activity.record(verbs.AUTHOR_DEMOTED, actor_id=None, subject_id=author_id, details={"change": mode.change})


def _costs(pulled: set[int], only: Sequence[int] | None) -> list[Cost]:
    """Measure the authors who could cost too much, and those who are pulled now."""
    limit = the_site().celebrity_followers
    least = limit * HYSTERESIS if limit else current_app.config["PULL_COST"] / 1000
    rows = select(UserCounters.user_id, UserCounters.followers).where(
        (UserCounters.followers >= least) | UserCounters.user_id.in_(pulled)
    )
    if only is not None:
        rows = rows.where(UserCounters.user_id.in_(only))
    followers = {row[0]: row[1] for row in db.session.execute(rows)}
    if limit:
        return [Cost(user_id, count / limit) for user_id, count in followers.items()]
    return [
        Cost(user_id, followers[user_id] * posts / MEASURED.days / current_app.config["PULL_COST"])
        for user_id, posts in _recent_posts(list(followers)).items()
    ]


def _recent_posts(author_ids: list[int]) -> dict[int, int]:
    since = ids.id_at(clock.now() - MEASURED)
    theirs = (Post.author_id.in_(author_ids), Post.id > since, Post.deleted_at.is_(None))
    recent = select(Post.author_id, func.count()).where(*theirs).group_by(Post.author_id)
    return {row[0]: row[1] for row in db.session.execute(recent)}
