"""The first page for those who run the site, and the jobs that have failed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

from flask import Flask
from sqlalchemy import delete, func, insert, select, update

from app.accounts.models import LoginSession
from app.core import clock
from app.extensions import db, redis
from app.feed.models import FeedState
from app.moderation.dashboard import measuring
from app.moderation.dashboard.models import SiteDay
from app.moderation.log.models import LogEntry
from app.outbox import names
from app.outbox.models import OutboxRow
from app.runtime.servers import EphemeralServers
from tests.accounts.test_joining import ask
from tests.moderation.acting import on_person
from tests.people import Member
from tests.site.test_settings import save
from tests.sql import statements


def measure(app: Flask) -> None:
    with app.app_context():
        measuring.measure()
        db.session.commit()


def figures(page: str) -> dict[str, str]:
    found = re.findall(r'<div class="figure"><dt>([^<]+)</dt><dd>([^<]*?) *(?:<|$)', page)
    return {words: number.strip() for words, number in found}


def test_the_dashboard_counts_people_and_posts(app: Flask, mod: Member, alice: Member, bob: Member) -> None:
    kept, deleted = alice.write("one"), alice.write("two")
    alice.delete(deleted)
    with app.app_context():
        long_ago = update(LoginSession).where(LoginSession.user_id == bob.id)
        db.session.execute(long_ago.values(last_seen_at=func.now() - timedelta(days=3)))
        db.session.commit()
    assert "Not counted yet" in mod.get("/admin").text
    measure(app)
    shown = figures(mod.get("/admin").text)
    assert kept and shown["People"] == "3" and shown["Posts today"] == "1"
    assert shown["Active today"] == "2" and shown["Active in 30 days"] == "3"


def test_yesterday_is_counted_to_its_end(app: Flask, mod: Member) -> None:
    with app.app_context():
        yesterday = clock.now().date() - timedelta(days=1)
        morning = clock.now() - timedelta(days=1)
        row = {"people": 0, "joined": 0, "active": 0, "active_month": 0, "posts": 99, "measured_at": morning}
        db.session.execute(insert(SiteDay).values(day=yesterday, **row))
        db.session.commit()
    measure(app)
    with app.app_context():
        assert db.session.get_one(SiteDay, yesterday).posts == 0


def test_admins_see_how_the_servers_are_and_moderators_do_not(app: Flask, mod: Member, warden: Member) -> None:
    shown = figures(mod.get("/admin").text)
    assert shown["Postgres"].endswith("MB") and shown["Failed jobs"] == "0" and shown["Migration"] and shown["Freshet"]
    assert "Postgres" not in figures(warden.get("/admin").text)


def test_the_dashboard_is_there_while_redis_is_away(app: Flask, mod: Member, servers: EphemeralServers) -> None:
    servers.valkey.kill()
    try:
        assert figures(mod.get("/admin").text)["Redis"] == "away"
    finally:
        servers.valkey.start()
        redis.init_app(app)


def test_what_waits_for_moderators_is_counted(app: Flask, mod: Member, warden: Member) -> None:
    save(mod, signups="approval")
    for name in ("zoe", "yan"):
        ask(app, name)
    page = warden.get("/admin").text
    assert '<span class="chip">2</span>' in page and "the oldest since" in page


def test_reports_and_appeals_wait_there_but_not_for_whom_they_are_about(
    app: Flask, mod: Member, warden: Member, alice: Member
) -> None:
    alice.send(f"/posts/{warden.write('hello')}/report", reason="spam")
    decision = on_person(app, alice, "warn", by=mod)
    alice.send(f"/decisions/{decision}/appeal", text="that was wrong")
    waiting = {
        who.handle: re.findall(r'<b>(\w+)</b>.*?\n.*?chip">(\d+)', who.get("/admin").text) for who in (mod, warden)
    }
    assert waiting == {"maud": [("Reports", "1"), ("Appeals", "1")], "wanda": [("Appeals", "1")]}


def test_the_dashboard_asks_a_fixed_number_of_statements(app: Flask, mod: Member, join: Callable[..., Member]) -> None:
    def asked() -> int:
        with statements() as sent:
            assert mod.get("/admin").status_code == 200
        return len(sent)

    asked()
    before = asked()
    for n in range(5):
        join(f"person{n}").write("hello")
    measure(app)
    assert asked() == before


# ---- Jobs that have failed


def failed_job(app: Flask, job: str = names.REMOVE_AVATAR, error: str = "OSError('disk')") -> int:
    with app.app_context():
        db.session.execute(delete(OutboxRow))
        row = OutboxRow(job=job, subject_id=7, details={"file": "none.webp"}, attempts=3, last_error=error)
        row.lease_until = clock.now() + timedelta(hours=1)
        db.session.add(row)
        db.session.commit()
        return row.id


def open_jobs(app: Flask) -> list[int]:
    with app.app_context():
        return list(db.session.scalars(select(OutboxRow.id)))


def actions(app: Flask) -> list[tuple[str, str]]:
    with app.app_context():
        return [(entry.action, entry.before["job"]) for entry in db.session.scalars(select(LogEntry))]


def test_a_failed_job_can_be_read_and_tried_again(app: Flask, mod: Member) -> None:
    row_id = failed_job(app, error="OSError('<b>disk</b>')")
    page = mod.get("/admin/jobs").text
    assert "OSError(&#39;&lt;b&gt;disk&lt;/b&gt;&#39;)" in page and "Tried 3 times" in page
    assert figures(mod.get("/admin").text)["Failed jobs"] == "1"
    assert "being tried again" in follow(mod, f"/admin/jobs/{row_id}/retry")
    with app.app_context():
        lease = db.session.scalar(select(OutboxRow.lease_until))
        assert lease is not None and lease < clock.now() + timedelta(minutes=5)
        with redis.client() as client:
            assert client.llen("rq:queue:freshet") == 1
    assert actions(app) == [("job.retried", names.REMOVE_AVATAR)]


def test_a_failed_job_can_be_dropped_once(app: Flask, mod: Member) -> None:
    row_id = failed_job(app)
    assert "Dropped." in follow(mod, f"/admin/jobs/{row_id}/delete")
    assert "isn’t waiting any more" in follow(mod, f"/admin/jobs/{row_id}/delete")
    assert open_jobs(app) == [] and actions(app) == [("job.dropped", names.REMOVE_AVATAR)]


def test_dropping_a_job_of_feeds_has_them_built_anew(app: Flask, mod: Member) -> None:
    def generation() -> str:
        with app.app_context():
            return db.session.scalars(select(FeedState.generation)).one()

    before = generation()
    follow(mod, f"/admin/jobs/{failed_job(app)}/delete")
    assert generation() == before
    follow(mod, f"/admin/jobs/{failed_job(app, names.FAN_OUT_POST)}/delete")
    assert generation() != before


def test_a_job_that_a_worker_is_doing_is_left_alone(app: Flask, mod: Member) -> None:
    row_id = failed_job(app)
    with app.app_context(), db.engine.begin() as worker:
        worker.execute(select(OutboxRow).where(OutboxRow.id == row_id).with_for_update())
        assert "isn’t waiting any more" in follow(mod, f"/admin/jobs/{row_id}/delete")
    assert open_jobs(app) == [row_id]


def test_a_job_that_has_not_failed_is_not_there(app: Flask, mod: Member, alice: Member) -> None:
    alice.write("hello")
    [row_id] = open_jobs(app)
    assert "Nothing has failed" in mod.get("/admin/jobs").text
    follow(mod, f"/admin/jobs/{row_id}/delete")
    assert open_jobs(app) == [row_id]


def follow(who: Member, path: str) -> str:
    """Send a form and return the page that it leads to."""
    response = who.send(path)
    assert response.status_code == 303
    return who.get(response.location).text
