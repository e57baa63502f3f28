"""axe-core finds nothing on any page, in either theme, on a desk or a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.examples import IS_LONG
from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.views import ERRORS, VIEWS, OpenView, send_empty_form
from tests.system.web import WebSite

# Everything axe-core runs by default, best practices included, and the one rule of WCAG 2.2. Nothing is left out.
ALL_RULES = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
# A theme changes colours and nothing else.
COLOUR_RULES = {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]}
NAME_RULES = {
    "resultTypes": ["violations"],
    "runOnly": ["link-name", "button-name"],
}  # a tablet shows icons without words
NEXT_FRAME = "() => new Promise((ready) => requestAnimationFrame(() => requestAnimationFrame(ready)))"

# What an open menu lies over cannot be pressed while it is open, whatever is left of it; other views look at it.
UNDER_A_MENU = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return [...document.querySelectorAll("details.menu[open] .menu-items")].some((menu) => {
    const over = menu.getBoundingClientRect();
    const apart = box.right < over.left || box.left > over.right || box.bottom < over.top || box.top > over.bottom;
    return !apart && !menu.contains(document.querySelector(selector));
  });
}"""

Look = tuple[int, Literal["light", "dark"], dict[str, Any]]
# Every rule at both widths, every colour in both themes.
TWO_LOOKS: list[Look] = [(1280, "light", ALL_RULES), (390, "dark", ALL_RULES)]
# And what only a tablet shows, and what a desk alone shows in the dark and a phone alone in the light. Each page is
# looked at in this way once, in whichever state comes first, and in all its states in `make test-long`.
ALL_LOOKS: list[Look] = [
    *TWO_LOOKS,
    (390, "light", COLOUR_RULES),
    (1280, "dark", COLOUR_RULES),
    (768, "light", NAME_RULES),
]
FIRST_STATES = {
    (view.who is None, re.sub(r"\?.*|\{\w+\}", "", view.path)): name for name, view in reversed(VIEWS.items())
}


def findings(page: Page, looks: Sequence[Look] = ALL_LOOKS) -> list[str]:
    """Return what axe-core finds in these looks, each finding once."""
    found: dict[str, str] = {}
    page.evaluate(AXE_SCRIPT)
    for width, theme, options in looks:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.evaluate(NEXT_FRAME)
        result = page.evaluate(f"axe.run({json.dumps(options)})")
        for violation in result["violations"]:
            for node in violation["nodes"]:
                if violation["id"] == "target-size" and page.evaluate(UNDER_A_MENU, node["target"][0]):
                    continue
                where = f"{width} px, {theme}: {node['html'][:200]}"
                found.setdefault(f"{violation['id']} {node['target']}", where)
    return [f"{what} ({where})" for what, where in found.items()]


@pytest.mark.parametrize("name", VIEWS)
def test_axe_finds_nothing_on(name: str, open_view: OpenView) -> None:
    page = open_view(name)
    assert findings(page, ALL_LOOKS if IS_LONG or name in FIRST_STATES.values() else TWO_LOOKS) == []


def test_axe_finds_nothing_on_any_error_page(
    browse: Browse, broken_site: WebSite, alice: Member, complaints: Complaints
) -> None:
    complaints.expect(*(f"{code} /errors/{code}" for code in ERRORS))
    page = browse(alice, on=broken_site)
    for code in ERRORS:
        page.goto(f"/errors/{code}")
        expect(page.locator(".error-code")).to_have_text(str(code))
        assert findings(page) == []


def test_axe_finds_nothing_on_the_first_page_of_a_new_site(
    browse: Browse, fresh_site: WebSite, complaints: Complaints
) -> None:
    complaints.expect("422 /setup")
    page = browse(on=fresh_site)
    page.goto("/setup")
    assert findings(page) == []
    send_empty_form(page)
    assert findings(page) == []
