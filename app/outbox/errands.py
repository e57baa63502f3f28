"""Do the rows whose jobs wait for servers of other people: beside the workers, which no slow server may stop.

They go over no queue: whoever runs errands takes the next row that is due. Of an author one is done at a time, and of a
server, so that nobody's slow pages keep those of all others waiting. That does not hold for servers of our own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import and_, case, func, select
from sqlalchemy.dialects.postgresql import distinct_on

from app.extensions import db
from app.outbox.models import OutboxRow
from app.outbox.rows import subscriptions
from app.outbox.running import run_row

MAX_LOOKED_AT = 100  # authors who wait
SLOW_SECONDS = 3.0
MAX_REMEMBERED = 10_000
_slow: set[str] = set()  # authors and servers whose last errand took long, as far as this process remembers


@dataclass(frozen=True)
class _Errand:
    row_id: int
    keys: Sequence[str]  # its author and its server, if that is not our own

    @property
    def is_slow(self) -> bool:
        return not _slow.isdisjoint(self.keys)


def run_next(*, slow_ones_too: bool = True) -> bool:
    """Do an errand that is due, those last that may be slow; say whether there was one. One that fails is put off."""
    for errand in _due():
        if (slow_ones_too or not errand.is_slow) and _lock(errand):
            began = time.monotonic()
            run_row(errand.row_id)  # in the same transaction, which has locked it
            _note(errand, seconds=time.monotonic() - began)
            return True
        db.session.commit()  # gives back what was locked in vain
    db.session.commit()
    return False


def _due() -> list[_Errand]:
    """Return of each author the errand that is due longest; what nobody has asked for counts as one author's."""
    errands = subscriptions().errands
    servers_of = {name: find for name, find in errands.items() if find is not None}
    is_due = (OutboxRow.job.in_(errands), OutboxRow.lease_until <= func.now())
    turn = case((OutboxRow.job.in_(servers_of), OutboxRow.actor_id), else_=-OutboxRow.id)  # at our own each has its own
    row = select(OutboxRow.id, OutboxRow.job, OutboxRow.actor_id, OutboxRow.subject_id, OutboxRow.lease_until)
    firsts = row.where(*is_due).ext(distinct_on(turn))
    first = firsts.order_by(turn, OutboxRow.lease_until, OutboxRow.id).subquery()
    rows = db.session.execute(select(first).order_by(first.c.lease_until, first.c.id).limit(MAX_LOOKED_AT)).all()
    servers = {
        name: find([row.subject_id for row in rows if row.job == name]) for name, find in servers_of.items() if rows
    }
    found = [_Errand(row.id, _keys(row.actor_id, row.subject_id, servers.get(row.job))) for row in rows]
    return sorted(found, key=lambda errand: errand.is_slow)


def _keys(author_id: int | None, subject_id: int, servers: Mapping[int, str] | None) -> list[str]:
    return [] if servers is None else [f"author {author_id}", f"server {servers.get(subject_id, '')}"]


def _lock(errand: _Errand) -> bool:
    """Lock an errand, its author and its server until the transaction ends, if nobody else has."""
    names = [func.hashtextextended(f"errands: {key}", 0) for key in errand.keys]
    if names and not db.session.scalar(select(and_(*(func.pg_try_advisory_xact_lock(name) for name in names)))):
        return False
    still_due = select(OutboxRow.id).where(OutboxRow.id == errand.row_id, OutboxRow.lease_until <= func.now())
    return db.session.scalar(still_due.with_for_update(skip_locked=True)) is not None


def _note(errand: _Errand, *, seconds: float) -> None:
    if seconds < SLOW_SECONDS:
        _slow.difference_update(errand.keys)
        return
    if len(_slow) > MAX_REMEMBERED:
        _slow.clear()
    _slow.update(errand.keys)
