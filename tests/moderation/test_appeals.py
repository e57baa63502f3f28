"""Appeals: once for each decision, in a queue, and answered once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import User
from app.extensions import db
from app.moderation.actions.models import Appeal, ModerationAction
from app.moderation.actions.queries import strikes
from app.moderation.appeals import operations
from app.moderation.appeals.operations import BadAnswer, BadAppeal
from app.moderation.appeals.queries import number_waiting
from app.moderation.dashboard.work import open_work
from app.moderation.log.models import LogEntry
from tests.moderation.acting import on_person, on_post
from tests.people import PASSWORD, Member, entries


@pytest.fixture
def hidden(app: Flask, mod: Member, alice: Member) -> int:
    """A decision about a post of Alice."""
    return on_post(app, alice.write("a joke"), "hide", by=mod)


def test_an_accepted_appeal_undoes_the_decision_and_takes_the_strike_back(
    app: Flask, warden: Member, alice: Member, bob: Member, hidden: int
) -> None:
    assert entries(bob.get("/").text) == []
    assert alice.send(f"/decisions/{hidden}/appeal", text="It was a joke").status_code == 303
    assert "It was a joke" in (queue := warden.get("/admin/appeals").text) and "a joke" in queue
    response = warden.send(f"/admin/appeals/{hidden}", decision="accept", answer="You’re right")
    assert response.status_code == 303
    assert len(entries(bob.get("/").text)) == 1
    assert "No appeals" in warden.get("/admin/appeals").text
    with app.app_context():
        assert strikes(alice.id) == 0
        assert [entry.action for entry in db.session.scalars(select(LogEntry).order_by(LogEntry.id))] == [
            "post.hidden",
            "appeal.accepted",
            "post.restored",
        ]
    assert f'href="/decisions/{hidden}"' in alice.get("/").text, "she is told"
    assert "You’re right" in (page := alice.get(f"/decisions/{hidden}").text) and "accepted" in page


def test_a_declined_appeal_leaves_it_and_says_why(
    app: Flask, warden: Member, alice: Member, bob: Member, hidden: int
) -> None:
    alice.send(f"/decisions/{hidden}/appeal", text="It was a joke")
    response = warden.send(f"/admin/appeals/{hidden}", decision="decline", answer=" ")
    assert response.status_code == 422 and "Say why it stays" in response.text
    assert warden.send(f"/admin/appeals/{hidden}", decision="decline", answer="Not funny").status_code == 303
    assert entries(bob.get("/").text) == []
    assert "Not funny" in (page := alice.get(f"/decisions/{hidden}").text) and "declined" in page
    assert "Send an appeal" not in page


@pytest.mark.parametrize("text", ["", "  ", "x" * 2001])
def test_an_appeal_that_says_nothing_or_too_much_comes_back(alice: Member, hidden: int, text: str) -> None:
    response = alice.send(f"/decisions/{hidden}/appeal", text=text)
    assert response.status_code == 422 and text.strip() in response.text


def test_one_appeal_is_made_however_often_it_is_sent(app: Flask, alice: Member, hidden: int) -> None:
    def appeal(text: str) -> bool:
        with app.app_context():
            action = db.session.get_one(ModerationAction, hidden)
            try:
                operations.appeal(action, text, by=db.session.get_one(User, alice.id))
            except BadAppeal:
                return False
            db.session.commit()
            return True

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(appeal, ("one", "two"))) == [False, True]
    assert alice.send(f"/decisions/{hidden}/appeal", text="three").status_code == 422
    with app.app_context():
        assert db.session.scalars(select(Appeal.text)).one() in ("one", "two")


def test_of_two_moderators_at_once_one_answers(
    app: Flask, mod: Member, warden: Member, alice: Member, hidden: int
) -> None:
    alice.send(f"/decisions/{hidden}/appeal", text="It was a joke")

    def answer(by: Member) -> bool:
        with app.app_context():
            action, acting = db.session.get_one(ModerationAction, hidden), db.session.get_one(User, by.id)
            try:
                if by is mod:
                    operations.accept(action, by=acting)
                else:
                    operations.decline(action, by=acting, answer="no")
            except BadAnswer:
                return False
            db.session.commit()
            return True

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(answer, (mod, warden))) == [False, True]
    with app.app_context():
        made = db.session.scalars(select(Appeal)).one()
        action = db.session.get_one(ModerationAction, hidden)
        assert made.is_accepted == (action.undone_at is not None)
        assert len(db.session.scalars(select(LogEntry).where(LogEntry.action.like("appeal.%"))).all()) == 1


def test_an_appeal_of_somebody_who_is_gone_waits_no_more_and_answering_it_says_why(
    app: Flask, warden: Member, alice: Member, bob: Member, hidden: int
) -> None:
    alice.send(f"/decisions/{hidden}/appeal", text="It was a joke")
    other = on_person(app, bob, "limit", by=warden)
    bob.send(f"/decisions/{other}/appeal", text="Please")
    alice.send("/settings/delete", current_password=PASSWORD)
    queue = warden.get("/admin/appeals").text
    assert "Please" in queue and "It was a joke" not in queue
    with app.app_context():
        [counted] = [work.count for work in open_work(db.session.get_one(User, warden.id)) if work.name == "Appeals"]
        assert number_waiting() == counted == 1
    for decision in ("accept", "decline"):
        answer = warden.send(f"/admin/appeals/{hidden}", decision=decision, answer="typed")
        assert answer.status_code == 422 and "This account has been deleted." in answer.text


def test_what_was_undone_already_needs_no_appeal(app: Flask, mod: Member, alice: Member, hidden: int) -> None:
    with app.app_context():
        post_id = db.session.get_one(ModerationAction, hidden).post_id
    mod.send(f"/admin/posts/{post_id}/actions/{hidden}/undo")
    assert alice.send(f"/decisions/{hidden}/appeal", text="It was a joke").status_code == 422


def test_an_appeal_of_whoever_runs_the_site_is_answered_by_an_admin(
    app: Flask, mod: Member, warden: Member, alice: Member
) -> None:
    done = on_person(app, warden, "limit", by=mod)
    warden.send(f"/decisions/{done}/appeal", text="Please")
    assert warden.send(f"/admin/appeals/{done}", decision="accept").status_code == 403
    assert mod.send(f"/admin/appeals/{done}", decision="accept").status_code == 303
