"""Addresses that lead nowhere: unknown ids, foreign cursors, wrong methods, nonsense. Each gets a clear 4xx."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import pytest
from flask import Flask
from sqlalchemy import insert, text

from app.core.ids import MAX_ID
from app.extensions import db
from app.posts.models import Post, PostTag
from app.social.models import Block, Follow, Mute
from tests.conftest import make_cast
from tests.kept import bring_back
from tests.people import FRAGMENT, Member, next_link
from tests.web.nasty import ELSEWHERE
from tests.web.scene import Scene, assert_in_our_design, assert_refused, stored

NO_IDS = [
    *("0", "-1", "-9007199254740993", "1", "42", str(MAX_ID), str(MAX_ID + 1), str(MAX_ID + 2), str(2**63 - 1)),
    *(
        str(2**63),
        str(2**64),
        "1" + "0" * 400,
        "01",
        "1.5",
        "1e3",
        "0x10",
        "abc",
        "1%20",
        "%2B1",
        "१२",
        "1,2",
        "null",
        "NaN",
    ),
]


@pytest.mark.parametrize("no_id", NO_IDS)
def test_an_unknown_id_is_not_found(app: Flask, alice: Member, no_id: str) -> None:
    before = stored(app)
    for path in (f"/@alice/{no_id}", f"/posts/{no_id}/menu", f"/posts/{no_id}/delete"):
        assert_refused(alice.get(path), 404)
    assert_refused(alice.send(f"/posts/{no_id}/delete"), 404)
    if not re.fullmatch("[1-9][0-9]{0,15}", no_id):  # one that could be a session is logged out already
        assert_refused(alice.send(f"/settings/sessions/{no_id}/delete"), 404)
    assert stored(app) == before


def test_a_post_has_one_address_only(scene: Scene) -> None:
    other_digits = str(scene.post_id)[:-1] + chr(ord("٠") + scene.post_id % 10)
    for path in (
        f"/@bob/{scene.post_id}",
        f"/@alice/0{scene.post_id}",
        f"/@alice/{other_digits}",
        f"/@x/{scene.post_id}",
    ):
        assert_refused(scene["carol"].get(path), 404)


@pytest.mark.parametrize(
    "path",
    [
        *("/nowhere", "/@", "/@a", "/@" + "a" * 31, "/@nobody", "/@al-ice", "/@alice/nowhere", "/@alice/followers/x"),
        *(
            "/tags/",
            "/tags/123",
            "/tags/a%20b",
            "/tags/a-b",
            "/tags/%23tea",
            "/tags/a%2Fb",
            "/posts",
            "/posts/",
            "/.env",
        ),
        *(
            "/settings/nowhere",
            "/static/nowhere.css",
            "/static/../config.py",
            "/static/..%2f..%2fconfig.py",
            "/%2e%2e/x",
        ),
        *(
            "/setup",
            "/%00",
            "/index.php",
            "/@alice%0d%0aX: y",
            "/@alice;x=1",
            "/\\evil.example",
            "/<script>alert(1)</script>",
        ),
    ],
)
def test_an_address_that_does_not_exist_is_not_found(alice: Member, path: str) -> None:
    response = alice.get(path)
    assert_refused(response, 404, *([405] if path == "/posts" else []))
    assert "<script>alert" not in response.text


@pytest.mark.parametrize(
    "path", ["/{}", "/@{}", "/tags/{}", "/@alice/{}", "/media/avatars/{}", "/static/{}", "/posts/{}/menu"]
)
def test_a_very_long_address_is_not_found(alice: Member, path: str) -> None:
    for character in ("a", "1", "a/", "%E2%82%AC", "..%2f"):
        assert_refused(alice.get(path.format(character * 10_000)), 404)


def test_a_very_long_query_is_read_or_refused(alice: Member, stranger: Member) -> None:
    assert alice.get("/explore?x=" + "a" * 100_000).status_code == 200
    assert_refused(alice.get("/explore?cursor=" + "a" * 100_000), 400)
    assert stranger.get("/login?next=/" + "a" * 100_000).status_code == 200


def test_every_address_says_which_methods_it_takes(scene: Scene) -> None:
    before, by_path = stored(scene.app), dict[str, set[str]]()
    for rule in scene.app.url_map.iter_rules():
        by_path.setdefault(scene.path(rule), set()).update(rule.methods or ())
    alice = scene["alice"]
    for path, allowed in by_path.items():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} - allowed:
            response = alice.client.open(path, method=method, headers={"X-CSRFToken": alice.csrf_token})
            assert_refused(response, 405)
            assert set(response.headers["Allow"].replace(" ", "").split(",")) == allowed, path
    assert stored(scene.app) == before


@pytest.mark.parametrize("header", ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"])
def test_a_request_cannot_claim_another_method(scene: Scene, header: str) -> None:
    alice, before = scene["alice"], stored(scene.app)
    response = alice.client.get(f"/posts/{scene.post_id}/delete", headers={header: "POST"})
    assert response.status_code == 200
    assert stored(scene.app) == before


def test_no_form_leads_elsewhere_afterwards(alice: Member, bob: Member) -> None:
    for address in [address for address in ELSEWHERE if "\x00" not in address]:
        post_id = alice.write("soon gone")
        assert bob.send("/@alice/follow", next=address).location == "/@alice"
        assert alice.send("/settings/appearance", theme="dark", next=address).location == "/settings/appearance"
        assert alice.send(f"/posts/{post_id}/delete", next=address).location == "/"


def test_an_endless_next_is_not_followed(alice: Member, bob: Member) -> None:
    """A redirect of 100 kB would break at the first proxy."""
    assert bob.send("/@alice/follow", next="/" + "a" * 100_000).location == "/@alice"


LISTS = {
    "home": "/feed",
    "explore": "/explore",
    "people": "/explore/people",
    "her posts": "/@alice",
    "her followers": "/@alice/followers",
    "whom she follows": "/@alice/following",
    "a tag": "/tags/tea",
    "mutes": "/settings/mutes",
    "blocks": "/settings/blocks",
}


@dataclass(frozen=True)
class Lists:
    """A site on which every list of Alice's is longer than a page, and where each goes on."""

    alice: Member
    bob: Member
    next_pages: dict[str, str]


@pytest.fixture
def lists(app: Flask) -> Lists:
    lists = bring_back(app, "lists", lambda: _make_lists(app))
    return replace(lists, alice=lists.alice.in_new_browser(), bob=lists.bob.in_new_browser())


def _make_lists(app: Flask) -> Lists:
    alice, bob = make_cast(app, ("alice", "bob")).values()
    with app.app_context():
        db.session.execute(
            text(
                "WITH crowd AS (INSERT INTO users (handle, name, email, password_hash) SELECT 'crowd' || n, 'Crowd',"
                " 'crowd@example.org', '' FROM generate_series(1, 50) n RETURNING id)"
                " INSERT INTO user_counters (user_id) SELECT id FROM crowd"
            )
        )
        crowd = list(db.session.scalars(text("SELECT id FROM users WHERE handle LIKE 'crowd%' ORDER BY id")))
        friends, others = crowd[:25], crowd[25:]
        db.session.execute(insert(Follow), [{"follower_id": who, "followed_id": alice.id} for who in friends])
        db.session.execute(insert(Follow), [{"follower_id": alice.id, "followed_id": who} for who in friends])
        db.session.execute(insert(Mute), [{"muter_id": alice.id, "muted_id": who} for who in friends])
        db.session.execute(insert(Block), [{"blocker_id": alice.id, "blocked_id": who} for who in others])
        new = insert(Post).returning(Post.id)
        posts = db.session.scalars(new, [{"author_id": alice.id, "text": f"{n} #tea"} for n in range(25)])
        db.session.execute(insert(PostTag), [{"post_id": post, "tag": "tea"} for post in posts])
        db.session.commit()
    next_pages = {name: next_link(alice.get(path).text) for name, path in LISTS.items()}
    return Lists(alice, bob, {name: page for name, page in next_pages.items() if page is not None})


def test_every_list_goes_on_under_its_cursor(lists: Lists) -> None:
    assert set(lists.next_pages) == set(LISTS)
    for name, page in lists.next_pages.items():
        assert page.split("?")[0] == LISTS[name]
        assert lists.alice.get(page).status_code == 200
    assert lists.alice.get("/?" + lists.next_pages["home"].split("?")[1]).status_code == 200


@pytest.mark.parametrize("name", LISTS)
def test_no_list_takes_the_cursor_of_another_list(lists: Lists, name: str) -> None:
    for other, page in lists.next_pages.items():
        if other != name:
            assert_refused(lists.alice.get(f"{LISTS[name]}?{page.split('?')[1]}"), 400)


@pytest.mark.parametrize("name", LISTS)
def test_no_list_takes_the_cursor_of_another_reader(lists: Lists, stranger: Member, name: str) -> None:
    response = lists.bob.get(lists.next_pages[name])
    assert_refused(response, 400)
    assert "Go back to the top of the list" in response.text
    if stranger.get(LISTS[name]).status_code == 200:
        assert_refused(stranger.get(lists.next_pages[name]), 400)


@pytest.mark.parametrize("name", LISTS)
def test_no_list_takes_a_cursor_that_was_tampered_with(lists: Lists, name: str) -> None:
    path, cursor = lists.next_pages[name].split("?cursor=")
    tampered = [
        cursor[:-1],
        cursor[1:],
        cursor + "A",
        cursor.swapcase(),
        cursor[::-1],
        cursor[: len(cursor) // 2],
        "",
        ".",
        "0",
    ]
    tampered += ["null", "9007199254740993", "-1", "%E2%82%AC", "a" * 5000, "a.b", cursor + "." + cursor, "Infinity"]
    for wrong in tampered:
        assert_refused(lists.alice.get(f"{path}?cursor={wrong}"), 400)


def test_a_refused_cursor_is_one_sentence_for_htmx(lists: Lists) -> None:
    response = lists.bob.client.get(lists.next_pages["explore"], headers=FRAGMENT)
    assert (response.status_code, response.mimetype) == (400, "text/plain")
    assert response.text.startswith("This link to older posts doesn’t work here.")


def test_an_unknown_parameter_changes_nothing(lists: Lists) -> None:
    for path in LISTS.values():
        response = lists.alice.get(f"{path}?x=1&page=2&limit=100000&before=5")
        assert response.status_code == 200
        assert_in_our_design(response)
