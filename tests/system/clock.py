"""Time that passes when a test says so, however fast the machine is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page

ASK = "() => fetch('/healthz').then((answer) => answer.text())"


def open_and_stop_the_clock(page: Page, path: str) -> None:
    """Open a page on which no timer runs out by itself."""
    page.clock.install()
    page.goto(path)
    stop_the_clock(page)


def stop_the_clock(page: Page) -> None:
    """Stop a clock that was installed before the page was opened."""
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))


def let_pass(page: Page, milliseconds: int) -> None:
    """Let the timers of this time run out and hear of every request that they sent."""
    page.clock.run_for(milliseconds)
    settle(page)


def settle(page: Page) -> None:
    """Wait for an answer from the server: what the page has sent before is known by then."""
    page.evaluate(ASK)
