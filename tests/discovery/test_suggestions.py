"""While somebody types into the search field, people and tags are offered that they may see."""

from __future__ import annotations

import pytest

from tests.people import Member


def offered(who: Member, typed: str) -> str:
    response = who.client.get("/search/suggestions", query_string={"q": typed})
    assert response.status_code == 200
    return response.text


def test_one_word_is_taken_for_a_person_and_for_a_tag(alice: Member, bob: Member) -> None:
    alice.write("#alicante")
    both = offered(bob, "ali")
    assert 'href="/@alice"' in both and 'href="/tags/alicante"' in both
    assert "/tags/" not in offered(bob, "@ali") and "/@alice" in offered(bob, "@ali")
    assert "/@alice" not in offered(bob, "#ali") and "/tags/alicante" in offered(bob, "#ali")


@pytest.mark.parametrize("typed", ["", "@", "#", " ", "two words", '"ali', "from:@ali", "a" * 5000, "%", "\\", "ali\n"])
def test_nothing_else_is_offered_anything(alice: Member, bob: Member, typed: str) -> None:
    assert "<a" not in offered(bob, typed)


def test_nobody_is_offered_who_must_not_be_met(alice: Member, mallory: Member) -> None:
    alice.write("#alicante")
    assert "<a" not in offered(mallory, "ali")


def test_a_stranger_is_offered_what_a_search_would_show_them(alice: Member, bob: Member, stranger: Member) -> None:
    alice.write("#alicante")
    alice.write("#alimony", audience="followers")
    bob.write("#alibi")
    bob.close()
    found = offered(stranger, "ali")
    assert 'href="/@alice"' in found and 'href="/tags/alicante"' in found
    assert "alimony" not in found and "alibi" not in found
    assert 'href="/@bob"' in offered(stranger, "@bo"), (
        "their profile says that they are private, as it does in a search"
    )


@pytest.mark.parametrize("typed", ["", "@", "#", "two words"])
def test_a_stranger_who_has_typed_nothing_is_offered_nothing(alice: Member, stranger: Member, typed: str) -> None:
    assert "<a" not in offered(stranger, typed)
