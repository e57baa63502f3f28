"""Light and dark: like the device, or as chosen, from the first byte on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.conftest import Browse

GROUND = {"light": "rgb(238, 243, 243)", "dark": "rgb(10, 18, 21)"}


def expect_theme(page: Page, theme: str) -> None:
    expect(page.locator("body")).to_have_css("background-color", GROUND[theme])


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
@pytest.mark.parametrize(("device", "choice"), [("light", "dark"), ("dark", "light")])
def test_theme_follows_the_device_until_one_is_chosen(
    device: str, choice: str, scripts: bool, alice: Member, browse: Browse
) -> None:
    page = browse(alice, scripts=scripts, color_scheme=device)
    page.goto("/settings/appearance")
    expect(page.get_by_label("Match my device")).to_be_checked()
    expect_theme(page, device)

    page.get_by_label(choice.title(), exact=True).check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("data-theme", choice)
    expect(page.get_by_label(choice.title(), exact=True)).to_be_checked()
    expect_theme(page, choice)

    # Without a flash: the page says so before any script or style has come, and with scripts off.
    for path in ("/", "/login", "/no-such-page"):
        answer = page.request.get(path)
        assert f'<html lang="en" data-theme="{choice}">' in answer.text()
        assert f'<meta name="color-scheme" content="{choice}">' in answer.text()
    page.goto("/")
    page.reload()
    expect_theme(page, choice)

    page.goto("/settings/appearance")
    page.get_by_label("Match my device").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "auto")
    expect_theme(page, device)


def test_theme_changes_with_the_device_while_the_page_is_open(alice: Member, browse: Browse) -> None:
    page = browse(alice, color_scheme="light")
    page.goto("/")
    expect_theme(page, "light")
    page.emulate_media(color_scheme="dark")
    expect_theme(page, "dark")
