"""Pause requests on their way, to look at the page meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Request, Route


@contextmanager
def requests_paused(page: Page, address: str) -> Iterator[list[Request]]:
    """Pause what the page sends to `address` until the block ends, then let it through; the list grows meanwhile."""
    requests: list[Request] = []
    routes: list[Route] = []
    is_paused = True

    def pause(route: Route) -> None:
        requests.append(route.request)
        if is_paused:
            routes.append(route)
        else:
            route.continue_()

    page.route(address, pause)
    yield requests
    is_paused = False
    for route in routes:
        route.continue_()
