"""Conversations in one piece, in a real browser: joined, opened, walked through by keys, and left by what is gone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.reading import left_off, open_home, pill, posts, shown, wait_for_question


def talk(page: Page) -> Locator:
    return page.locator("#list .talk")


def context(page: Page) -> Locator:
    return page.locator("[data-context]")


@pytest.fixture
def conversation(bob: Member, carol: Member, mod: Member) -> list[int]:
    """A question that Bob does not follow, an answer of Carol's, and what they went on to say."""
    bob.follow(carol)
    root = mod.write("Where do swans sleep?")
    answer = carol.write("On the water", reply_to=root)
    return [root, answer, bob.write("All night?", reply_to=answer), carol.write("All night", reply_to=answer)]


@pytest.mark.parametrize("scripts", [True, False])
def test_what_is_answered_stands_above_and_leads_there(
    conversation: list[int], bob: Member, browse: Browse, scripts: bool
) -> None:
    root, _, *read = conversation
    page = browse(bob, scripts=scripts)
    page.goto("/")
    expect(talk(page)).to_have_count(1)
    assert shown(page) == read
    above = context(page).first
    expect(above).to_contain_text("Where do swans sleep?")
    box, first = above.bounding_box(), posts(page).first.bounding_box()
    assert box and first and box["y"] + box["height"] <= first["y"] + 1 and box["height"] < 80
    above.click()
    expect(page).to_have_url(re.compile(rf"/@maud/{root}$"))


def test_a_long_text_above_is_cut_after_two_lines(alice: Member, bob: Member, mod: Member, browse: Browse) -> None:
    root = mod.write("swans " * 80)
    bob.write("indeed", reply_to=root)
    page = browse(bob)
    page.goto("/")
    words = page.locator(".context-words")
    assert (
        words.evaluate("(words) => Math.round(words.clientHeight / parseFloat(getComputedStyle(words).lineHeight))")
        == 2
    )


def test_keys_walk_from_post_to_post(conversation: list[int], bob: Member, carol: Member, browse: Browse) -> None:
    other = carol.write("something else")
    page = browse(bob)
    page.goto("/")
    for entry in (other, *conversation[2:]):
        page.keyboard.press("j")
        expect(page.locator(f"[data-entry='{entry}']")).to_be_focused()


def test_a_post_that_is_deleted_leaves_the_item_and_an_empty_item_the_page(
    conversation: list[int], bob: Member, carol: Member, browse: Browse
) -> None:
    page = browse(bob)
    page.goto("/")
    for left in ("own", "muted"):
        post = posts(page).last if left == "own" else posts(page).first
        if left == "own":
            post = page.locator(f"[data-entry='{conversation[2]}']")
        post.locator("summary[aria-label=Options]").click()
        if left == "own":
            page.get_by_role("link", name="Delete this post").click()
            page.locator("#confirm").get_by_role("button", name="Delete").click()
            expect(posts(page)).to_have_count(1)
            expect(talk(page)).to_be_visible()
        else:
            page.get_by_role("button", name="Mute @carol").click()
            expect(posts(page)).to_have_count(0)
            expect(talk(page)).to_be_hidden()


def test_the_pill_brings_a_conversation_above_the_line(
    conversation: list[int], bob: Member, carol: Member, browse: Browse
) -> None:
    bob.get("/")
    page = open_home(browse, bob)
    expect(left_off(page)).to_have_text(["You’re all caught up"])
    new = carol.write("And they dream", reply_to=conversation[1])
    wait_for_question(page)
    pill(page).click()
    expect(talk(page)).to_have_count(2)
    assert shown(page) == [new, *conversation[2:]]
    expect(left_off(page)).to_have_text(["You left off here"])
