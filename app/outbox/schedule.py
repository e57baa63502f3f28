"""Recurring tasks: when each is due, and that only one scheduler runs it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, func
from sqlalchemy.dialects.postgresql import insert

from app.extensions import db
from app.outbox.models import ScheduledTask

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Task:
    """Something to do every so often. It writes; the scheduler commits."""

    name: str
    every: timedelta
    run: Callable[[], object]


def run_due(tasks: list[Task]) -> None:
    """Run each task that is due, in a transaction of its own. A task that fails is due again at once next time."""
    for task in tasks:
        try:
            if _claim(task):
                task.run()
            db.session.commit()
        except Exception:
            db.session.rollback()
            log.exception("scheduled task %s failed", task.name)


def _claim(task: Task) -> bool:
    """Take a task if it is due. The row stays locked until the task is done, so that another scheduler waits."""
    claim = insert(ScheduledTask).values(name=task.name, ran_at=func.now())
    claim = claim.on_conflict_do_update(
        index_elements=["name"], set_={"ran_at": func.now()}, where=ScheduledTask.ran_at < func.now() - task.every
    )
    return db.session.scalar(claim.returning(ScheduledTask.name)) is not None


def make_due(name: str) -> None:
    """Have a task run at the next look of the scheduler, once what is being done is committed."""
    db.session.execute(delete(ScheduledTask).where(ScheduledTask.name == name))
