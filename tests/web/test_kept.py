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


@pytest.mark.parametrize("density", ["comfortable", "compact"])
@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_a_kept_page_is_the_page_that_its_template_makes(
    app: Flask, alice: Member, bob: Member, theme: str, density: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page of a home is filled into a kept frame; with a message to show it is rendered as any other."""
    alice.write("<b>hello</b>")
    drain(app)
    bob.client.set_cookie("theme", theme)
    bob.client.set_cookie("density", density)
    bob.get("/")
    kept_page = bob.get("/").text
    assert ('data-density="compact"' in kept_page) == (density == "compact")
    with bob.client.session_transaction() as session:
        session["_flashes"] = [("none", "")]  # of a kind that no page shows
    rendered = bob.get("/").text
    assert _without_what_differs(kept_page) == _without_what_differs(rendered)


def _without_what_differs(page: str) -> str:
    return re.sub(r'(since=|name="once" value=")[\w-]+=*', r"\1", page)


def test_a_name_is_escaped(app: Flask, alice: Member) -> None:
    alice.send("/settings/profile", name='<script>"&', bio="")
    alice.write("hello")
    drain(app)
    page = alice.get("/").text
    assert '<script>"' not in page and "&lt;script&gt;" in page


PAGES = (
    "/explore",
    "/search",
    "/settings/",
    "/settings/feed",
    "/bookmarks",
    "/compose",
    "/@alice",
    "/@bob",
    "/nothing-here",
)


def test_the_frame_of_every_page_is_its_viewers_own(app: Flask, alice: Member, bob: Member) -> None:
    """Both read every page in turns, so that each finds what was kept for the other."""
    bob.send("/settings/profile", name="<i>Bob</i>", bio="")
    zones = {alice: "Pacific/Kiritimati", bob: "America/Los_Angeles"}
    for who, zone in zones.items():
        who.send("/settings/time-zone", time_zone=zone)
    for path in PAGES * 2:
        for who, other in ((alice, bob), (bob, alice)):
            page = who.get(path).text
            frame = page[page.index("<body") : page.index('<main id="main"')]
            assert re.findall(r'data-time-zone="([^"]*)"', frame) == [zones[who]], path
            assert f'data-account="{who.handle}"' in frame and f'href="/@{who.handle}"' in frame, path
            assert f'"{other.handle}"' not in frame and f"@{other.handle}<" not in frame, path
            tokens = set(re.findall(r'name="csrf_token" value="([^"]+)"|"X-CSRFToken": "([^"]+)"', page))
            assert {"".join(token).split(".")[0] for token in tokens} == {who.csrf_token.split(".")[0]}, path
            assert ("&lt;i&gt;Bob&lt;/i&gt;" in frame) == (who is bob) and "<i>Bob" not in page, path
            assert not re.search(r"slot[0-9a-f]{20}", page), path


def test_the_frame_of_a_visitor_shows_nobody(app: Flask, alice: Member) -> None:
    alice.get("/explore")
    page = app.test_client().get("/explore").text
    assert "data-account" not in page and "Log out" not in page and ">Log in</a>" in page
    assert alice.csrf_token not in page


@pytest.mark.parametrize(
    ("path", "tab"),
    [
        ("/", "home"),
        ("/feed", "home"),
        ("/explore/people", "explore"),
        ("/search", "search"),
        ("/compose", "write"),
        ("/bookmarks", "bookmark"),
        ("/requests", "follow"),
        ("/requests/posts", "follow"),
        ("/@alice", "person"),
        ("/settings/profile", "settings"),
        ("/admin/feed", "admin"),
    ],
)
def test_the_tab_of_a_page_is_the_current_one(app: Flask, mod: Member, alice: Member, path: str, tab: str) -> None:
    page = (mod if tab == "admin" else alice).get(path).text
    rail = page[: page.index('<main id="main"')]
    assert re.findall(r'class="tab tab-(\w+)"[^>]* aria-current="page"', rail) == [tab]


def test_who_may_sign_up_is_said_by_each_site(app: Flask, alice: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ">Sign up</a>" in app.test_client().get("/explore").text
    monkeypatch.setitem(app.config, "SIGNUPS_OPEN", False)
    assert ">Sign up</a>" not in app.test_client().get("/explore").text
