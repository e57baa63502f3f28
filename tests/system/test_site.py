"""What admins write about the site, in a browser: on every page, and never as code."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.web import WebSite

ATTACK = "<script>document.title='hit'</script><img src=x onerror=\"document.title='hit'\">"
LONG = f"# {ATTACK}\n\n{ATTACK}\n\n[click](javascript:alert(1)) ![x](https://elsewhere.example/x.png) `{ATTACK}`"


def test_nothing_that_is_written_about_the_site_runs(
    fresh_site: WebSite, browse: Browse, mod: Member, complaints: Complaints
) -> None:
    complaints.expect("422 /admin/settings")  # and nothing else, no violation of the policy above all
    page = browse(mod, on=fresh_site)
    page.goto(fresh_site.url + "/admin/settings")
    page.get_by_label("Name", exact=True).fill("<b onclick=alert(1)>\"'x")
    page.get_by_label("Description").fill(ATTACK)
    page.get_by_label("Contact").fill(ATTACK)
    for label in ("About this site", "Rules", "Privacy"):
        page.get_by_label(label, exact=True).fill(LONG)
    page.get_by_label("Links in the footer").fill('<img/src=x/onerror=alert(1)>" https://a.example/"onclick="x')
    page.get_by_label("Colour").fill("#7a1fa2")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".error")).to_contain_text("Enter a name and an address")
    page.get_by_label("Links in the footer").fill("<img/src=x/onerror=alert(1)> https://a.example/?a=b&c=d")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    for path in ("/", "/about", "/rules", "/privacy", "/admin/log", "/admin/settings", "/settings/", "/@maud"):
        page.goto(fresh_site.url + path)
        assert "hit" not in page.title()
        assert page.locator("main img, main script, main [onclick], .foot img").count() == 0, path
    accent = page.evaluate("getComputedStyle(document.querySelector('.logo-ground, .logo-own')).fill")
    assert accent == "rgb(122, 31, 162)"


@pytest.mark.parametrize("scripts", [True, False])
def test_people_come_in_by_invite_and_by_approval(
    fresh_site: WebSite, browse: Browse, mod: Member, stranger: Member, scripts: bool
) -> None:
    admin = browse(mod, on=fresh_site, scripts=scripts)
    admin.goto(fresh_site.url + "/admin/settings")
    admin.get_by_label("By approval").check()
    admin.get_by_role("button", name="Save").click()
    expect(admin.get_by_text("Saved.")).to_be_visible()

    zoe = browse(None, on=fresh_site, scripts=scripts)
    zoe.goto(fresh_site.url + "/signup")
    fill = {"Handle": "zoe", "Display name": "Zoe", "Email": "zoe@example.org", "Password": "a good long password"}
    for label, value in fill.items():
        zoe.get_by_label(label, exact=True).fill(value)
    zoe.get_by_label("Why would you like to join?").fill(ATTACK)
    zoe.get_by_role("button", name="Ask to join").click()
    expect(zoe.get_by_role("heading", name="You’re on the list")).to_be_visible()

    admin.goto(fresh_site.url + "/admin")
    admin.get_by_role("link", name="Sign-ups").first.click()
    expect(admin.get_by_text("document.title='hit'")).to_be_visible()
    admin.get_by_role("checkbox").check()
    admin.get_by_role("button", name="Approve chosen").click()
    expect(admin.get_by_text("Approved: @zoe.")).to_be_visible()
    assert "hit" not in admin.title()

    zoe.get_by_role("link", name="Log in").click()
    zoe.get_by_label("Handle or email").fill("zoe")
    zoe.get_by_label("Password").fill("a good long password")
    zoe.get_by_role("button", name="Log in").click()
    expect(zoe.get_by_role("heading", name="Home")).to_be_visible()
