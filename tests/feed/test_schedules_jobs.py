"""Schedules of the model about jobs that die or run twice, played on the engine and named after them.

Ours are never split into jobs of their own: one row goes on from slice to slice, and what it did commits with where it
stands.
"""

from __future__ import annotations

from sqlalchemy import func, update

from app.extensions import db
from app.feed.timelines import fanout
from app.outbox import names
from app.outbox.models import OutboxRow
from app.outbox.running import run_batch
from app.outbox.sweeper import sweep
from tests.feed import schedule
from tests.feed.schedule import AFTER_PLAN, AFTER_REDIS, FLOOR, Stage

stage = schedule.stage


def followed_by_three(stage: Stage) -> tuple[list[int], int]:
    """Return three readers with warm homes and whom they follow; a slice is one follower."""
    *readers, anna = stage.people("rea", "ria", "roy", "anna")
    for reader in readers:
        stage.follow(reader, anna)
    stage.warm(*readers)
    stage.monkeypatch.setattr(fanout, "SLICE", 1)
    return readers, anna


def has(stage: Stage, readers: list[int], post_id: int) -> list[bool]:
    return [post_id in (stage.home(reader) or []) for reader in readers]


def test_J1_a_fan_out_that_dies_between_two_slices_goes_on_where_it_was(stage: Stage) -> None:
    """A row that is closed when the work is split loses the part of whoever dies."""
    readers, anna = followed_by_three(stage)
    post = stage.post(anna)
    [row] = stage.rows(names.FAN_OUT_POST, post)
    stage.run(row)
    assert has(stage, readers, post) == [True, False, False]
    stage.raw().delete("rq:queue:freshet")  # the hint for the next slice is lost
    stage.check(*readers)
    with stage.app.app_context():
        db.session.execute(update(OutboxRow).values(lease_until=func.now()))
        db.session.commit()
        assert sweep() == 1
    stage.run(row)
    assert has(stage, readers, post) == [True, True, False]
    stage.check_at_rest(*readers)
    assert has(stage, readers, post) == [True, True, True]


def test_J1_a_worker_that_dies_in_the_middle_of_a_slice_leaves_the_row_as_it_was(stage: Stage) -> None:
    """A row that moves on before its slice is written loses the slice."""
    readers, anna = followed_by_three(stage)
    post = stage.post(anna)
    [row] = stage.rows(names.FAN_OUT_POST, post)
    stage.start(lambda: stage.run(row), AFTER_PLAN).kill()
    assert has(stage, readers, post) == [False, False, False]
    stage.check(*readers)
    stage.start(lambda: stage.run(row), AFTER_REDIS).kill()
    assert has(stage, readers, post) == [True, False, False]
    stage.check(*readers)
    stage.check_at_rest(*readers)
    assert has(stage, readers, post) == [True, True, True]


def test_J1_a_demotion_that_dies_goes_on_where_it_was(stage: Stage) -> None:
    """An author who pushes again before every home from the time of pull is gone is missing in the others."""
    readers, anna = followed_by_three(stage)
    stage.promote(anna)
    stage.post(anna)
    stage.work()
    stage.page(readers[0])
    stage.demote(anna)
    [row] = stage.rows("feed.finish_demotion", anna)
    stage.run(row)
    assert [stage.home(reader) for reader in readers] == [None, [FLOOR], [FLOOR]]
    stage.start(lambda: stage.run(row), AFTER_REDIS).kill()
    assert stage.mode(anna) == "both"
    stage.check(*readers)
    stage.check_at_rest(*readers)
    assert stage.mode(anna) == "push"


def test_J2_a_twin_of_a_fan_out_does_no_harm(stage: Stage) -> None:
    """Children that count down close the row when one runs twice and its sibling has died."""
    readers, anna = followed_by_three(stage)
    post = stage.post(anna)
    [row] = stage.rows(names.FAN_OUT_POST, post)
    first = stage.start(lambda: stage.run(row), AFTER_REDIS)
    stage.run(row)  # locked: the twin leaves it alone
    assert stage.rows(names.FAN_OUT_POST, post) == [row]
    first.finish()
    with stage.app.app_context():  # a twin whose lock was lost, with the state from the beginning
        fanout.deliver([plan for plan in fanout.plan([(post, {})]) if plan])
        db.session.commit()
    assert has(stage, readers, post) == [True, False, False]
    assert stage.rows(names.FAN_OUT_POST, post) == [row]
    stage.check(*readers)
    stage.check_at_rest(*readers)
    stage.run(row)
    assert has(stage, readers, post) == [True, True, True]


def test_J2_a_job_that_finished_long_ago_may_come_again(stage: Stage) -> None:
    """Into a window that was trimmed since, below its oldest member, it would make a hole."""
    readers, anna = followed_by_three(stage)
    stage.window(2)
    one, *_ = [stage.post(anna) for _ in range(4)]
    stage.work()
    with stage.app.app_context():
        fanout.deliver([plan for plan in fanout.plan([(one, {})]) if plan])
        fanout.backfill(follower_id=readers[0], author_id=anna)
        db.session.commit()
    stage.check_at_rest(*readers)


def test_J2_many_rows_in_one_batch_die_together_and_are_done_again(stage: Stage) -> None:
    """A batch is one transaction: whatever it wrote, its rows are open until all of it is written."""
    readers, anna = followed_by_three(stage)
    ids = [stage.post(anna) for _ in range(3)]
    stage.start(lambda: _run_batch(stage), AFTER_REDIS).kill()
    stage.check(*readers)
    assert [len(stage.rows(names.FAN_OUT_POST, post)) for post in ids] == [1, 1, 1]
    _run_batch(stage)
    stage.check(*readers)
    stage.check_at_rest(*readers)
    assert [has(stage, readers, post) for post in ids] == [[True, True, True]] * 3


def _run_batch(stage: Stage) -> None:
    with stage.app.app_context():
        assert run_batch()
