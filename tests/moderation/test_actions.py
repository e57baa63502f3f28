"""Acting on posts and people: who may, what follows for the person, and what two who act at once come to."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import LoginSession, User
from app.accounts.operations import LastAdmin, delete_account
from app.core import clock
from app.core.errors import NotAllowed
from app.extensions import db
from app.moderation.actions.models import ModerationAction
from app.moderation.actions.operations import BadAction, BadEnd, end_what_is_over
from app.moderation.actions.queries import strikes
from app.moderation.log.models import LogEntry
from app.posts.models import Post
from tests.moderation.acting import WHY, on_person, on_post, undo
from tests.people import PASSWORD, Member, entries


def user(app: Flask, who: Member) -> User:
    with app.app_context():
        return db.session.get_one(User, who.id)


def log(app: Flask) -> list[tuple[str, str, str, str]]:
    with app.app_context():
        found = db.session.scalars(select(LogEntry).order_by(LogEntry.id))
        return [(entry.actor, entry.action, entry.target, entry.reason) for entry in found]


# ---- Who may


@pytest.mark.parametrize("action", ["warn", "limit", "freeze", "suspend", "delete"])
def test_whatever_is_done_to_a_person_and_its_undoing_are_on_record(
    app: Flask, warden: Member, alice: Member, action: str
) -> None:
    path = "/admin/people/alice/actions"
    assert warden.send(path, action=action, reason="be kind").status_code == 303
    with app.app_context():
        done = db.session.scalars(select(ModerationAction)).one()
    page = warden.get("/admin/people/alice").text
    assert "be kind" in page and f"{path}/{done.id}/undo" in page and "1 strike" in page
    assert warden.send(f"{path}/{done.id}/undo").status_code == 303
    assert warden.send(f"{path}/{done.id}/undo").status_code == 303, "twice is the same as once"
    assert "0 strikes" in warden.get("/admin/people/alice").text
    (actor, what, whom, why), (_, back, _, _) = log(app)
    assert (actor, whom, why) == ("wanda", "alice", "be kind") and what != back
    after = user(app, alice)
    assert (after.limited_until, after.frozen_until, after.suspended_until, after.erased_from) == (None,) * 4


@pytest.mark.parametrize("action", ["hide", "remove", "mark"])
def test_whatever_is_done_to_a_post_and_its_undoing_are_on_record(
    app: Flask, warden: Member, alice: Member, action: str
) -> None:
    post = alice.write("shouting")
    path = f"/admin/posts/{post}/actions"
    assert warden.send(path, action=action, reason="be kind", mark="Loud").status_code == 303
    with app.app_context():
        done = db.session.scalars(select(ModerationAction)).one()
    page = warden.get(f"/admin/posts/{post}").text
    assert "shouting" in page and f"{path}/{done.id}/undo" in page
    assert warden.send(f"{path}/{done.id}/undo").status_code == 303
    assert [entry[2:] for entry in log(app)] == [("alice", "be kind"), ("alice", "")]
    assert alice.get(f"/@alice/{post}").status_code == 200


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"reason": "x"}, "Choose one."),
        ({"reason": "x", "action": "praise"}, "Choose one of the actions on the page."),
        ({"action": "limit"}, "Say why. The person will read it."),
        ({"action": "limit", "reason": "  "}, "Say why. The person will read it."),
        ({"action": "limit", "reason": "x" * 2001}, "At most 2000 characters."),
        ({"action": "limit", "reason": "typed", "until": "tomorrow"}, "Write the day as year-month-day"),
        ({"action": "limit", "reason": "typed", "until": "2020-01-01"}, "Choose a day in the future."),
        ({"action": "warn", "reason": "typed", "until": "2999-01-01"}, "This has no end date."),
        ({"action": "delete", "reason": "typed", "until": "2999-01-01"}, "This has no end date."),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    app: Flask, warden: Member, alice: Member, fields: dict[str, Any], sentence: str
) -> None:
    response = warden.send("/admin/people/alice/actions", **fields)
    assert response.status_code == 422 and sentence in response.text
    assert fields.get("reason", "") in response.text, "what was typed is still there"
    assert log(app) == [] and user(app, alice).limited_until is None


def test_nobody_acts_on_themselves_and_no_moderator_on_whoever_runs_the_site(
    app: Flask, mod: Member, warden: Member, join: Callable[..., Member]
) -> None:
    other = join("walt", role="moderator")
    for by, whom in ((warden, warden), (warden, mod), (warden, other), (mod, mod)):
        assert "form class" not in by.get(f"/admin/people/{whom.handle}").text
        response = by.send(f"/admin/people/{whom.handle}/actions", action="suspend", reason="why not")
        assert response.status_code == 403, (by.handle, whom.handle)
    assert log(app) == []
    on_person(app, other, "freeze", by=mod)
    with pytest.raises(NotAllowed):
        undo(app, last_action(app), by=warden)


def last_action(app: Flask) -> int:
    with app.app_context():
        return db.session.scalars(select(ModerationAction.id).order_by(ModerationAction.id.desc())).first() or 0


def test_the_same_is_not_done_twice_but_again_when_it_is_over(
    app: Flask, mod: Member, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = clock.now() + timedelta(days=1)
    on_person(app, alice, "limit", by=mod, until=end)
    with pytest.raises(BadAction):
        on_person(app, alice, "limit", by=mod)
    monkeypatch.setattr(clock, "now", lambda: end)
    on_person(app, alice, "limit", by=mod)
    assert user(app, alice).is_limited


def test_two_moderators_at_once_do_it_once(app: Flask, mod: Member, warden: Member, alice: Member) -> None:
    post = alice.write("shouting")

    def hide(by: Member) -> bool:
        try:
            on_post(app, post, "hide", by=by)
        except BadAction:
            return False
        return True

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(hide, (mod, warden))) == [False, True]


def test_of_two_admins_who_suspend_each_other_at_once_one_stays(
    app: Flask, mod: Member, join: Callable[..., Member]
) -> None:
    other = join("adam", role="admin")

    def suspend(pair: tuple[Member, Member]) -> bool:
        try:
            on_person(app, pair[1], "suspend", by=pair[0])
        except NotAllowed:
            return False
        return True

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(suspend, [(mod, other), (other, mod)])) == [False, True]
    assert sorted([user(app, mod).is_suspended, user(app, other).is_suspended]) == [False, True]


def test_an_admin_who_is_suspended_is_none_that_would_be_left(
    app: Flask, mod: Member, join: Callable[..., Member]
) -> None:
    on_person(app, join("adam", role="admin"), "suspend", by=mod)
    with app.app_context(), pytest.raises(LastAdmin):
        delete_account(db.session.get_one(User, mod.id))


# ---- What the person may


def test_whoever_is_frozen_reads_and_does_nothing_else(
    app: Flask, mod: Member, alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, end = bob.write("hello"), clock.now() + timedelta(days=1)
    on_person(app, alice, "freeze", by=mod, until=end)
    assert alice.get(f"/@bob/{post}").status_code == 200
    forbidden: list[tuple[str, dict[str, Any]]] = [
        ("/posts", {"text": "hi"}),
        (f"/posts/{post}/like", {}),
        ("/@bob/follow", {}),
        ("/settings/profile", {"name": "Al"}),
    ]
    for path, fields in forbidden:
        for fragment in (False, True):
            response = alice.send(path, fragment=fragment, **fields)
            assert response.status_code == 403 and "frozen" in response.text, path
    assert alice.send("/feed/seen", seen="").status_code != 403
    changed = alice.send("/settings/password", password="another good password", current_password=PASSWORD)
    assert changed.status_code == 303
    monkeypatch.setattr(clock, "now", lambda: end)
    assert alice.send(f"/posts/{post}/like").status_code == 303


def test_whoever_is_suspended_is_logged_out_and_then_reaches_the_decision_and_nothing_else(
    app: Flask, mod: Member, alice: Member
) -> None:
    done = on_person(app, alice, "suspend", by=mod)
    with app.app_context():
        assert db.session.scalars(select(LoginSession).where(LoginSession.user_id == alice.id)).all() == []
    assert alice.get("/settings/").location.startswith("/login")
    again = Member(app, None, "alice")
    assert again.send("/login", login="alice", password=PASSWORD).status_code == 303
    for path in ("/", "/feed", "/explore", "/settings/", "/compose", "/@alice", "/search?q=a"):
        assert again.get(path).location == "/decisions", path
    assert again.get("/feed/new?since=1", fragment=True).headers["HX-Redirect"] == "/decisions"
    again.csrf_token = token_in(again.get("/decisions").text)
    assert again.send("/posts", text="hi").location == "/decisions"
    page = again.get(f"/decisions/{done}")
    assert page.status_code == 200 and WHY in page.text
    assert again.send(f"/decisions/{done}/appeal", text="It was a joke").status_code == 303
    assert again.send("/logout").status_code == 303
    with app.app_context():
        assert db.session.scalars(select(Post)).all() == []


def token_in(html: str) -> str:
    return html.split('name="csrf_token" value="')[1].split('"')[0]


def test_whoever_is_warned_reads_that_first(app: Flask, mod: Member, alice: Member, bob: Member) -> None:
    post = bob.write("hello")
    done = on_person(app, alice, "warn", by=mod)
    for path in ("/", "/feed", f"/@bob/{post}", "/explore"):
        assert alice.get(path).location == f"/decisions/{done}", path
    assert alice.send(f"/posts/{post}/like").location == f"/decisions/{done}"
    assert WHY in alice.get(f"/decisions/{done}").text
    assert alice.get("/").location == f"/decisions/{done}", "to open it is not to confirm it"
    assert alice.send(f"/decisions/{done}/acknowledge").status_code == 303
    assert alice.get("/").status_code == 200


@pytest.mark.parametrize("action", ["warn", "suspend"])
def test_whoever_may_not_read_gets_no_post_by_way_of_a_form(
    app: Flask, mod: Member, alice: Member, bob: Member, action: str
) -> None:
    image = bob.upload()
    post = bob.write("for readers only", images=str(image))
    found = re.search(r"/media/posts/[\w.-]+", alice.get(f"/@bob/{post}").text)
    assert found
    done = on_person(app, alice, action, by=mod)
    only = "/decisions" if action == "suspend" else f"/decisions/{done}"
    typed: dict[str, Any] = {"text": "x", "reply_to": str(post), "writer": "alice"}
    again = Member(app, None, "alice")
    let_in = again.send("/login", login="alice", password=PASSWORD, **typed)
    again.csrf_token = "a wrong one"
    for response in (let_in, again.send("/posts", **typed), again.send("/login", **typed), again.get(found[0])):
        assert (response.status_code, response.location) == (303, only)
        assert "for readers only" not in response.text


def test_a_person_is_told_on_every_page_until_they_open_the_decision(app: Flask, mod: Member, alice: Member) -> None:
    post = alice.write("shouting")
    done = on_post(app, post, "hide", by=mod)
    for path in ("/", "/explore", "/settings/"):
        assert f'href="/decisions/{done}"' in alice.get(path).text, path
    page = alice.get(f"/decisions/{done}").text
    assert WHY in page and "shouting" in page and "maud" not in page
    assert f'href="/decisions/{done}"' not in alice.get("/").text
    assert "Only you can see it" in alice.get(f"/@alice/{post}").text


def test_nobody_reads_or_answers_a_decision_about_somebody_else(
    app: Flask, mod: Member, alice: Member, bob: Member
) -> None:
    done = on_person(app, alice, "warn", by=mod)
    assert bob.get(f"/decisions/{done}").status_code == 404
    assert bob.send(f"/decisions/{done}/acknowledge").status_code == 404
    assert bob.send(f"/decisions/{done}/appeal", text="hi").status_code == 404
    assert user(app, alice).must_acknowledge


# ---- Deleting


def test_a_deletion_waits_and_can_be_undone_meanwhile_with_everything_back(
    app: Flask, mod: Member, alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, now = alice.write("still here"), clock.now()
    earlier = on_person(app, alice, "suspend", by=mod)
    done = on_person(app, alice, "delete", by=mod)
    assert post not in entries(bob.get("/").text)
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(days=13))
    settle(app)
    undo(app, done, by=mod)
    assert user(app, alice).is_suspended, "as before"
    undo(app, earlier, by=mod)
    assert post in entries(bob.get("/").text)


def test_an_account_is_deleted_when_the_time_to_undo_it_is_over(
    app: Flask, mod: Member, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    on_person(app, alice, "delete", by=mod)
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(days=14, seconds=1))
    settle(app)
    assert user(app, alice).deleted_at is not None
    with pytest.raises(BadAction):
        undo(app, last_action(app), by=mod)


def settle(app: Flask) -> None:
    with app.app_context():
        end_what_is_over()
        db.session.commit()


def test_undoing_one_of_two_leaves_the_other(app: Flask, mod: Member, alice: Member) -> None:
    post = alice.write("shouting")
    hidden, marked = on_post(app, post, "hide", by=mod), on_post(app, post, "mark", by=mod, mark="Loud")
    undo(app, hidden, by=mod)
    with app.app_context():
        now = db.session.get_one(Post, post)
        assert (now.is_hidden, now.is_marked, now.mark) == (False, True, "Loud")
        assert strikes(alice.id) == 1
    undo(app, marked, by=mod)
    with app.app_context():
        assert not db.session.get_one(Post, post).is_marked


def test_an_end_in_the_past_is_none(app: Flask, mod: Member, alice: Member) -> None:
    with pytest.raises(BadEnd):
        on_person(app, alice, "limit", by=mod, until=clock.now())


def test_staff_find_the_way_to_it_in_the_menus_and_others_do_not(
    mod: Member, warden: Member, alice: Member, bob: Member
) -> None:
    post = alice.write("hello")
    for who, finds in ((mod, True), (warden, True), (bob, False), (alice, False)):
        assert (f"/admin/posts/{post}" in who.get(f"/posts/{post}/menu?entry={post}").text) == finds
        assert ("/admin/people/alice" in who.get("/@alice").text) == finds
