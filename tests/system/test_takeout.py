"""Take one's data along in a browser: progress without a reload, and a page that is good without the site."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest
from flask import Flask
from playwright.sync_api import Page, ViewportSize, expect

from tests.accounts.images import image_file
from tests.outbox import drain
from tests.people import Member
from tests.system.conftest import Browse
from tests.system.looks import check

EVIL = "<script>document.title = 'caught'</script><img src=x onerror=\"document.title = 'caught'\">"
PHONE: ViewportSize = {"width": 320, "height": 800}


def unpacked(page: Page, folder: Path) -> Path:
    """Download the file as a person would, and unpack it."""
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    with ZipFile(download.value.path()) as found:
        found.extractall(folder)
    return folder


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_copy_is_asked_for_seen_coming_and_downloaded(
    app: Flask, alice: Member, browse: Browse, tmp_path: Path, scripts: bool
) -> None:
    alice.write("hello")
    page = browse(alice, scripts=scripts)
    page.goto("/settings/data")
    page.get_by_role("button", name="Make a copy").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    drain(app)
    if not scripts:
        page.get_by_role("link", name="Look again").click()
    expect(page.get_by_text("Your copy is ready.")).to_be_visible()
    if scripts:
        check(page)
    assert (unpacked(page, tmp_path) / "index.html").exists()


def test_what_came_of_a_list_is_said_without_a_reload(
    app: Flask, alice: Member, bob: Member, browse: Browse, tmp_path: Path
) -> None:
    page = browse(alice)
    page.goto("/settings/data")
    people = tmp_path / "people.csv"
    people.write_text("Account address\nbob@localhost\n" + "".join(f"nobody{number}\n" for number in range(20)))
    page.get_by_label("File").set_input_files(people)
    page.get_by_role("button", name="Bring in").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    drain(app)
    expect(page.get_by_text("Nobody here by that handle: 20")).to_be_visible()
    check(page)


def test_the_page_in_the_file_works_from_a_folder_and_runs_nothing(
    app: Flask, alice: Member, bob: Member, browse: Browse, tmp_path: Path
) -> None:
    alice.send("/settings/profile", name="Alice " + EVIL, bio=EVIL, avatar=(image_file(), "me.png"))
    image = alice.upload()
    alice.write(EVIL, images=image, **{f"alt-{image}": EVIL})
    alice.write("W" * 400, warning="soup", audience="followers")
    alice.send(f"/posts/{bob.write('hi')}/like")
    alice.send("/settings/data/export")
    drain(app)
    page = browse(alice)
    page.goto("/settings/data")
    folder = unpacked(page, tmp_path)
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.set_viewport_size(PHONE)
    page.goto((folder / "index.html").as_uri())
    for picture in page.locator("img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") > 0
    assert page.title() != "caught" and "Alice" in page.title()
    assert heard == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it fits"
