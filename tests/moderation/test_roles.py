"""Roles: given and taken on a page, never one's own, and never so that nobody is left who could."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import User
from app.extensions import db
from app.moderation.log.models import LogEntry
from tests.people import PASSWORD, Member


def role_of(app: Flask, who: Member) -> str:
    with app.app_context():
        return db.session.get_one(User, who.id).role


def entries_in(app: Flask) -> list[tuple[str, str, str, object, object]]:
    with app.app_context():
        return [
            (entry.actor, entry.target, entry.reason, entry.before.get("role"), entry.after.get("role"))
            for entry in db.session.scalars(select(LogEntry).order_by(LogEntry.id))
        ]


def test_an_admin_gives_and_takes_a_role_on_the_record(app: Flask, mod: Member, carol: Member) -> None:
    for role, sentence in (("moderator", "now a moderator"), ("member", "now a member like everyone else")):
        response = mod.send("/admin/roles", handle="@Carol", role=role, reason="helps out")
        assert (response.status_code, response.location) == (303, "/admin/roles")
        assert f"@carol is {sentence}." in mod.get("/admin/roles").text
    assert entries_in(app) == [
        ("maud", "carol", "helps out", "member", "moderator"),
        ("maud", "carol", "helps out", "moderator", "member"),
    ]


def test_a_role_that_somebody_has_already_is_no_entry(app: Flask, mod: Member, warden: Member) -> None:
    mod.send("/admin/roles", handle="wanda", role="moderator")
    assert "@wanda is already a moderator." in mod.get("/admin/roles").text
    assert entries_in(app) == []


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"handle": "maud", "role": "member"}, "You can’t change your own role."),
        ({"handle": "nobody_here", "role": "admin"}, "There’s nobody called @nobody_here."),
        ({"handle": "carol", "role": "emperor"}, "Choose one of the roles on the page."),
        ({"handle": "carol"}, "Choose a role."),
        ({"handle": "", "role": "admin"}, "Whose role? Enter their handle."),
        ({"handle": "carol", "role": "admin", "reason": "x" * 501}, "At most 500 characters."),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    app: Flask, mod: Member, carol: Member, fields: dict[str, Any], sentence: str
) -> None:
    response = mod.send("/admin/roles", **fields)
    assert response.status_code == 422
    assert sentence in response.text
    assert (role_of(app, mod), role_of(app, carol), entries_in(app)) == ("admin", "member", [])


def test_what_was_typed_comes_back(mod: Member, carol: Member) -> None:
    page = mod.send("/admin/roles", handle="carol", reason="because she asked").text
    assert 'value="carol"' in page and 'value="because she asked"' in page


def test_a_role_counts_from_the_next_request_on_and_until_it_is_taken(mod: Member, carol: Member) -> None:
    assert carol.get("/admin").status_code == 403
    mod.send("/admin/roles", handle="carol", role="moderator")
    assert carol.get("/admin").status_code == 200
    assert carol.get("/admin/roles").status_code == 403
    mod.send("/admin/roles", handle="carol", role="member")
    assert carol.get("/admin").status_code == 403


def test_moderators_find_their_pages_and_no_others(mod: Member, warden: Member, carol: Member) -> None:
    assert '"/admin"' in warden.get("/").text and '"/admin"' not in carol.get("/").text
    theirs, all_of_them = warden.get("/admin").text, mod.get("/admin").text
    assert "/admin/log" in theirs and "/admin/roles" not in theirs and "/admin/feed" not in theirs
    assert "/admin/log" in all_of_them and "/admin/roles" in all_of_them and "/admin/feed" in all_of_them


def test_whoever_runs_the_site_is_named_so_on_their_profile(warden: Member, mod: Member, carol: Member) -> None:
    assert '<span class="chip">Moderator</span>' in carol.get("/@wanda").text
    assert '<span class="chip">Admin</span>' in carol.get("/@maud").text
    assert '<span class="chip">Member</span>' not in carol.get("/@carol").text


def test_two_admins_who_take_each_others_role_at_once_leave_one(
    app: Flask, mod: Member, join: Callable[..., Member]
) -> None:
    for number in range(5):
        other = join(f"rival_{number}", role="admin")
        sides = [(mod, other.handle), (other, mod.handle)]
        with ThreadPoolExecutor(2) as pool:
            answers = [*pool.map(lambda side: side[0].send("/admin/roles", handle=side[1], role="member"), sides)]
        assert sorted(answer.status_code for answer in answers) == [303, 403]
        roles = {role_of(app, mod), role_of(app, other)}
        assert roles == {"admin", "member"}
        if role_of(app, mod) == "member":
            other.send("/admin/roles", handle=mod.handle, role="admin")
        mod.send("/admin/roles", handle=other.handle, role="member")


def test_the_last_admin_cannot_delete_their_account(app: Flask, mod: Member, warden: Member) -> None:
    response = mod.send("/settings/delete", current_password=PASSWORD)
    assert response.status_code == 422
    assert "You’re the only admin of this site." in response.text
    assert mod.get("/admin").status_code == 200
    mod.send("/admin/roles", handle="wanda", role="admin")
    assert mod.send("/settings/delete", current_password=PASSWORD).status_code == 303
    assert warden.send("/settings/delete", current_password=PASSWORD).status_code == 422


def test_of_two_last_admins_who_delete_their_accounts_at_once_one_stays(
    app: Flask, mod: Member, join: Callable[..., Member]
) -> None:
    both = [mod, join("second", role="admin")]
    with ThreadPoolExecutor(2) as pool:
        answers = [*pool.map(lambda who: who.send("/settings/delete", current_password=PASSWORD), both)]
    assert sorted(answer.status_code for answer in answers) == [303, 422]


def test_an_admin_who_leaves_while_another_takes_their_role_leaves_one(
    app: Flask, mod: Member, join: Callable[..., Member]
) -> None:
    """The one who goes and the one whose role is taken are different people: one of the two acts comes too late."""
    second = join("second", role="admin")
    acts: list[Callable[[], object]] = [
        lambda: mod.send("/settings/delete", current_password=PASSWORD),
        lambda: mod.send("/admin/roles", handle="second", role="member"),
    ]
    with ThreadPoolExecutor(2) as pool:
        [*pool.map(lambda act: act(), acts)]
    with app.app_context():
        admins = select(User.handle).where(User.role == "admin", User.deleted_at.is_(None))
        assert len(db.session.scalars(admins).all()) >= 1
    assert second.get("/").status_code == 200
