"""Rules in a browser: written, tried, switched on; what they hold is approved and appears; without JavaScript, too."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import expect

from tests.outbox import drain
from tests.people import Member
from tests.system.conftest import Browse
from tests.system.test_menu import post, posts

EVIL = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_rule_holds_a_post_which_appears_at_its_place_when_it_is_approved(
    app: Flask, mod: Member, warden: Member, alice: Member, bob: Member, browse: Browse, scripts: bool
) -> None:
    alice.write("limited offer, from before the rule")
    page = browse(mod, scripts=scripts)
    page.goto("/admin/rules")
    page.get_by_role("link", name="New rule").click()
    page.get_by_label("Name", exact=True).fill(f"Advertisements {EVIL}")
    page.get_by_label("Words and phrases").fill("buy now\nlimited offer")
    page.get_by_label("Hold it for review").check()
    page.get_by_role("button", name="Save and try it").click()
    expect(page.get_by_text("Looking at the posts of the last 7 days")).to_be_visible()
    drain(app)
    if not scripts:
        page.get_by_role("link", name="Look again").click()
    expect(page.get_by_text("It would have matched 1 post of the last 7 days")).to_be_visible()
    expect(post(page, "limited offer, from before the rule")).to_be_visible()
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_text("The rule is on.")).to_be_visible()

    own = browse(alice, scripts=scripts)
    alice.write("the first")
    own.goto("/compose")
    own.get_by_label("Write a post").fill("Buy now!")
    own.get_by_role("button", name="Post", exact=True).click()
    expect(post(own, "Buy now!")).to_contain_text("Waiting for review")
    alice.write("the last")
    home = browse(bob, scripts=scripts)
    home.goto("/")
    expect(posts(home)).to_contain_text(["the last", "the first", "limited offer"])

    queue = browse(warden, scripts=scripts)
    queue.goto("/admin/held")
    expect(queue.get_by_text(f"held by Advertisements {EVIL}")).to_be_visible()
    queue.get_by_role("button", name="Approve the post by @alice").click()
    expect(queue.get_by_text("Approved: one post.")).to_be_visible()
    expect(queue.get_by_role("heading", name="Nothing waits")).to_be_visible()
    home.reload()
    expect(posts(home)).to_contain_text(["the last", "Buy now!", "the first", "limited offer"])


def test_several_held_posts_are_declined_at_once_with_a_reason(
    app: Flask, mod: Member, warden: Member, alice: Member, browse: Browse
) -> None:
    rule = mod.send("/admin/rules", name="Pills", action="hold", phrases="pills").location
    mod.send(f"{rule}/switch", on="yes")
    for number in range(3):
        alice.write(f"pills {number}")
    page = browse(warden)
    page.goto("/admin/held")
    for number in range(2):
        page.get_by_role("checkbox").nth(number).check()
    page.get_by_label("Reason").fill("No advertisements")
    page.get_by_role("button", name="Decline the chosen").click()
    expect(page.get_by_text("Declined: 2 posts.")).to_be_visible()
    expect(page.locator("[data-held]")).to_contain_text(["pills 2"])
    own = browse(alice)
    own.goto("/")
    own.get_by_role("link", name="Read what and why").click()
    expect(own.get_by_text("No advertisements")).to_be_visible()
