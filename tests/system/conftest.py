"""A real browser on a real web server, in front of the servers and the cast that all tests share."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from app.accounts.operations import guess_time_zone
from app.extensions import db
from app.runtime.chromium import chromium as find_chromium
from app.runtime.chromium import headless_shell
from app.runtime.servers import EphemeralServers
from tests.conftest import begin_anew, joining
from tests.database import Snapshot, restore, take_snapshot
from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.idle import IdlePages
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
PATIENCE = 30_000.0  # milliseconds; a busy machine is slow, not wrong
DESK: ViewportSize = {"width": 1280, "height": 900}


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
    """Give a function that starts a Chromium as people have it. That there is none is a failure."""
    path = os.environ.get("CHROMIUM") or find_chromium()
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        yield partial(playwright.chromium.launch, executable_path=path, args=ARGUMENTS)


@pytest.fixture(scope="session")
def chromium(launch: Launch) -> Iterator[Browser]:
    """Start one Chromium for this test process: where there is one, the kind that only shows pages."""
    shell = headless_shell()
    with launch(executable_path=shell) if shell else launch() as browser:
        yield browser


@pytest.fixture(scope="session")
def tabbed(launch: Launch) -> Iterator[Browser]:
    """Start one Chromium as people have it: in the kind without windows, a tab that Ctrl+click opens often crashes."""
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


@pytest.fixture(scope="session")
def idle_pages() -> IdlePages:
    """Keep what the tests before have opened."""
    return IdlePages()


@pytest.fixture
def browsers(chromium: Browser, site: WebSite, idle_pages: IdlePages, complaints: Complaints) -> Iterator[Browse]:
    """Give a function that opens a browser on whatever the site has."""
    ends: list[Callable[[], None]] = []

    def browse(
        who: Member | None = None,
        *,
        on: WebSite = site,
        scripts: bool = True,
        width: int = DESK["width"],
        browser: Browser = chromium,
        **options: Any,
    ) -> Page:
        viewport: ViewportSize = {**DESK, "width": width}
        is_ordinary = on is site and browser is chromium and not options
        page = idle_pages.take(scripts=scripts) if is_ordinary else None
        if page is None:
            options = {"viewport": viewport, "reduced_motion": "reduce", **options}
            page = browser.new_context(base_url=on.url, java_script_enabled=scripts, **options).new_page()
            page.context.set_default_timeout(PATIENCE)
        else:
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
        complaints.listen(page.context, scripts=scripts)
        ends.append(partial(_end, page.context, scripts, is_ordinary))
        if who is not None:
            if "timezone_id" not in options:
                _know_zone(who)
            _log_in(who, page.context, on)
        return page

    def _end(context: BrowserContext, scripts: bool, is_ordinary: bool) -> None:
        complaints.leave(context, scripts=scripts)
        if is_ordinary:
            idle_pages.give_back(context, scripts=scripts)
        else:
            context.close()

    yield browse
    for end in ends:
        end()
    complaints.verify()


@pytest.fixture
def open_view(whole_app: Flask, browsers: Browse, complaints: Complaints) -> OpenView:
    """Give a function that shows any page of the site in the state that is asked for."""

    def open_view(name: str, wording: Wording = ORDINARY) -> Page:
        view = VIEWS[name]
        scene = _scene_for(view, wording, whole_app)
        if view.complaint:
            complaints.expect(view.complaint)
        page = browsers(getattr(scene, view.who) if view.who else None)
        page.goto(scene.path(view.path))
        view.then(page)
        return page

    return open_view


def _know_zone(who: Member) -> None:
    """Let an account be no news to its browser: only tests of guessing wait for what that asks in passing."""
    with who.app.app_context():
        guess_time_zone("UTC", by=who.id)
        db.session.commit()


def _log_in(who: Member, context: BrowserContext, on: WebSite) -> None:
    cookie = who.client.get_cookie("freshet")
    assert cookie is not None
    context.add_cookies([{"name": "freshet", "value": cookie.value, "url": on.url, "httpOnly": True}])


def _scene_for(view: View, wording: Wording, app: Flask) -> Scene:
    """Return the scene of a view: as the view before has left it if that only looked, else as it was set."""
    kind = (wording.tag, view.diary, view.talk)
    scenes: dict[object, tuple[Scene, Snapshot]] = app.extensions.setdefault("tests.scenes", {})
    standing = app.extensions.get("tests.scene")
    if standing != kind:
        begin_anew(app)
        if kind in scenes:
            restore(app, scenes[kind][1])
        else:
            scene = set_scene(joining(app), wording, diary=view.diary, talk=view.talk)
            scenes[kind] = scene, take_snapshot(app)
    app.extensions["tests.scene"] = None if view.changes_something else kind
    return scenes[kind][0]
