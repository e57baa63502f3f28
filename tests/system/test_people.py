"""Private accounts, requests, removing followers, mutes with an end, volume: as people do them, in a browser."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from playwright.sync_api import Page, expect
from sqlalchemy import update

from app.core import clock
from app.extensions import db
from app.social.models import Mute
from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse

WITH_AND_WITHOUT = pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])


def says(page: Page, sentence: str) -> None:
    expect(page.get_by_role("status").filter(has_text=sentence)).to_be_visible()


def waiting(page: Page, number: str) -> None:
    """Check the number in the navigation."""
    expect(page.locator("#requests")).to_have_text(number)


@WITH_AND_WITHOUT
def test_asking_taking_back_and_being_accepted(scripts: bool, alice: Member, carol: Member, browse: Browse) -> None:
    alice.write("between us")
    hers = browse(alice, scripts=scripts)
    hers.goto("/settings/")
    hers.get_by_role("main").get_by_role("link", name="Privacy").click()
    hers.get_by_label("Only people I approve can follow me").check()
    hers.get_by_role("button", name="Save").click()
    says(hers, "Your account is now private.")
    page = browse(carol, scripts=scripts)
    page.goto("/@alice")
    expect(page.get_by_role("heading", name="This account is private")).to_be_visible()
    expect(page.get_by_text("between us")).to_have_count(0)
    page.get_by_role("button", name="Ask to follow @alice").click()
    page.get_by_role("button", name="You’ve asked to follow @alice: cancel request").click()
    page.get_by_role("button", name="Ask to follow @alice").click()
    expect(page.get_by_role("button", name="You’ve asked to follow @alice")).to_have_text("Requested")
    if scripts:
        says(page, "You’ve asked to follow @alice.")
    hers.goto("/")
    waiting(hers, "1")
    hers.get_by_role("navigation", name="Main").get_by_role("link", name="Requests").click()
    hers.get_by_role("button", name="Accept the request from @carol").click()
    says(hers, "@carol now follows you.")
    waiting(hers, "")
    page.goto("/")
    expect(page.get_by_role("article")).to_contain_text(["between us"])


@WITH_AND_WITHOUT
def test_declining_leaves_nobody_waiting(scripts: bool, alice: Member, carol: Member, browse: Browse) -> None:
    alice.close()
    carol.follow(alice)
    hers = browse(alice, scripts=scripts)
    hers.goto("/requests")
    hers.get_by_role("button", name="Decline the request from @carol").click()
    says(hers, "Request declined. @carol won’t be told.")
    expect(hers.get_by_role("heading", name="No requests right now")).to_be_visible()
    page = browse(carol, scripts=scripts)
    page.goto("/@alice")
    expect(page.get_by_role("button", name="Ask to follow @alice")).to_be_visible()


def test_keyboard_goes_on_with_the_next_request(alice: Member, bob: Member, carol: Member, browse: Browse) -> None:
    bob.unfollow(alice)
    alice.close()
    bob.follow(alice)
    carol.follow(alice)
    page = browse(alice)
    page.goto("/requests")
    page.get_by_role("button", name="Decline the request from @carol").press("Enter")
    expect(page.get_by_role("button", name="Accept the request from @bob")).to_be_focused()
    waiting(page, "1")


def test_phone_finds_the_requests_behind_more(alice: Member, carol: Member, browse: Browse) -> None:
    alice.close()
    carol.follow(alice)
    page = browse(alice, width=390)
    page.goto("/")
    expect(page.locator("#requests")).to_be_hidden()
    expect(page.locator("#requests-on-phones")).to_have_text("1")
    page.locator(".more > summary").click()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Requests").click()
    page.get_by_role("button", name="Accept the request from @carol").click()
    for badge in ("#requests-on-phones", "#requests-in-menu"):
        expect(page.locator(badge)).to_have_text("")


@WITH_AND_WITHOUT
def test_request_is_answered_on_the_profile_of_whoever_asks(
    scripts: bool, alice: Member, carol: Member, browse: Browse
) -> None:
    alice.close()
    carol.follow(alice)
    page = browse(alice, scripts=scripts)
    page.goto("/@carol")
    expect(page.get_by_text("Carol wants to follow you.")).to_be_visible()
    page.get_by_role("button", name="Accept the request from @carol").click()
    says(page, "@carol now follows you.")
    expect(page.get_by_text("Follows you", exact=True)).to_be_visible()


def test_F3_unfollowing_a_private_account_asks_first_and_takes_the_posts_away(
    alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("between us")
    alice.close()
    page = browse(bob)
    page.goto("/@alice")
    page.get_by_role("button", name="Following @alice: unfollow").click()
    dialog = page.get_by_role("dialog", name="Unfollow @alice? Their account is private, so you’d have to ask again.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("between us")).to_be_visible()
    page.get_by_role("button", name="Following @alice: unfollow").click()
    dialog.get_by_role("button", name="Unfollow").click()
    says(page, "You’ve unfollowed @alice.")
    expect(page.get_by_text("between us")).to_have_count(0)


def test_removing_a_follower_from_the_list_after_a_question(alice: Member, bob: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/@alice/followers")
    page.get_by_label("More options for @bob").click()
    page.get_by_role("link", name="Remove from your followers").click()
    dialog = page.get_by_role("dialog", name="Remove @bob from your followers? They won’t be told.")
    dialog.get_by_role("button", name="Remove").click()
    says(page, "@bob no longer follows you.")
    expect(page.get_by_text("Nobody follows Alice yet.")).to_be_visible()


def test_without_javascript_a_follower_is_removed_after_a_page_that_asks(
    alice: Member, bob: Member, browse: Browse
) -> None:
    page = browse(alice, scripts=False)
    page.goto("/@bob")
    page.get_by_label("More options for @bob").click()
    page.get_by_role("link", name="Remove from your followers").click()
    page.get_by_role("link", name="Keep them").click()
    page.get_by_label("More options for @bob").click()
    page.get_by_role("link", name="Remove from your followers").click()
    page.get_by_role("button", name="Remove").click()
    says(page, "@bob no longer follows you.")
    expect(page.get_by_text("Follows you", exact=True)).to_have_count(0)


def end_mutes(app: Flask) -> None:
    """Let the time of all mutes be over."""
    with app.app_context():
        db.session.execute(update(Mute).values(until=clock.now() - timedelta(seconds=1)))
        db.session.commit()


@WITH_AND_WITHOUT
def test_muting_for_a_week_from_a_post(scripts: bool, app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("a lot")
    bob.write("stays")
    page = browse(bob, scripts=scripts)
    page.goto("/")
    page.get_by_role("article").filter(has_text="a lot").locator(".post-head summary").click()
    if not scripts:
        page.get_by_role("link", name="Options for this post").click()
    page.get_by_role("link", name="Mute for a while").click()
    page.get_by_label("A week").check()
    page.get_by_role("button", name="Mute", exact=True).click()
    says(page, "You’ve muted @alice for a week.")
    if scripts:
        expect(page.get_by_role("article")).to_contain_text(["stays"])
        expect(page.get_by_role("article")).to_have_count(1)
    page.goto("/settings/mutes")
    expect(page.locator(".person")).to_contain_text(["Muted until "])
    end_mutes(app)
    page.reload()
    expect(page.get_by_text("You haven’t muted anyone.")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(2)


def test_dialog_is_left_with_escape_or_cancel_and_gives_the_focus_back(
    alice: Member, bob: Member, browse: Browse
) -> None:
    page = browse(bob)
    page.goto("/@alice")
    for leave in ("Escape", "Cancel"):
        page.get_by_label("More options for @alice").click()
        page.get_by_role("link", name="Mute for a while").click()
        dialog = page.get_by_role("dialog", name="Mute @alice")
        expect(dialog).to_be_visible()
        dialog.press("Escape") if leave == "Escape" else dialog.get_by_role("link", name=leave).click()
        expect(dialog).to_be_hidden()
        expect(page.get_by_label("More options for @alice")).to_be_focused()
    assert page.url.endswith("/@alice")


def test_what_goes_wrong_in_a_dialog_is_said_in_front_of_it(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("503 /@alice/mute")
    page = browse(bob)
    page.goto("/@alice")
    page.get_by_label("More options for @alice").click()
    page.get_by_role("link", name="Mute for a while").click()
    dialog = page.get_by_role("dialog", name="Mute @alice")
    away = {"status": 503, "body": "Away for a moment.", "content_type": "text/plain"}
    page.route("**/@alice/mute", lambda route: route.fulfill(**away), times=1)
    dialog.get_by_role("button", name="Mute").click()
    expect(dialog.get_by_role("alert")).to_have_text("Away for a moment.")
    dialog.get_by_role("button", name="Mute").click()
    expect(dialog).to_be_hidden()
    says(page, "You’ve muted @alice for a day.")


def test_muting_from_the_profile_shows_how_to_undo_it(alice: Member, bob: Member, browse: Browse) -> None:
    page = browse(bob)
    page.goto("/@alice")
    page.get_by_label("More options for @alice").click()
    page.get_by_role("link", name="Mute for a while").click()
    page.get_by_role("dialog").get_by_role("button", name="Mute").click()
    says(page, "You’ve muted @alice for a day.")
    page.get_by_role("button", name="Unmute @alice").first.click()
    says(page, "You’ve unmuted @alice.")


@WITH_AND_WITHOUT
def test_no_more_reposts_by_somebody_and_back_again(
    scripts: bool, alice: Member, bob: Member, carol: Member, browse: Browse
) -> None:
    alice.write("her own")
    reposted = carol.write("by Carol")
    assert alice.send(f"/posts/{reposted}/repost").status_code == 303
    page = browse(bob, scripts=scripts)
    page.goto("/")
    page.get_by_role("article").filter(has_text="by Carol").locator(".post-head summary").click()
    if not scripts:
        page.get_by_role("link", name="Options for this post").click()
    page.get_by_role("button", name="Hide reposts by @alice").click()
    says(page, "You won’t see reposts by @alice.")
    if not scripts:
        page.goto("/")
    expect(page.get_by_role("article")).to_contain_text(["her own"])
    expect(page.get_by_role("article")).to_have_count(1)
    page.goto("/settings/mutes")
    expect(page.locator(".person")).to_contain_text(["Reposts muted forever"])
    page.locator(".person").get_by_role("button", name="Show reposts by @alice again").first.click()
    expect(page.get_by_role("button", name="Show reposts by @alice again")).to_have_count(0)
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(2)


@WITH_AND_WITHOUT
def test_volume_is_chosen_on_the_profile(scripts: bool, alice: Member, bob: Member, browse: Browse) -> None:
    for number in range(5):
        alice.write(f"post {number}")
    page = browse(bob, scripts=scripts)
    page.goto("/@alice")
    page.get_by_label("More options for @alice").click()
    page.get_by_role("link", name="How much to see from @alice").click()
    page.get_by_label("Highlights").check()
    page.get_by_role("button", name="Save").click()
    says(page, "You’ll see only highlights from @alice, and replies to you.")
    expect(page.get_by_text("Highlights only", exact=True)).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(3)
    page.goto("/@bob/following")
    expect(page.get_by_text("Highlights only", exact=True)).to_be_visible()
