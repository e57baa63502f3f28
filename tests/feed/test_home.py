"""The home feed keeps its promises. Tests cite the invariants of the design by number."""

from __future__ import annotations

from collections.abc import Callable

from tests.people import Member


def test_F2_paging_gives_every_entry_once_and_newest_first(alice: Member, bob: Member, carol: Member) -> None:
    bob.follow(carol)
    written = [author.write(f"post {n}") for n in range(24) for author in (alice, carol)]
    own = bob.write("mine")
    pages = list(bob.pages("/"))
    assert [len(page) for page in pages] == [20, 20, 9]
    assert [entry for page in pages for entry in page] == [own, *reversed(written)]


def test_F7_own_post_is_on_top_in_the_response_itself(alice: Member) -> None:
    response = alice.send("/posts", fragment=True, text="here at once")
    assert "here at once" in response.text
    assert 'hx-swap-oob="afterbegin:#list"' in response.text
