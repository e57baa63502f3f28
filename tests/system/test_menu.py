"""The menu of a post: delete, mute, block, follow; with JavaScript in place, without it on pages of its own."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused

QUESTION = "Delete this post? It’ll be gone for everyone right away. You can undo it for 10 seconds."


def posts(page: Page) -> Locator:
    return page.get_by_role("feed").locator("article")


def post(page: Page, words: str) -> Locator:
    return page.locator("article").filter(has_text=words)


def open_menu(page: Page, words: str) -> Locator:
    """Open the menu of the post with these words and return what is in it."""
    post(page, words).locator(".post-head summary").click()
    items = post(page, words).locator(".menu-items")
    expect(items.get_by_text("Copy link")).to_be_visible()
    return items


def open_options(page: Page, words: str) -> Locator:
    """Go the way without JavaScript, over the page of options."""
    post(page, words).locator(".post-head summary").click()
    page.get_by_role("link", name="Options for this post").click()
    return page.locator(".menu-page")


def test_own_post_is_deleted_after_a_question(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("410 /@alice/")
    alice.write("stays below")
    regretted = alice.write("regretted")
    alice.write("stays above")
    page = browse(alice)
    page.goto("/")
    for answer in ("Cancel", "Escape"):
        open_menu(page, "regretted").get_by_text("Delete this post").click()
        dialog = page.get_by_role("dialog", name=QUESTION)
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        dialog.press("Escape") if answer == "Escape" else dialog.get_by_role("button", name=answer).click()
        expect(dialog).to_be_hidden()
        expect(post(page, "regretted").locator(".post-head summary")).to_be_focused()
        expect(posts(page)).to_have_count(3)
    open_menu(page, "regretted").get_by_text("Delete this post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(posts(page)).to_contain_text(["stays above", "stays below"])
    expect(page.get_by_role("status").filter(has_text="Post deleted.")).to_be_visible()
    expect(post(page, "stays below")).to_be_focused()
    page.goto(f"/@alice/{regretted}")
    expect(page.get_by_role("heading", name="Gone")).to_be_visible()
    expect(page.get_by_text("This post was deleted by its author.")).to_be_visible()


def test_post_deleted_on_its_own_page_leads_home(alice: Member, browse: Browse) -> None:
    regretted = alice.write("regretted")
    page = browse(alice)
    page.goto(f"/@alice/{regretted}")
    open_menu(page, "regretted").get_by_text("Delete this post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    expect(page.get_by_text("regretted")).to_have_count(0)


def test_without_javascript_own_post_is_deleted_after_a_page_that_asks(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("410 /@alice/")
    regretted = alice.write("regretted")
    page = browse(alice, scripts=False)
    page.goto("/")
    open_options(page, "regretted").get_by_role("link", name="Delete this post").click()
    page.get_by_role("link", name="Keep it").click()
    expect(page.get_by_text("regretted")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Post deleted.")).to_be_visible()
    expect(posts(page)).to_have_count(0)
    page.goto(f"/@alice/{regretted}")
    expect(page.get_by_role("heading", name="Gone")).to_be_visible()


def test_F3_muting_takes_the_authors_posts_away_at_once_and_settings_bring_them_back(
    alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("first of Alice")
    bob.write("Bob between")
    alice.write("second of Alice")
    page = browse(bob)
    page.goto("/")
    open_menu(page, "second of Alice").get_by_role("button", name="Mute @alice").click()
    expect(posts(page)).to_contain_text(["Bob between"])
    expect(posts(page)).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="You’ve muted @alice.")).to_be_visible()
    expect(post(page, "Bob between")).to_be_focused()
    page.reload()
    expect(posts(page)).to_have_count(1)
    page.goto("/settings/mutes")
    page.get_by_role("main").get_by_role("button", name="Unmute @alice").first.click()
    expect(page.get_by_role("status").filter(has_text="You’ve unmuted @alice.")).to_be_visible()
    page.goto("/")
    expect(posts(page)).to_have_count(3)


def test_F3_blocking_takes_the_authors_posts_away_at_once_and_settings_bring_them_back(
    alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("first of Alice")
    bob.write("Bob between")
    alice.write("second of Alice")
    page = browse(bob)
    page.goto("/explore")
    open_menu(page, "first of Alice").get_by_role("button", name="Block @alice").click()
    page.get_by_role("button", name="Block", exact=True).click()
    expect(posts(page)).to_contain_text(["Bob between"])
    expect(posts(page)).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="You’ve blocked @alice.")).to_be_visible()
    page.reload()
    expect(posts(page)).to_have_count(1)
    page.goto("/settings/blocks")
    page.get_by_role("button", name="Unblock @alice").click()
    expect(page.get_by_text("You haven’t blocked anyone.")).to_be_visible()
    page.goto("/explore")
    expect(posts(page)).to_have_count(3)


def test_muting_and_blocking_on_a_posts_own_page_lead_to_the_profile_that_says_so(
    alice: Member, bob: Member, browse: Browse
) -> None:
    written = alice.write("disliked")
    page = browse(bob)
    page.goto(f"/@alice/{written}")
    open_menu(page, "disliked").get_by_role("button", name="Mute @alice").click()
    expect(page.get_by_role("main").get_by_role("button", name="Unmute @alice").first).to_be_visible()
    page.goto(f"/@alice/{written}")
    open_menu(page, "disliked").get_by_role("button", name="Block @alice").click()
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_role("heading", name="You’ve blocked @alice")).to_be_visible()


def test_without_javascript_muting_and_blocking_lead_to_the_profile_that_says_so(
    alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("disliked")
    page = browse(bob, scripts=False)
    page.goto("/")
    open_options(page, "disliked").get_by_role("button", name="Mute @alice").click()
    expect(page.get_by_role("main").get_by_role("button", name="Unmute @alice").first).to_be_visible()
    page.goto("/")
    expect(posts(page)).to_have_count(0)
    page.goto("/settings/mutes")
    page.get_by_role("main").get_by_role("button", name="Unmute @alice").first.click()
    expect(page.get_by_text("You haven’t muted anyone.")).to_be_visible()
    page.goto("/")
    open_options(page, "disliked").get_by_role("button", name="Block @alice").click()
    expect(page.get_by_role("heading", name="You’ve blocked @alice")).to_be_visible()
    page.goto("/settings/blocks")
    page.get_by_role("button", name="Unblock @alice").click()
    expect(page.get_by_text("You haven’t blocked anyone.")).to_be_visible()


def test_menu_follows_and_unfollows_and_is_never_stale(alice: Member, carol: Member, browse: Browse) -> None:
    alice.write("worth following")
    page = browse(carol)
    page.goto("/explore")
    open_menu(page, "worth following").get_by_role("button", name="Follow @alice").click()
    expect(page.get_by_role("status").filter(has_text="You’re now following @alice.")).to_be_visible()
    expect(post(page, "worth following").locator(".post-head details")).not_to_have_attribute("open", "")
    expect(post(page, "worth following").locator(".post-head summary")).to_be_focused()
    open_menu(page, "worth following").get_by_role("button", name="Unfollow @alice").click()
    expect(page.get_by_role("status").filter(has_text="You’ve unfollowed @alice.")).to_be_visible()
    open_menu(page, "worth following")
    expect(page.get_by_role("button", name="Follow @alice", exact=True)).to_be_visible()


def test_menu_that_is_opened_again_shows_nothing_of_last_time(alice: Member, browse: Browse) -> None:
    written = alice.write("well known")
    page = browse(alice)
    page.goto("/")
    expect(open_menu(page, "well known").get_by_text("Delete this post")).to_be_visible()
    page.keyboard.press("Escape")
    with requests_paused(page, f"**/posts/{written}/menu?*"):
        post(page, "well known").locator(".post-head summary").click()
        expect(page.get_by_role("link", name="Copy link")).to_be_visible()
        expect(page.get_by_text("Delete this post")).to_have_count(0)
    expect(page.get_by_text("Delete this post")).to_be_visible()


def test_menu_of_a_post_on_a_profile_changes_the_button_above(alice: Member, carol: Member, browse: Browse) -> None:
    alice.write("worth following")
    page = browse(carol)
    page.goto("/@alice")
    open_menu(page, "worth following").get_by_role("button", name="Follow @alice").click()
    expect(page.get_by_role("button", name="Following @alice: unfollow")).to_be_visible()
    expect(page.get_by_role("link", name="1 follower")).to_be_visible()


def test_menu_is_whole_though_the_page_asks_for_something_else(alice: Member, carol: Member, browse: Browse) -> None:
    alice.write("worth following")
    page = browse(carol)
    with requests_paused(page, "**/feed/new"):
        page.goto("/@alice")
        open_menu(page, "worth following").get_by_role("button", name="Follow @alice").click()
        expect(page.get_by_role("button", name="Following @alice: unfollow")).to_be_visible()


def test_without_javascript_the_page_of_options_follows_and_unfollows(
    alice: Member, carol: Member, browse: Browse
) -> None:
    alice.write("worth following")
    page = browse(carol, scripts=False)
    page.goto("/explore")
    open_options(page, "worth following").get_by_role("button", name="Follow @alice").click()
    expect(page.get_by_role("heading", name="Post", exact=True)).to_be_visible()
    open_options(page, "worth following").get_by_role("button", name="Unfollow @alice").click()
    open_options(page, "worth following")
    expect(page.get_by_role("button", name="Follow @alice", exact=True)).to_be_visible()


def test_menu_closes_on_escape_on_a_click_elsewhere_and_when_another_opens(alice: Member, browse: Browse) -> None:
    alice.write("lower")
    alice.write("upper")
    page = browse(alice)
    page.goto("/")
    upper, lower = (post(page, words).locator(".post-head details") for words in ("upper", "lower"))
    summary = post(page, "upper").locator(".post-head summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(upper).to_have_attribute("open", "")
    expect(page.get_by_text("Copy link").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(upper.get_by_role("link", name="Copy link")).to_be_focused()
    page.keyboard.press("Escape")
    expect(upper).not_to_have_attribute("open", "")
    expect(summary).to_be_focused()
    open_menu(page, "upper")
    post(page, "lower").locator(".post-head summary").press("Enter")  # the open menu lies above it
    expect(lower).to_have_attribute("open", "")
    expect(upper).not_to_have_attribute("open", "")
    page.get_by_role("heading", name="Home").click()
    expect(lower).not_to_have_attribute("open", "")


def test_link_to_a_post_is_copied(alice: Member, browse: Browse) -> None:
    written = alice.write("worth quoting")
    page = browse(alice, permissions=["clipboard-read", "clipboard-write"])
    page.goto("/")
    open_menu(page, "worth quoting").get_by_text("Copy link").click()
    expect(page.get_by_role("status").filter(has_text="Link copied.")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()").endswith(f"/@alice/{written}")


def test_a_menu_opens_with_what_every_post_allows_and_the_rest_comes_below(
    alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("hello there")
    page = browse(bob, width=390)
    page.goto("/")
    card = post(page, "hello there")
    items = card.locator(".post-head .menu-items")
    with requests_paused(page, "**/menu?*"):
        card.locator(".post-head summary").press("Enter")
        for name in ("Copy link", "Open conversation", "Quote", "Why am I seeing this?"):
            expect(items.get_by_role("link", name=name)).to_be_visible()
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        expect(items.get_by_role("link", name="Open conversation")).to_be_focused()
        places = items.locator("a, button").evaluate_all("all => all.map((each) => each.getBoundingClientRect().top)")
        expect(items.locator(".is-slow .menu-waits").first).to_be_visible()
    expect(items.get_by_role("button", name="Mute @alice")).to_be_visible()
    expect(items.get_by_role("link", name="Open conversation")).to_be_focused()
    now = items.locator("a, button").evaluate_all("all => all.map((each) => each.getBoundingClientRect().top)")
    assert now[: len(places)] == places and len(now) > len(places)
    expect(items.locator(".menu-waits")).to_have_count(0)


@pytest.mark.parametrize("whose", ["alice", "bob"])
def test_a_menu_above_its_button_moves_nothing_either(alice: Member, bob: Member, browse: Browse, whose: str) -> None:
    written = [alice.write(f"number {n}") for n in range(8)]
    page = browse(alice if whose == "alice" else bob, width=390)
    page.goto("/")
    card = page.locator(f"[data-post='{written[2]}']")
    card.evaluate("card => scrollTo(0, scrollY + card.getBoundingClientRect().bottom - innerHeight + 80)")
    items = card.locator(".post-head .menu-items")
    tops = "all => all.slice(0, 5).map((each) => each.getBoundingClientRect().top)"
    with requests_paused(page, "**/menu?*"):
        card.locator(".post-head summary").click()
        expect(items.get_by_text("Copy link")).to_be_visible()
        places = items.locator("a, button").evaluate_all(tops)
        assert places[0] < card.locator(".post-head summary").evaluate("summary => summary.getBoundingClientRect().top")
    expect(items.get_by_text("Mute this conversation")).to_be_visible()
    assert items.locator("a, button").evaluate_all(tops) == places


def test_a_menu_offers_offline_what_needs_no_server(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("net::ERR_INTERNET_DISCONNECTED", "console: htmx:")
    written = alice.write("hello there")
    page = browse(bob, permissions=["clipboard-read", "clipboard-write"])
    page.goto("/")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    items = open_menu(page, "hello there")
    expect(items.get_by_role("link", name="Options for this post")).to_be_visible()
    items.get_by_role("link", name="Copy link").click()
    assert page.evaluate("() => navigator.clipboard.readText()").endswith(f"/@alice/{written}")


def test_a_menu_bookmarks_opens_and_quotes(alice: Member, bob: Member, browse: Browse) -> None:
    written = alice.write("hello there")
    page = browse(bob)
    page.goto("/")
    mark = post(page, "hello there").locator(".action-bookmark")
    open_menu(page, "hello there").get_by_role("button", name="Bookmark", exact=True).click()
    expect(mark).to_have_attribute("aria-pressed", "true")
    open_menu(page, "hello there").get_by_role("button", name="Remove bookmark").click()
    expect(page.locator("#toasts")).to_contain_text("Bookmark removed.")
    expect(mark).to_have_attribute("aria-pressed", "false")
    open_menu(page, "hello there").get_by_role("link", name="Quote").click()
    expect(page.get_by_role("dialog", name="Quote")).to_be_visible()
    page.keyboard.press("Escape")
    open_menu(page, "hello there").get_by_role("link", name="Open conversation").click()
    page.wait_for_url(f"**/@alice/{written}")
    expect(open_menu(page, "hello there").get_by_role("link", name="Open conversation")).to_have_count(0)
