"""What was decided holds at once and everywhere: each state, on each surface, for author, follower and stranger."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import UserCounters
from app.accounts.operations import sign_up
from app.core import clock
from app.extensions import db
from app.moderation.actions.operations import end_what_is_over
from app.posts.models import PostCounters
from app.posts.reactions.counters import recount
from tests.moderation.acting import on_person, on_post, undo
from tests.people import Member, entries

ALL = {"author", "follower", "stranger"}
# Who still sees the post and its author; a suspended author is logged out, and is not asked.
SEEN_BY = {
    "hide": {"author"},
    "remove": set[str](),
    "mark": ALL,
    "warn": {"follower", "stranger"},  # the author reads the warning first
    "limit": {"author", "follower"},
    "freeze": ALL,
    "suspend": set[str](),
    "delete": set[str](),
}
ON_POSTS = ("hide", "remove", "mark")


@dataclass(frozen=True)
class Scene:
    """A post by Alice with an image and a tag, and her answer to Carol, who follows the tag but not her."""

    post: int
    answer: int
    carols: int
    image: str


@pytest.fixture
def scene(alice: Member, bob: Member, carol: Member) -> Scene:
    image = alice.upload()
    post = alice.write("pineapple #tea", images=str(image), **{f"alt-{image}": "a fruit"})
    found = re.search(r"/media/posts/[\w.-]+", alice.get(f"/@alice/{post}").text)
    assert found
    carols = carol.write("what is that?")
    answer = alice.write("an answer", reply_to=str(carols))
    carol.send("/tags/tea/follow")
    alice.follow(carol)
    bob.send(f"/posts/{carols}/like")
    alice.send(f"/posts/{carols}/like")
    return Scene(post, answer, carols, found[0])


def shows_post(path: str) -> Callable[[Member, Scene], bool]:
    return lambda who, scene: scene.post in entries(who.get(path).text)


def opens(path: str) -> Callable[[Member, Scene], bool]:
    return lambda who, scene: who.get(path.format(post=scene.post, image=scene.image)).status_code == 200


def names_alice(path: str) -> Callable[[Member, Scene], bool]:
    return lambda who, scene: 'href="/@alice"' in who.get(path.format(carols=scene.carols)).text.split('id="main"')[-1]


POSTS: dict[str, Callable[[Member, Scene], bool]] = {
    "home": shows_post("/"),
    "profile": shows_post("/@alice"),
    "pictures": shows_post("/@alice/pictures"),
    "explore": shows_post("/explore"),
    "search": shows_post("/search?q=pineapple&in=posts"),
    "tag": shows_post("/tags/tea"),
    "permalink": opens("/@alice/{post}"),
    "image": opens("{image}"),
    "thread": lambda who, scene: scene.answer in entries(who.get(f"/@carol/{scene.carols}").text),
}
# Those on which one does not meet oneself are of others alone.
PEOPLE: dict[str, Callable[[Member, Scene], bool]] = {
    "profile page": opens("/@alice"),
    "people found": names_alice("/search?q=alice&in=people"),
    "all people": names_alice("/explore/people"),
    "followers": names_alice("/@carol/followers"),
    "likes": names_alice("/@carol/{carols}/likes"),
}


def completes(who: Member) -> bool:
    return "@alice" in who.get("/complete?type=person&q=ali", fragment=True).text


def do(app: Flask, action: str, scene: Scene, alice: Member, *, by: Member, until: datetime | None = None) -> list[int]:
    """Do it to Alice, or to both her posts."""
    if action in ON_POSTS:
        return [on_post(app, post, action, by=by, until=until) for post in (scene.post, scene.answer)]
    return [on_person(app, alice, action, by=by, until=until)]


def seen(people: dict[str, Member], scene: Scene, surfaces: dict[str, Callable[[Member, Scene], bool]]) -> object:
    return {name: {role for role, who in people.items() if asks(who, scene)} for name, asks in surfaces.items()}


@pytest.mark.parametrize("action", SEEN_BY)
def test_F3_a_state_holds_on_every_surface_at_once_and_ends_with_its_undoing(
    app: Flask, mod: Member, alice: Member, bob: Member, carol: Member, scene: Scene, action: str
) -> None:
    people = {"author": alice, "follower": bob, "stranger": carol}
    before = seen(people, scene, POSTS), seen(people, scene, PEOPLE)
    assert before[0] == dict.fromkeys(POSTS, ALL)
    done = do(app, action, scene, alice, by=mod)
    assert seen(people, scene, POSTS) == dict.fromkeys(POSTS, SEEN_BY[action])
    if action not in ON_POSTS:
        others = {role: who for role, who in people.items() if role != "author"}
        assert seen(others, scene, PEOPLE) == dict.fromkeys(PEOPLE, SEEN_BY[action] & others.keys())
    for each in done:
        undo(app, each, by=mod)
    logged_in_again = {**people, "author": Member(app, alice.id, "alice")}
    assert (seen(logged_in_again, scene, POSTS), seen(logged_in_again, scene, PEOPLE)) == before


@pytest.mark.parametrize("action", ["hide", "limit", "suspend", "mark"])
def test_F3_a_state_ends_by_itself_when_its_moment_has_come(
    app: Flask,
    mod: Member,
    alice: Member,
    bob: Member,
    carol: Member,
    scene: Scene,
    action: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    others = {"follower": bob, "stranger": carol}
    end = clock.now() + timedelta(days=3)
    do(app, action, scene, alice, by=mod, until=end)
    assert seen(others, scene, POSTS) == dict.fromkeys(POSTS, SEEN_BY[action] & others.keys())
    monkeypatch.setattr(clock, "now", lambda: end)
    assert seen(others, scene, POSTS) == dict.fromkeys(POSTS, others.keys())
    assert "Sensitive content" not in bob.get(f"/@alice/{scene.post}").text


def test_F3_a_post_is_sensitive_with_the_moderators_words(
    app: Flask, mod: Member, bob: Member, stranger: Member, scene: Scene
) -> None:
    on_post(app, scene.post, "mark", by=mod, mark="Raw fruit")
    for who in (bob, stranger):
        assert "<summary>" in (page := who.get(f"/@alice/{scene.post}").text) and "Raw fruit" in page


@pytest.mark.parametrize(("action", "is_drawn"), [(action, action in ("mark", "warn", "freeze")) for action in SEEN_BY])
def test_no_picture_is_drawn_of_what_not_everybody_may_see(
    app: Flask, mod: Member, alice: Member, stranger: Member, scene: Scene, action: str, is_drawn: bool
) -> None:
    do(app, action, scene, alice, by=mod)
    assert (stranger.get(f"/@alice/{scene.post}/picture.png").status_code == 200) == is_drawn
    assert (stranger.get("/@alice/picture.png").status_code == 200) == (is_drawn or action in ON_POSTS)


def drifts(app: Flask) -> list[str]:
    """Return where the triggers differ from what is counted anew."""
    with app.app_context():
        return [f"{drift.counter} of {drift.of}" for drift in recount()]


def counters(app: Flask) -> dict[str, object]:
    """Return all counters of all posts and people, but for those that count nothing."""
    with app.app_context():
        posts, people = db.session.scalars(select(PostCounters)), db.session.scalars(select(UserCounters))
        of_posts = {f"post {each.post_id}": (each.likes, each.replies, each.all_reposts) for each in posts}
        of_people = {f"person {each.user_id}": (each.followers, each.following, each.posts) for each in people}
        return {name: numbers for name, numbers in (of_posts | of_people).items() if any(numbers)}


@pytest.mark.parametrize("action", ["hide", "remove", "limit", "suspend"])
def test_counters_are_true_while_something_is_hidden_and_after_it(
    app: Flask, mod: Member, alice: Member, bob: Member, scene: Scene, action: str
) -> None:
    before = counters(app)
    done = do(app, action, scene, alice, by=mod)
    assert drifts(app) == []
    assert counters(app) != before
    for each in done:
        undo(app, each, by=mod)
    assert drifts(app) == []
    assert counters(app) == before


def test_counters_follow_when_a_state_has_ended_by_itself(
    app: Flask, mod: Member, alice: Member, bob: Member, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, end = counters(app), clock.now() + timedelta(days=3)
    do(app, "suspend", scene, alice, by=mod, until=end)
    assert counters(app) != before
    monkeypatch.setattr(clock, "now", lambda: end)
    with app.app_context():
        end_what_is_over()
        db.session.commit()
    assert counters(app) == before
    assert drifts(app) == []


def test_whoever_leaves_a_suspended_account_meanwhile_is_counted_right(
    app: Flask, mod: Member, alice: Member, bob: Member, carol: Member, scene: Scene
) -> None:
    done = on_person(app, alice, "suspend", by=mod)
    with app.app_context():
        from_bob = db.session.connection().exec_driver_sql(
            f"DELETE FROM follows WHERE follower_id = {bob.id} AND followed_id = {alice.id}"
        )
        assert from_bob.rowcount == 1
        db.session.connection().exec_driver_sql(f"DELETE FROM likes WHERE user_id = {alice.id}")
        db.session.commit()
    assert drifts(app) == []
    undo(app, done, by=mod)
    assert drifts(app) == []


def test_the_handle_of_a_suspended_account_stays_taken(app: Flask, mod: Member, alice: Member) -> None:
    on_person(app, alice, "suspend", by=mod)
    with app.app_context(), pytest.raises(ValueError, match="taken"):
        sign_up(handle="Alice", name="Other", email="other@example.org", password="a good long password")


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ("hide", "a moderator hid the post"),
        ("remove", "a moderator removed the post"),
        ("suspend", "the account of @alice is suspended"),
        ("limit", "the account of @alice is limited: only for followers"),
    ],
)
def test_the_doctor_names_the_clause(
    app: Flask, mod: Member, alice: Member, bob: Member, scene: Scene, action: str, says: str
) -> None:
    do(app, action, scene, alice, by=mod)
    assert says in mod.get(f"/admin/feed?reader=bob&post={scene.post}").text


def test_why_am_i_seeing_this_tells_author_and_follower(
    app: Flask, mod: Member, alice: Member, bob: Member, scene: Scene
) -> None:
    on_person(app, alice, "limit", by=mod)
    assert "Only followers see what" in bob.get(f"/posts/{scene.post}/why?at=/").text
    on_post(app, scene.post, "hide", by=mod)
    assert "A moderator has hidden it. Only you can see it." in alice.get(f"/posts/{scene.post}/why?at=/").text
