"""The list of people, for those who run the site."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.accounts.models import User
from app.extensions import db
from tests.moderation.acting import on_person
from tests.people import Member, next_link
from tests.sql import statements


def listed(who: Member, query: str = "") -> list[str]:
    """Return the handles on the page, in order."""
    return handles(who.get(f"/admin/people?{query}").text)


def handles(page: str) -> list[str]:
    return re.findall(r'href="/admin/people/(\w+)"', page)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["carol", "bob", "alice", "wanda", "maud"]),
        ("sort=oldest", ["maud", "wanda", "alice", "bob", "carol"]),
        ("sort=sideways", ["carol", "bob", "alice", "wanda", "maud"]),
        ("words=@ALI", ["alice"]),
        ("words=maud", ["maud"]),
        ("words=carol%40example.org", ["carol"]),
        ("words=example.org", []),
        ("words=%25", []),
        ("words=a'b", []),
        ("role=moderator", ["wanda"]),
        ("role=emperor", ["carol", "bob", "alice", "wanda", "maud"]),
        ("state=private", ["bob"]),
        ("state=deleted", []),
        ("until=2020-01-01", []),
        ("since=2020-01-01&role=admin", ["maud"]),
    ],
)
def test_people_are_found_and_narrowed(
    mod: Member, warden: Member, alice: Member, bob: Member, carol: Member, query: str, found: list[str]
) -> None:
    bob.close()
    assert listed(mod, query) == found


@pytest.mark.parametrize(("action", "state"), [("limit", "limited"), ("freeze", "frozen"), ("suspend", "suspended")])
def test_people_are_narrowed_to_what_was_done_to_them(
    app: Flask, mod: Member, alice: Member, carol: Member, action: str, state: str
) -> None:
    on_person(app, carol, action, by=mod)
    assert listed(mod, f"state={state}") == ["carol"]
    page = mod.get("/admin/people").text
    assert f'<span class="chip">{state.capitalize()}</span>' in page and 'href="/admin/people/carol"' in page


def test_only_admins_find_people_by_their_email_address(mod: Member, warden: Member, alice: Member) -> None:
    assert listed(mod, "words=alice%40example.org") == ["alice"]
    assert listed(warden, "words=alice%40example.org") == []
    for who in (mod, warden):
        assert "@example.org" not in who.get("/admin/people").text


def test_people_are_narrowed_to_the_days_on_which_they_joined(app: Flask, mod: Member, alice: Member) -> None:
    with app.app_context():
        long_ago = update(User).where(User.id == alice.id)
        db.session.execute(long_ago.values(created_at=User.created_at - timedelta(days=400)))
        db.session.commit()
        day = str(db.session.get_one(User, alice.id).created_at.date())
    assert listed(mod, f"until={day}") == ["alice"] and listed(mod, f"since={day}&until={day}") == ["alice"]
    wrong = mod.get("/admin/people?since=soon")
    assert wrong.status_code == 422 and "That’s not a valid date." in wrong.text and 'value="soon"' in wrong.text


def test_a_deleted_account_is_listed_as_such_alone(app: Flask, mod: Member, alice: Member) -> None:
    alice.send("/settings/delete", current_password="a good long password")
    assert listed(mod) == ["maud"] and listed(mod, "state=deleted") == ["alice"]


@pytest.mark.parametrize("sort", ["newest", "oldest"])
def test_pages_show_everybody_once_for_as_many_statements_each(
    mod: Member, join: Callable[..., Member], sort: str
) -> None:
    for n in range(44):
        join(f"person{n:02}")
    found, path, asked = list[str](), f"/admin/people?sort={sort}&role=member", set[int]()
    while path:
        with statements() as sent:
            page = mod.get(path).text
        asked.add(len(sent))
        found += handles(page)
        path = next_link(page) or ""
    expected = [f"person{n:02}" for n in range(44)]
    assert found == (expected if sort == "oldest" else expected[::-1])
    assert len(asked) == 1
