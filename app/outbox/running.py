"""Do the work of outbox rows: each row by one worker at a time, each finished in the transaction that deletes it."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from sqlalchemy import delete, func, select, update

from app.core.after_commit import after_commit
from app.core.redis import RedisAway
from app.core.statements import is_one_of, rows_changed
from app.extensions import db
from app.outbox import queue
from app.outbox.models import OutboxRow
from app.outbox.rows import State, subscriptions

log = logging.getLogger(__name__)
LONGEST_WAIT = timedelta(hours=1)
LONGEST_DRAIN_SECONDS = 2.0
BATCH = 200


def drain(row_id: int) -> None:
    """Do a row that a worker was told of, and then whatever else is open of the jobs that are done in batches."""
    run_row(row_id)
    deadline = time.monotonic() + LONGEST_DRAIN_SECONDS
    while run_batch():
        if time.monotonic() > deadline:
            queue.enqueue(row_id, in_batches=True)  # behind the others; the rest must not wait for its lease
            return


def run_row(row_id: int) -> None:
    """Do one slice of a row's job. A row that is gone is done; one that is locked is being done by our twin."""
    locked = select(OutboxRow).where(OutboxRow.id == row_id).with_for_update(skip_locked=True)
    row = db.session.scalars(locked).one_or_none()
    if row is None:
        db.session.commit()  # as good as a rollback, at which psycopg would forget its prepared statements
        return
    name, attempts = row.job, row.attempts
    try:
        _finish([(row, subscriptions().named(name)(row))])
        db.session.commit()
    except RedisAway as error:  # said once by the gate, not once per row
        db.session.rollback()
        _put_off(row_id, 0, error)
    except Exception as error:
        db.session.rollback()
        log.exception("job %s of outbox row %s failed, attempt %s", name, row_id, attempts + 1)
        _put_off(row_id, attempts, error)


def run_batch() -> bool:
    """Do a slice of many open rows of one job at once; say whether there may be more.

    A row that has failed before is left to `run_row`, alone, so that it takes no others with it.
    """
    for name, batch in subscriptions().batches.items():
        untried = (OutboxRow.job == name, OutboxRow.attempts == 0, OutboxRow.state == {})
        open_rows = select(OutboxRow).where(*untried).order_by(OutboxRow.id).limit(BATCH)
        rows = db.session.scalars(open_rows.with_for_update(skip_locked=True)).all()
        if not rows:
            db.session.commit()
            continue
        try:
            _finish(list(zip(rows, batch(rows), strict=True)))
            db.session.commit()
        except Exception:
            db.session.rollback()  # each of them is tried alone, by its own hint or by the sweeper
            return False
        return True
    return False


def run_now(name: str, *, actor_id: int) -> None:
    """Do an actor's open rows of one job in this very request, beside the workers; what fails stays open."""
    rows = select(OutboxRow.id).where(OutboxRow.job == name, OutboxRow.actor_id == actor_id).limit(10)
    for row_id in db.session.scalars(rows).all():
        run_row(row_id)


def _finish(worked: Sequence[tuple[OutboxRow, State | None]]) -> None:
    """Delete the rows of jobs that are done; what the jobs did and where they stand commit together."""
    done = [row.id for row, state in worked if state is None]
    if done:
        rows_changed(delete(OutboxRow).where(is_one_of(OutboxRow.id, done)))
    for row, state in worked:
        if state is not None:
            still_open = update(OutboxRow).where(OutboxRow.id == row.id)
            rows_changed(still_open.values(state=state, lease_until=func.now() + queue.lease()))
            # Behind the others: no row waits for a long job.
            after_commit(db.session(), partial(queue.enqueue, row.id))


def _put_off(row_id: int, attempts: int, error: Exception) -> None:
    wait = min(queue.lease() * 2 ** min(attempts, 20), LONGEST_WAIT)
    put_off = update(OutboxRow).where(OutboxRow.id == row_id)
    db.session.execute(
        put_off.values(attempts=attempts + 1, last_error=repr(error)[:500], lease_until=func.now() + wait)
    )
    db.session.commit()
