"""Who may use which address: one table for the whole site. An address that it does not know fails the test."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.people import FRAGMENT, Member
from tests.web.scene import FIELDS, Scene, assert_in_our_design, endpoints, stored

CAST = ("stranger", "mallory", "bob", "carol", "mod", "alice")  # the owner last: she may be taking the thing away

# What may come of it.
YES = "the page, or the redirect after a form"
LOG_IN = "asked to log in: sent there and back from a page, told so where something was being sent"
HOME = "sent home"
FORBIDDEN = "403"
NOT_HERE = "404"

Role = tuple[str, str, str, str, str, str]
ANYONE: Role = (YES, YES, YES, YES, YES, YES)
LOGGED_IN: Role = (LOG_IN, YES, YES, YES, YES, YES)
NOT_LOGGED_IN: Role = (YES, HOME, HOME, HOME, HOME, HOME)
LEADS_HOME: Role = (HOME, HOME, HOME, HOME, HOME, HOME)  # by the door for strangers, past it for the others
LOGGED_IN_LEADS_HOME: Role = (LOG_IN, HOME, HOME, HOME, HOME, HOME)
ADMIN: Role = (LOG_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, YES, FORBIDDEN)
NOT_BLOCKED: Role = (YES, NOT_HERE, YES, YES, YES, YES)
LOGGED_IN_AND_NOT_BLOCKED: Role = (LOG_IN, NOT_HERE, YES, YES, YES, YES)
SOMEBODY_ELSE_AND_NOT_BLOCKED: Role = (LOG_IN, NOT_HERE, YES, YES, YES, FORBIDDEN)
AUTHOR: Role = (LOG_IN, NOT_HERE, FORBIDDEN, FORBIDDEN, FORBIDDEN, YES)
NOBODY_AFTER_SETUP: Role = (NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE)

# Everything that has an owner is Alice's: the handle, the post, the session, the picture.
RULES: dict[tuple[str, str], Role] = {
    ("static", "GET"): ANYONE,
    ("favicon", "GET"): ANYONE,
    ("avatar", "GET"): ANYONE,  # under a name that only her pages tell
    ("healthz", "GET"): ANYONE,
    ("readyz", "GET"): ANYONE,
    ("accounts.setup", "GET"): NOBODY_AFTER_SETUP,
    ("accounts.setup", "POST"): NOBODY_AFTER_SETUP,
    ("accounts.create_account", "GET"): NOT_LOGGED_IN,
    ("accounts.create_account", "POST"): LEADS_HOME,
    ("accounts.log_in", "GET"): NOT_LOGGED_IN,
    ("accounts.log_in", "POST"): LEADS_HOME,
    ("accounts.log_out", "POST"): LOGGED_IN,
    ("settings.index", "GET"): LOGGED_IN,
    ("settings.profile", "GET"): LOGGED_IN,
    ("settings.profile", "POST"): LOGGED_IN,
    ("settings.email", "GET"): LOGGED_IN,
    ("settings.email", "POST"): LOGGED_IN,
    ("settings.password", "GET"): LOGGED_IN,
    ("settings.password", "POST"): LOGGED_IN,
    ("settings.sessions", "GET"): LOGGED_IN,
    ("settings.revoke_session", "POST"): LOGGED_IN,  # of another's session it does nothing: see test_sessions
    ("settings.revoke_other_sessions", "POST"): LOGGED_IN,
    ("settings.appearance", "GET"): LOGGED_IN,
    ("settings.appearance", "POST"): LOGGED_IN,
    ("settings.delete_account", "GET"): LOGGED_IN,
    ("settings.delete_account", "POST"): LOGGED_IN,
    ("social.create_follow", "POST"): SOMEBODY_ELSE_AND_NOT_BLOCKED,
    ("social.delete_follow", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("social.create_mute", "POST"): SOMEBODY_ELSE_AND_NOT_BLOCKED,
    ("social.delete_mute", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("social.create_block", "POST"): SOMEBODY_ELSE_AND_NOT_BLOCKED,
    ("social.delete_block", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("social.followers", "GET"): NOT_BLOCKED,
    ("social.following", "GET"): NOT_BLOCKED,
    ("social.mutes", "GET"): LOGGED_IN,
    ("social.blocks", "GET"): LOGGED_IN,
    ("posts.compose", "GET"): LOGGED_IN,
    ("posts.create_post", "POST"): LOGGED_IN,
    ("posts.show", "GET"): NOT_BLOCKED,
    ("posts.menu", "GET"): LOGGED_IN_AND_NOT_BLOCKED,
    ("posts.confirm_delete", "GET"): AUTHOR,
    ("posts.delete_post", "POST"): AUTHOR,
    ("posts.create_like", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("posts.delete_like", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("posts.create_bookmark", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("posts.delete_bookmark", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("posts.likes", "GET"): NOT_BLOCKED,
    ("posts.bookmarks", "GET"): LOGGED_IN,
    ("posts.profile", "GET"): NOT_BLOCKED,
    ("posts.tag", "GET"): ANYONE,
    ("feed.home", "GET"): ANYONE,
    ("feed.feed", "GET"): LOGGED_IN,
    ("feed.new", "GET"): LOGGED_IN_LEADS_HOME,  # a plain link; htmx gets the pill
    ("feed_admin.feed", "GET"): ADMIN,
    ("discovery.explore", "GET"): ANYONE,
    ("discovery.people", "GET"): ANYONE,
}
ALL = sorted(RULES)


def test_every_address_of_the_site_has_a_rule(whole_app: Flask) -> None:
    assert endpoints(whole_app) == set(RULES)


@pytest.mark.parametrize(("endpoint", "method"), ALL)
def test_everybody_gets_what_their_role_allows(scene: Scene, endpoint: str, method: str) -> None:
    path = dict(scene.paths(method))[endpoint]
    for who, outcome in zip(CAST, RULES[endpoint, method], strict=True):
        response = ask(scene[who], method, path, endpoint)
        assert outcome_of(response, method, path) == outcome, f"{who}: {response.status}"


def test_asking_for_the_headers_alone_is_answered_like_asking_for_the_page(scene: Scene) -> None:
    different = []
    for _, path in scene.paths("GET"):
        for who in ("stranger", "mallory", "alice"):
            page, head = scene[who].get(path), scene[who].client.head(path)
            if (head.status_code, head.location) != (page.status_code, page.location):
                different.append(f"{who} {path}: GET {page.status_code}, HEAD {head.status_code}")
    assert different == []


@pytest.mark.parametrize(("endpoint", "method"), [key for key in ALL if RULES[key][0] == LOG_IN])
def test_a_session_that_ended_is_told_so_in_one_sentence_by_htmx(scene: Scene, endpoint: str, method: str) -> None:
    path = dict(scene.paths(method))[endpoint]
    stranger = scene["stranger"]
    data = {"csrf_token": stranger.csrf_token} if method == "POST" else None
    response = stranger.client.open(path, method=method, headers=FRAGMENT, data=data)
    assert response.status_code == 401
    assert response.mimetype == "text/plain"
    assert "Log in again" in response.text


def test_whoever_is_logged_in_stays_who_they_are_at_the_door(scene: Scene) -> None:
    before = stored(scene.app)
    for endpoint in ("accounts.create_account", "accounts.log_in"):
        ask(scene["carol"], "POST", dict(scene.paths("POST"))[endpoint], endpoint)
    assert stored(scene.app) == before
    assert "@carol" in scene["carol"].get("/").text


def test_a_stranger_sees_nothing_of_the_people_who_are_logged_in(scene: Scene) -> None:
    for _, path in scene.paths("GET"):
        text = seen(scene["stranger"], path)
        assert "alice@example.org" not in text
        assert "/logout" not in text


@pytest.mark.parametrize("who", ["mallory", "bob", "carol", "mod"])
def test_nobody_sees_the_address_of_another_person(scene: Scene, who: str) -> None:
    for _, path in scene.paths("GET"):
        assert "alice@example.org" not in seen(scene[who], path)


def test_whoever_is_blocked_meets_nothing_of_the_blocker_on_any_page(scene: Scene) -> None:
    mallory = scene["mallory"]
    for _, path in scene.paths("GET"):
        text = seen(mallory, path)
        assert "@alice" not in text and scene.avatar not in text, path


def test_whoever_was_muting_the_blocker_finds_nothing_of_them_in_settings(scene: Scene) -> None:
    alice, mallory = scene["alice"], scene["mallory"]
    alice.unblock(mallory)
    mallory.mute(alice)
    alice.block(mallory)
    assert "@alice" not in mallory.get("/settings/mutes").text


@pytest.mark.parametrize("undo", ["follow/delete", "mute/delete", "block/delete"])
def test_whoever_is_blocked_learns_nothing_by_undoing_what_they_never_did(scene: Scene, undo: str) -> None:
    headers = FRAGMENT | {"HX-Target": f"relation-{scene['alice'].id}"}
    mallory = scene["mallory"]
    response = mallory.client.post(f"/@alice/{undo}", data={"csrf_token": mallory.csrf_token}, headers=headers)
    assert response.status_code == 404
    assert "follower" not in response.text


def seen(who: Member, path: str) -> str:
    """Return what an address shows somebody; pictures as far as they are text."""
    return who.get(path).get_data().decode(errors="replace")


def ask(who: Member, method: str, path: str, endpoint: str) -> TestResponse:
    """Use an address as a page of ours would."""
    return who.get(path) if method == "GET" else who.send(path, **FIELDS.get(endpoint, {}))


def outcome_of(response: TestResponse, method: str, path: str) -> str:
    """Name what came of a request; every refusal must be a page of ours."""
    code = response.status_code
    if code in {403, 404, 405}:
        assert_in_our_design(response)
        return str(code)
    if code == 401:
        assert_in_our_design(response)
        assert method == "POST" and "Log in" in response.text
        return LOG_IN
    target = urlsplit(response.location or "")
    if code == 303 and target.path == "/login" and path != "/login":
        assert method == "GET" and parse_qs(target.query)["next"] == [path]
        return LOG_IN
    if code == 303 and target.path == "/" and path in {"/login", "/signup", "/feed/new"}:
        return HOME
    assert code == (200 if method == "GET" and path != "/settings/" else 303), response.status
    return YES
