"""Held posts: who sees them, who decides about them, and where they appear when they are let through."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import UserCounters
from app.extensions import db
from app.feed.models import PULL, AuthorMode
from app.feed.timelines.modes import recompute
from app.moderation.log.models import LogEntry
from app.posts.models import Post
from app.posts.reactions.counters import recount
from tests.moderation.acting import on_post, undo
from tests.moderation.ruling import key, switched_on
from tests.outbox import drain
from tests.people import Member, entries


@pytest.fixture
def held(app: Flask, mod: Member, alice: Member, bob: Member) -> int:
    """A post by Alice that a rule holds."""
    switched_on(mod, "hold", phrases="pills", name="Pills")
    return alice.write("pills for sale #tea")


def approved(moderator: Member, *keys: str) -> str:
    """Approve posts, and return what the moderator is told."""
    response = moderator.send("/admin/held", post=list(keys), approve="all")
    assert response.status_code == 303, response.text
    return moderator.get("/admin/held").text


@contextmanager
def feeds_of(app: Flask, *, pulled: bool) -> Iterator[None]:
    """Have all authors with followers pulled, or pushed."""
    app.config["CELEBRITY_FOLLOWERS"] = 1 if pulled else 0
    try:
        with app.app_context():
            recompute()
            db.session.commit()
            modes = set(db.session.scalars(select(AuthorMode.mode)))
        assert (PULL in modes) == pulled
        yield
    finally:
        app.config["CELEBRITY_FOLLOWERS"] = 0


def newest_decision(who: Member) -> str:
    """Return the decision to which a person is led."""
    return who.get("/").text.partition('href="/decisions/')[2].partition('"')[0]


def posts_of(app: Flask, who: Member) -> int:
    with app.app_context():
        return db.session.get_one(UserCounters, who.id).posts


def test_a_held_post_is_seen_by_its_author_alone_and_by_those_who_review_it(
    app: Flask, mod: Member, warden: Member, alice: Member, bob: Member, carol: Member, held: int
) -> None:
    mod.follow(alice)
    assert "Waiting for review" in alice.get(f"/@alice/{held}").text and held in entries(alice.get("/").text)
    assert "It waits until someone who runs this site has looked at it" in alice.get(f"/posts/{held}/why").text
    for who in (bob, carol, warden, mod):
        assert held not in entries(who.get("/").text) + entries(who.get("/@alice").text)
        assert who.get(f"/@alice/{held}").status_code == 404
        assert held not in entries(who.get("/search?q=pills&in=posts").text) + entries(who.get("/tags/tea").text)
    assert "pills for sale" in (queue := warden.get("/admin/held").text) and "held by Pills" in queue
    assert posts_of(app, alice) == 0
    assert bob.send(f"/posts/{held}/like").status_code == 404


@pytest.mark.parametrize("pulled", [False, True])
def test_an_approved_post_appears_at_its_place_in_every_feed(
    app: Flask, mod: Member, warden: Member, alice: Member, bob: Member, carol: Member, pulled: bool
) -> None:
    switched_on(mod, "hold", phrases="pills")
    bob.follow(carol)
    with feeds_of(app, pulled=pulled):
        assert bob.feed() == []  # a window is built, and written to from now on
        drain(app)
        before = [who.write(f"before {number}") for number in range(12) for who in (alice, carol)]
        held = alice.write("pills")
        drain(app)
        after = [who.write(f"after {number}") for number in range(12) for who in (alice, carol)]
        drain(app)
        assert bob.feed() == [*reversed(after), *reversed(before)]
        approved(warden, key(app, held))
        whole = [*reversed(after), held, *reversed(before)]
        assert bob.feed() == whole
        assert carol.feed("/@alice") == [post for post in whole if post in {held, *before[::2], *after[::2]}]
        with app.app_context():
            assert list(recount()) == []


def test_a_declined_post_is_gone_and_its_author_reads_why(
    app: Flask, warden: Member, alice: Member, bob: Member, held: int
) -> None:
    response = warden.send("/admin/held", decline=key(app, held), reason=" ")
    assert response.status_code == 422 and "Say why" in response.text
    assert warden.send("/admin/held", decline=key(app, held), reason="No advertisements").status_code == 303
    assert held not in entries(alice.get("/@alice").text)
    page = alice.get(f"/decisions/{newest_decision(alice)}").text
    assert "No advertisements" in page and "pills for sale" in page
    assert "Nothing waits" in warden.get("/admin/held").text
    with app.app_context():
        entered = list(db.session.scalars(select(LogEntry.action).order_by(LogEntry.id)))
    assert entered[-1] == "post.removed"


def test_an_appeal_against_declining_lets_the_post_appear(
    app: Flask, warden: Member, alice: Member, bob: Member, held: int
) -> None:
    warden.send("/admin/held", decline=key(app, held), reason="No advertisements")
    decision = newest_decision(alice)
    alice.send(f"/decisions/{decision}/appeal", text="They’re sweets")
    assert warden.send(f"/admin/appeals/{decision}", decision="accept").status_code == 303
    assert held in entries(bob.get("/").text)


def test_many_are_decided_at_once_and_each_is_in_the_log(
    app: Flask, mod: Member, warden: Member, alice: Member, bob: Member, held: int
) -> None:
    others = [alice.write(f"pills {number}") for number in range(3)]
    assert warden.send("/admin/held", approve="all").status_code == 422
    assert "Approved: 3 posts." in approved(warden, *(key(app, post) for post in (held, *others[:2])))
    assert entries(bob.get("/").text) == [others[1], others[0], held]
    with app.app_context():
        found = select(LogEntry.after).where(LogEntry.action == "post.approved").order_by(LogEntry.id)
        assert [after["post"] for after in db.session.scalars(found)] == [held, *others[:2]]


def test_of_two_moderators_who_decide_at_once_one_does(
    app: Flask, mod: Member, warden: Member, alice: Member, bob: Member, held: int
) -> None:
    decisions: list[tuple[Member, dict[str, Any]]] = [
        (mod, {"approve": key(app, held)}),
        (warden, {"decline": key(app, held), "reason": "No"}),
    ]

    def decide(number: int) -> int:
        who, fields = decisions[number]
        return who.send("/admin/held", **fields).status_code

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(decide, range(2))) == [303, 303]
    told = [who.get("/admin/held").text for who, _ in decisions]
    assert sum("Someone was quicker" in page for page in told) == 1
    with app.app_context():
        done = select(LogEntry.action).where(LogEntry.action.in_(["post.approved", "post.removed"]))
        [action] = db.session.scalars(done)
    assert (held in entries(bob.get("/").text)) == (action == "post.approved")


def test_what_changed_since_it_was_read_is_not_approved_unseen(
    app: Flask, warden: Member, alice: Member, bob: Member, held: int
) -> None:
    read = key(app, held)
    assert alice.send(f"/posts/{held}/edit", text="something much worse").status_code == 303
    assert "changed since you read it" in approved(warden, read)
    assert held not in entries(bob.get("/").text), "an edit lets nothing through"
    approved(warden, key(app, held))
    assert held in entries(bob.get("/").text)


def test_what_was_held_and_edited_before_its_approval_is_in_no_history(
    app: Flask, mod: Member, warden: Member, alice: Member, bob: Member, held: int
) -> None:
    post = alice.write("a first text")
    for text in ("pills at last", "a clean text"):
        assert alice.send(f"/posts/{post}/edit", text=text).status_code == 303
    alice.send(f"/posts/{held}/edit", text="sweets")
    assert alice.send(f"/posts/{held}/edit", text="unseen", version=0).status_code == 409, "still told apart"
    approved(warden, key(app, post), key(app, held))
    page = bob.get(f"/@alice/{post}/history").text
    assert "first" in page and "clean" in page and "pills" not in page and "at last" not in page
    page = bob.get(f"/@alice/{held}/history").text
    assert "sweets" in page and "pills" not in page and "for sale" not in page


def test_what_a_moderator_hid_stays_hidden_when_it_is_approved(
    app: Flask, mod: Member, warden: Member, alice: Member, bob: Member, held: int
) -> None:
    hidden = on_post(app, held, "hide", by=mod)
    approved(warden, key(app, held))
    assert held not in entries(bob.get("/").text)
    undo(app, hidden, by=mod)
    assert held in entries(bob.get("/").text)


def test_undoing_something_else_lets_no_held_post_through(
    app: Flask, mod: Member, alice: Member, bob: Member, held: int
) -> None:
    for action in ("hide", "mark", "remove"):
        undo(app, on_post(app, held, action, by=mod), by=mod)
    assert held not in entries(bob.get("/").text)
    assert "pills for sale" in mod.get("/admin/held").text
    assert posts_of(app, alice) == 0, "nor is it counted"


def test_what_its_author_deleted_waits_no_more(app: Flask, warden: Member, alice: Member, held: int) -> None:
    read = key(app, held)
    alice.delete(held)
    assert "Nothing waits" in warden.get("/admin/held").text
    assert "Someone was quicker" in approved(warden, read)


def test_a_held_answer_is_not_counted_until_it_is_approved(
    app: Flask, mod: Member, warden: Member, alice: Member, bob: Member, held: int
) -> None:
    post = bob.write("a question")
    answer = alice.write("pills", reply_to=str(post))
    assert answer not in entries(bob.get(f"/@bob/{post}").text)
    approved(warden, key(app, answer))
    assert answer in entries(bob.get(f"/@bob/{post}").text)
    with app.app_context():
        assert list(recount()) == []
        assert db.session.get_one(Post, answer).hidden_until is None


@pytest.mark.parametrize("nonsense", ["", "x", "1:never", "²:", "9" * 30, "1:2026-01-01", ":"])
def test_nonsense_in_the_form_decides_nothing(warden: Member, nonsense: str) -> None:
    assert warden.send("/admin/held", post=nonsense, approve="all").status_code in (303, 422)
    assert warden.send("/admin/held", approve=nonsense).status_code in (303, 422)
