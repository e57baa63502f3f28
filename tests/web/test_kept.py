"""What is kept for several readers knows none of them: no token, no request, no viewer can get into it."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from jinja2 import UndefinedError

from app.web import kept
from tests.outbox import drain
from tests.people import Member

NAMES_OF_A_REQUEST = ("request", "session", "g", "csrf_token", "viewer", "current_user", "get_flashed_messages")


@pytest.mark.parametrize("name", NAMES_OF_A_REQUEST)
def test_the_environment_of_what_is_kept_knows_no_request(app: Flask, name: str) -> None:
    with app.test_request_context("/"):
        assert name not in kept.environment().globals
        with pytest.raises(UndefinedError):
            kept.environment().from_string("{{ " + name + " }}").render()


def test_a_forgotten_token_is_an_error_and_nobody_elses_token(app: Flask) -> None:
    with app.test_request_context("/"), pytest.raises(UndefinedError):
        kept.environment().from_string("{{ ui.csrf() }}").render()


def test_every_form_of_a_page_has_the_readers_own_token(app: Flask, alice: Member, bob: Member) -> None:
    alice.write("hello")
    drain(app)
    pages = {who: who.get("/").text for who in (alice, bob)}
    for who, page in pages.items():
        tokens = set(re.findall(r'name="csrf_token" value="([^"]+)"', page))
        assert {token.split(".")[0] for token in tokens} == {who.csrf_token.split(".")[0]}, "of one session"
        assert "slot" not in "".join(re.findall(r"slot\w{20,}", page)), "every slot is filled"


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_a_kept_page_is_the_page_that_its_template_makes(
    app: Flask, alice: Member, bob: Member, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page of a home is filled into a kept frame; with a message to show it is rendered as any other."""
    alice.write("<b>hello</b>")
    drain(app)
    bob.client.set_cookie("theme", theme)
    bob.get("/")
    kept_page = bob.get("/").text
    with bob.client.session_transaction() as session:
        session["_flashes"] = [("none", "")]  # of a kind that no page shows
    rendered = bob.get("/").text
    assert _without_since(kept_page) == _without_since(rendered)


def _without_since(page: str) -> str:
    return re.sub(r"since=[\w-]+=*", "since=", page)


def test_a_name_is_escaped(app: Flask, alice: Member) -> None:
    alice.send("/settings/profile", name='<script>"&', bio="")
    alice.write("hello")
    drain(app)
    page = alice.get("/").text
    assert '<script>"' not in page and "&lt;script&gt;" in page
