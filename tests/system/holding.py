"""Hold requests on their way, to look at the page meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Request, Route


@contextmanager
def held(page: Page, address: str) -> Iterator[list[Request]]:
    """Hold what the page sends to `address` until the block ends, then let it through; the list grows meanwhile."""
    requests: list[Request] = []
    routes: list[Route] = []
    holds = True

    def hold(route: Route) -> None:
        requests.append(route.request)
        if holds:
            routes.append(route)
        else:
            route.continue_()

    page.route(address, hold)
    yield requests
    holds = False
    for route in routes:
        route.continue_()
