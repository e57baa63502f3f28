"""The log: what admins and moderators did, found again, exported, and never changed by anybody."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.accounts.models import User
from app.core.paging import PAGE_SIZE
from app.extensions import db
from app.moderation.log import actions
from app.moderation.log.operations import enter
from tests.people import Member


def write(app: Flask, who: Member, whom: Member, reason: str, *, times: int = 1) -> None:
    with app.app_context():
        by, person = db.session.get_one(User, who.id), db.session.get_one(User, whom.id)
        for number in range(times):
            before, after = {"role": "member"}, {"role": "moderator"}
            enter(actions.ROLE_CHANGED, person, by=by, reason=f"{reason} {number}", before=before, after=after)
        db.session.commit()


def rows(answer: str) -> list[list[str]]:
    return [*csv.reader(StringIO(answer))]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log_entries SET reason = 'another'",
        "DELETE FROM log_entries",
        "TRUNCATE log_entries",
    ],
)
def test_the_database_refuses_to_change_an_entry(app: Flask, mod: Member, carol: Member, statement: str) -> None:
    write(app, mod, carol, "because")
    with app.app_context():
        with pytest.raises(DBAPIError, match="never changed or removed"):
            db.session.execute(text(statement))
        db.session.rollback()
    assert "because" in mod.get("/admin/log").text


def test_an_entry_and_its_action_stand_or_fall_together(app: Flask, mod: Member, carol: Member) -> None:
    with app.app_context():
        by, person = db.session.get_one(User, mod.id), db.session.get_one(User, carol.id)
        person.role = "moderator"
        enter(actions.ROLE_CHANGED, person, by=by, reason="never", before={}, after={})
        db.session.rollback()
    assert "never" not in mod.get("/admin/log").text.replace("never changed", "")
    assert carol.get("/admin").status_code == 403


def test_an_entry_keeps_names_as_they_were_and_outlives_the_account(app: Flask, mod: Member, carol: Member) -> None:
    write(app, mod, carol, "for the record")
    with app.app_context():
        db.session.execute(text("DELETE FROM users WHERE id = :id"), {"id": carol.id})
        db.session.commit()
    assert "@carol" in mod.get("/admin/log").text


def test_entries_are_found_by_words_and_narrowed_down(app: Flask, mod: Member, warden: Member, carol: Member) -> None:
    write(app, mod, carol, "spam about herons")
    write(app, warden, carol, "Überfluss")
    found = {
        "/admin/log?words=heron": (False, False),  # whole words
        "/admin/log?words=HERONS": (True, False),
        "/admin/log?words=uberfluss": (False, True),
        "/admin/log?words=carol": (True, True),
        "/admin/log?who=@wanda": (False, True),
        "/admin/log?action=role.changed": (True, True),
        "/admin/log?action=nothing.of_the_kind": (False, False),
        "/admin/log?since=2000-01-01&until=2000-12-31": (False, False),
        "/admin/log?since=2000-01-01": (True, True),
        "/admin/log?until=2000-01-01": (False, False),
    }
    for path, (herons, abundance) in found.items():
        page = warden.get(path).text
        assert ("about herons" in page, "Überfluss" in page) == (herons, abundance), path
    assert "No entry is like that." in warden.get("/admin/log?words=nothing").text


def test_a_day_that_is_none_is_told_and_loses_nothing(mod: Member) -> None:
    page = mod.get("/admin/log?since=2026-02-31&words=heron")
    assert page.status_code == 422
    assert "That’s not a valid date." in page.text and 'value="heron"' in page.text
    export = mod.get("/admin/log.csv?since=2026-02-31&words=heron")
    assert (export.status_code, export.location) == (303, "/admin/log?words=heron&since=2026-02-31")


def test_all_entries_are_reached_page_by_page_each_once(app: Flask, mod: Member, carol: Member) -> None:
    write(app, mod, carol, "entry", times=2 * PAGE_SIZE + 5)
    path, seen = "/admin/log?words=entry", list[str]()
    while path:
        page = mod.get(path)
        assert page.status_code == 200
        seen += [line.split("”")[0] for line in page.text.split("<p>“")[1:]]
        path = (
            page.text.split('rel="next"')[1].split('href="')[1].split('"')[0].replace("&amp;", "&")
            if 'rel="next"' in page.text
            else ""
        )
    assert seen == [f"entry {number}" for number in reversed(range(2 * PAGE_SIZE + 5))]


def test_the_way_onwards_holds_for_this_search_and_this_person(app: Flask, mod: Member, warden: Member) -> None:
    write(app, mod, warden, "entry", times=PAGE_SIZE + 1)
    page = mod.get("/admin/log?words=entry").text
    path = page.split('rel="next"')[1].split('href="')[1].split('"')[0].replace("&amp;", "&")
    assert mod.get(path).status_code == 200
    assert warden.get(path).status_code == 400
    assert mod.get(path.replace("words=entry", "words=other")).status_code == 400


def test_the_export_is_all_that_was_found_and_no_formula(app: Flask, mod: Member, carol: Member) -> None:
    write(app, mod, carol, "=HYPERLINK(1)", times=520)
    write(app, mod, carol, "something else")
    answer = mod.get("/admin/log.csv?words=hyperlink")
    assert "Content-Length" not in answer.headers, "however long it is, it is sent while it is read"
    assert answer.mimetype == "text/csv" and "attachment" in answer.headers["Content-Disposition"]
    head, *entries = rows(answer.text)
    assert head == ["when", "who", "action", "whom", "reason", "before", "after"]
    assert len(entries) == 520
    assert entries[0][1:] == ["maud", "Changed role", "carol", "'=HYPERLINK(1) 519", "role: member", "role: moderator"]
    assert not [cell for row in entries for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_what_is_written_into_a_reason_stays_text(app: Flask, mod: Member, carol: Member) -> None:
    write(app, mod, carol, "<script>alert(1)</script>")
    page = mod.get("/admin/log").text
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_days_are_those_of_the_reader(app: Flask, mod: Member, carol: Member) -> None:
    write(app, mod, carol, "late")
    with app.app_context():
        db.session.execute(text("SET LOCAL session_replication_role = replica"))  # the log itself refuses
        db.session.execute(text("UPDATE log_entries SET at = '2026-11-10 23:30+00'"))
        db.session.commit()
    assert "“late" in mod.get("/admin/log?since=2026-11-10&until=2026-11-10").text
    mod.send("/settings/time-zone", time_zone="Pacific/Kiritimati")
    assert "“late" not in mod.get("/admin/log?until=2026-11-10").text
    assert "“late" in mod.get("/admin/log?since=2026-11-11&until=2026-11-11").text


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_first_and_the_last_day_there_is_are_days(mod: Member, day: str) -> None:
    for name in ("since", "until"):
        for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
            mod.send("/settings/time-zone", time_zone=zone)
            assert mod.get(f"/admin/log?{name}={day}").status_code == 200
