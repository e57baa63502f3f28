"""Writing over a page: the place stays, what was typed stays, and what was sent stands where it belongs."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.accounts.images import image_file
from tests.outbox import drain
from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused


def dialog(page: Page, name: str = "Reply") -> Locator:
    return page.get_by_role("dialog", name=name, exact=True)


def field(page: Page) -> Locator:
    return page.locator("#writing textarea[name=text]")


def card(page: Page, words: str) -> Locator:
    return page.get_by_role("article").filter(has_text=words)


def reply(page: Page, words: str) -> Locator:
    return card(page, words).get_by_role("link", name="Reply", exact=False).first


def scrolled(page: Page) -> float:
    return float(page.evaluate("() => scrollY"))


@pytest.fixture
def diary(app: Flask, alice: Member, bob: Member) -> list[int]:
    """Let Alice write more than fits on a screen; Bob reads it."""
    written = [alice.write(f"page {number:02} of the diary") for number in range(18)]
    drain(app)
    return written


@pytest.mark.parametrize("width", [360, 1280])
def test_a_reply_is_written_over_the_feed_and_the_place_stays(
    diary: list[int], bob: Member, browse: Browse, width: int
) -> None:
    page = browse(bob, width=width)
    page.goto("/")
    card(page, "page 07").scroll_into_view_if_needed()
    before = scrolled(page)
    reply(page, "page 07").click()
    expect(field(page)).to_be_focused()
    expect(dialog(page)).to_contain_text("page 07 of the diary")
    field(page).fill("well said")
    dialog(page).get_by_role("button", name="Reply", exact=True).click()
    expect(dialog(page)).to_be_hidden()
    expect(page.locator("#toasts")).to_contain_text("Reply sent · View")
    expect(card(page, "page 07").get_by_role("link", name="Reply, 1 so far")).to_be_focused()
    assert scrolled(page) == before
    assert page.url.endswith("/")
    page.locator("#toasts").get_by_role("link", name="View").click()
    expect(page.locator("[data-permalink]")).to_contain_text("well said")


def test_every_card_of_the_post_counts_the_reply(app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    post = alice.write("worth it")
    for _ in range(2):
        alice.write("between")
    bob.send(f"/posts/{post}/repost")
    drain(app)
    page = browse(bob)
    page.goto("/")
    page.get_by_role("article").filter(has_text="worth it").first.get_by_role("link", name="Reply").click()
    field(page).fill("indeed")
    page.keyboard.press("Control+Enter")
    for shown in page.get_by_role("article").filter(has_text="worth it").all():
        expect(shown.get_by_role("link", name="Reply, 1 so far")).to_be_visible()


def test_a_refusal_behind_another_reply_counts_its_own_characters(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    alice.write("below")
    alice.write("above")
    page = browse(bob)
    page.goto("/")
    with page.expect_response("**/posts"), requests_paused(page, "**/posts"):
        reply(page, "above").click()
        expect(field(page)).to_be_focused()
        field(page).fill("x" * 507)
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Escape")
        reply(page, "below").click()
        expect(dialog(page)).to_contain_text("below")
        expect(field(page)).to_be_focused()
        field(page).fill("four")
    expect(page.locator("#toasts")).to_contain_text("That wasn’t sent.")
    expect(page.locator("#writing .composer-count").last).to_have_text("496 left")


@pytest.mark.parametrize("way", ["Escape", "outside", "Close"])
def test_closing_keeps_what_was_typed_and_gives_the_focus_back(
    alice: Member, bob: Member, browse: Browse, way: str
) -> None:
    alice.write("below")
    alice.write("above")
    page = browse(bob)
    page.goto("/")
    page.keyboard.press("j")
    page.keyboard.press("r")
    expect(field(page)).to_be_focused()
    page.keyboard.type("half a thou")
    if way == "Escape":
        page.keyboard.press("Escape")
    elif way == "outside":
        page.mouse.click(5, 5)
    else:
        dialog(page).get_by_role("button", name="Close").click()
    expect(dialog(page)).to_be_hidden()
    expect(card(page, "above")).to_be_focused()
    page.keyboard.press("r")
    expect(field(page)).to_have_value("half a thou")
    page.keyboard.type("ght")
    page.reload()
    reply(page, "above").click()
    expect(field(page)).to_have_value("half a thought")
    expect(dialog(page)).to_contain_text("Draft restored")
    page.keyboard.press("Escape")
    reply(page, "below").click()  # another one's draft is another
    expect(field(page)).to_have_value("")


def test_the_focus_stays_inside(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    reply(page, "hello").click()
    expect(field(page)).to_be_focused()
    for _ in range(14):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "() => document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )


def test_q_quotes_over_the_feed_and_the_quote_is_on_top_of_it(
    app: Flask, diary: list[int], bob: Member, browse: Browse
) -> None:
    page = browse(bob)
    page.goto("/")
    for _ in range(6):
        page.keyboard.press("j")
    before = scrolled(page)
    page.keyboard.press("q")
    expect(dialog(page, "Quote")).to_be_visible()
    expect(field(page)).to_be_focused()
    page.keyboard.type("look at this")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("Posted · View")
    expect(page.locator("#list .post").first).to_contain_text("look at this")
    expect(card(page, "page 12").last).to_be_focused()
    assert scrolled(page) > before  # by as much as has come above
    assert bob.feed()[0] == int(page.locator("#list .post").first.get_attribute("data-post") or 0)


def test_n_far_down_the_feed_brings_the_form_of_the_page(diary: list[int], bob: Member, browse: Browse) -> None:
    page = browse(bob)
    page.goto("/")
    page.get_by_label("Write a post").fill("begun above, ")
    card(page, "page 02").scroll_into_view_if_needed()
    card(page, "page 02").focus()
    top = card(page, "page 02").evaluate("(post) => post.getBoundingClientRect().top")
    page.keyboard.press("n")
    expect(dialog(page, "New post")).to_be_visible()
    expect(page.get_by_label("Write a post")).to_be_focused()
    page.keyboard.type("ended below")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Write a post")).to_have_value("begun above, ended below")
    page.keyboard.press("n")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("Posted · View")
    expect(page.locator("#list .post").first).to_contain_text("begun above, ended below")
    expect(page.get_by_label("Write a post")).to_have_value("")
    assert card(page, "page 02").evaluate("(post) => post.getBoundingClientRect().top") == top
    expect(page.locator(".column .composer")).to_have_count(1)


def test_the_tab_for_writing_opens_over_any_page(alice: Member, bob: Member, browse: Browse) -> None:
    page = browse(bob)
    page.goto("/@alice")
    page.get_by_role("link", name="Write", exact=True).click()
    expect(dialog(page, "New post")).to_be_visible()
    field(page).fill("from a profile")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("Posted · View")
    assert page.url.endswith("/@alice")
    expect(page.get_by_role("article")).to_have_count(0)


def test_in_a_conversation_the_reply_stands_below_what_it_answers(alice: Member, bob: Member, browse: Browse) -> None:
    root = alice.write("root")
    first = bob.write("first", reply_to=root)
    bob.write("second", reply_to=root)
    page = browse(alice)
    page.goto(f"/@alice/{root}")
    for words in ("below the first", "and once more"):
        page.locator(f"#post-{first} .action-reply").click()
        field(page).fill(words)
        page.keyboard.press("Control+Enter")
        expect(dialog(page)).to_be_hidden()
    branch = page.locator(f"li.branch:has(> #post-{first})")
    expect(branch.locator(".branches .post")).to_contain_text(["below the first", "and once more"])
    expect(page.locator(f"#post-{first} .action-reply")).to_have_accessible_name("Reply, 2 so far")
    page.reload()
    expect(branch.locator(".branches .post")).to_contain_text(["below the first", "and once more"])


def test_what_is_typed_before_the_form_is_there_is_not_lost(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    with requests_paused(page, "**/compose?*"):
        page.keyboard.press("j")
        page.keyboard.press("r")
        page.keyboard.type("quicker than the net")
        expect(page.locator("#writing textarea")).to_have_value("quicker than the net")
    expect(field(page)).to_have_value("quicker than the net")
    expect(field(page)).to_be_focused()
    page.keyboard.type("work")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("Reply sent")
    expect(card(page, "hello").get_by_role("link", name="Reply, 1 so far")).to_be_visible()


def test_words_begun_for_one_post_are_not_said_to_another(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("the first")
    alice.write("the second")
    page = browse(bob)
    page.goto("/")
    with requests_paused(page, "**/compose?*"):
        reply(page, "the first").click()
        page.locator("#writing textarea").fill("only for the first")
        page.keyboard.press("Escape")
        reply(page, "the second").click()
        expect(page.locator("#writing textarea")).to_have_value("")
    expect(dialog(page)).to_contain_text("the second")
    expect(field(page)).to_have_value("")
    page.keyboard.press("Escape")
    reply(page, "the first").click()
    expect(field(page)).to_have_value("only for the first")


def test_a_link_to_another_site_leads_there_whatever_its_path(alice: Member, browse: Browse) -> None:
    alice.write("see http://other.example/compose?x=1 now")
    page = browse(alice)
    page.goto("/@alice")
    page.evaluate(
        "addEventListener('click', (event) => { window.taken = event.defaultPrevented; event.preventDefault(); })"
    )
    page.locator(".post-text a").click()
    assert page.evaluate("window.taken") is False
    expect(page.locator("#writing")).to_be_hidden()


def test_offline_it_says_so_and_nothing_is_lost(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("net::ERR_INTERNET_DISCONNECTED", "console: htmx:")
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    reply(page, "hello").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("No connection.")
    page.keyboard.type("now it ")
    page.context.set_offline(False)
    dialog(page).get_by_role("button", name="Try again").click()
    expect(field(page)).to_have_value("now it ")
    expect(field(page)).to_be_focused()
    page.keyboard.type("goes")
    page.context.set_offline(True)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("No connection.")
    expect(field(page)).to_have_value("now it goes")
    page.context.set_offline(False)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("Reply sent")


def test_an_error_is_said_in_the_dialog(alice: Member, bob: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("422 /posts", "410 /compose")
    post = alice.write("hello")
    page = browse(bob)
    page.goto("/")
    reply(page, "hello").click()
    dialog(page).get_by_role("button", name="Reply", exact=True).click()
    expect(dialog(page).get_by_role("alert")).to_have_text("Write something first.")
    expect(field(page)).to_be_focused()
    page.reload()
    alice.delete(post)
    reply(page, "hello").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("deleted")
    expect(dialog(page).get_by_role("button", name="Try again")).to_have_count(0)


def test_escape_closes_a_list_in_the_dialog_before_the_dialog(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    reply(page, "hello").click()
    expect(field(page)).to_be_focused()
    audience = dialog(page).locator(".composer-audience")
    audience.locator("summary").click()
    page.keyboard.press("Escape")
    expect(audience).not_to_have_attribute("open", "")
    expect(dialog(page)).to_be_visible()
    audience.locator("summary").click()
    field(page).click()
    expect(audience).not_to_have_attribute("open", "")
    page.keyboard.type("@ali")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    expect(dialog(page)).to_be_visible()


def test_without_javascript_there_is_a_page_for_it(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob, scripts=False)
    page.goto("/explore")
    reply(page, "hello").click()
    expect(page.get_by_role("heading", name="Reply", level=1)).to_be_visible()
    page.get_by_label("Write your reply").fill("plain")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page.locator("[data-permalink]")).to_contain_text("plain")


@pytest.mark.parametrize("is_over", [False, True])
def test_images_without_a_description_are_asked_about_once(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints, is_over: bool
) -> None:
    complaints.expect("422 /posts")
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    if is_over:
        reply(page, "hello").click()
    form = page.locator("#writing .composer" if is_over else ".column .composer")
    form.locator("textarea[name=text]").fill("a picture")
    picture = image_file("JPEG", size=(90, 60)).getvalue()
    form.locator("[type=file]").set_input_files(FilePayload(name="photo.jpg", mimeType="image/jpeg", buffer=picture))
    expect(form.get_by_label("Image description")).to_be_visible()
    form.locator("textarea[name=text]").press("Control+Enter")
    expect(form.get_by_role("alert")).to_contain_text("This image has no description.")
    expect(form.get_by_label("Image description")).to_be_focused()
    form.locator(".button-primary").click()
    expect(form.get_by_label("Image description")).to_have_count(0)
    expect(page.locator("#toasts" if is_over else "#list")).to_contain_text("Reply sent" if is_over else "a picture")
