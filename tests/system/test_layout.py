"""Pages fit: no sideways scrolling at any width and nothing too small for a finger, whatever people write."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.scene import HOSTILE
from tests.system.views import ERRORS, VIEWS, OpenView, send_empty_form
from tests.system.web import WebSite

WIDTHS = (320, 390, 768, 1280, 1920)
PHONE = 390

TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const isCut = (element) =>
    getComputedStyle(element).overflowX !== "visible" || (element.parentElement && isCut(element.parentElement));
  const beyond = [...document.body.querySelectorAll("*")]
    .filter((element) => element.getBoundingClientRect().right > width + 1 && !isCut(element));
  return ["the page scrolls", ...beyond.map((element) => element.outerHTML.slice(0, 120))];
}"""

# WCAG 2.2 asks for 24 by 24 pixels; links inside of sentences are exempt, and so is what only the keyboard reaches.
TOO_SMALL = """() => {
  const isInline = (element) => getComputedStyle(element).display === "inline";
  const inSentence = (element) => element.matches("p a, .post-text a") && isInline(element);
  const inLabel = (element) => element.matches("label input");
  return [...document.querySelectorAll("a[href], button, summary, input:not([type=hidden]), textarea, label.check")]
    .filter((element) => element.checkVisibility() && !element.closest(".visually-hidden, .skip"))
    .filter((element) => !inSentence(element) && !inLabel(element))
    .map((element) => [element, element.getBoundingClientRect()])
    .filter(([, box]) => box.width < 24 || box.height < 24)
    .map(([element, box]) => `${box.width.toFixed(1)} x ${box.height.toFixed(1)}: ${element.outerHTML.slice(0, 120)}`);
}"""


# A list that was squeezed into a column of letters fits everywhere, and nobody can read it.
TOO_NARROW = """() => [...document.querySelectorAll("details[open] > .menu-items, dialog[open], .completions")]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width < 200)
    .map((element) => element.outerHTML.slice(0, 120))"""


def check_fit(page: Page) -> None:
    """Look at the page at every width, and at the size of its buttons on a phone."""
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        found[f"too wide at {width} px"] = page.evaluate(TOO_WIDE)
        found[f"too narrow at {width} px"] = page.evaluate(TOO_NARROW)
        if width == PHONE:
            found["too small for a finger"] = page.evaluate(TOO_SMALL)
    assert {what: elements for what, elements in found.items() if elements} == {}


@pytest.mark.parametrize("name", VIEWS)
def test_with_the_worst_that_can_be_typed_nothing_is_too_wide_or_too_small_on(name: str, open_view: OpenView) -> None:
    page = open_view(name, HOSTILE)
    check_fit(page)


def test_nothing_is_too_wide_or_too_small_on_any_error_page(
    browse: Browse, broken_site: WebSite, alice: Member, complaints: Complaints
) -> None:
    complaints.expect(*(f"{code} /errors/{code}" for code in ERRORS))
    page = browse(alice, on=broken_site)
    for code in ERRORS:
        page.goto(f"/errors/{code}")
        check_fit(page)


def test_nothing_is_too_wide_or_too_small_on_the_first_page_of_a_new_site(
    browse: Browse, fresh_site: WebSite, complaints: Complaints
) -> None:
    complaints.expect("422 /setup")
    page = browse(on=fresh_site)
    page.goto("/setup")
    check_fit(page)
    send_empty_form(page)
    check_fit(page)
