"""What waits for moderators: each queue is one entry here, counted no further than anybody would read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select

from app import addresses
from app.accounts.joining.models import WAITING, SignupRequest
from app.extensions import db

MOST_COUNTED = 1000


@dataclass(frozen=True)
class Queue:
    """Something that waits: what it is called, where it is done, and what selects when each began to wait."""

    name: str
    path: str
    waiting: Callable[[], Select[Any]]


@dataclass(frozen=True)
class Work:
    """How much waits in a queue, and since when."""

    name: str
    path: str
    count: int
    oldest: datetime | None

    @property
    def is_more(self) -> bool:
        return self.count >= MOST_COUNTED


# Reports, appeals and held posts belong here.
QUEUES: Sequence[Queue] = (
    Queue(
        "Sign-ups",
        addresses.approvals(),
        lambda: select(SignupRequest.asked_at.label("since")).where(SignupRequest.state == WAITING),
    ),
)


def open_work() -> list[Work]:
    """Return what waits in each queue."""
    return [_count(queue) for queue in QUEUES]


def _count(queue: Queue) -> Work:
    waiting = queue.waiting().limit(MOST_COUNTED).subquery()
    row = db.session.execute(select(func.count(), func.min(waiting.c.since)).select_from(waiting)).one()
    return Work(queue.name, queue.path, row[0], row[1])
