"""Link cards in a browser: one link for the whole box, at every width, and the author's way to remove it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from flask import Flask
from playwright.sync_api import Browser, expect

from tests.accounts.images import image_file
from tests.outbox import drain
from tests.outside import Outside, http, outside
from tests.people import Member
from tests.system.conftest import Browse
from tests.system.looks import check

TITLE = "The wren in the hedge"
PAGE = f"<title>{TITLE}</title><meta name=description content='{'word ' * 90}'><meta property=og:image content=/p.png>"


@pytest.fixture
def web(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    with outside() as running:
        monkeypatch.setitem(app.config, "LINK_CARDS", True)
        monkeypatch.setitem(app.config, "LINKS_ALSO_FROM", [running.place])
        running.serve("/wren", http(PAGE))
        running.serve("/p.png", http(image_file("PNG", size=(1200, 630)).getvalue(), kind="image/png"))
        yield running


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_card_fits_and_shows_the_picture_from_here(
    app: Flask, web: Outside, alice: Member, browse: Browse, width: int, theme: str
) -> None:
    alice.write(f"look {web.url('/wren')}")
    drain(app)
    asked = list(web.asked)
    page = browse(None, width=width, color_scheme=theme)
    page.goto("/@alice")
    picture = page.locator(".link-picture")
    picture.scroll_into_view_if_needed()
    expect(picture).to_be_visible()
    page.wait_for_function("document.querySelector('.link-picture').naturalWidth > 0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("axe.run('.link-card', {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']})")
    assert found["violations"] == []
    assert web.asked == asked, "the reader's browser asks nobody else"


def test_axe_finds_nothing_and_all_fits_on_a_page_of_cards(
    app: Flask, web: Outside, alice: Member, bob: Member, browse: Browse
) -> None:
    web.serve("/long", http(f"<title>{'W' * 300}</title><meta property=og:image content=/small.png>"))
    web.serve("/small.png", http(image_file("PNG", size=(90, 90)).getvalue(), kind="image/png"))
    web.serve("/plain", http("<title>Plain</title>"))
    for path in ("/wren", "/long", "/plain"):
        alice.write(f"look {web.url(path)}")
    alice.write(web.url("/wren"), warning="birds")
    drain(app)
    page = browse(bob)
    page.goto("/")
    expect(page.locator(".link-card:visible")).to_have_count(3)
    page.locator(".post-collapsed summary").click()
    expect(page.locator(".link-card:visible")).to_have_count(4)
    check(page)


def test_the_whole_box_leads_to_the_page_and_not_to_the_post(
    app: Flask, web: Outside, alice: Member, bob: Member, browse: Browse, tabbed: Browser
) -> None:
    alice.write(f"look {web.url('/wren')}")
    drain(app)
    page = browse(bob, browser=tabbed)
    page.goto("/@alice")
    with page.expect_popup() as popup:
        page.locator(".link-card").click()
    popup.value.wait_for_url(web.url("/wren"))
    assert page.url.endswith("/@alice")
    link = page.get_by_role("link", name=TITLE, exact=True)
    link.focus()
    with page.expect_popup() as popup:
        page.keyboard.press("Enter")
    popup.value.wait_for_url(web.url("/wren"))


@pytest.mark.parametrize("width", [320, 1280])
def test_an_author_removes_a_card_and_brings_it_back(
    app: Flask, web: Outside, alice: Member, browse: Browse, width: int
) -> None:
    alice.write(f"look {web.url('/wren')}")
    drain(app)
    page = browse(alice, width=width)
    page.goto("/")
    post = page.get_by_role("article").first
    for button, cards in (("Remove link preview", 0), ("Show link preview", 1)):
        post.get_by_label("Options", exact=True).click()
        post.get_by_role("button", name=button).click()
        expect(post.locator(".link-card")).to_have_count(cards)
        expect(post.get_by_text("look")).to_be_visible()
        page.keyboard.press("Escape")
    page.reload()
    expect(page.locator(".link-card")).to_have_count(1)


def test_an_author_removes_a_card_without_javascript(app: Flask, web: Outside, alice: Member, browse: Browse) -> None:
    alice.write(f"look {web.url('/wren')}")
    drain(app)
    page = browse(alice, scripts=False, width=320)
    page.goto("/")
    for button, cards in (("Remove link preview", 0), ("Show link preview", 1)):
        page.get_by_role("article").get_by_label("Options", exact=True).click()
        page.get_by_role("link", name="Options for this post").click()
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("article")).to_contain_text("look")
        expect(page.locator(".link-card")).to_have_count(cards)
        page.goto("/")
