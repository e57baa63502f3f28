"""A site for its members alone: what is left to strangers, over every address that there is."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.people import FRAGMENT
from tests.site.test_settings import save
from tests.web.scene import Scene
from tests.web.test_access import ALL, FORBIDDEN, HOME, LOG_IN, NOT_HERE, RULES, YES, ask, outcome_of

# What answers a stranger; whatever is not named here asks them to log in, also what is yet to be written.
OPEN: dict[tuple[str, str], str] = {
    ("static", "GET"): YES,
    ("favicon", "GET"): YES,
    ("healthz", "GET"): YES,
    ("readyz", "GET"): YES,
    ("accounts.setup", "GET"): NOT_HERE,
    ("accounts.setup", "POST"): NOT_HERE,
    ("accounts.create_account", "GET"): YES,
    ("accounts.create_account", "POST"): HOME,
    ("accounts.check_handle", "GET"): YES,
    ("accounts.log_in", "GET"): YES,
    ("accounts.log_in", "POST"): HOME,
    ("joining.waiting", "GET"): YES,
    ("site.about", "GET"): YES,
    ("site.rules", "GET"): YES,
    ("site.privacy", "GET"): YES,
    ("site.colour", "GET"): YES,
    ("site.icon", "GET"): NOT_HERE,
}
# Ways back into an account are open, too, and answer as on every site.
WAYS_BACK = {"give_code", "confirm_email", "create_confirmation", "forgot_password", "reset_password"}
WAYS_BACK |= {"ask_passkey", "give_passkey", "log_in_by_passkey"}
OPEN |= {key: who[0] for key, who in RULES.items() if key[0].partition(".")[2] in WAYS_BACK}


@pytest.fixture
def closed(scene: Scene) -> Scene:
    save(scene["mod"], audience="members")
    return scene


@pytest.mark.parametrize(("endpoint", "method"), [key for key in ALL if key != ("feed.home", "GET")])
def test_strangers_are_let_in_nowhere_but_at_the_door(closed: Scene, endpoint: str, method: str) -> None:
    path = dict(closed.paths(method))[endpoint]
    response = ask(closed["stranger"], method, path, endpoint)
    assert outcome_of(response, method, path) == OPEN.get((endpoint, method), LOG_IN), response.status


def test_the_first_page_of_a_site_for_members_is_the_log_in(closed: Scene) -> None:
    assert closed["stranger"].get("/").location == "/login"


def test_nothing_that_people_made_is_in_any_answer_to_a_stranger(closed: Scene) -> None:
    for _, path in closed.paths("GET"):
        for headers in ({}, FRAGMENT):
            response = closed["stranger"].client.get(path, headers=headers, follow_redirects=True)
            text = response.get_data().decode(errors="replace").replace(path, "").replace("%2F", "/")
            for piece in ("tea.example", closed.image_name, closed.avatar, closed.picture_name, "data-post", "Alice"):
                assert piece not in text, (path, piece)
            assert response.mimetype in {"text/html", "text/css", "text/plain", "application/json", "image/svg+xml"}, (
                path
            )
            assert "og:image" not in text and 'href="/explore"' not in text, path


def test_what_is_there_and_what_is_not_look_the_same_to_a_stranger(closed: Scene) -> None:
    stranger = closed["stranger"]
    for there, gone in (("/@alice", "/@nobody_at_all"), (f"/@alice/{closed.post_id}", "/@alice/99")):
        assert (stranger.get(there).status_code, stranger.get(gone).status_code) == (303, 303)


def test_members_see_the_site_as_it_was(closed: Scene) -> None:
    for endpoint, path in closed.paths("GET"):
        for who, place in (("carol", 3), ("mallory", 1)):
            response = closed[who].get(path)
            assert outcome_of(response, "GET", path) == RULES[endpoint, "GET"][place], (who, path)


def test_no_shared_cache_keeps_the_pictures_of_a_site_for_members(closed: Scene) -> None:
    bob = closed["bob"]
    for path in (f"/media/avatars/{closed.avatar}", "/@alice/picture.png", f"/@alice/{closed.post_id}/picture.png"):
        assert bob.get(path).headers["Cache-Control"].startswith("private"), path


def test_a_closed_sign_up_closes_that_door_too(closed: Scene) -> None:
    save(closed["mod"], signups="closed")
    for path in ("/signup", "/signup/handle?handle=alice"):
        assert outcome_of(closed["stranger"].get(path), "GET", path) == FORBIDDEN


def test_a_site_that_opens_again_shows_everything(closed: Scene, app: Flask) -> None:
    save(closed["mod"], audience="everyone")
    assert "Alice" in closed["stranger"].get("/@alice").text
