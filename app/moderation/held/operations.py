"""Decide about posts that a rule holds: let them through at their place, or remove them and say why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.accounts.models import User
from app.core.errors import NotAllowed, Refused
from app.core.text import clean
from app.extensions import db
from app.moderation.actions.kinds import REMOVE
from app.moderation.actions.operations import NoReason, act_on_post, check_may, settle_post
from app.moderation.log import actions as log
from app.moderation.log.operations import enter
from app.posts.models import Post

MAX_AT_ONCE = 50


class NothingChosen(Refused):
    """No post to decide about."""

    field = "post"


@dataclass(frozen=True)
class Chosen:
    """A held post, and when it was last edited as the moderator read it."""

    post_id: int
    edited_at: datetime | None


@dataclass
class Outcome:
    """How many posts were decided about, and how many were not, for which reason."""

    decided: int = 0
    too_late: int = 0  # somebody else was quicker, or the author deleted it
    changed: int = 0  # since it was read
    not_allowed: int = 0


def decide(chosen: Sequence[Chosen], *, by: User, approve: bool, reason: str = "") -> Outcome:
    """Approve or decline held posts; of two moderators who decide about one at once, one does."""
    if not chosen:
        raise NothingChosen("Choose at least one post.")
    if len(chosen) > MAX_AT_ONCE:
        raise NothingChosen(f"Up to {MAX_AT_ONCE} posts at once.")
    if not approve and not clean(reason):
        raise NoReason("Say why. The person will read it.")
    outcome = Outcome()
    for each in sorted(chosen, key=lambda one: one.post_id):  # in one order, or two moderators wait for each other
        _decide_one(each, by=by, approve=approve, reason=reason, outcome=outcome)
    return outcome


def _decide_one(chosen: Chosen, *, by: User, approve: bool, reason: str, outcome: Outcome) -> None:
    post = db.session.get(Post, chosen.post_id)
    if post is None:
        outcome.too_late += 1
        return
    author = db.session.get_one(User, post.author_id)
    try:
        check_may(author, by=by)
    except (NotAllowed, Refused):
        if not by.is_staff:
            raise
        outcome.not_allowed += 1
        return
    columns = ["held_at", "edited_at", "deleted_at", "removed_until"]
    db.session.refresh(post, columns, with_for_update={"key_share": True})
    if post.held_at is None or post.deleted_at is not None or post.is_removed:
        outcome.too_late += 1
    elif post.edited_at != chosen.edited_at:
        outcome.changed += 1
    else:
        post.held_at = None
        db.session.flush()
        if approve:
            settle_post(post.id)
            enter(log.POST_APPROVED, author, by=by, reason=reason, before={}, after={"post": post.id})
        else:
            act_on_post(post, REMOVE.name, by=by, reason=reason)
        outcome.decided += 1
