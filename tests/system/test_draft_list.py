"""The list of drafts: what was begun is found again, with what it answers, and marked where it was begun."""

from __future__ import annotations

from flask import Flask
from playwright.sync_api import Locator, Page, expect

from app.posts.writing.routes import MAX_DRAFTS
from tests.people import Member
from tests.system.conftest import Browse
from tests.system.test_scrolling import write_many
from tests.system.test_writing import card, dialog, field, reply


def items(page: Page) -> Locator:
    return page.locator("#drafts > li")


def begin(page: Page, words: str, text: str) -> None:
    """Begin a reply over the page and leave it."""
    reply(page, words).click()
    expect(field(page)).to_be_focused()
    field(page).fill(text)
    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_hidden()


def test_the_list_has_every_draft_with_what_it_answers(alice: Member, bob: Member, browse: Browse) -> None:
    own = bob.write("of Bob's")
    alice.write("first thing")
    alice.write("second thing")
    page = browse(bob)
    page.goto("/")
    page.get_by_label("Write a post").fill("a new post")
    begin(page, "first thing", "about the first")
    begin(page, "second thing", "about the second")
    page.goto(f"/posts/{own}/edit")
    page.get_by_label("Edit your post").fill("of Bob's, changed")
    page.goto("/")
    expect(
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Drafts").locator(".badge")
    ).to_have_text("4")
    page.get_by_role("link", name="Drafts").first.click()
    expect(items(page).locator(".draft-text")).to_have_text(
        ["of Bob's, changed", "about the second", "about the first", "a new post"]
    )
    expect(items(page).nth(1)).to_contain_text("second thing")
    expect(items(page).nth(2)).to_contain_text("first thing")
    items(page).nth(2).get_by_role("link", name="Continue").click()
    expect(field(page)).to_have_value("about the first")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("Reply sent")
    expect(items(page)).to_have_count(3)


def test_a_card_says_that_a_reply_to_it_is_half_written(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("below")
    alice.write("above")
    page = browse(bob)
    page.goto("/")
    begin(page, "above", "half a thou")
    for _ in range(2):
        expect(card(page, "above").locator(".action-reply")).to_have_accessible_name("Reply, draft kept")
        expect(card(page, "below").locator(".action-reply")).to_have_accessible_name("Reply")
        page.reload()
    reply(page, "above").click()
    expect(field(page)).to_be_focused()
    field(page).fill("")
    page.keyboard.press("Escape")
    expect(card(page, "above").locator(".action-reply")).to_have_accessible_name("Reply")


def test_a_draft_is_discarded_and_that_undone(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    page.get_by_label("Write a post").fill("perhaps not")
    page.goto("/drafts")
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(items(page)).to_contain_text(["perhaps not"])
    page.get_by_role("button", name="Discard").click()
    page.reload()
    expect(page.get_by_text("No drafts.")).to_be_visible()
    page.goto("/")
    expect(page.get_by_label("Write a post")).to_have_value("")


def test_a_draft_about_a_post_that_is_gone_can_be_copied(alice: Member, bob: Member, browse: Browse) -> None:
    post = alice.write("soon gone")
    page = browse(bob)
    page.goto("/")
    begin(page, "soon gone", "words worth keeping")
    alice.delete(post)
    page.goto("/drafts")
    expect(items(page)).to_contain_text(["words worth keeping"])
    expect(items(page)).to_contain_text(["What it’s about is gone"])
    expect(items(page).get_by_role("link", name="Continue")).to_have_count(0)


def test_of_more_drafts_than_are_asked_about_at_once_none_is_taken_for_gone(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    posts = write_many(app, alice, MAX_DRAFTS + 2)
    page = browse(bob)
    page.goto("/")
    reply_button = page.locator(f"#post-{posts[0]} .action-reply")
    reply_button.click()
    expect(field(page)).to_be_focused()
    field(page).fill("begun")
    page.keyboard.press("Escape")
    page.evaluate(
        """(posts) => {
          const key = Object.keys(localStorage).find((each) => each.includes("reply-"));
          for (const post of posts) localStorage[key.replace(/reply-\\d+/, `reply-${post}`)] = localStorage[key];
        }""",
        posts,
    )
    page.goto("/drafts")
    expect(items(page).locator(".draft-about > *")).to_have_count(len(posts))
    expect(items(page).get_by_role("link", name="Continue")).to_have_count(len(posts))


def test_without_javascript_the_page_says_that_nothing_is_kept(alice: Member, browse: Browse) -> None:
    page = browse(alice, scripts=False)
    page.goto("/drafts")
    expect(page.get_by_text("Without JavaScript nothing is kept while you write.")).to_be_visible()
