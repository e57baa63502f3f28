"""Editing in the browser: from the menu, with the room counted, and the history that "edited" leads to."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse


def test_a_post_is_edited_from_its_menu(alice: Member, browse: Browse) -> None:
    alice.write("the butler did it")
    page = browse(alice)
    page.goto("/")
    page.locator(".post-head summary").click()
    page.get_by_role("link", name="Edit this post").click()
    field = page.get_by_label("Edit your post")
    expect(field).to_be_focused()
    expect(field).to_have_value("the butler did it")
    expect(page.locator("#compose-count")).to_have_text("483 left")
    field.fill("the gardener did it")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Post updated.")).to_be_visible()
    page.get_by_role("link", name="edited").click()
    expect(page.locator(".version del")).to_have_text("butler")
    expect(page.locator(".version ins")).to_have_text("gardener")
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_role("article").get_by_text("the gardener did it")).to_be_visible()


def test_two_windows_do_not_overwrite_each_other(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("409 /posts/")
    post = alice.write("as it was")
    page = browse(alice, scripts=False)
    page.goto(f"/posts/{post}/edit")
    assert alice.send(f"/posts/{post}/edit", text="from the phone").status_code == 303
    page.get_by_label("Edit your post").fill("from the desk")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("from the phone")
    expect(page.get_by_label("Edit your post")).to_have_value("from the desk")
    page.get_by_role("button", name="Save mine").click()
    expect(page.get_by_role("article")).to_contain_text("from the desk")
