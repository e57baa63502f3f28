"""The first visitor of a new site makes it theirs; after that the page is gone."""

from __future__ import annotations

from functools import partial

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import User
from app.extensions import db
from tests.accounts.browser import Browser, at_once, form_token
from tests.people import PASSWORD, Member

ACCOUNT = {"handle": "Founder", "name": "The Founder", "email": "founder@example.org", "password": PASSWORD}


def accounts(app: Flask) -> list[tuple[str, str]]:
    with app.app_context():
        return [(user.handle, user.role) for user in db.session.scalars(select(User).order_by(User.id))]


@pytest.mark.parametrize("path", ["/", "/login", "/signup"])
def test_an_empty_site_leads_to_its_first_page(app: Flask, path: str) -> None:
    response = Browser(app).get(path)
    assert (response.status_code, response.location) == (303, "/setup")


def test_an_empty_site_can_be_looked_at(app: Flask) -> None:
    assert Browser(app).get("/explore").status_code == 200


def test_signing_up_on_an_empty_site_makes_no_account_but_leads_to_the_first_page(app: Flask) -> None:
    browser = Browser(app)
    token = form_token(browser.get("/setup").text)
    response = browser.client.post("/signup", data={"csrf_token": token, **ACCOUNT})
    assert (response.status_code, response.location) == (303, "/setup")
    assert accounts(app) == []


def test_the_first_account_is_the_admin_and_is_logged_in(app: Flask) -> None:
    browser = Browser(app)
    response = browser.submit("/setup", **ACCOUNT)
    assert (response.status_code, response.location) == (303, "/")
    assert browser.user == "Founder"
    assert accounts(app) == [("Founder", "admin")]
    assert "Admin" in browser.get("/@Founder").text


def test_the_first_page_is_gone_once_there_is_an_account(app: Flask) -> None:
    latecomer = Browser(app)
    token = form_token(latecomer.get("/setup").text)
    Browser(app).submit("/setup", **ACCOUNT)
    assert latecomer.get("/setup").status_code == 404
    late = latecomer.client.post("/setup", data={"csrf_token": token, **ACCOUNT, "handle": "late"})
    assert late.status_code == 404
    assert accounts(app) == [("Founder", "admin")]


def test_the_first_page_is_gone_in_another_process_as_well(app: Flask) -> None:
    Browser(app).submit("/setup", **ACCOUNT)
    app.extensions.pop("freshet.set_up")  # what a process remembers that has just started
    assert Browser(app).get("/setup").status_code == 404


def test_of_several_first_visitors_at_once_only_one_wins(app: Flask) -> None:
    browsers = [Browser(app) for _ in range(4)]
    tokens = [form_token(browser.get("/setup").text) for browser in browsers]
    calls = [
        partial(browser.client.post, "/setup", data={**ACCOUNT, "csrf_token": token, "handle": f"founder{number}"})
        for number, (browser, token) in enumerate(zip(browsers, tokens, strict=True))
    ]
    answers = [response.status_code for response in at_once(*calls)]
    assert sorted(answers) == [303, 404, 404, 404]
    winner = answers.index(303)
    assert accounts(app) == [(f"founder{winner}", "admin")]
    assert [browser.user for browser in browsers] == [f"founder{n}" if n == winner else None for n in range(4)]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"handle": "admin"}, "That handle is reserved."),
        ({"handle": "no spaces"}, "Use only letters, numbers and _"),
        ({"email": "nowhere"}, "That doesn’t look like an email address."),
        ({"password": "short"}, "Use at least 8 characters."),
    ],
)
def test_a_mistake_keeps_what_was_typed_and_makes_nothing(app: Flask, wrong: dict[str, str], sentence: str) -> None:
    response = Browser(app).submit("/setup", **(ACCOUNT | wrong))
    assert response.status_code == 422
    assert sentence in response.text
    assert 'value="The Founder"' in response.text
    assert PASSWORD not in response.text
    assert accounts(app) == []


def test_a_site_whose_people_are_members_only_has_no_first_page(app: Flask, carol: Member) -> None:
    assert carol.get("/setup").status_code == 404
    assert Browser(app).get("/").status_code == 200
