"""Decide who may join, on the record."""

from __future__ import annotations

from collections.abc import Sequence

from app.accounts.email.operations import ask_to_confirm
from app.accounts.joining.models import SignupRequest
from app.accounts.joining.operations import approve, decline, lock_waiting
from app.accounts.models import User
from app.core.errors import Refused
from app.core.text import is_blank, too_long_by
from app.moderation.log import actions
from app.moderation.log.operations import enter

APPROVE, DECLINE = DECISIONS = ("approve", "decline")
MAX_REASON = 500


class BadDecision(Refused):
    """Neither yes nor no, or no without a reason."""

    field = "reason"


def decide(request_ids: Sequence[int], decision: str, *, by: User, reason: str) -> list[SignupRequest]:
    """Let people in, or turn them down; return those who still waited. What another decides meanwhile stays."""
    if decision not in DECISIONS:
        raise BadDecision("Choose whether to approve or to decline.")
    if decision == DECLINE and is_blank(reason):
        raise BadDecision("Say why: they can read it when they log in.")
    if too_long_by(reason, MAX_REASON):
        raise BadDecision(f"Use {MAX_REASON} characters or fewer.")
    waiting = list(lock_waiting(request_ids))
    for request in waiting:
        if decision == APPROVE:
            user = approve(request)
            ask_to_confirm(user)
            enter(actions.SIGNUP_APPROVED, user, by=by, reason=reason, before={}, after={})
        else:
            decline(request, reason=reason)
            enter(actions.SIGNUP_DECLINED, None, by=by, reason=reason, before={}, after={}, handle=request.handle)
    return waiting
