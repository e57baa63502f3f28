"""What is known to be pointed at is read along with a page: a hint that may be forgotten at any time."""

from __future__ import annotations

import pytest

from app.accounts.models import User
from app.core.database import read_only
from app.extensions import db
from app.posts.cards import pointers
from app.posts.cards.pointers import Pointers
from app.posts.facts import Facts, facts_about
from tests.people import Member
from tests.posts.test_quotes import quote


def facts_of(viewer: Member, *ids: int) -> dict[int, Facts]:
    with viewer.app.app_context(), read_only():
        return facts_about(ids, viewer=db.session.get_one(User, viewer.id))


def quoting(alice: Member, bob: Member) -> tuple[int, int, dict[int, Facts]]:
    """Return a post, a quote of it, and the facts about a post on its own, the quote and a quote of that."""
    post = alice.write("first")
    second = quote(bob, post)
    return post, second, facts_of(alice, alice.write("on its own"), second, quote(alice, second))


def test_what_is_pointed_at_is_asked_for_once_and_not_further_than_two_steps(alice: Member, bob: Member) -> None:
    post, second, facts = quoting(alice, bob)
    _, alone, third = sorted(facts)
    known = Pointers()
    assert known.read_along([alone, third]) == [alone, third], "nothing is known yet"
    known.note(facts.values())
    assert known.read_along([alone]) == [alone]
    assert known.read_along([third, alone]) == [third, alone, second, post]
    assert known.read_along([third, second]) == [third, second, post], "what is there is not asked for again"
    fourth = facts_of(alice, quote(bob, third))
    known.note(fourth.values())
    assert known.read_along([*fourth]) == [*fourth, third, second]


def test_no_more_is_kept_than_the_bound(alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    _, second, facts = quoting(alice, bob)
    monkeypatch.setattr(pointers, "MAX_KEPT_POINTERS", 2)
    known = Pointers()
    known.note(facts.values())
    assert len(known.read_along([second])) == 2
    known.note(facts_of(alice, quote(bob, alice.write("another"))).values())
    assert known.read_along([second]) == [second]
