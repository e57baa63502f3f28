"""What takes more than a moment is seen to wait, in the shape of what will come; what is quick does not flash."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused
from tests.system.test_draft_list import begin
from tests.system.test_menu import open_menu
from tests.system.test_viewer import write

SHAPES = ".skeleton, .skeleton-post, .menu-rest.is-slow, .viewer-stage[aria-busy]"
REMEMBER_SHAPES = """(shapes) => {
  window.flashes = 0;
  new MutationObserver(() => { flashes += document.querySelectorAll(shapes).length; }).observe(
    document.body, { subtree: true, childList: true, attributes: true });
}"""


@contextmanager
def clock_stopped(page: Page) -> Iterator[None]:
    """Let no timer run out meanwhile: whatever comes comes at once."""
    page.evaluate(REMEMBER_SHAPES, SHAPES)
    page.evaluate(
        "() => { window.after = setTimeout; window.setTimeout = (act, time) => after(act, time > 100 ? 1e6 : time); }"
    )
    yield
    assert page.evaluate("flashes") == 0


@pytest.mark.parametrize(
    ("item", "address", "dialog"),
    [
        ("Why am I seeing this?", "**/why?*", "#why"),
        ("Mute for a while", "**/mute", "#sheet"),
    ],
)
def test_a_dialog_opens_before_its_words_are_there(
    alice: Member, bob: Member, browse: Browse, item: str, address: str, dialog: str
) -> None:
    alice.write("hello there")
    page = browse(bob)
    page.goto("/")
    opened = page.locator(f"{dialog}[open]")
    items = open_menu(page, "hello there")
    with requests_paused(page, address):
        items.get_by_role("link", name=item).click()
        expect(opened.locator(".skeleton")).to_be_visible()
    expect(opened.locator(".skeleton")).to_have_count(0)
    expect(opened).to_contain_text("You’ve followed @alice" if dialog == "#why" else "How long")
    page.keyboard.press("Escape")
    items = open_menu(page, "hello there")
    with page.expect_response(address), requests_paused(page, address):
        items.get_by_role("link", name=item).click()
        expect(opened.locator(".skeleton")).to_be_visible()
        page.keyboard.press("Escape")
        expect(opened).to_have_count(0)
    expect(page.locator(".htmx-request")).to_have_count(0)
    expect(opened).to_have_count(0)  # who has closed it does not want it any more
    items = open_menu(page, "hello there")
    with clock_stopped(page):
        items.get_by_role("link", name=item).click()
        expect(opened).to_be_visible()


def test_the_next_page_of_a_list_is_seen_to_come(alice: Member, bob: Member, browse: Browse) -> None:
    for number in range(45):
        alice.write(f"number {number}")
    page = browse(bob)
    page.goto("/@alice")
    with requests_paused(page, "**/@alice?*"):
        page.locator("[rel=next]").scroll_into_view_if_needed()
        expect(page.locator(".skeleton-post").first).to_be_visible()
    expect(page.locator(".skeleton-post")).to_have_count(0)
    expect(page.locator("[data-entry]").nth(25)).to_be_attached()
    with clock_stopped(page):
        page.locator("[rel=next]").click()
        expect(page.locator("[data-entry]").nth(44)).to_be_attached()


def test_what_is_newer_than_a_page_is_seen_to_come_and_moves_nothing(
    alice: Member, bob: Member, browse: Browse
) -> None:
    written = [alice.write(f"number {number}") for number in range(30)]
    page = browse(bob)
    page.goto(f"/feed?near={written[3]}")
    first = page.locator("[data-entry]").first
    first.wait_for()
    top = "(post) => post.getBoundingClientRect().top"
    with requests_paused(page, "**/feed?*"):
        page.locator("a[rel=prev]").evaluate("(link) => link.click()")
        before = first.evaluate(top)
        expect(page.locator("#prev .skeleton-post")).to_be_attached()
        assert first.evaluate(top) == before
    expect(page.locator(".skeleton-post")).to_have_count(0)
    expect(page.locator("[data-entry]")).to_have_count(30)


def test_what_drafts_answer_is_seen_to_come(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello there")
    page = browse(bob)
    page.goto("/")
    begin(page, "hello there", "half a thou")
    page.goto("/drafts")
    about = page.locator(".draft-about")
    expect(about).to_contain_text("hello there")
    with requests_paused(page, "**/drafts?*"):
        page.evaluate("() => document.dispatchEvent(new CustomEvent('drafts-changed', { detail: {} }))")
        expect(about.locator(".skeleton")).to_be_visible()
    expect(about).to_contain_text("hello there")
    expect(page.locator(".skeleton")).to_have_count(0)


# Noted by the page itself: whoever looks at it from outside waits for the one that is asked for.
NOTE_SHAPE = """() => {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(".skeleton-post")) return;
    observer.disconnect();
    const tab = document.querySelector(".switch [aria-current]")?.textContent ?? "";
    const seen = document.querySelector("main [data-entry]")?.checkVisibility() ?? false;
    sessionStorage.shape = JSON.stringify([tab, seen]);
    fetch("/healthz?seen");
  });
  observer.observe(document.body, { childList: true, subtree: true });
}"""


def wait_for_shape(page: Page, address: str) -> None:
    """Keep a page from coming until its shape is seen."""
    routes: list[Route] = []
    is_seen = False

    def pause(route: Route) -> None:
        if is_seen:
            route.continue_()
        else:
            routes.append(route)

    def go_on(route: Route) -> None:
        nonlocal is_seen
        is_seen = True
        route.fulfill(status=204)
        for each in routes:
            each.continue_()

    page.evaluate(NOTE_SHAPE)
    page.route(address, pause)
    page.route("**/healthz?seen", go_on)


def shape_of(page: Page) -> list[object]:
    """Return which tab was the current one while its shape was seen, and whether the posts before were."""
    shape: list[object] = page.evaluate("JSON.parse(sessionStorage.shape)")
    return shape


def test_another_tab_shows_its_shape_and_the_one_before_comes_back_with_back(
    alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("hello there")
    page = browse(bob)
    page.goto("/@alice")
    wait_for_shape(page, "**/@alice/replies")
    page.get_by_role("link", name="Replies").click()
    page.wait_for_url("**/replies")
    assert shape_of(page) == ["Replies", False]
    page.go_back()
    expect(page.get_by_text("hello there")).to_be_visible()
    expect(page.locator(".skeleton-post")).to_have_count(0)
    expect(page.locator(".switch [aria-current]")).to_have_count(1)
    expect(page.locator(".switch [aria-current]")).to_have_text("Posts")


def test_what_is_searched_for_is_seen_to_come(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello there")
    page = browse(bob)
    page.goto("/search")
    page.get_by_role("searchbox").fill("hello")
    wait_for_shape(page, "**/search?q=hello*")
    page.get_by_role("searchbox").press("Enter")
    expect(page.get_by_role("article")).to_contain_text("hello there")
    assert shape_of(page) == ["", False]


# By the page itself, as above. A navigation that never comes is stopped at the end, so that it can be looked at.
STOP = """async (how) => {
  const later = setTimeout, until = (isTrue) => new Promise((done, fail) => {
    const look = () => (isTrue() ? done() : later(look, 20));
    look();
    later(() => { stop(); fail(`never: ${isTrue}`); }, 30000);
  });
  const shape = () => document.querySelector(".skeleton-post");
  const tab = () => document.querySelector(".switch [aria-current]").textContent;
  const post = document.querySelector("main [data-entry]");
  const links = [...document.querySelectorAll(".switch a")];
  const follow = (name) => links.find((link) => link.textContent === name).click();
  follow("Replies");
  await until(shape);
  window.setTimeout = (act, time) => later(act, how === "patience" && time === 20000 ? 600 : time);
  follow("Pictures"); // which stops the other one
  await until(() => shape() && tab() === "Pictures");
  const meanwhile = post.checkVisibility();
  if (how === "button") stop();
  if (how === "Escape") document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await until(() => !shape());
  stop();
  return [meanwhile, post.checkVisibility(), tab()];
}"""


@pytest.mark.parametrize("how", ["button", "Escape", "patience"])
def test_a_list_is_there_again_when_the_one_after_it_is_stopped(
    alice: Member, bob: Member, browse: Browse, how: str
) -> None:
    alice.write("hello there")
    page = browse(bob)
    page.goto("/@alice")
    for path in ("replies", "pictures"):
        page.route(f"**/@alice/{path}", lambda route: None)  # it never comes
    assert page.evaluate(STOP, how) == [False, True, "Posts"]


def test_an_image_in_large_is_seen_to_come(alice: Member, browse: Browse) -> None:
    write(alice, "look", "a river", size=(3000, 2000))
    page = browse(alice)
    page.goto("/")
    image = page.locator(".post-image").first
    file = image.get_attribute("href")
    with requests_paused(page, f"**{file}"):
        image.click()
        expect(page.locator(".viewer-stage[aria-busy=true]")).to_be_visible()
    expect(page.locator(".viewer-stage[aria-busy]")).to_have_count(0)
    page.keyboard.press("Escape")
    with clock_stopped(page):
        image.click()
        expect(page.locator(".viewer-stage img")).to_be_visible()
