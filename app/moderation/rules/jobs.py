"""Jobs about rules: their dry runs, and the log of what broke."""

from __future__ import annotations

import regex

from app.extensions import db
from app.moderation.log import actions as log
from app.moderation.log.operations import enter
from app.moderation.rules.running import run_slice
from app.outbox.models import OutboxRow
from app.outbox.rows import State
from app.posts.rules.models import BROKEN, Rule


def dry_run_rule(row: OutboxRow) -> State | None:
    """Look at some more posts of the last days; a run that a newer one replaced ends."""
    rule = db.session.get(Rule, row.subject_id, with_for_update=True)
    if rule is None or rule.run != row.details["run"] or not rule.is_running:
        return None
    try:
        return row.state if run_slice(rule) else None
    except (regex.error, TimeoutError, ValueError, OverflowError) as error:
        rule.state, rule.broken_by, rule.run_at = BROKEN, f"{type(error).__name__}: {error}"[:200], rule.run_to
        _log_broken(rule)
        return None


def log_broken_rule(row: OutboxRow) -> None:
    """Enter into the log that a rule broke while somebody wrote; one that was deleted since has its entry."""
    rule = db.session.get(Rule, row.subject_id)
    if rule is not None:
        _log_broken(rule)


def _log_broken(rule: Rule) -> None:
    enter(log.RULE_BROKE, None, by=None, reason=rule.broken_by, before={"rule": rule.name}, after={})
