"""The time zone of an account: guessed once from a browser, or chosen by the person, which nothing overwrites."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app.accounts.models import User
from app.extensions import db
from tests.people import Member
from tests.threads import at_once

KIRITIMATI, KATHMANDU, LOS_ANGELES = "Pacific/Kiritimati", "Asia/Kathmandu", "America/Los_Angeles"
NO_ZONES = ["", "Mars/Olympus", "localtime", "../../etc/passwd", "<script>", "x" * 1000, "\u2603"]


def kept(app: Flask, who: Member) -> str | None:
    with app.app_context():
        return db.session.get_one(User, who.id).time_zone


def guess(who: Member, zone: str) -> int:
    return who.send("/settings/time-zone/guess", time_zone=zone).status_code


def choose(who: Member, zone: str) -> int:
    return who.send("/settings/time-zone", time_zone=zone).status_code


def test_a_browser_that_comes_first_is_believed(app: Flask, alice: Member, bob: Member) -> None:
    assert kept(app, alice) is None
    assert guess(alice, "Asia/Katmandu") == 204  # as browsers still call it
    assert kept(app, alice) == KATHMANDU
    assert kept(app, bob) is None


def test_another_device_changes_nothing(app: Flask, alice: Member) -> None:
    guess(alice, KATHMANDU)
    assert guess(Member(app, alice.id, "alice"), LOS_ANGELES) == 204
    assert kept(app, alice) == KATHMANDU


def test_of_two_devices_at_once_one_is_believed(app: Flask, alice: Member) -> None:
    devices = [(Member(app, alice.id, "alice"), zone) for zone in (KATHMANDU, LOS_ANGELES) * 3]
    assert at_once(*(lambda who=who, zone=zone: guess(who, zone) for who, zone in devices)) == [204] * 6
    first = kept(app, alice)
    assert first in (KATHMANDU, LOS_ANGELES)
    for who, zone in devices:
        guess(who, zone)
    assert kept(app, alice) == first


def test_what_a_person_chose_is_never_overwritten_by_a_guess(app: Flask, alice: Member) -> None:
    assert choose(alice, "UTC") == 303
    assert guess(alice, KATHMANDU) == 204
    assert kept(app, alice) == "UTC"
    choose(alice, LOS_ANGELES)
    assert kept(app, alice) == LOS_ANGELES, "but by another choice"


@pytest.mark.parametrize("name", NO_ZONES)
def test_a_guess_that_is_no_zone_is_refused_and_changes_nothing(app: Flask, alice: Member, name: str) -> None:
    answer = alice.send("/settings/time-zone/guess", time_zone=name)
    assert answer.status_code == 422 and "That’s not a time zone we know." in answer.text
    assert alice.send("/settings/time-zone/guess").status_code == 422
    assert kept(app, alice) is None


@pytest.mark.parametrize("name", NO_ZONES)
def test_a_choice_that_is_no_zone_is_said_at_its_field_and_changes_nothing(
    app: Flask, alice: Member, name: str
) -> None:
    choose(alice, KATHMANDU)
    answer = alice.send("/settings/time-zone", time_zone=name)
    assert answer.status_code == 422
    assert re.search(r'<p class="error" id="time_zone-error">That’s not a time zone we know\.', answer.text)
    assert re.search(r'<select[^>]* aria-describedby="time_zone-hint time_zone-error"', answer.text)
    assert selected(answer.text) == [KATHMANDU]
    assert kept(app, alice) == KATHMANDU


def test_a_choice_is_confirmed_by_what_time_it_is_there(alice: Member) -> None:
    answer = alice.send("/settings/time-zone", time_zone=KIRITIMATI)
    assert answer.location == "/settings/time-zone"
    page = alice.get("/settings/time-zone").text
    assert "Time zone saved." in page
    assert re.search(r"For you it’s \d+ \w+ \d{4}, \d\d:\d\d now\.", page)
    assert selected(page) == [KIRITIMATI]


def test_the_form_says_that_a_zone_is_not_known(alice: Member) -> None:
    page = alice.get("/settings/time-zone").text
    assert "Yours isn’t known yet" in page and selected(page) == ["UTC"]


def test_a_zone_of_no_place_is_offered_to_whom_it_was_guessed_for(alice: Member, bob: Member) -> None:
    guess(alice, "Etc/GMT+5")
    assert selected(alice.get("/settings/time-zone").text) == ["Etc/GMT+5"]
    assert "Etc/GMT+5" not in bob.get("/settings/time-zone").text


def test_pages_say_whether_the_zone_is_known(app: Flask, alice: Member) -> None:
    for path in ("/", "/explore", "/settings/"):
        assert ' data-time-zone=""' in alice.get(path).text
    guess(alice, KATHMANDU)
    for path in ("/", "/explore", "/settings/"):
        assert f' data-time-zone="{KATHMANDU}"' in alice.get(path).text
    assert "data-time-zone" not in app.test_client().get("/explore").text


def selected(page: str) -> list[str]:
    return re.findall(r'<option selected value="([^"]+)"', page)
