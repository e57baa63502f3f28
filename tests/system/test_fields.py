"""Fields of a form: all that is wrong at once, gone when it is changed, and a handle checked while it is typed."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse


def test_a_handle_is_checked_while_it_is_typed(alice: Member, browse: Browse) -> None:
    page = browse()
    page.goto("/signup")
    handle = page.get_by_label("Handle")
    for typed, said in [
        ("ali", "@ali is free."),
        ("alice", "That handle is taken. Choose another."),
        ("Alic", "@Alic is free."),
        ("admin", "That handle is reserved. Choose another."),
        ("no spaces", "Use only letters, numbers and _"),
        ("x", "Use 2 to 30 characters."),
    ]:
        handle.fill(typed)
        expect(page.get_by_role("status").filter(has_text=said)).to_be_visible()
        assert (handle.get_attribute("aria-invalid") == "true") == ("free" not in said)


def test_everything_that_is_wrong_is_said_at_once_and_goes_when_it_is_changed(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /signup")
    page = browse()
    page.goto("/signup")
    page.get_by_label("Handle").fill("alice")
    page.get_by_label("Email").fill("nonsense")
    page.get_by_label("Password").fill("short")
    page.get_by_role("button", name="Sign up").click()
    errors = page.locator(".error")
    expect(errors).to_contain_text(["taken", "Enter a display name.", "email address", "at least 8 characters"])
    email = page.get_by_label("Email")
    email.press("End")
    email.press_sequentially("@")
    expect(errors).to_have_count(3)
    expect(email).not_to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Password")).to_have_attribute("aria-invalid", "true")


def test_without_javascript_everything_is_said_at_once_too(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /signup")
    page = browse(scripts=False)
    page.goto("/signup")
    page.get_by_label("Handle").fill("alice")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator(".error")).to_have_count(4)
