"""People are found by handle or name, and never by those with whom a block stands between."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import text

from app.extensions import db
from tests.discovery.searching import search
from tests.people import PASSWORD, Member, next_link

Join = Callable[..., Member]


def listed(html: str) -> list[str]:
    """Return the handles of the people in a page, in order."""
    return re.findall(r'class="person-link" href="/@(\w+)"', html)


def people(who: Member, typed: str) -> list[str]:
    """Return everybody whom a search gives, page by page."""
    handles: list[str] = []
    path: str | None = search(typed, "people")
    while path:
        page = who.get(path)
        assert page.status_code == 200
        handles += listed(page.text)
        path = next_link(page.text)
    return handles


def followed(app: Flask, who: Member, times: int) -> None:
    with app.app_context():
        values = {"id": who.id, "times": times}
        db.session.execute(text("UPDATE user_counters SET followers = :times WHERE user_id = :id"), values)
        db.session.commit()


@pytest.mark.parametrize(
    "typed",
    [
        "jose",
        "JOSÉ",
        "jos",
        "@josefina",
        "josefina_m",
        "muñoz",
        "munoz",
        "José Mu",
        "mu josefina",
        '"jose munoz"',
        "m*",
    ],
)
def test_half_a_word_of_handle_or_name_is_enough(join: Join, alice: Member, typed: str) -> None:
    join("josefina_munoz", name="José Muñoz")
    assert people(alice, typed) == ["josefina_munoz"]


@pytest.mark.parametrize(
    "typed", ["ose", "jose other", "jose -munoz", '"munoz josefina"', "-jose", "from:@josefina_munoz"]
)
def test_what_is_not_in_handle_or_name_finds_nobody(join: Join, alice: Member, typed: str) -> None:
    join("josefina_munoz", name="José Muñoz")
    assert people(alice, typed) == []


def test_the_very_handle_stands_first_then_who_is_followed_most(app: Flask, join: Join, alice: Member) -> None:
    for handle, followers in (("dan", 0), ("dana", 900), ("dan_b", 5), ("danny", 100)):
        followed(app, join(handle), followers)
    assert people(alice, "dan") == ["dan", "dana", "danny", "dan_b"]
    assert people(alice, "@Dan") == ["dan", "dana", "danny", "dan_b"]


def test_blocked_people_are_never_listed_and_muted_ones_are(
    app: Flask, alice: Member, bob: Member, mallory: Member, stranger: Member
) -> None:
    assert people(alice, "mallory") == people(mallory, "alice") == []
    assert people(bob, "mallory") == people(stranger, "mallory") == ["mallory"]
    assert "@alice" not in mallory.get(search("alic", "")).text
    bob.mute(alice)
    assert people(bob, "alice") == ["alice"]
    assert alice.send("/settings/delete", current_password=PASSWORD).status_code == 303
    assert people(bob, "alice") == []


def test_a_private_account_can_be_found(app: Flask, alice: Member, carol: Member) -> None:
    with app.app_context():
        db.session.execute(text("UPDATE users SET is_private = true WHERE id = :id"), {"id": alice.id})
        db.session.commit()
    assert people(carol, "alice") == ["alice"]


def test_a_new_name_is_found_at_once(alice: Member, bob: Member) -> None:
    assert alice.send("/settings/profile", name="Wilhelmina").status_code == 303
    assert people(bob, "wilhelm") == ["alice"]


def test_paging_gives_everybody_once_while_others_join(app: Flask, join: Join, alice: Member) -> None:
    for number in range(45):
        followed(app, join(f"dan{number}"), number % 7)
    expected = people(alice, "dan")
    assert len(expected) == len(set(expected)) == 45
    shown: list[str] = []
    path: str | None = search("dan", "people")
    while path:
        page = alice.get(path).text
        shown += listed(page)
        path = next_link(page)
        join(f"dan_new_{len(shown)}")
    assert [handle for handle in shown if "new" not in handle] == expected


def test_without_a_word_there_is_nobody_to_find(alice: Member) -> None:
    page = alice.get(search("has:image", "people"))
    assert page.status_code == 200 and "Nobody here has that handle or name." in page.text


def test_the_next_page_comes_as_a_fragment(join: Join, alice: Member) -> None:
    for number in range(25):
        join(f"dan{number}")
    path = next_link(alice.get(search("dan", "people")).text)
    assert path
    fragment = alice.get(path, fragment=True).text
    assert len(listed(fragment)) == 5 and "<html" not in fragment
