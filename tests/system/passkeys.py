"""A security key that Chromium makes up, for pages that ask for one."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, Page, expect


def at_localhost(page: Page, path: str) -> str:
    """Return an address of the site under the name at which its passkeys work."""
    return f"http://localhost:{urlsplit(page.url).port}{path}"


def plug_in(page: Page) -> CDPSession:
    """Give a page's browser a key that knows who holds it. `WebAuthn.disable` takes it away."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
    options |= {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session


def move_to_localhost(page: Page) -> None:
    """Go on at the same page under that name, still logged in."""
    path = urlsplit(page.url).path
    kept = [cookie for cookie in page.context.cookies() if cookie["name"] in {"freshet", "theme", "density"}]
    page.context.add_cookies(
        [{"name": each["name"], "value": each["value"], "url": at_localhost(page, "/")} for each in kept]
    )
    page.goto(at_localhost(page, path))


def begin(page: Page) -> None:
    """Open the page that makes a passkey."""
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("button", name="Make the passkey")).to_be_visible()


def fail(page: Page) -> None:
    """Try it where passkeys do not work."""
    begin(page)
    page.get_by_label("Name").fill("My phone")
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.get_by_text("Passkeys work only at")).to_be_visible()


def add(page: Page, name: str = "My phone") -> None:
    begin(page)
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Make the passkey").click()


def have_one(page: Page) -> None:
    """Have one, as it is listed."""
    factors_page = page.url
    move_to_localhost(page)
    key = plug_in(page)
    add(page)
    page.get_by_role("link", name="I’ve kept them").click()
    expect(page.get_by_text("My phone")).to_be_visible()
    key.send("WebAuthn.disable")
    page.goto(factors_page)
    expect(page.get_by_text("My phone")).to_be_visible()


def rename(page: Page) -> None:
    have_one(page)
    page.get_by_role("link", name="Edit the passkey").click()
    expect(page.get_by_label("Name")).to_be_visible()
