"""From a report to the decision and back to whoever reported: three people, one post."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.test_menu import open_menu, open_options, post


def test_what_is_reported_is_hidden_and_the_reporter_reads_so(
    alice: Member, bob: Member, carol: Member, mod: Member, warden: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts/")
    alice.write("Buy my watches")
    alice.write("Good morning")
    mod.send("/admin/answers", title="Gone", text="Thank you. It’s gone.")

    page = browse(carol)
    page.goto("/explore")
    open_menu(page, "Buy my watches").get_by_text("Report this post").click()
    dialog = page.locator("#sheet")
    expect(dialog.get_by_role("heading", name="Report this post")).to_be_visible()
    dialog.get_by_role("button", name="Report").click()
    expect(dialog.locator("#reason-error")).to_have_text("Choose what’s wrong.")
    dialog.get_by_label("Spam or a scam").check()
    dialog.get_by_label("Anything else").fill("Every day the same")
    dialog.get_by_role("button", name="Report").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("status").filter(has_text="the moderators will look at it")).to_be_visible()

    desk = browse(warden)
    desk.goto("/admin")
    expect(desk.locator(".badge").filter(has_text="1")).to_be_visible()
    desk.get_by_role("link", name=re.compile("^Reports the oldest")).click()
    desk.get_by_role("link", name="A post by @alice").click()
    expect(desk.get_by_text("Every day the same")).to_be_visible()
    desk.get_by_role("button", name="Take it on").click()
    expect(desk.get_by_text("You’re working on this")).to_be_visible()
    desk.get_by_text("Do something about the post").click()
    act = desk.locator("#act-on-posts")
    act.get_by_label("Hide the post").check()
    act.get_by_label("Reason").fill("We don’t sell watches here.")
    act.get_by_role("button", name="Do it").click()
    expect(desk.get_by_text("Done: hide the post.")).to_be_visible()
    desk.get_by_label("They were right").check()
    desk.get_by_label("Answer", exact=True).select_option("Gone")
    desk.get_by_role("button", name="Close this report").click()
    expect(desk.get_by_text("Closed. Whoever reported it will hear.")).to_be_visible()

    home = browse(bob)
    home.goto("/")
    expect(post(home, "Good morning")).to_be_visible()
    expect(post(home, "Buy my watches")).to_have_count(0)
    page.goto("/")
    page.get_by_role("link", name="See what came of it").click()
    expect(page.get_by_text("Thank you. It’s gone.")).to_be_visible()
    expect(page.get_by_text("See what came of it")).to_have_count(0)


def test_without_javascript_a_post_is_reported_on_a_page_of_its_own(
    alice: Member, carol: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts/")
    alice.write("Buy my watches")
    page = browse(carol, scripts=False)
    page.goto("/explore")
    open_options(page, "Buy my watches").get_by_text("Report this post").click()
    page.get_by_role("button", name="Report").click()
    expect(page.locator("#reason-error")).to_be_visible()
    page.get_by_label("Spam or a scam").check()
    page.get_by_role("button", name="Report").click()
    expect(page.get_by_text("the moderators will look at it")).to_be_visible()
