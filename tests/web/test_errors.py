"""Every error is a page in our own design, and one plain sentence for htmx. None tells anything of the inside."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import partial

import pytest
from flask import Flask, abort
from flask_login import current_user
from sqlalchemy import text
from werkzeug.test import TestResponse

from app import create_app
from app.extensions import db
from app.runtime.servers import EphemeralServers
from tests.patience import PATIENT
from tests.people import FRAGMENT, Member
from tests.web.scene import assert_in_our_design

CODES = [400, 401, 403, 404, 405, 410, 413, 415, 422, 429, 500, 503]
SECRET = "the inside of the machine"

LATE = "/break/python/late"


@pytest.fixture(scope="module")
def breaking_app(servers: EphemeralServers) -> Iterator[Flask]:
    """The site as it runs for people, with some addresses that break."""
    app = create_app(**PATIENT, PROPAGATE_EXCEPTIONS=False, TESTING=False)

    @app.get("/break/<int:code>")
    def break_with(code: int) -> str:
        abort(code)

    @app.get("/break/python")
    def break_python() -> str:
        raise RuntimeError(SECRET)

    @app.post(LATE)
    def break_late() -> str:
        assert current_user.is_authenticated
        db.session.execute(text("UPDATE users SET bio = 'half done'"))
        raise RuntimeError(SECRET)

    @app.get("/break/sql")
    def break_sql() -> str:
        return str(db.session.scalar(text(f"SELECT '{SECRET}'::integer")))

    @app.get("/break/slow")
    def break_slow() -> str:
        db.session.execute(text("SET statement_timeout = 10"))
        try:
            return str(db.session.scalar(text("SELECT pg_sleep(5)")))
        finally:
            db.session.rollback()
            db.session.execute(text("RESET statement_timeout"))

    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def reader(app: Flask, breaking_app: Flask, alice: Member) -> Member:
    """Alice, on the site that breaks."""
    return Member(breaking_app, alice.id, "alice")


@pytest.fixture
def visitor(app: Flask, breaking_app: Flask, alice: Member) -> Member:
    """Somebody who is not logged in, on the site that breaks."""
    return Member(breaking_app, None, "")


def assert_page(response: TestResponse, code: int, words: str = "") -> None:
    """Check that a response is an error page: our design, a title, a sentence, a way on."""
    assert response.status_code == code
    assert_in_our_design(response)
    [shown] = re.findall(r'<p class="error-code" aria-hidden="true">(\d+)</p>', response.text)
    assert int(shown) == code
    main = response.text.partition('<section class="empty error-page">')[2]
    assert re.search(r"<h1>[A-Z][^<]{3,}</h1>\s*<p>[A-Z][^<]{10,}\.</p>", main), main[:400]
    assert 'class="button button-primary"' in main
    assert words in response.text
    assert SECRET not in response.text


def assert_sentence(response: TestResponse, code: int, words: str = "") -> None:
    """Check that a response is one plain sentence or two, for a toast."""
    assert (response.status_code, response.mimetype) == (code, "text/plain")
    assert re.fullmatch(r"[A-Z][^<>\n]{10,300}\.", response.text), response.text
    assert words in response.text
    assert SECRET not in response.text


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("who", ["reader", "visitor"])
def test_every_error_is_a_page_of_ours_and_a_sentence_for_htmx(
    reader: Member, visitor: Member, code: int, who: str
) -> None:
    member = {"reader": reader, "visitor": visitor}[who]
    assert_page(member.get(f"/break/{code}"), code)
    assert_sentence(member.get(f"/break/{code}", fragment=True), code)


@pytest.mark.parametrize("code", [406, 409, 416, 418, 451, 501])
def test_an_error_that_nobody_thought_of_is_a_page_of_ours_as_well(visitor: Member, code: int) -> None:
    response = visitor.get(f"/break/{code}")
    assert response.status_code == code
    assert_in_our_design(response)


def test_a_boosted_link_and_a_restored_page_get_the_whole_page(visitor: Member) -> None:
    for header in ("HX-Boosted", "HX-History-Restore-Request"):
        assert_page(visitor.client.get("/break/404", headers=FRAGMENT | {header: "true"}), 404)


def test_each_error_where_people_meet_it(alice: Member, bob: Member, stranger: Member) -> None:
    post_id, deleted = alice.write("still here"), alice.write("soon gone")
    alice.delete(deleted)
    assert_page(alice.client.post("/posts", data={"text": "no token"}), 400, "reload the page and send it again")
    assert_page(stranger.send(f"/posts/{post_id}/like"), 401, "go back and send this again")
    assert_page(bob.send(f"/posts/{post_id}/delete"), 403, "Only the author can edit or delete a post.")
    assert_page(bob.send("/@bob/follow"), 403, "You can’t follow yourself")
    assert_page(bob.get("/@nobody"), 404, "There’s nobody here by that name.")
    assert_page(bob.get("/posts"), 405, "doesn’t accept that kind of request")
    assert_page(bob.get(f"/@alice/{deleted}"), 410, "This post was deleted by its author.")
    assert_page(bob.send("/posts", text="x" * 2_000_000), 413, "Nothing was saved")


def test_each_error_where_htmx_meets_it(alice: Member, bob: Member, stranger: Member) -> None:
    post_id, deleted = alice.write("still here"), alice.write("soon gone")
    alice.delete(deleted)
    assert_sentence(alice.client.post("/posts", data={"text": "x"}, headers=FRAGMENT), 400, "send it again")
    assert_sentence(stranger.send("/posts", fragment=True, text="x"), 401, "what you typed is still here")
    assert_sentence(bob.send(f"/posts/{post_id}/delete", fragment=True), 403, "Only the author")
    assert_sentence(bob.send("/@nobody/follow", fragment=True), 404, "nobody here by that name")
    assert_sentence(bob.get("/posts", fragment=True), 405)
    assert_sentence(bob.send(f"/posts/{deleted}/delete", fragment=True), 410, "deleted by its author")
    assert_sentence(bob.send("/posts", fragment=True, text="x" * 2_000_000), 413)


def test_a_post_that_is_refused_comes_back_with_what_was_typed(alice: Member) -> None:
    typed = "too long " * 100
    page = alice.send("/posts", text=typed)
    assert page.status_code == 422
    assert_in_our_design(page)
    part = alice.send("/posts", fragment=True, text=typed)
    assert (part.status_code, part.mimetype) == (422, "text/html")
    for response in (page, part):
        assert typed in response.text and "399 characters too long" in response.text
    assert "<!doctype" not in part.text


@pytest.mark.parametrize("path", ["/break/python", "/break/sql"])
def test_a_crash_shows_nothing_of_the_inside(reader: Member, caplog: pytest.LogCaptureFixture, path: str) -> None:
    assert_page(reader.get(path), 500, "it’s been logged")
    assert_sentence(reader.get(path, fragment=True), 500, "it’s been logged")
    assert SECRET in caplog.text, "but it is in the log"


@pytest.mark.parametrize("path", ["/break/python", "/break/sql"])
def test_a_crash_shows_nothing_of_the_inside_to_a_visitor(visitor: Member, path: str) -> None:
    assert_page(visitor.get(path), 500, "it’s been logged")


def test_a_crash_stores_nothing(reader: Member, alice: Member) -> None:
    reader.send(LATE)
    assert "half done" not in alice.get("/@alice").text


def test_after_a_crash_the_next_request_is_served(reader: Member) -> None:
    for crash in (partial(reader.get, "/break/sql"), partial(reader.get, "/break/slow"), partial(reader.send, LATE)):
        crash()
        assert reader.get("/").status_code == 200


def test_a_database_that_is_too_slow_is_said_to_be_back_in_a_moment(reader: Member, visitor: Member) -> None:
    assert_page(visitor.get("/break/slow"), 503, "please try again shortly")
    assert_page(reader.get("/break/slow"), 503, "please try again shortly")
    assert_sentence(reader.get("/break/slow", fragment=True), 503, "please try again shortly")


def test_without_the_database_every_page_says_so_and_afterwards_all_is_well(
    servers: EphemeralServers, reader: Member, visitor: Member
) -> None:
    with reader.app.app_context():
        db.session.execute(text("CHECKPOINT"))  # these throwaway servers do not wait for the disk; now Alice is on it
    servers.postgres.kill()
    try:
        until = time.monotonic() + 60
        while visitor.get("/readyz").status_code == 200 and time.monotonic() < until:
            time.sleep(0.05)  # on a busy machine its children outlive it for a moment, and answer
        answers = {
            who.handle: [who.get("/explore"), who.get("/@alice"), who.send("/login", login="x", password="x")]
            for who in (visitor, reader)
        }
        toast = reader.send("/posts", fragment=True, text="kept in the form")
        alive, ready = visitor.get("/healthz"), visitor.get("/readyz")
    finally:
        servers.postgres.start()
    for responses in answers.values():
        for response in responses:
            assert_page(response, 503, "Nothing was lost; please try again shortly.")
    assert_sentence(toast, 503, "Nothing was lost")
    assert (alive.status_code, ready.status_code) == (200, 503)
    assert reader.get("/").status_code == visitor.get("/readyz").status_code == 200


@pytest.mark.parametrize("path", ["/nowhere", "/@nobody", "/posts/1/menu"])
def test_an_error_page_shows_who_is_logged_in(alice: Member, path: str) -> None:
    assert 'class="me-card" href="/@alice"' in alice.get(path).text


def test_an_error_page_on_an_empty_site_works(stranger: Member) -> None:
    assert_page(stranger.get("/nowhere"), 404)
