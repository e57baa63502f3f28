"""Writing a post: at once, once, and nothing that was typed is lost."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused
from tests.system.scene import FAMILY

TOO_LONG = "This is 3 characters too long. The limit is 500."
# By script, because Playwright itself waits for the next page between two clicks.
CLICK_THREE_TIMES = """() => {
  for (const moment of [0, 100, 200]) setTimeout(() => document.querySelector("#composer button").click(), moment);
  setTimeout(() => fetch("/healthz"), 300);  // says that it is done: what was sent before is known by then
}"""


def composer(page: Page) -> Locator:
    return page.get_by_label("Write a post")


def post_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Post", exact=True)


def posts(page: Page) -> Locator:
    return page.get_by_role("feed").get_by_role("article")


def test_F7_new_post_is_on_top_without_a_reload_and_the_form_is_empty_again(alice: Member, browse: Browse) -> None:
    alice.write("older")
    page = browse(alice)
    page.goto("/")
    page.locator("html").evaluate("(html) => html.dataset.same = 'yes'")
    composer(page).fill("newer\n\nand longer")
    post_button(page).click()
    expect(posts(page)).to_contain_text(["newer", "older"])
    expect(page.locator("html")).to_have_attribute("data-same", "yes")
    expect(composer(page)).to_have_value("")
    expect(composer(page)).to_be_focused()
    expect(page.get_by_text("500 left")).to_be_visible()
    page.reload()
    expect(posts(page)).to_contain_text(["newer", "older"])


def test_F7_without_javascript_posting_leads_home_with_the_post_on_top(alice: Member, browse: Browse) -> None:
    alice.write("older")
    page = browse(alice, scripts=False)
    page.goto("/")
    composer(page).fill("newer")
    post_button(page).click()
    expect(posts(page)).to_contain_text(["newer", "older"])
    expect(composer(page)).to_have_value("")
    assert page.url.endswith("/")
    page.reload()  # the answer was a redirect: this does not send the form again
    expect(posts(page)).to_have_count(2)


def test_first_post_takes_the_place_of_the_empty_state(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    expect(page.get_by_text("You’re not following anyone yet")).to_be_visible()
    composer(page).fill("and so it begins")
    post_button(page).click()
    expect(posts(page)).to_contain_text(["and so it begins"])
    expect(page.get_by_text("You’re not following anyone yet")).to_have_count(0)


def test_text_that_is_too_long_stays_in_the_form_with_a_message(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    page = browse(alice)
    page.goto("/")
    composer(page).fill("x" * 503)
    expect(page.get_by_text("3 over", exact=True)).to_be_visible()
    post_button(page).click()
    expect(page.get_by_role("alert")).to_have_text(TOO_LONG)
    expect(composer(page)).to_have_value("x" * 503)
    expect(composer(page)).to_be_focused()
    expect(composer(page)).to_have_accessible_description(f"3 over {TOO_LONG}")
    composer(page).fill("x" * 500)
    post_button(page).click()
    expect(posts(page)).to_have_count(1)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_without_javascript_text_that_is_too_long_stays_in_the_form_with_a_message(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    page = browse(alice, scripts=False)
    page.goto("/")
    composer(page).fill("x" * 503)
    post_button(page).click()
    expect(page.get_by_role("alert")).to_have_text(TOO_LONG)
    expect(composer(page)).to_have_value("x" * 503)
    composer(page).fill("short enough")
    post_button(page).click()
    expect(posts(page)).to_contain_text(["short enough"])


def test_empty_text_is_not_posted(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("422 /posts")
    for scripts in (True, False):
        page = browse(alice, scripts=scripts)
        page.goto("/")
        composer(page).fill("  \n ")
        post_button(page).click()
        expect(page.get_by_role("alert")).to_have_text("Write something first.")
    assert alice.feed() == []


def test_counter_counts_a_family_as_one_character_and_so_does_the_server(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill(FAMILY * 3)
    expect(page.get_by_text("497 left")).to_be_visible()
    composer(page).fill(FAMILY * 499 + "e\u0301")
    expect(page.get_by_text("0 left", exact=True)).to_be_visible()
    post_button(page).click()
    expect(posts(page)).to_have_count(1)


def test_ctrl_enter_posts(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("sent with two keys")
    page.keyboard.press("Control+Enter")
    expect(posts(page)).to_contain_text(["sent with two keys"])


def test_while_a_post_is_sent_nothing_sends_it_again(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    with requests_paused(page, "**/posts") as requests:
        composer(page).fill("only once")
        post_button(page).dblclick()
        expect(post_button(page)).to_be_disabled()
        composer(page).press("Control+Enter")
        assert len(requests) == 1
    expect(posts(page)).to_have_count(1)
    expect(post_button(page)).to_be_enabled()
    expect(composer(page)).to_have_value("")
    assert len(alice.feed()) == 1


def test_while_the_page_for_writing_is_sent_nothing_sends_it_again(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/compose")
    with requests_paused(page, "**/posts") as requests:
        composer(page).fill("only once")
        with page.expect_response("**/healthz"):
            page.evaluate(CLICK_THREE_TIMES)
        assert len(requests) == 1
    expect(posts(page)).to_contain_text(["only once"])
    assert len(alice.feed()) == 1
