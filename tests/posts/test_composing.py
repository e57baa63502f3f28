"""What belongs to a post besides its text: who can see it, and what stands in front of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import text

from app.extensions import db
from tests.people import Member, entries


def make_private(app: Flask, who: Member) -> None:
    with app.app_context():
        db.session.execute(text("UPDATE users SET is_private = true WHERE id = :id"), {"id": who.id})
        db.session.commit()


@pytest.mark.parametrize("page", ["/", "/compose"])
def test_a_new_form_is_empty_and_for_everyone(alice: Member, page: str) -> None:
    shown = alice.get(page).text
    assert "></textarea>" in shown
    assert 'value="everyone" checked' in shown
    assert '<details class="composer-warning">' in shown, "what is not needed is not open"


def test_a_post_is_for_those_whom_its_author_chose(alice: Member, bob: Member, carol: Member) -> None:
    answer = alice.send("/posts", fragment=True, text="for @carol alone", audience="mentioned")
    [post] = entries(answer.text)
    assert carol.get(f"/@alice/{post}").status_code == 200
    assert bob.get(f"/@alice/{post}").status_code == 404
    [post] = entries(alice.send("/posts", fragment=True, text="for followers", audience="followers").text)
    assert bob.get(f"/@alice/{post}").status_code == 200
    assert carol.get(f"/@alice/{post}").status_code == 404


@pytest.mark.parametrize("written", ["hello", "hello @nobody_here", "a note to @alice, who is me"])
def test_a_post_for_those_it_mentions_must_mention_somebody(alice: Member, written: str) -> None:
    """A misspelt handle would make a letter to nobody: better asked than posted."""
    answer = alice.send("/posts", text=written, audience="mentioned", warning="private")
    assert answer.status_code == 422
    assert "You haven’t mentioned anyone" in answer.text and written in answer.text
    assert 'value="mentioned" checked' in answer.text and 'value="private"' in answer.text
    assert alice.feed() == []


def test_whoever_is_answered_need_not_be_mentioned_again(alice: Member, bob: Member) -> None:
    [letter] = entries(alice.send("/posts", fragment=True, text="hello @bob", audience="mentioned").text)
    answer = bob.send("/posts", text="hello back", audience="mentioned", reply_to=letter)
    assert answer.status_code == 303


def test_a_letter_to_more_people_than_can_be_meant_is_refused(alice: Member, bob: Member) -> None:
    everybody = " ".join(f"@x{number}" for number in range(50)) + " @bob"
    answer = alice.send("/posts", text=everybody, audience="mentioned")
    assert answer.status_code == 422
    assert "You can mention up to 50 people in a post that only they can see." in answer.text
    assert everybody in answer.text
    assert alice.send("/posts", text=everybody).status_code == 303
    assert alice.send("/posts", text=everybody.removeprefix("@x0 "), audience="mentioned").status_code == 303


def test_nobody_chooses_an_audience_that_there_is_not(alice: Member) -> None:
    answer = alice.send("/posts", text="hello", audience="the moon")
    assert answer.status_code == 422
    assert "Choose who can see this." in answer.text and ">hello</textarea>" in answer.text


def test_a_private_account_is_told_who_everyone_is(app: Flask, alice: Member, bob: Member) -> None:
    make_private(app, alice)
    assert "Public if you ever make your account public" in alice.get("/").text
    assert "Public if you ever make your account public" not in bob.get("/").text


@pytest.mark.parametrize("is_fragment", [True, False])
def test_a_warning_that_is_too_long_is_said_beside_it(alice: Member, is_fragment: bool) -> None:
    answer = alice.send("/posts", fragment=is_fragment, text="hello", warning="w" * 103, audience="followers")
    assert answer.status_code == 422
    assert "This is 3 characters too long. The limit is 100." in answer.text
    assert "w" * 103 in answer.text and ">hello</textarea>" in answer.text
    assert '<details class="composer-warning" open>' in answer.text
    assert 'value="followers" checked' in answer.text


def test_after_posting_the_form_is_for_everyone_again(alice: Member, join: Callable[..., Member]) -> None:
    answer = alice.send("/posts", fragment=True, text="hush", audience="followers", warning="quiet")
    form = answer.text.partition("<article")[0]
    assert 'value="everyone" checked' in form and "quiet" not in form
