"""Who sees a post that is not for everyone, or not of an account for everyone: exactly those whom it is for."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import text

from app.extensions import db
from tests.people import Member


def sees(who: Member, post_id: int, *, by: Member) -> bool:
    """Say whether somebody finds a post on its page, on its author's page and among the latest, the same on each."""
    found = {
        who.get(f"/@{by.handle}/{post_id}").status_code == 200,
        post_id in who.feed(f"/@{by.handle}"),
        post_id in who.feed("/explore"),
    }
    assert len(found) == 1, found
    return found.pop()


@pytest.fixture
def others(alice: Member, bob: Member, carol: Member) -> None:
    """Carol, too, follows somebody and is mentioned somewhere: just not by Alice."""
    carol.follow(bob)
    bob.write("@carol, look at this")


def test_a_post_for_followers_is_seen_by_followers(
    alice: Member, bob: Member, carol: Member, stranger: Member, others: None
) -> None:
    post_id = alice.write("for those who follow me", audience="followers")
    assert sees(alice, post_id, by=alice) and sees(bob, post_id, by=alice)
    assert not sees(carol, post_id, by=alice) and not sees(stranger, post_id, by=alice)


def test_a_post_for_those_mentioned_is_seen_by_them(
    alice: Member, bob: Member, carol: Member, stranger: Member, others: None
) -> None:
    post_id = alice.write("only for you, @bob", audience="mentioned")
    assert sees(alice, post_id, by=alice) and sees(bob, post_id, by=alice)
    assert not sees(carol, post_id, by=alice) and not sees(stranger, post_id, by=alice)


def test_what_a_private_account_writes_is_seen_by_its_followers(
    app: Flask, alice: Member, bob: Member, carol: Member, stranger: Member, others: None
) -> None:
    post_id = alice.write("among ourselves")
    with app.app_context():
        db.session.execute(text("UPDATE users SET is_private = true WHERE id = :id"), {"id": alice.id})
        db.session.commit()
    assert sees(alice, post_id, by=alice) and sees(bob, post_id, by=alice)
    assert not sees(carol, post_id, by=alice) and not sees(stranger, post_id, by=alice)


def test_whoever_saw_a_letter_is_told_that_it_is_gone(alice: Member, bob: Member, carol: Member) -> None:
    post_id = alice.write("only for you, @bob, about #tea", audience="mentioned")
    alice.delete(post_id)
    assert bob.get(f"/@alice/{post_id}").status_code == 410
    assert carol.get(f"/@alice/{post_id}").status_code == 404


@pytest.mark.parametrize(
    ("audience", "is_private", "suggested"),
    [
        ("everyone", False, "everyone"),
        ("everyone", True, "followers"),
        ("followers", False, "followers"),
        ("mentioned", True, "mentioned"),
    ],
)
def test_an_answer_is_suggested_for_no_more_people_than_the_post(
    alice: Member, bob: Member, audience: str, is_private: bool, suggested: str
) -> None:
    if is_private:
        alice.close()
    post_id = alice.write("what do you say, @bob?", audience=audience)
    for page in (f"/compose?reply_to={post_id}", f"/@alice/{post_id}"):
        assert f'name="audience" value="{suggested}" checked' in bob.get(page).text
