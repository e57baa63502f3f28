"""A content warning is shown instead of what a post says, wherever it is shown."""

from __future__ import annotations

import re

import pytest

from tests.people import Member, entries


def warned(who: Member, text: str = "the butler did it", warning: str = "the end of the book") -> int:
    answer = who.send("/posts", fragment=True, text=text, warning=warning)
    assert answer.status_code == 200, answer.text
    return entries(answer.text)[0]


def open_parts(html: str) -> str:
    """Return a page without what is collapsed."""
    without = re.sub(r"<details class=\"post-collapsed\">.*?</summary>(.*?)</details>", "", html, flags=re.DOTALL)
    assert without != html, "nothing is collapsed"
    return without


@pytest.mark.parametrize(
    "page", ["/", "/@alice", "/explore", "/@alice/{post}", "/bookmarks", "/compose?reply_to={post}"]
)
def test_the_text_is_behind_the_warning_on_every_page(alice: Member, bob: Member, page: str) -> None:
    post = warned(alice)
    bob.send(f"/posts/{post}/bookmark")
    shown = bob.get(page.format(post=post)).text
    assert "the butler did it" in shown and "the end of the book" in shown
    assert "butler" not in open_parts(shown), "neither in the title nor in a description for other sites"


def test_the_warning_alone_describes_the_card(alice: Member) -> None:
    post = warned(alice)
    page = alice.get("/").text
    described = re.search(r'<article[^>]*aria-describedby="([^"]+)"', page)
    assert described
    words = re.search(rf'<span[^>]*id="{described[1]}"[^>]*>([^<]*)</span>', page)
    assert words and words[1] == "the end of the book"
    plain = alice.write("nothing to warn of")
    assert f'aria-describedby="text-{plain}"' in alice.get("/").text
    assert post


def test_a_warning_is_one_line_and_harmless(alice: Member) -> None:
    warned(alice, warning=" <b>bold</b>\n  and   wide ")
    assert "&lt;b&gt;bold&lt;/b&gt; and wide" in alice.get("/").text


@pytest.mark.parametrize("warning", ["", "   ", "\u200b"])
def test_a_warning_of_nothing_is_none(alice: Member, warning: str) -> None:
    warned(alice, warning=warning)
    assert '<details class="post-collapsed"' not in alice.get("/").text


def test_a_warning_is_a_hundred_characters_as_people_count(alice: Member) -> None:
    assert warned(alice, warning="👨‍👩‍👧‍👦" * 100)
    assert alice.send("/posts", text="x", warning="w" * 101).status_code == 422
