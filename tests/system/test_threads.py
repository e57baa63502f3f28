"""A conversation in the browser: answer at once and in place, by keyboard, on a phone, without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse


def field(page: Page) -> Locator:
    return page.get_by_label("Write your reply")


def answers(page: Page) -> Locator:
    return page.locator("#list .post")


def test_an_answer_appears_below_the_post_and_is_counted(alice: Member, bob: Member, browse: Browse) -> None:
    root = alice.write("root")
    page = browse(bob)
    page.goto(f"/@alice/{root}")
    expect(page.get_by_text("No replies yet.")).to_be_visible()
    for number, words in enumerate(["first answer", "second answer"], 1):
        field(page).fill(words)
        page.get_by_role("button", name="Reply", exact=True).click()
        expect(answers(page).first).to_contain_text(words)
        expect(page.get_by_role("link", name=f"Reply, {number} so far")).to_be_visible()
    expect(field(page)).to_have_value("")
    expect(field(page)).to_be_focused()
    expect(page.get_by_text("No replies yet.")).to_have_count(0)
    assert page.url.endswith(f"/@alice/{root}")
    page.reload()
    expect(answers(page).first).to_contain_text("first answer")
    expect(answers(page)).to_have_count(2)


def test_an_empty_answer_says_so_and_stays(alice: Member, bob: Member, browse: Browse, complaints: Complaints) -> None:
    root = alice.write("root")
    page = browse(bob)
    complaints.expect("422 /posts")
    page.goto(f"/@alice/{root}")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page.get_by_text("Write something first.")).to_be_visible()
    field(page).fill("better")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(answers(page)).to_have_count(1)


def test_without_javascript_one_comes_back_at_the_answer(alice: Member, bob: Member, browse: Browse) -> None:
    root = alice.write("root")
    page = browse(bob, scripts=False)
    page.goto(f"/@alice/{root}")
    field(page).fill("a plain answer")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page.locator("[data-permalink]")).to_contain_text("a plain answer")
    expect(page.locator(".thread-above")).to_contain_text("root")
    assert "#post-" in page.url
    page.goto("/")
    page.get_by_role("article").last.get_by_role("link", name="Reply").click()
    field(page).fill("another one")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page.locator("[data-permalink]")).to_contain_text("another one")


def test_r_replies_to_the_post_that_the_keyboard_is_at(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("below")
    post = alice.write("above")
    page = browse(bob)
    page.goto("/")
    page.keyboard.press("j")
    page.keyboard.press("r")
    expect(page.get_by_role("dialog", name="Reply")).to_contain_text("above")
    expect(field(page)).to_be_focused()
    page.goto(f"/@alice/{post}")
    page.keyboard.press("r")
    expect(field(page)).to_be_focused()
    page.keyboard.type("typed")
    page.keyboard.press("Control+Enter")
    expect(answers(page).first).to_contain_text("typed")


def test_whoever_opens_an_answer_sees_it_and_not_what_is_far_above(alice: Member, bob: Member, browse: Browse) -> None:
    post = alice.write("root")
    for number in range(9):
        post = (bob, alice)[number % 2].write(f"step {number}", reply_to=post)
    page = browse(alice)
    page.goto(f"/@bob/{post}")
    expect(page.locator("[data-permalink] .post")).to_be_in_viewport()
    expect(page.get_by_text("root", exact=True)).not_to_be_in_viewport()
    page.keyboard.press("r")
    expect(field(page)).to_be_focused()


def test_a_deleted_answer_leaves_its_place_to_what_is_below_it(alice: Member, bob: Member, browse: Browse) -> None:
    root = alice.write("root")
    middle = bob.write("middle", reply_to=root)
    alice.write("leaf", reply_to=middle)
    page = browse(bob)
    page.goto(f"/@alice/{root}")
    page.locator(f"#post-{middle} summary").first.click()
    page.get_by_text("Delete this post").click()
    page.locator("#confirm-yes").click()
    expect(page.get_by_text("This post was deleted.")).to_be_visible()
    expect(answers(page)).to_have_count(1)
    page.reload()
    expect(page.get_by_text("This post was deleted.")).to_be_visible()
    expect(answers(page)).to_have_count(1)


@pytest.mark.parametrize("width", [390, 1280])
def test_more_replies_come_as_one_scrolls(alice: Member, bob: Member, browse: Browse, width: int) -> None:
    root = alice.write("root")
    for number in range(12):
        bob.write(f"number {number}", reply_to=root)
    page = browse(alice, width=width)
    page.goto(f"/@alice/{root}")
    page.get_by_role("link", name="More replies").scroll_into_view_if_needed()
    expect(answers(page)).to_have_count(12)
    expect(answers(page).last).to_contain_text("number 11")


def test_on_a_phone_answers_stand_straight_below_each_other(alice: Member, bob: Member, browse: Browse) -> None:
    root = alice.write("root")
    one = bob.write("one", reply_to=root)
    two = alice.write("two", reply_to=one)
    three = bob.write("three", reply_to=two)
    for width, is_flat in ((390, True), (1280, False)):
        page = browse(alice, width=width)
        page.goto(f"/@alice/{root}")
        left = [(page.locator(f"#post-{post}").bounding_box() or {"x": 0})["x"] for post in (two, three)]
        assert (left[0] == left[1]) == is_flat
        expect(page.locator(f"#post-{three}").get_by_text("Replying to")).to_be_visible(visible=is_flat)
