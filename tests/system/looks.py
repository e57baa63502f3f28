"""Look at a page as people see it: at every width, in both themes, and through axe-core."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

Theme = Literal["light", "dark"]


@dataclass(frozen=True)
class Look:
    """A width and a theme, and what axe-core is asked there."""

    width: int
    theme: Theme
    rules: dict[str, Any] = field(hash=False)


# Everything axe-core runs by default, best practices included, and the one rule of WCAG 2.2. Nothing is left out.
ALL_RULES = {"rules": {"target-size": {"enabled": True}}}
# A theme changes colours and nothing else.
COLOUR_RULES = {"runOnly": ["color-contrast", "link-in-text-block"]}
NAME_RULES = {"runOnly": ["link-name", "button-name"]}  # a tablet shows icons without words

DESK, TABLET, PHONE = 1280, 768, 390
WIDTHS = (DESK, 1920, TABLET, PHONE, 320)  # the first is as wide as pages are opened
# Every rule at both widths, every colour in both themes.
TWO_LOOKS = (Look(DESK, "light", ALL_RULES), Look(PHONE, "dark", ALL_RULES))
# And what only a tablet shows, and what a desk alone shows in the dark and a phone alone in the light.
ALL_LOOKS = (
    *TWO_LOOKS,
    Look(DESK, "dark", COLOUR_RULES),
    Look(TABLET, "light", NAME_RULES),
    Look(PHONE, "light", COLOUR_RULES),
)

TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const isCut = (element) =>
    getComputedStyle(element).overflowX !== "visible" || (element.parentElement && isCut(element.parentElement));
  const beyond = [...document.body.querySelectorAll("*")]
    .filter((element) => element.getBoundingClientRect().right > width + 1 && !isCut(element));
  return ["the page scrolls", ...beyond.map((element) => element.outerHTML.slice(0, 120))];
}"""
# A list that was squeezed into a column of letters fits everywhere, and nobody can read it.
TOO_NARROW = """() => [...document.querySelectorAll("details[open] > .menu-items, dialog[open], .completions")]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width < 200)
    .map((element) => element.outerHTML.slice(0, 120))"""
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
# What an open menu lies over cannot be pressed while it is open, whatever is left of it; other views look at it.
UNDER_A_MENU = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return [...document.querySelectorAll("details.menu[open] .menu-items")].some((menu) => {
    const over = menu.getBoundingClientRect();
    const apart = box.right < over.left || box.left > over.right || box.bottom < over.top || box.top > over.bottom;
    return !apart && !menu.contains(document.querySelector(selector));
  });
}"""
NEXT_FRAME = "() => new Promise((ready) => requestAnimationFrame(() => requestAnimationFrame(ready)))"


def check(page: Page, looks: Sequence[Look] = ALL_LOOKS) -> None:
    """Fail unless the page fits at every width, and axe-core finds nothing in these looks."""
    page.evaluate(AXE_SCRIPT)
    misfits, findings = list[str](), dict[str, str]()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        misfits += _misfits(page, width)
        for look in looks:
            if look.width == width:
                for what, where in _findings(page, look):
                    findings.setdefault(what, where)
    assert (misfits, findings) == ([], {}), "\n".join(
        [*misfits, *(f"{what}: {where}" for what, where in findings.items())]
    )


def _misfits(page: Page, width: int) -> Iterator[str]:
    """Yield what does not fit at this width, and on a phone what is too small for a finger."""
    faults = {"too wide": TOO_WIDE, "too narrow": TOO_NARROW}
    if width == PHONE:
        faults["too small for a finger"] = TOO_SMALL
    for fault, script in faults.items():
        yield from (f"{fault} at {width} px: {element}" for element in page.evaluate(script))


def _findings(page: Page, look: Look) -> Iterator[tuple[str, str]]:
    """Yield what axe-core finds, and where it was first seen."""
    page.emulate_media(color_scheme=look.theme, reduced_motion="reduce")
    page.evaluate(NEXT_FRAME)
    result = page.evaluate(f"axe.run({json.dumps({'resultTypes': ['violations'], **look.rules})})")
    for violation in result["violations"]:
        for node in violation["nodes"]:
            if violation["id"] == "target-size" and page.evaluate(UNDER_A_MENU, node["target"][0]):
                continue
            where = f"{look.width} px, {look.theme}: {node['html'][:200]}"
            yield f"{violation['id']} {node['target']}", where
