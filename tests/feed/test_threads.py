"""Real threads on one feed: whatever they do to it at the same time, at rest every page is what Postgres says.

Nothing is forced here; `test_schedules_*` force what is known to be dangerous. These look for what is not known.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sqlalchemy import select

from app.extensions import db
from app.feed.timelines import fanout
from app.outbox.models import OutboxRow
from tests.feed import schedule
from tests.feed.schedule import MARKER, Stage, Walk
from tests.threads import at_once

stage = schedule.stage

ROUNDS = 8


def posting(stage: Stage, author: int, times: int = 1) -> Callable[[], object]:
    """Return what posts and fans out."""

    def post() -> None:
        for _ in range(times):
            stage.fan_out(stage.post(author))

    return post


def walking(stage: Stage, reader: int, times: int = 1, size: int = 2) -> Callable[[], object]:
    """Return what walks from the top to the end, and finds everything that was there all the time."""

    def walk() -> None:
        for _ in range(times):
            Walk(stage, reader, size).to_the_end()

    return walk


def test_two_builds_at_once(stage: Stage) -> None:
    reader, anna = stage.people("reader", "anna")
    stage.window(3)
    stage.follow(reader, anna)
    for number in range(ROUNDS):
        stage.fan_out(stage.post(anna))
        stage.drop(stage.home_key(reader))
        pages = at_once(*[lambda: stage.page(reader, size=2)] * 4)
        assert all(page == pages[0] for page in pages)
        held = stage.home(reader)
        assert held is not None and MARKER not in held and len(held) == min(number + 2, 3)
        stage.check_at_rest(reader)


def test_two_builds_of_an_author_window_at_once(stage: Stage) -> None:
    rea, ria, anna = stage.people("rea", "ria", "anna")
    stage.window(3)
    for reader in (rea, ria):
        stage.follow(reader, anna)
    stage.promote(anna)
    for _ in range(ROUNDS):
        stage.drop(stage.author_key(anna))
        at_once(partial(stage.page, rea), partial(stage.page, ria), posting(stage, anna))
        stage.check_at_rest(rea, ria)


def test_build_and_push(stage: Stage) -> None:
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.window(3)
    stage.follow(reader, anna, ben)
    for _ in range(ROUNDS):
        stage.drop(stage.home_key(reader))
        at_once(
            partial(stage.page, reader),
            posting(stage, anna),
            posting(stage, ben),
            partial(stage.page, reader),
        )
        stage.check_at_rest(reader)


def test_follow_and_push(stage: Stage) -> None:
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.window(4)
    stage.follow(reader, ben)
    for _ in range(ROUNDS):
        stage.warm(reader)
        at_once(
            partial(stage.follow, reader, anna),
            posting(stage, anna, 2),
            posting(stage, ben),
            walking(stage, reader),
        )
        stage.check_at_rest(reader)
        at_once(partial(stage.relate, "unfollow", reader, anna), posting(stage, anna), walking(stage, reader))
        stage.check_at_rest(reader)


def test_trim_and_read(stage: Stage) -> None:
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.window(2)
    stage.follow(reader, anna, ben)
    posting(stage, anna, 6)()
    for _ in range(ROUNDS // 2):
        stage.warm(reader)
        at_once(
            posting(stage, anna, 3),
            posting(stage, ben, 3),
            walking(stage, reader, 3, size=1),
            walking(stage, reader, 3, size=3),
        )
        stage.check_at_rest(reader)


def test_promote_and_demote_and_walk(stage: Stage) -> None:
    stage.monkeypatch.setattr(fanout, "SLICE", 1)
    rea, ria, anna, ben = stage.people("rea", "ria", "anna", "ben")
    stage.window(3)
    for reader in (rea, ria):
        stage.follow(reader, anna, ben)
    posting(stage, anna, 3)()
    posting(stage, ben, 2)()

    def change() -> None:
        for _ in range(3):
            stage.promote(anna)
            stage.demote(anna)
            for row in stage.rows("feed.finish_demotion", anna):
                stage.run(row)
        stage.promote(anna)

    for _ in range(ROUNDS // 2):
        at_once(change, posting(stage, anna, 3), walking(stage, rea, 3), walking(stage, ria, 3, size=1))
        stage.check_at_rest(rea, ria)


def test_twins_of_all_jobs_at_once(stage: Stage) -> None:
    """F6: two workers that do the same rows in opposite directions."""
    stage.monkeypatch.setattr(fanout, "SLICE", 1)
    rea, ria, anna = stage.people("rea", "ria", "anna")
    stage.window(3)
    for _ in range(ROUNDS // 2):
        for reader in (rea, ria):
            stage.relate("unfollow", reader, anna)
            stage.relate("follow", reader, anna)
        stage.promote(anna)
        stage.post(anna), stage.post(anna)
        stage.demote(anna)
        with stage.app.app_context():
            rows = list(db.session.scalars(select(OutboxRow.id)))
        twice = [rows * 2, list(reversed(rows)) * 2]
        at_once(*[partial(_run_all, stage, some) for some in twice], walking(stage, rea))
        stage.check_at_rest(rea, ria)


def _run_all(stage: Stage, rows: list[int]) -> None:
    for row in rows:
        stage.run(row)


def test_redis_comes_back_with_old_data_under_walking_readers(stage: Stage) -> None:
    reader, anna = stage.people("reader", "anna")
    stage.window(3)
    stage.follow(reader, anna)
    posting(stage, anna, 4)()
    for _ in range(2):
        stage.warm(reader)
        saved = stage.save()
        posting(stage, anna, 2)()
        walks = [stage.background(walking(stage, reader, 4, size)) for size in (1, 2, 3)]
        stage.restart_redis(saved)
        for walk in walks:
            walk.result(timeout=60)
        stage.reconnect()
        stage.check_at_rest(reader)
