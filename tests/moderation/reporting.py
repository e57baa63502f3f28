"""Reports in tests: made as people make them, and found again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.moderation.log.models import LogEntry
from app.moderation.reports.models import Case
from tests.people import Member


@dataclass(frozen=True)
class Found:
    """A case as it is stored."""

    id: int
    kind: str
    reporters: int
    claimed_by_id: int | None
    outcome: str | None


def report(who: Member, what: int | Member, *, reason: str = "spam", **fields: Any) -> None:
    """Report a post or a person."""
    path = f"/posts/{what}/report" if isinstance(what, int) else f"/@{what.handle}/report"
    response = who.send(path, reason=reason, **fields)
    assert response.status_code == 303, response.text


def cases(app: Flask) -> list[Found]:
    """Return all cases, the oldest first."""
    with app.app_context():
        found = db.session.scalars(select(Case).order_by(Case.id))
        return [Found(each.id, each.kind, each.reporters, each.claimed_by_id, each.outcome) for each in found]


def only_case(app: Flask) -> Found:
    [case] = cases(app)
    return case


def logged(app: Flask) -> list[tuple[str, str, str]]:
    """Return what is on record: who did what, about whom."""
    with app.app_context():
        entries = db.session.scalars(select(LogEntry).order_by(LogEntry.id))
        return [(entry.actor, entry.action, entry.target) for entry in entries]


def listed(page: str) -> list[int]:
    """Return the cases of a page of the queue, in its order."""
    return [int(each) for each in re.findall(r'class="row-link" href="/admin/reports/(\d+)"', page)]
