"""Read rules, and what they matched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import contains_eager

from app.extensions import db
from app.posts.rules.models import Rule, RuleMatch

MAX_COUNTED = 1000
MAX_LISTED = 30


@dataclass(frozen=True)
class Listed:
    """A rule, and how often it matched; at most MAX_COUNTED is counted."""

    rule: Rule
    matches: int


def all_rules() -> Sequence[Listed]:
    """Return all rules, the newest first."""
    some = select(RuleMatch.id).where(RuleMatch.rule_id == Rule.id).limit(MAX_COUNTED + 1).correlate(Rule).subquery()
    counted = select(func.count()).select_from(some).scalar_subquery()
    return [Listed(*row) for row in db.session.execute(select(Rule, counted).order_by(Rule.id.desc()))]


def matches_of(rule: Rule) -> Sequence[RuleMatch]:
    """Return what a rule matched last, with the authors."""
    found = select(RuleMatch).join(RuleMatch.author).options(contains_eager(RuleMatch.author))
    found = found.where(RuleMatch.rule_id == rule.id)
    return db.session.scalars(found.order_by(RuleMatch.id.desc()).limit(MAX_LISTED)).all()
