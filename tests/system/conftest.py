"""A real browser on a real web server, in front of the servers and the cast that all tests share."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright

from app.runtime.chromium import chromium as find_chromium
from app.runtime.servers import EphemeralServers
from tests.conftest import empty, joining
from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.scene import ORDINARY, Scene, Wording, set_scene
from tests.system.views import VIEWS, OpenView, View
from tests.system.web import WebSite, web_site

# The drop-down of an address bar that nobody sees: each new context draws it, for a second of processor time.
UNSEEN = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxSimplification"]
# Of several such lists Chromium heeds the last, so this one repeats Playwright's.
PLAYWRIGHTS_OWN = "AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades LensOverlay".split()
PLAYWRIGHTS_OWN += "HttpsFirstBalancedModeAutoEnable MediaRouter PaintHolding ThirdPartyStoragePartitioning".split()
PLAYWRIGHTS_OWN += "AvoidCorsURLLoaderRestartOnRedirect OptimizationHints NetworkTimeServiceQuerying".split()
PLAYWRIGHTS_OWN += "AimEnabled PreconnectToSearch".split()
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
ARGUMENTS += ["--disable-sync", f"--disable-features={','.join(PLAYWRIGHTS_OWN + UNSEEN)}"]
LEFT_OUT = "left out because BROWSER_TESTS=off"
PATIENCE = 10_000.0  # milliseconds; two browsers share two cores


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the browser tests out when that is asked for, and say so where everybody sees it."""
    if os.environ.get("BROWSER_TESTS") != "off":
        return
    ours = [item for item in items if Path(__file__).parent in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.skip(reason=LEFT_OUT))
    if ours:  # as a warning, because that is what pytest-xdist carries from its workers to the terminal
        warnings.warn(pytest.PytestWarning(f"tests/system: {LEFT_OUT}"), stacklevel=1)


Launch = Callable[..., Browser]


class Browse(Protocol):
    """Open a browser of somebody's own and return its first page."""

    def __call__(
        self,
        who: Member | None = None,
        *,
        on: WebSite = ...,
        scripts: bool = ...,
        width: int = ...,
        browser: Browser = ...,
        **options: Any,
    ) -> Page: ...


@pytest.fixture(scope="session")
def launch() -> Iterator[Launch]:
    """Give a function that starts a Chromium. That there is none is a failure."""
    path = os.environ.get("CHROMIUM") or find_chromium()
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        yield functools.partial(playwright.chromium.launch, executable_path=path, args=ARGUMENTS)


@pytest.fixture(scope="session")
def chromium(launch: Launch) -> Iterator[Browser]:
    """Start one Chromium for this test process."""
    with launch() as browser:
        yield browser


@pytest.fixture(scope="session")
def site(servers: EphemeralServers) -> Iterator[WebSite]:
    """Serve the application to this test process. It remembers that it was set up: see `fresh_site`."""
    with web_site() as running:
        yield running


@pytest.fixture
def fresh_site(app: Flask) -> Iterator[WebSite]:
    """Serve the application from a process that has never seen an account; a test may also kill it."""
    with web_site() as running:
        yield running


@pytest.fixture(scope="session")
def broken_site(servers: EphemeralServers) -> Iterator[WebSite]:
    """Serve every error page under `/errors/<code>`."""
    with web_site("tests.system.broken:app") as running:
        yield running


@pytest.fixture
def complaints() -> Complaints:
    """Hear what the browsers of a test complain about."""
    return Complaints()


@pytest.fixture
def browse(app: Flask, browsers: Browse) -> Browse:
    """Give a function that opens a browser on an empty site: a stranger's, or that of somebody who is logged in."""
    return browsers


@pytest.fixture
def browsers(chromium: Browser, site: WebSite, complaints: Complaints) -> Iterator[Browse]:
    """Give a function that opens a browser on whatever the site has."""
    contexts = []

    def browse(
        who: Member | None = None,
        *,
        on: WebSite = site,
        scripts: bool = True,
        width: int = 1280,
        browser: Browser = chromium,
        **options: Any,
    ) -> Page:
        options = {"viewport": {"width": width, "height": 900}, "reduced_motion": "reduce", **options}
        context = browser.new_context(base_url=on.url, java_script_enabled=scripts, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        complaints.listen(context)
        if who is not None:
            cookie = who.client.get_cookie("freshet")
            assert cookie is not None
            context.add_cookies([{"name": "freshet", "value": cookie.value, "url": on.url, "httpOnly": True}])
        return context.new_page()

    yield browse
    for context in contexts:
        context.close()
    complaints.verify()


@pytest.fixture
def open_view(whole_app: Flask, browsers: Browse, complaints: Complaints) -> OpenView:
    """Give a function that shows any page of the site in the state that is asked for."""

    def open_view(name: str, wording: Wording = ORDINARY, **options: Any) -> Page:
        view = VIEWS[name]
        scene = _scene_for(view, wording, whole_app)
        if view.complaint:
            complaints.expect(view.complaint)
        page = browsers(getattr(scene, view.who) if view.who else None, **options)
        page.goto(scene.path(view.path))
        view.then(page)
        return page

    return open_view


def _scene_for(view: View, wording: Wording, app: Flask) -> Scene:
    """Return the scene of a view: the one of the view before, if nothing has changed in it."""
    kind = (wording, view.diary, view.talk)
    standing: tuple[object, Scene] | None = app.extensions.get("tests.scene")
    if standing is None or standing[0] != kind:
        empty(app)
        standing = (kind, set_scene(joining(app), wording, diary=view.diary, talk=view.talk))
    app.extensions["tests.scene"] = None if view.changes_something else standing
    return standing[1]
