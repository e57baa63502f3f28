"""A moderator at work, in a browser: what they hide is gone from open feeds, and comes back at its place."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.conftest import Browse


def moderate(page: Page, action: str, reason: str) -> None:
    page.get_by_label(action, exact=True).check()
    page.get_by_label("Reason").fill(reason)
    page.get_by_role("button", name="Do it").click()
    expect(page.locator(".notice")).to_contain_text("Done")


def test_a_post_is_hidden_from_its_menu_and_restored_after_an_appeal(
    browse: Browse, mod: Member, alice: Member, bob: Member
) -> None:
    alice.write("the first")
    alice.write("a joke about a neighbour")
    alice.write("the last")
    staff, author, reader = browse(mod), browse(alice), browse(bob)
    staff.goto("/@alice")
    card = staff.get_by_role("article").filter(has_text="a joke")
    card.locator(".menu summary").first.click()
    staff.get_by_role("link", name="Moderate this post").click()
    moderate(staff, "Hide the post", "It was about a neighbour")
    reader.goto("/")
    expect(reader.get_by_role("article")).to_have_count(2)
    author.goto("/")
    author.get_by_role("link", name="Read what and why").click()
    expect(author.get_by_text("It was about a neighbour")).to_be_visible()
    author.get_by_label("Your side").fill("The neighbour is me")
    author.get_by_role("button", name="Send an appeal").click()
    expect(author.get_by_text("The neighbour is me")).to_be_visible()
    staff.goto("/admin/appeals")
    staff.get_by_role("button", name="Accept and undo").click()
    expect(staff.get_by_text("No appeals")).to_be_visible()
    reader.reload()
    expect(reader.get_by_role("article").nth(1)).to_contain_text("a joke")
