"""Browsers that are used again: to start one, and load every style and script, costs as much as most tests."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Error, Page

# A page of the site, so that the process behind it is kept, on which nothing happens.
RESTING_PLACE = "/healthz"
# What was done to a browser's clock cannot be undone.
FORGET = """() => {
  localStorage.clear();
  sessionStorage.clear();
  return !("__pwClock" in window);
}"""


class IdlePages:
    """Each is the only page of a browser that remembers nothing but styles and scripts."""

    def __init__(self) -> None:
        self._idle: dict[bool, list[Page]] = {True: [], False: []}

    def take(self, *, scripts: bool) -> Page | None:
        """Return a page that runs scripts or does not; None if there is none left."""
        return self._idle[scripts].pop() if self._idle[scripts] else None

    def give_back(self, context: BrowserContext, *, scripts: bool) -> None:
        """Keep a browser for the next test if it can forget this one; else end it."""
        first = context.pages[0] if context.pages else None
        if first and _forgets(first):
            self._idle[scripts].append(first)
        else:
            context.close()


def _forgets(page: Page) -> bool:
    """Let a browser forget all that somebody did in it, and say whether it did."""
    for tab in page.context.pages[1:]:
        tab.close()
    try:
        page.unroute_all(behavior="ignoreErrors")
        page.goto(RESTING_PLACE)  # first, for a page that is left may write something down
        forgets: bool = page.evaluate(FORGET)
    except Error:
        return False
    page.context.clear_cookies()
    page.mouse.move(-1, -1)
    return forgets
