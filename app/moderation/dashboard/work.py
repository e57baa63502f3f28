"""What waits for moderators: each queue is one entry here, counted no further than anybody would read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select

from app import addresses
from app.accounts.joining.models import WAITING, SignupRequest
from app.accounts.reader import Reader
from app.core import ids
from app.extensions import db
from app.moderation.actions.models import Appeal, ModerationAction
from app.moderation.appeals import queries as appeals
from app.moderation.held.queries import WAITS
from app.moderation.reports.models import Case
from app.posts.models import Post

MAX_COUNTED = 1000


@dataclass(frozen=True)
class Queue:
    """Something that waits: what it is called, where it is done, and what selects since when each waits."""

    name: str
    path: str
    waiting: Callable[[Reader], Select[Any]]
    as_ids: bool = False  # it selects ids, which are times


@dataclass(frozen=True)
class Work:
    """How much waits in a queue, and since when."""

    name: str
    path: str
    count: int
    oldest: datetime | None

    @property
    def is_more(self) -> bool:
        return self.count >= MAX_COUNTED


QUEUES: Sequence[Queue] = (
    Queue(
        "Reports",
        addresses.admin_reports(),
        lambda viewer: select(Case.id.label("since")).where(Case.closed_id.is_(None), Case.person_id != viewer.id),
        as_ids=True,
    ),
    Queue(
        "Appeals",
        addresses.admin_appeals(),
        lambda viewer: (
            select(Appeal.id.label("since")).join(Appeal.action).join(ModerationAction.person).where(*appeals.WAITS)
        ),
        as_ids=True,
    ),
    Queue("Held posts", addresses.admin_held(), lambda viewer: select(Post.held_at.label("since")).where(*WAITS)),
    Queue(
        "Sign-ups",
        addresses.approvals(),
        lambda viewer: select(SignupRequest.asked_at.label("since")).where(SignupRequest.state == WAITING),
    ),
)


def open_work(viewer: Reader) -> list[Work]:
    """Return what waits in each queue."""
    return [_count(queue, viewer) for queue in QUEUES]


def _count(queue: Queue, viewer: Reader) -> Work:
    waiting = queue.waiting(viewer).limit(MAX_COUNTED).subquery()
    count, oldest = db.session.execute(select(func.count(), func.min(waiting.c.since)).select_from(waiting)).one()
    return Work(queue.name, queue.path, count, ids.time_of(oldest) if queue.as_ids and oldest else oldest)
