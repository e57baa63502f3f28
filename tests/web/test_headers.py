"""What browsers, proxies and caches are told: no foreign code, careful cookies, and who may keep what."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app import create_app
from app.extensions import db
from tests.accounts.browser import COOKIE, Browser
from tests.patience import PATIENT
from tests.people import Member
from tests.web.scene import Scene

FILES = {"static", "favicon", "avatar"}
THROUGH_TLS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.5", "X-Forwarded-Host": "feed.example"}
PEOPLE = ("alice", "mallory", "stranger")


class InlineCode(HTMLParser):
    """Collects what a strict policy forbids, and the tokens of a page's forms."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.unprotected_forms = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if (tag == "script" and not values.get("src")) or tag in {"style", "base", "iframe", "object", "embed"}:
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            if name == "style" or name.startswith(("on", "hx-on", "hx-vals", "hx-vars")):
                self.found.append(f"{name}= in <{tag}>")
            if name in {"href", "src", "action"} and (value or "").strip().lower().startswith(("javascript:", "data:")):
                self.found.append(f"{name}={value}")
            if name in {"src", "action"} or (name == "href" and tag == "link"):
                assert (value or "").startswith(("/", "http://localhost/")), f"{tag} from elsewhere: {value}"
        self._watch_form(tag, values)

    def _watch_form(self, tag: str, values: dict[str, str | None]) -> None:
        if tag == "form" and values.get("method") == "post":
            self.unprotected_forms += 1
        if tag == "input" and values.get("name") == "csrf_token" and values.get("value"):
            self.unprotected_forms -= 1


def responses(scene: Scene, *, fragments: bool = False) -> Iterator[tuple[str, TestResponse]]:
    """Yield what every address answers to people of all kinds."""
    for who in PEOPLE:
        for endpoint, path in scene.paths("GET"):
            yield f"{who} {path}", scene[who].get(path, fragment=fragments and endpoint not in FILES)
    yield "a form with a mistake", scene["stranger"].send("/signup", handle="<b>", name='" onclick="x')
    yield "a refusal", scene["alice"].client.post("/posts")


@pytest.mark.parametrize("fragments", [False, True])
def test_no_page_carries_code_or_style_of_its_own(scene: Scene, fragments: bool) -> None:
    scene["alice"].write('<script>alert(1)</script> <b style="x" onclick="y"> https://a.example/"onclick="x')
    scene["alice"].send("/settings/profile", name='"><script>alert(1)</script>', bio="<style>x</style>")
    seen = 0
    for what, response in responses(scene, fragments=fragments):
        if response.mimetype == "text/html":
            page = InlineCode(response.text)
            assert page.found == [], what
            assert page.unprotected_forms == 0, what
            seen += 1
    assert seen > 50


def test_the_policy_lets_in_nothing_but_our_own_files(scene: Scene) -> None:
    for what, response in responses(scene):
        policy = dict(
            part.strip().partition(" ")[::2] for part in response.headers["Content-Security-Policy"].split(";")
        )
        assert policy["default-src"] == "'none'", what
        if "/media/" not in what:
            assert policy["script-src"] == policy["style-src"] == "'self'"
            assert policy["base-uri"] == policy["frame-ancestors"] == "'none'"
            assert policy["form-action"] == "'self'"
        if response.mimetype == "image/webp":  # the browser's own page around it has style in attributes
            assert policy.pop("style-src-attr") == "'unsafe-inline'", what
        assert "unsafe" not in str(policy) and "*" not in str(policy) and "http" not in str(policy)


def test_every_response_is_guarded(scene: Scene) -> None:
    for what, response in responses(scene):
        assert response.headers["X-Content-Type-Options"] == "nosniff", what
        assert response.headers["X-Frame-Options"] == "DENY", what
        assert response.headers["Referrer-Policy"] == "same-origin", what
        assert "Server" not in response.headers and "X-Powered-By" not in response.headers, what


@pytest.mark.parametrize("fragments", [False, True])
def test_caches_are_told_that_htmx_gets_another_answer(scene: Scene, fragments: bool) -> None:
    for what, response in responses(scene, fragments=fragments):
        if "/static/" not in what and "/media/" not in what and "favicon" not in what:
            vary = {name.lower() for name in response.vary}
            assert {"hx-request", "hx-boosted", "hx-history-restore-request"} <= vary, what


def test_no_shared_cache_may_keep_a_page(scene: Scene) -> None:
    for what, response in responses(scene):
        if response.mimetype == "text/html":
            control = response.cache_control
            assert control.private and (control.no_cache or control.no_store), what
            assert not control.public and not control.max_age, what


def test_avatars_may_be_kept_for_ever(scene: Scene) -> None:
    assert_kept_for_ever(scene["stranger"].get(dict(scene.paths("GET"))["avatar"]))


def assert_kept_for_ever(response: TestResponse) -> None:
    assert response.status_code == 200
    assert response.cache_control.public and response.cache_control.immutable
    assert response.cache_control.max_age == 365 * 24 * 3600


def test_a_file_that_may_be_kept_for_ever_carries_nobodys_cookie(scene: Scene) -> None:
    browser = Browser(scene.app)
    browser.log_in("alice", remember="y")
    for endpoint, path in scene.paths("GET"):
        if endpoint in FILES:
            response = browser.get(path)
            assert response.status_code == 200
            assert "Set-Cookie" not in response.headers, path
            assert "cookie" not in {name.lower() for name in response.vary}, path


def test_a_missing_file_is_not_kept(scene: Scene) -> None:
    for path in ("/static/nowhere.css", "/media/avatars/nowhere.webp"):
        response = scene["stranger"].get(path)
        assert response.status_code == 404
        assert response.cache_control.private and not response.cache_control.max_age


def test_pages_that_depend_on_who_asks_say_so(scene: Scene) -> None:
    for path in ("/", "/explore", "/@alice", "/settings/profile"):
        assert "cookie" in {name.lower() for name in scene["alice"].get(path).vary}, path


@pytest.fixture(scope="module")
def app_behind_proxy(whole_app: Flask) -> Iterator[Flask]:
    app = create_app(**PATIENT, TESTING=True, TRUSTED_PROXIES=1)
    yield app
    with app.app_context():
        db.engine.dispose()


def log_in(app: Flask, headers: dict[str, str]) -> tuple[TestResponse, Browser]:
    """Log Alice in through a proxy that sends these headers."""
    browser = Browser(app)
    browser.client.environ_base.update(
        {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    )
    return browser.log_in("alice", remember="y"), browser


def cookies(response: TestResponse) -> list[str]:
    return response.headers.getlist("Set-Cookie")


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(app: Flask, alice: Member) -> None:
    response, browser = log_in(app, {})
    looks = browser.submit("/settings/appearance", theme="dark")
    [session] = [cookie for cookie in cookies(response) if cookie.startswith(COOKIE)]
    [theme] = [cookie for cookie in cookies(looks) if cookie.startswith("theme")]
    for cookie in (session, theme):
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Path=/" in cookie
        assert "Domain" not in cookie


def test_without_tls_cookies_are_not_marked_secure_and_nothing_is_demanded(app: Flask, alice: Member) -> None:
    response, browser = log_in(app, {})
    looks = browser.submit("/settings/appearance", theme="dark")
    assert not [cookie for cookie in cookies(response) + cookies(looks) if "Secure" in cookie]
    assert "Strict-Transport-Security" not in response.headers
    assert browser.user == "alice"


def test_behind_a_trusted_proxy_with_tls_every_cookie_is_secure(
    app: Flask, app_behind_proxy: Flask, alice: Member
) -> None:
    response, browser = log_in(app_behind_proxy, THROUGH_TLS)
    assert response.status_code == 303
    page = browser.client.get("/settings/appearance", base_url="https://feed.example")
    assert "Strict-Transport-Security" in response.headers and "Strict-Transport-Security" in page.headers
    assert cookies(response) and all("Secure" in cookie and "HttpOnly" in cookie for cookie in cookies(response))


def test_behind_a_trusted_proxy_without_tls_nothing_is_demanded(
    app: Flask, app_behind_proxy: Flask, alice: Member
) -> None:
    response, _ = log_in(app_behind_proxy, THROUGH_TLS | {"X-Forwarded-Proto": "http"})
    assert cookies(response) and not [cookie for cookie in cookies(response) if "Secure" in cookie]
    assert "Strict-Transport-Security" not in response.headers


def test_without_trusted_proxies_forwarded_headers_are_ignored(app: Flask, alice: Member) -> None:
    response, browser = log_in(app, THROUGH_TLS)
    assert cookies(response) and not [cookie for cookie in cookies(response) if "Secure" in cookie]
    assert "Strict-Transport-Security" not in response.headers
    page = browser.get("/settings/sessions").text
    assert "203.0.113.5" not in page and "127.0.0.1" in page
    post_id = alice.write("where am I?")
    assert "feed.example" not in browser.get(f"/@alice/{post_id}").text


def test_behind_a_trusted_proxy_the_address_of_the_browser_is_known(
    app: Flask, app_behind_proxy: Flask, alice: Member
) -> None:
    log_in(app_behind_proxy, THROUGH_TLS | {"X-Forwarded-For": "192.0.2.66, 203.0.113.5"})
    page = alice.get("/settings/sessions").text
    assert "203.0.113.5" in page, "the proxy's word"
    assert "192.0.2.66" not in page, "what the browser claimed to the proxy"
