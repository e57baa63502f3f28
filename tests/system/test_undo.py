"""What was just done is taken back from its message, and what had left the page is there again."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.test_menu import open_menu, post, posts


def undo(page: Page) -> Locator:
    return page.locator("#toasts").get_by_role("button", name="Undo")


def test_a_deleted_post_comes_back_to_its_place(alice: Member, browse: Browse) -> None:
    for words in ("below", "regretted", "above"):
        alice.write(words)
    page = browse(alice)
    page.goto("/")
    open_menu(page, "regretted").get_by_text("Delete this post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(posts(page)).to_have_count(2)
    undo(page).click()
    expect(posts(page)).to_contain_text(["above", "regretted", "below"])
    expect(page.locator("#toasts")).to_have_text("Post restored.")
    page.reload()
    expect(posts(page)).to_contain_text(["above", "regretted", "below"])


def test_a_post_deleted_on_its_own_page_comes_back_from_the_next_one(alice: Member, browse: Browse) -> None:
    regretted = alice.write("regretted")
    page = browse(alice)
    page.goto(f"/@alice/{regretted}")
    open_menu(page, "regretted").get_by_text("Delete this post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Post deleted.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(f"**/@alice/{regretted}")
    expect(page.get_by_role("article")).to_contain_text("regretted")


def test_without_javascript_too(alice: Member, browse: Browse) -> None:
    alice.write("regretted")
    page = browse(alice, scripts=False)
    page.goto("/")
    post(page, "regretted").locator(".post-head summary").click()
    page.get_by_role("link", name="Options for this post").click()
    page.get_by_role("link", name="Delete this post").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("article")).to_contain_text("regretted")


def test_muting_is_undone_and_the_posts_are_back_where_they_were(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("first of Alice")
    bob.write("Bob between")
    alice.write("second of Alice")
    page = browse(bob)
    page.goto("/")
    open_menu(page, "second of Alice").get_by_role("button", name="Mute @alice").click()
    expect(posts(page)).to_have_count(1)
    page.keyboard.press("u")
    expect(posts(page)).to_contain_text(["second of Alice", "Bob between", "first of Alice"])
    expect(page.locator("#toasts")).to_have_text("You’ve unmuted @alice.")
    page.reload()
    expect(posts(page)).to_have_count(3)


def test_a_muted_conversation_a_repost_a_bookmark_and_an_unfollow_are_undone(
    alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("hello there")
    page = browse(bob)
    page.goto("/")
    card = post(page, "hello there")
    open_menu(page, "hello there").get_by_role("button", name="Mute this conversation").click()
    expect(card).to_have_count(0)
    undo(page).click()
    expect(card).to_have_count(1)

    card.locator(".action-repost").click()
    card.get_by_role("button", name="Repost", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("Reposted.")
    undo(page).click()
    expect(card.locator(".action-repost")).to_have_accessible_name("Repost")

    mark = card.get_by_role("button", name="Bookmark")
    with page.expect_response("**/bookmark"):
        mark.click()
    expect(page.locator(".htmx-request")).to_have_count(0)
    mark.click()
    expect(page.locator("#toasts")).to_contain_text("Bookmark removed.")
    undo(page).click()
    expect(mark).to_have_attribute("aria-pressed", "true")

    page.goto("/@alice")
    bob.send("/@alice/volume", volume="no_replies")
    page.get_by_role("button", name="Following @alice: unfollow").click()
    undo(page).click()
    expect(page.get_by_role("button", name="Following @alice: unfollow")).to_be_visible()
    page.goto("/@alice/volume")
    expect(page.locator("[name=volume]:checked")).to_have_value("no_replies")
