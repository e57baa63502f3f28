"""The settings of the site: saved on a page, on the record, and in force everywhere from the next second on."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from app import create_app
from app.core.errors import Refused
from app.extensions import db
from app.moderation.log.models import LogEntry
from app.outbox.models import ScheduledTask
from app.site import colours, settings
from app.site.settings import the_site
from tests.accounts.images import image_file
from tests.patience import PATIENT
from tests.people import Member
from tests.sql import statements

PAGE = "/admin/settings"


def save(mod: Member, **fields: Any) -> None:
    response = change(mod, **fields)
    assert response.status_code == 303, response.text


def change(mod: Member, **fields: Any) -> Any:
    with mod.app.app_context():
        stored = settings.stored()._asdict()
    typed = {name: value for name, value in stored.items() if isinstance(value, str | int) and name != "icon"}
    typed["links"] = "\n".join(" ".join(link) for link in stored["links"])
    return mod.send(PAGE, **{**typed, **fields})


def entries_in(app: Flask) -> list[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    with app.app_context():
        found = db.session.scalars(select(LogEntry).order_by(LogEntry.id))
        return [(entry.actor, entry.action, entry.before, entry.after) for entry in found]


def test_a_new_name_is_on_every_page_at_once_kept_or_not(mod: Member, alice: Member, stranger: Member) -> None:
    alice.write("hello")
    for page in ("/", "/explore", "/settings/"):
        assert "· Freshet</title>" in alice.get(page).text
    save(mod, name="Millstream <b>")
    for who in (alice, mod):
        for page in ("/", "/explore", "/settings/"):
            text = who.get(page).text
            assert "· Millstream &lt;b&gt;</title>" in text and "<b>Millstream" not in text
    assert "Millstream &lt;b&gt;" in stranger.get("/login").text


def test_what_was_changed_is_on_the_record_with_before_and_after(app: Flask, mod: Member) -> None:
    save(mod, name="Millstream", post_max_chars="300")
    save(mod, name="Millstream", post_max_chars="300")
    assert entries_in(app) == [
        ("maud", "site.changed", {"name": None, "post_max_chars": None}, {"name": "Millstream", "post_max_chars": 300})
    ]
    assert "name from nothing to Millstream" in " ".join(mod.get("/admin/log").text.split())


def test_another_process_knows_of_a_change_as_soon_as_it_asks_again(app: Flask, mod: Member) -> None:
    other = create_app(**PATIENT, TESTING=True, SITE_SETTINGS_SECONDS=0)
    patient = create_app(**PATIENT, TESTING=True, SITE_SETTINGS_SECONDS=3600)
    for each in (other, patient):
        assert "· Freshet</title>" in each.test_client().get("/explore").text
    save(mod, name="Millstream", signups="closed")
    page = other.test_client().get("/explore").text
    assert "· Millstream</title>" in page and ">Sign up</a>" not in page
    assert "· Freshet</title>" in patient.test_client().get("/explore").text
    with other.app_context():  # a worker, which has no requests
        assert the_site().name == "Millstream"


def test_settings_cost_no_statement_while_they_are_new(app: Flask, alice: Member) -> None:
    alice.get("/explore")
    with statements() as sent:
        alice.get("/explore")
    assert not [statement for statement in sent if "site_settings" in statement]


def test_the_page_says_what_the_environment_says_and_which_counts(
    app: Flask, mod: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.config, "SITE_NAME", "Harbour")
    assert "Empty: Harbour, as SITE_NAME says on the server" in mod.get(PAGE).text
    assert "· Harbour</title>" in mod.get(PAGE).text
    save(mod, name="Millstream")
    page = mod.get(PAGE).text
    assert "SITE_NAME=Harbour; empty the field" in page and "· Millstream</title>" in page
    save(mod, name="")
    assert "· Harbour</title>" in mod.get(PAGE).text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": "n" * 41}, "Use 40 characters or fewer."),
        ({"description": "d" * 201}, "Use 200 characters or fewer."),
        ({"colour": "#ffee00"}, "too pale to read"),
        ({"colour": "red"}, "Enter a colour like #0b6b7a"),
        ({"about": "a" * 20_001}, "Use 20,000 characters or fewer."),
        ({"links": "just words"}, "Enter a name and an address in each line"),
        ({"links": "Bad javascript:alert(1)"}, "Enter a name and an address in each line"),
        ({"links": "Bad //evil.example"}, "Enter a name and an address in each line"),
        ({"links": "Bad /\\evil.example"}, "Enter a name and an address in each line"),
        ({"links": "\n".join(["One /about"] * 9)}, "Use 8 links or fewer."),
        ({"signups": "sometimes"}, "Choose one of these."),
        ({"audience": ""}, "Choose one of these."),
        ({"post_max_chars": "0"}, "Enter a whole number from 1 to 10,000."),
        ({"post_max_chars": "²"}, "Enter a whole number from 1 to 10,000."),
        ({"celebrity_followers": "-1"}, "Enter a whole number from 0"),
    ],
)
def test_what_cannot_be_is_said_keeps_what_was_typed_and_changes_nothing(
    app: Flask, mod: Member, fields: dict[str, Any], sentence: str
) -> None:
    response = change(mod, contact="typed by hand", **fields)
    assert response.status_code == 422
    assert sentence in response.text and "typed by hand" in response.text
    assert entries_in(app) == []


def test_of_two_admins_who_save_at_once_the_second_is_told(app: Flask, mod: Member) -> None:
    save(mod, version="0", name="Millstream")
    response = change(mod, version="0", name="Harbour")
    assert response.status_code == 409
    assert "Another admin has just changed the settings" in response.text and 'value="Harbour"' in response.text
    with app.app_context():
        assert settings.stored().name == "Millstream"


def test_a_shorter_limit_for_posts_holds_where_they_are_written(mod: Member, alice: Member) -> None:
    alice.write("hello")  # the page with a composer is kept from now on
    assert 'data-max="500"' in alice.get("/").text
    save(mod, post_max_chars="10")
    assert 'data-max="10"' in alice.get("/").text and 'data-max="10"' in alice.get("/compose").text
    assert alice.send("/posts", text="eleven chars").status_code == 422
    assert alice.send("/posts", text="ten chars!").status_code == 303


def test_closing_sign_up_holds_on_the_page_and_its_form(mod: Member, stranger: Member) -> None:
    save(mod, signups="closed")
    for response in (stranger.get("/signup"), stranger.send("/signup"), stranger.get("/signup/handle?handle=x")):
        assert response.status_code == 403
    assert ">Sign up</a>" not in stranger.get("/").text + stranger.get("/login").text


def test_another_threshold_has_authors_chosen_anew_at_once(app: Flask, mod: Member) -> None:
    task = "choose pushed and pulled authors"
    with app.app_context():
        db.session.add(ScheduledTask(name=task, ran_at=db.func.now()))
        db.session.commit()
    save(mod, celebrity_followers="7")
    with app.app_context():
        assert db.session.get(ScheduledTask, task) is None
        assert the_site().celebrity_followers == 7


def test_an_icon_is_drawn_anew_and_shown_on_every_page_and_to_everybody(mod: Member, stranger: Member) -> None:
    save(mod, icon=(image_file("PNG", size=(300, 200)), "icon.png"))
    [address] = set(re.findall(r"/media/site/[\w-]+\.png", stranger.get("/explore").text))
    response = stranger.get(address)
    assert response.mimetype == "image/png" and "immutable" in response.headers["Cache-Control"]
    save(mod, remove_icon="y")
    assert "/media/site/" not in stranger.get("/explore").text


def test_a_file_that_is_no_image_is_no_icon(app: Flask, mod: Member) -> None:
    response = change(mod, icon=(BytesIO(b"<svg onload=alert(1)>"), "icon.svg"))
    assert response.status_code == 422 and "isn’t an image" in response.text
    assert entries_in(app) == []


def test_a_colour_is_on_every_page_as_a_stylesheet(mod: Member, stranger: Member) -> None:
    save(mod, colour="#7A1fa2")
    assert '<link rel="stylesheet" href="/site/7a1fa2.css">' in stranger.get("/explore").text
    response = stranger.get("/site/7a1fa2.css")
    assert response.mimetype == "text/css" and "--accent: light-dark(#7a1fa2, #" in response.text
    assert stranger.get("/site/ffee00.css").status_code == 404
    assert stranger.get("/site/}body{.css").status_code == 404


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_every_colour_is_legible_in_both_themes_or_refused(colour: tuple[int, int, int]) -> None:
    try:
        taken = colours.read(colours.checked(colours.spelled(colour)))
    except Refused:
        assert min(colours._contrast(colour, ground) for ground in colours.BY_DAY) < 5.5, "legible, and refused"
        return
    assert min(colours.contrasts(colours.palette(taken))) >= colours.LEGIBLE
