"""The settings in two panes where there is room for them, and one of the two on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.people import Member
from tests.system.conftest import Browse


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
@pytest.mark.parametrize("width", [768, 1280, 1920])
def test_where_there_is_room_the_settings_have_their_list_on_the_left(
    alice: Member, browse: Browse, width: int, scripts: bool
) -> None:
    page = browse(alice, width=width, scripts=scripts)
    page.goto("/settings/")
    menu = page.get_by_role("navigation", name="Settings")
    menu.get_by_role("link", name="Password").click()
    expect(page.get_by_label("New password", exact=True)).to_be_visible()
    expect(menu.locator("[aria-current=page] b")).to_have_text("Password")
    left, right = menu.bounding_box(), page.locator(".pane").bounding_box()
    assert left and right and left["x"] + left["width"] <= right["x"] + 1 and abs(left["y"] - right["y"]) < 2
    menu.get_by_role("link", name="Delete account").click()
    expect(menu.locator("[aria-current=page] b")).to_have_text("Delete account")


def test_the_two_panes_use_the_room_of_the_column_beside_them(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/explore")
    narrow = page.locator("main").bounding_box()
    page.goto("/settings/filters")
    wide = page.locator("main").bounding_box()
    assert narrow and wide and wide["width"] > narrow["width"] + 280
    expect(page.locator("aside")).to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_on_a_phone_a_list_leads_to_a_page_and_back(alice: Member, browse: Browse, scripts: bool) -> None:
    page = browse(alice, width=320, scripts=scripts)
    page.goto("/settings/")
    menu = page.get_by_role("navigation", name="Settings")
    menu.get_by_role("link", name="Word filters").click()
    expect(page.get_by_role("button", name="Add filter")).to_be_visible()
    expect(menu).to_be_hidden()
    page.get_by_role("link", name="All settings").click()
    expect(menu.get_by_role("link", name="Word filters")).to_be_visible()
