"""Why am I seeing this? Asked about what is undone while the answer is being made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask

from tests.people import Member, entries
from tests.sql import _before_each, right_before
from tests.threads import at_once

FACTS = "AS follows_answered"


@contextmanager
def before_facts(number: int, act: Callable[[], object]) -> Iterator[None]:
    """Let somebody else act when facts are about to be read, this time of several."""
    left = [act, *[None] * (number - 1)]

    def act_then(statement: str) -> None:
        if FACTS in statement and left and (now := left.pop()):
            at_once(now)

    with _before_each(act_then):
        yield
    assert not left


# The card is made of the facts about the repost and its post, at once; then the clauses ask for one after the other.
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_repost_that_is_undone_meanwhile_is_gone(app: Flask, alice: Member, bob: Member, number: int) -> None:
    post = alice.write("hello")
    assert bob.send(f"/posts/{post}/repost").status_code == 303
    entry = entries(bob.get("/@bob").text)[0]

    def undo() -> None:
        assert Member(app, bob.id, "bob").send(f"/posts/{post}/repost/delete").status_code == 303

    with before_facts(number, undo):
        answer = bob.get(f"/posts/{entry}/why")
    assert answer.status_code == (200 if number == 3 else 410)


def test_a_mute_that_ends_meanwhile_does_no_harm(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    bob.mute(alice)
    with right_before("mutes.until", lambda: Member(app, bob.id, "bob").unmute(alice)):
        assert bob.get(f"/posts/{post}/why").status_code == 200
