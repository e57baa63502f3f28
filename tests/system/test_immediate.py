"""What people press shows at once, and goes back with a sentence if it fails: refused, broken, offline, unanswered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused
from tests.system.test_menu import open_menu

# How a button looked, each time that it changed. What comes and goes is too quick to be looked at.
REMEMBER_LOOKS = """(selector) => {
  const look = () => {
    const { title, className, textContent, ariaPressed, ariaLabel } = document.querySelector(selector);
    return [title, className, textContent, ariaPressed, ariaLabel].join("|");
  };
  window.looks = [look()];
  new MutationObserver(() => window.looks.push(look())).observe(
    document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""


def like(page: Page) -> Locator:
    return page.get_by_role("article").locator(".action-like")


def test_a_like_shows_before_the_server_has_answered(alice: Member, bob: Member, carol: Member, browse: Browse) -> None:
    post = alice.write("hello")
    carol.send(f"/posts/{post}/like")
    page = browse(bob)
    page.goto("/")
    with requests_paused(page, "**/like"):
        like(page).click()
        expect(like(page)).to_have_attribute("aria-pressed", "true")
        expect(like(page)).to_have_text("2")
        expect(like(page)).to_have_accessible_name("Like, 2 so far")
    expect(page.get_by_role("button", name="Like, 2 so far")).to_be_focused()
    expect(page.locator(".htmx-request")).to_have_count(0)
    with requests_paused(page, "**/like/delete"):
        like(page).click()
        expect(like(page)).to_have_attribute("aria-pressed", "false")
        expect(like(page)).to_have_text("1")
    expect(page.get_by_role("button", name="Like, 1 so far")).to_have_attribute("aria-pressed", "false")


def test_a_repost_and_a_follow_show_at_once(alice: Member, carol: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(carol)
    page.goto("/@alice")
    card = page.get_by_role("article")
    with requests_paused(page, "**/repost"):
        card.locator(".action-repost").click()
        card.get_by_role("button", name="Repost", exact=True).click()
        expect(card.locator(".action-repost.is-on")).to_have_text("1")
        expect(card.locator(".menu-items").last).to_be_hidden()
        card.locator(".action-repost").click()
        expect(card.get_by_role("button", name="Undo repost")).to_be_visible()
        page.keyboard.press("Escape")
    expect(page.locator("#toasts")).to_contain_text("Reposted.")
    with requests_paused(page, "**/follow"):
        page.get_by_role("button", name="Follow @alice").click()
        expect(page.locator("[id^=follow-]")).to_have_text("Following")
        expect(page.locator("[id^=follow-]")).to_have_accessible_name("Following @alice: unfollow")
    expect(page.locator("#toasts")).to_contain_text("You’re now following @alice.")
    expect(page.get_by_role("button", name="Following @alice: unfollow")).to_be_visible()


def test_a_request_to_follow_shows_at_once_and_so_does_its_end(alice: Member, carol: Member, browse: Browse) -> None:
    alice.close()
    page = browse(carol)
    page.goto("/@alice")
    button = page.locator("[id^=follow-]")
    with requests_paused(page, "**/follow"):
        button.click()
        expect(button).to_have_text("Requested")
        expect(button).to_have_accessible_name("You’ve asked to follow @alice: cancel request")
    expect(page.locator("#toasts")).to_contain_text("You’ve asked to follow @alice.")
    with requests_paused(page, "**/follow/delete"):
        button.click()
        expect(button).to_have_text("Ask to follow")
        expect(button).to_have_accessible_name("Ask to follow @alice")
    expect(page.locator("#toasts")).to_contain_text("Request to follow @alice cancelled.")


def test_following_a_tag_shows_at_once(carol: Member, browse: Browse) -> None:
    page = browse(carol)
    page.goto("/tags/river")
    with requests_paused(page, "**/tags/river/follow"):
        page.get_by_role("button", name="Follow #river").click()
        expect(page.get_by_role("button", name="Following #river: unfollow")).to_have_text("Following")
    expect(page.locator("#toasts")).to_contain_text("Posts tagged #river will now appear in your home feed.")
    with requests_paused(page, "**/tags/river/follow/delete"):
        page.get_by_role("button", name="Following #river: unfollow").click()
        expect(page.get_by_role("button", name="Follow #river", exact=True)).to_have_text("Follow")
    expect(page.locator("#toasts")).to_contain_text("You’ve unfollowed #river.")


def test_a_follow_from_a_cards_menu_shows_at_once(alice: Member, carol: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(carol)
    page.goto("/@alice")
    menu = page.locator(".post-head details")
    with requests_paused(page, "**/follow"):
        open_menu(page, "hello").get_by_role("button", name="Follow @alice").click()
        expect(menu).not_to_have_attribute("open", "")
        expect(menu.locator("summary")).to_be_focused()
        expect(page.locator("[id^=follow-]")).to_have_text("Following")
        menu.locator("summary").click()
        expect(menu.get_by_role("button", name="Unfollow @alice")).to_be_visible()
        page.keyboard.press("Escape")
    expect(page.locator("#toasts")).to_contain_text("You’re now following @alice.")
    expect(page.get_by_role("button", name="Following @alice: unfollow")).to_be_visible()
    expect(open_menu(page, "hello").get_by_role("button", name="Unfollow @alice")).to_be_visible()


def press_repost(page: Page) -> None:
    page.locator(".action-repost").click()
    page.get_by_role("button", name="Repost", exact=True).click()


def press_follow(page: Page) -> None:
    page.get_by_role("button", name="Following @alice").click()


def press_unfollow_in_the_menu(page: Page) -> None:
    page.locator(".post-head .menu-items").get_by_role("button", name="Unfollow @alice").click()


# On which page what is pressed, and which button shows it.
PRESSED: dict[str, tuple[str, Callable[[Page], None], str]] = {
    "like": ("/@alice", lambda page: page.locator(".action-like").click(), ".action-like"),
    "bookmark": ("/@alice", lambda page: page.locator(".action-bookmark").click(), ".action-bookmark"),
    "repost": ("/@alice", press_repost, ".action-repost"),
    "unfollow": ("/@alice", press_follow, "[id^=follow-]"),
    "unfollow in a menu": ("/@alice", press_unfollow_in_the_menu, "[id^=follow-]"),
    "tag": ("/tags/river", lambda page: page.locator(".tag-follow button").click(), ".tag-follow button"),
}
SENTENCES = {"429": "Not now.", "500": "Not now.", "offline": "No connection.", "hangs": "That took too long."}


@pytest.mark.parametrize("failure", SENTENCES)
@pytest.mark.parametrize("what", PRESSED)
def test_what_fails_goes_back_and_says_why(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints, what: str, failure: str
) -> None:
    path, press, button = PRESSED[what]
    alice.write("hello #river")
    page = browse(bob)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    if "menu" in what:
        open_menu(page, "hello")
        expect(page.get_by_role("button", name="Unfollow @alice")).to_be_visible()
    page.evaluate(REMEMBER_LOOKS, button)
    let_fail(page, failure, complaints)
    press(page)
    expect(page.locator("#toasts")).to_contain_text(SENTENCES[failure])
    expect(page.locator(".htmx-request")).to_have_count(0)
    looks = [look for n, look in enumerate(page.evaluate("looks")) if n == 0 or look != page.evaluate("looks")[n - 1]]
    assert len(looks) > 2, f"it did not show at once: {looks}"
    assert looks[-1] == looks[0], f"it did not go back: {looks}"


def let_fail(page: Page, failure: str, complaints: Complaints) -> None:
    """Let everything fail that is sent from now on."""

    def refuse(route: Route) -> None:
        if failure != "hangs":
            route.fulfill(status=int(failure), content_type="text/plain", body="Not now.")

    if failure == "offline":
        complaints.expect("net::ERR_INTERNET_DISCONNECTED", "console: htmx:")
        page.context.set_offline(True)
        return
    if failure == "hangs":
        complaints.expect("console: htmx:")
        assert 5_000 < page.evaluate("htmx.config.timeout") <= 30_000
        page.evaluate("() => { htmx.config.timeout = 200; }")  # nobody waits that long here
    else:
        complaints.expect(f"{failure} /")
    page.route(lambda url: True, lambda route: refuse(route) if route.request.method == "POST" else route.continue_())


def test_a_page_that_asks_by_itself_and_hears_nothing_says_nothing(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("console: htmx:")
    page = browse(bob)
    page.goto("/explore")
    page.wait_for_load_state("networkidle")
    page.evaluate("() => { htmx.config.timeout = 200; }")
    page.evaluate("() => { addEventListener('htmx:timeout', () => document.body.classList.add('gave-up')); }")
    page.route("**/feed/new*", lambda route: None)
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("body.gave-up")).to_have_count(1)
    expect(page.locator("#toasts")).to_be_empty()
