"""A profile: follow and unfollow, who follows whom, block and unblock."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse

WITH_AND_WITHOUT = pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])


def followers(page: Page, words: str) -> None:
    expect(page.get_by_role("main").get_by_role("link", name=words, exact=True)).to_be_visible()


@WITH_AND_WITHOUT
def test_follow_button_toggles_and_the_count_changes(
    scripts: bool, alice: Member, carol: Member, browse: Browse
) -> None:
    page = browse(carol, scripts=scripts)
    page.goto("/@alice")
    followers(page, "0 followers")
    page.get_by_role("button", name="Follow @alice", exact=True).click()
    expect(page.get_by_role("button", name="Following @alice: unfollow")).to_have_text("Following")
    followers(page, "1 follower")
    page.get_by_role("button", name="Following @alice: unfollow").click()
    expect(page.get_by_role("button", name="Follow @alice", exact=True)).to_be_visible()
    followers(page, "0 followers")
    page.reload()
    followers(page, "0 followers")


def test_follow_button_keeps_the_focus_and_says_what_happened(alice: Member, carol: Member, browse: Browse) -> None:
    page = browse(carol)
    page.goto("/@alice")
    page.get_by_role("button", name="Follow @alice", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Following @alice: unfollow")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="You’re now following @alice.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Follow @alice", exact=True)).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="You’ve unfollowed @alice.")).to_be_visible()


def test_muting_from_the_profile_stays_there_and_says_so(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("still on her own page")
    page = browse(bob)
    page.goto("/@alice")
    page.get_by_label("More options for @alice").click()
    page.get_by_role("button", name="Mute @alice").click()
    expect(page.get_by_role("status").filter(has_text="You’ve muted @alice.")).to_be_visible()
    expect(page.get_by_label("More options for @alice")).to_be_focused()
    expect(page.get_by_text("still on her own page")).to_be_visible()
    page.get_by_role("button", name="Unmute @alice").first.click()
    expect(page.get_by_role("status").filter(has_text="You’ve unmuted @alice.")).to_be_visible()


@WITH_AND_WITHOUT
def test_lists_of_followers_and_of_followed_people(
    scripts: bool, alice: Member, bob: Member, carol: Member, browse: Browse
) -> None:
    page = browse(carol, scripts=scripts)
    page.goto("/@alice")
    page.get_by_role("link", name="1 follower").click()
    expect(page.get_by_role("heading", name="Followers of Alice")).to_be_visible()
    expect(page.locator(".person")).to_contain_text(["@bob"])
    page.get_by_role("button", name="Follow @bob").click()
    expect(page.get_by_role("button", name="Following @bob")).to_be_visible()
    expect(page.locator(".person")).to_contain_text(["1 follower"])
    assert page.url.endswith("/@alice/followers")
    page.get_by_role("link", name="Bob @bob").click()
    page.get_by_role("link", name="1 following").click()
    expect(page.get_by_role("heading", name="Followed by Bob")).to_be_visible()
    expect(page.locator(".person")).to_contain_text(["@alice"])
    page.get_by_role("link", name="Back").click()
    page.get_by_role("link", name="1 follower", exact=True).click()
    expect(page.locator(".person")).to_contain_text(["@carol"])
    expect(page.get_by_role("main").get_by_role("link", name="Edit profile")).to_be_visible()


@WITH_AND_WITHOUT
def test_F3_blocking_from_the_profile_leaves_a_stub_until_unblocked(
    scripts: bool, alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("404 /@bob")
    alice.write("not for Bob any more")
    page = browse(bob, scripts=scripts)
    page.goto("/@alice")
    page.get_by_label("More options for @alice").click()
    page.get_by_role("button", name="Block @alice").click()
    if scripts:
        page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_role("heading", name="You’ve blocked @alice")).to_be_visible()
    expect(page.get_by_text("not for Bob any more")).to_have_count(0)
    theirs = browse(alice, scripts=scripts)
    theirs.goto("/@bob")
    expect(theirs.get_by_text("There’s nobody here by that name.")).to_be_visible()
    page.get_by_role("button", name="Unblock @alice").click()
    expect(page.get_by_text("not for Bob any more")).to_be_visible()
    expect(page.get_by_role("button", name="Follow @alice", exact=True)).to_be_visible()
    followers(page, "0 followers")
