"""Admins help people in who are locked out: with a link that they hand on, and without a second factor that is lost."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.moderation.log.models import LogEntry
from tests.accounts.browser import Browser
from tests.accounts.factor import switch_on
from tests.mailbox import SITE, Mailbox, configured, mail_server, sending
from tests.outbox import drain
from tests.people import Member

NEW = "a brand new password"


def link_in(page: str) -> str:
    found = re.search(r'id="made"[^>]* value="([^"]+)"', page)
    assert found, page
    return html.unescape(found[1])


def entries(app: Flask) -> list[tuple[str, str, str, str]]:
    with app.app_context():
        found = db.session.scalars(select(LogEntry).order_by(LogEntry.id)).all()
        return [(entry.actor, entry.action, entry.target, entry.reason) for entry in found]


def test_an_admin_hands_on_a_link_for_a_new_password(app: Flask, mod: Member, alice: Member) -> None:
    with configured(app, SITE_URL=SITE):
        page = mod.send("/admin/access/link", handle="@alice", reason="She called me.")
    assert page.status_code == 200
    link = link_in(page.text)
    assert link.startswith(f"{SITE}/reset/")
    assert Browser(app).submit(link.removeprefix(SITE), password=NEW).status_code == 303
    assert Browser(app).log_in("alice", NEW).status_code == 303
    assert entries(app) == [("maud", "reset_link.made", "alice", "She called me.")]
    assert "Made a link for a new password" in mod.get("/admin/log").text
    assert "She called me." in mod.get("/admin/log.csv").text
    assert mod.get("/admin/log?action=reset_link.made").text.count("She called me.") == 1


def test_the_page_shows_that_somebody_asked_but_not_the_link(app: Flask, mod: Member, alice: Member) -> None:
    Browser(app).submit("/reset", email="alice@example.org")
    drain(app)
    page = mod.get("/admin/access?handle=alice").text
    assert "A link for a new password is open" in page and "/reset/" not in page
    assert "can’t send email" in page and "not confirmed" in page


def test_with_a_mail_server_the_page_does_not_say_that_there_is_none(app: Flask, mod: Member, alice: Member) -> None:
    with sending(app, "smtp://127.0.0.1:9"):
        assert "can’t send email" not in mod.get("/admin/access?handle=alice").text


def test_an_admin_switches_off_a_factor_that_is_lost(app: Flask, mod: Member, alice: Member) -> None:
    switch_on(alice)
    assert "Switch off the second factor" in mod.get("/admin/access?handle=alice").text
    assert mod.send("/admin/access/factor/delete", handle="alice", reason="Lost phone").status_code == 303
    assert Browser(app).log_in("alice").location == "/"
    assert entries(app) == [("maud", "factor.removed", "alice", "Lost phone")]
    assert mod.send("/admin/access/factor/delete", handle="alice").status_code == 303
    assert len(entries(app)) == 1, "what was off already is nothing to be recorded"


def test_the_person_hears_of_it_by_e_mail(app: Flask, mod: Member, alice: Member) -> None:
    switch_on(alice)
    mailbox: Mailbox
    with mail_server() as mailbox, sending(app, mailbox.url):
        alice.send("/settings/email/confirm")
        drain(app)
        Member(app, None, "").send(mailbox.link("alice@example.org"))
        mod.send("/admin/access/factor/delete", handle="alice")
        drain(app)
    assert mailbox.subjects("alice@example.org")[-1] == "The second factor of @alice is off"


@pytest.mark.parametrize("path", ["/admin/access/link", "/admin/access/factor/delete"])
def test_moderators_and_members_help_nobody_in(
    app: Flask, mod: Member, warden: Member, alice: Member, path: str
) -> None:
    switch_on(alice)
    assert warden.get("/admin/access?handle=alice").status_code == 403
    for who in (warden, alice):
        assert who.send(path, handle="maud").status_code == 403
    assert entries(app) == []


@pytest.mark.parametrize("path", ["/admin/access/link", "/admin/access/factor/delete"])
@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"handle": "nobody"}, "There’s nobody called @nobody."),
        ({"handle": ""}, "Whom? Enter their handle."),
        ({"handle": "alice", "reason": "x" * 501}, "At most 500 characters."),
    ],
)
def test_a_mistake_is_named(
    app: Flask, mod: Member, alice: Member, path: str, fields: dict[str, Any], sentence: str
) -> None:
    response = mod.send(path, **fields)
    assert response.status_code == 422 and sentence in response.text
    assert entries(app) == []


def test_who_does_not_exist_is_said_on_the_page(mod: Member) -> None:
    response = mod.get("/admin/access?handle=nobody")
    assert response.status_code == 404 and "There’s nobody called @nobody." in response.text


def test_whoever_has_the_machine_helps_the_only_admin_in(app: Flask, mod: Member) -> None:
    switch_on(mod)
    run = app.test_cli_runner().invoke
    with configured(app, SITE_URL=SITE):
        link = run(args=["access", "link", "@maud"]).output.strip()
    assert Browser(app).submit(link.removeprefix(SITE), password=NEW).status_code == 303
    assert run(args=["access", "factor-off", "maud"]).output == "The second factor of @maud is off now.\n"
    assert run(args=["access", "factor-off", "maud"]).output == "The second factor of @maud was off already.\n"
    assert Browser(app).log_in("maud", NEW).location == "/"
    assert "There is nobody called nobody." in run(args=["access", "link", "nobody"]).output
