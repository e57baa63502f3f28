"""What was just done is taken back from its message, and what had left the page is there again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.people import Member
from tests.system.complaints import Complaints
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


def test_its_key_presses_nothing_else(alice: Member, browse: Browse) -> None:
    regretted = alice.write("regretted")
    page = browse(alice)
    page.goto(f"/@alice/{regretted}")
    page.evaluate(
        """() => document.dispatchEvent(new CustomEvent("toast", { detail: {
          sentence: "That wasn’t sent.", way: { words: "Back to it", go: () => document.body.remove() } } }))"""
    )
    expect(page.locator("#toasts").get_by_role("button", name="Back to it")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_role("article")).to_contain_text("regretted")
    open_menu(page, "regretted").get_by_text("Delete this post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.keyboard.press("u")  # also what the page before has left
    page.wait_for_url(f"**/@alice/{regretted}")


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
    expect(page.locator("#toasts")).to_contain_text("You’ve unmuted @alice.")
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
    expect(mark).to_have_attribute("aria-pressed", "false")
    undo(page).click()
    expect(mark).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(mark).to_have_attribute("aria-pressed", "true")

    page.goto("/@alice")
    bob.send("/@alice/volume", volume="no_replies")
    page.get_by_role("button", name="Following @alice: unfollow").click()
    expect(page.locator("#toasts")).to_contain_text("You’ve unfollowed @alice.")
    expect(page.get_by_role("button", name="Follow @alice", exact=True)).to_be_visible()
    undo(page).click()
    expect(page.get_by_role("button", name="Following @alice: unfollow")).to_be_visible()
    page.goto("/@alice/volume")
    expect(page.locator("[name=volume]:checked")).to_have_value("no_replies")


@pytest.mark.parametrize("where", ["profile", "thread"])
def test_a_mute_from_a_menu_is_undone_on_the_pages_that_show_the_author_all_the_same(
    alice: Member, bob: Member, browse: Browse, where: str
) -> None:
    written = alice.write("hello there")
    page = browse(bob)
    page.goto("/@alice" if where == "profile" else f"/@alice/{written}")
    open_menu(page, "hello there").get_by_role("button", name="Mute @alice").click()
    expect(page.locator("#toasts")).to_contain_text("You’ve muted @alice.")
    expect(page.locator(".profile").get_by_role("button", name="Unmute @alice").first).to_be_visible()
    undo(page).click()
    expect(page.locator("#toasts")).to_contain_text("You’ve unmuted @alice.")
    expect(page.locator(".profile").get_by_role("button", name="Unmute @alice").first).to_be_hidden()
    page.goto("/")
    expect(posts(page)).to_have_count(1)


@pytest.mark.parametrize("path", ["/", "/@alice"])
def test_unfollowing_a_private_account_from_a_menu_asks_first_and_is_undone_without_asking_again(
    alice: Member, bob: Member, browse: Browse, path: str
) -> None:
    alice.write("between us")
    alice.close()
    page = browse(bob)
    page.goto(path)
    question = page.get_by_role("dialog", name="Unfollow @alice? Their account is private, so you’d have to ask again.")
    open_menu(page, "between us").get_by_role("button", name="Unfollow @alice").click()
    question.get_by_role("button", name="Cancel").click()
    expect(post(page, "between us")).to_have_count(1)
    open_menu(page, "between us").get_by_role("button", name="Unfollow @alice").click()
    question.get_by_role("button", name="Unfollow").click()
    expect(post(page, "between us")).to_have_count(0)
    expect(page.locator("#toasts")).to_contain_text("You’ve unfollowed @alice.")
    undo(page).click()
    expect(page.get_by_role("status").filter(has_text="You’re now following @alice.")).to_be_visible()
    expect(post(page, "between us")).to_have_count(1)
    page.goto(path)
    expect(post(page, "between us")).to_have_count(1)


def test_unfollowing_a_private_account_on_its_profile_is_undone(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("between us")
    alice.close()
    page = browse(bob)
    page.goto("/@alice")
    page.get_by_role("button", name="Following @alice: unfollow").click()
    page.get_by_role("dialog").get_by_role("button", name="Unfollow").click()
    expect(page.get_by_role("heading", name="This account is private")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(post(page, "between us")).to_have_count(1)


def test_a_cancelled_request_is_undone(alice: Member, carol: Member, browse: Browse) -> None:
    alice.close()
    carol.follow(alice)
    page = browse(carol)
    page.goto("/@alice")
    button = page.locator("[id^=follow-]")
    button.click()
    expect(page.locator("#toasts")).to_contain_text("Request to follow @alice cancelled.")
    expect(button).to_have_text("Ask to follow")
    undo(page).click()
    expect(button).to_have_text("Requested")
    expect(page.locator("#toasts")).to_contain_text("You’ve asked to follow @alice.")


def test_an_unfollowed_tag_is_undone(bob: Member, browse: Browse) -> None:
    bob.send("/tags/river/follow")
    page = browse(bob)
    page.goto("/tags/river")
    page.get_by_role("button", name="Following #river: unfollow").click()
    expect(page.locator("#toasts")).to_contain_text("You’ve unfollowed #river.")
    undo(page).click()
    expect(page.locator("#toasts")).to_contain_text("Posts tagged #river will now appear")
    expect(page.get_by_role("button", name="Following #river: unfollow")).to_have_text("Following")


def test_an_undone_repost_is_reposted_again(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello there")
    page = browse(bob)
    page.goto("/")
    card = post(page, "hello there")
    for words, said in [("Repost", "Reposted."), ("Undo repost", "Repost undone.")]:
        card.locator(".action-repost").click()
        card.get_by_role("button", name=words, exact=True).click()
        expect(page.locator("#toasts")).to_contain_text(said)
    undo(page).click()
    expect(page.locator("#toasts")).to_contain_text("Reposted.")
    expect(card.locator(".action-repost")).to_have_accessible_name("Reposted, 1 so far")


def test_a_removed_bookmark_leaves_its_page_and_comes_back_to_its_place(
    alice: Member, bob: Member, browse: Browse
) -> None:
    for words in ("first", "second", "third"):
        bob.send(f"/posts/{alice.write(words)}/bookmark")
    page = browse(bob)
    page.goto("/bookmarks")
    post(page, "second").get_by_role("button", name="Bookmark").click()
    expect(posts(page)).to_contain_text(["third", "first"])
    undo(page).click()
    expect(posts(page)).to_contain_text(["third", "second", "first"])
    expect(post(page, "second").get_by_role("button", name="Bookmark")).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(posts(page)).to_contain_text(["third", "second", "first"])


def test_a_removed_bookmark_leaves_what_stands_above_the_reply_to_it_and_a_deleted_post_leaves_words(
    bob: Member, browse: Browse
) -> None:
    root = bob.write("what do swans eat")
    for bookmarked in (bob.write("mostly weeds", reply_to=root), root):
        bob.send(f"/posts/{bookmarked}/bookmark")
    page = browse(bob)
    page.goto("/bookmarks")
    above = page.locator(f"[data-context='{root}']")
    page.locator(f"#bookmark-{root}").click()
    expect(posts(page)).to_contain_text(["mostly weeds"])
    expect(above).to_be_visible()
    undo(page).click()
    expect(posts(page)).to_have_count(2)
    page.locator(f"#post-{root} summary[aria-label=Options]").click()
    page.get_by_role("link", name="Delete this post").click()
    page.locator("#confirm").get_by_role("button", name="Delete").click()
    expect(posts(page)).to_contain_text(["mostly weeds"])
    expect(above).to_have_count(0)
    expect(page.get_by_text("This post was deleted.")).to_be_visible()
    undo(page).click()
    expect(above).to_be_visible()
    expect(page.get_by_text("This post was deleted.")).to_have_count(0)


def test_an_undo_that_does_not_arrive_is_offered_again(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("503 /@alice/mute/delete", "net::ERR_INTERNET_DISCONNECTED", "console: htmx:")
    alice.write("hello there")
    page = browse(bob)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    open_menu(page, "hello there").get_by_role("button", name="Mute @alice").click()
    expect(post(page, "hello there")).to_have_count(0)

    def refuse(route: Route) -> None:
        route.fulfill(status=503, content_type="text/plain", body="Not now.")

    page.route("**/mute/delete", refuse)
    undo(page).click()
    expect(page.locator("#toasts")).to_contain_text("Not now.")
    expect(post(page, "hello there")).to_have_count(0)
    page.unroute("**/mute/delete")
    page.context.set_offline(True)
    undo(page).click()
    expect(page.locator("#toasts")).to_contain_text("No connection.")
    expect(post(page, "hello there")).to_have_count(0)
    page.context.set_offline(False)
    undo(page).click()
    expect(page.locator("#toasts")).to_contain_text("You’ve unmuted @alice.")
    expect(post(page, "hello there")).to_have_count(1)


def test_what_another_page_offers_to_undo_goes_in_time(alice: Member, browse: Browse) -> None:
    regretted = alice.write("regretted")
    page = browse(alice)
    page.clock.install()
    page.goto(f"/@alice/{regretted}")
    open_menu(page, "regretted").get_by_text("Delete this post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.clock.fast_forward(11_000)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    expect(page.get_by_text("Post deleted.")).to_be_visible()
