"""Images in posts: chosen, pasted or dropped, described, taken out again, and never at the price of the text."""

from __future__ import annotations

import re
from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.accounts.images import image_file, moving, noise
from tests.people import PASSWORD, Member
from tests.system.clock import settle
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused
from tests.system.test_posting import composer, post_button, posts

# What somebody does with a mouse or a clipboard that Playwright does not have.
GIVE = """(element, { kind, name, content, text }) => {
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  const things = new DataTransfer();
  things.items.add(new File([bytes], name, { type: "image/png" }));
  if (text) things.setData("text/plain", text);
  const options = { bubbles: true, cancelable: true };
  const event = kind === "paste" ? new ClipboardEvent(kind, { ...options, clipboardData: things })
                                 : new DragEvent(kind, { ...options, dataTransfer: things });
  return element.dispatchEvent(event);
}"""


@pytest.fixture(autouse=True)
def asked_for_no_descriptions(alice: Member) -> None:
    """Leave the reminder to the tests that are about it."""
    assert alice.send("/settings/writing", descriptions="never").status_code == 303


def photo(name: str = "photo.jpg", *, size: tuple[int, int] = (600, 400), colour: str = "teal") -> FilePayload:
    return {"name": name, "mimeType": "image/jpeg", "buffer": image_file("JPEG", size=size, colour=colour).getvalue()}


def file(name: str, content: BytesIO | bytes) -> FilePayload:
    content = content if isinstance(content, bytes) else content.getvalue()
    return {"name": name, "mimeType": "image/png", "buffer": content}


def choose(page: Page, *files: FilePayload) -> None:
    page.get_by_label("Add images").set_input_files(list(files))


def give(place: Locator, kind: str, name: str = "photo.png", *, text: str = "") -> None:
    """Drop or paste an image somewhere."""
    content = b64encode(image_file("PNG", size=(300, 200)).getvalue()).decode()
    place.evaluate(GIVE, {"kind": kind, "name": name, "content": content, "text": text})


def chosen(page: Page) -> Locator:
    """Return the images in the form that are uploaded."""
    return page.locator(".composer-image:has([name=images])")


def descriptions(page: Page) -> Locator:
    return page.get_by_label("Image description")


def shown(page: Page) -> Locator:
    return posts(page).first.locator(".post-image img")


def test_chosen_images_are_shown_described_and_posted_in_their_order(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("Two of them")
    choose(page, photo("a.jpg"), photo("b.jpg", colour="red"))
    expect(chosen(page)).to_have_count(2)
    expect(page.locator(".composer-image img").first).to_have_js_property("naturalWidth", 480)
    descriptions(page).first.fill("A teal wall")
    descriptions(page).last.fill("A red one")
    post_button(page).click()
    expect(posts(page).first).to_contain_text("Two of them")
    expect(shown(page)).to_have_count(2)
    assert [image.get_attribute("alt") for image in shown(page).all()] == ["A teal wall", "A red one"]
    expect(chosen(page)).to_have_count(0)
    expect(composer(page)).to_have_value("")
    choose(page, photo())  # the new form works like the old one
    expect(chosen(page)).to_have_count(1)


def test_an_image_needs_no_words(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    choose(page, photo())
    post_button(page).click()
    expect(shown(page)).to_have_attribute("alt", "Image, no description")
    large = posts(page).get_by_role("link", name="Image, no description")
    expect(large).to_have_attribute("href", re.compile(r"^/media/posts/[\w-]+\.l\.webp$"))
    assert page.request.get(large.get_attribute("href") or "").headers["content-type"] == "image/webp"


@pytest.mark.parametrize("kind", ["paste", "drop"])
def test_an_image_can_be_pasted_or_dropped(alice: Member, browse: Browse, kind: str) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("typed before")
    give(composer(page), kind)
    expect(chosen(page)).to_have_count(1)
    expect(composer(page)).to_have_value("typed before")


def test_a_file_that_misses_the_form_is_taken_as_well_and_does_not_take_the_page_away(
    alice: Member, browse: Browse
) -> None:
    alice.write("something below")
    page = browse(alice)
    page.goto("/")
    give(posts(page).first, "dragover")
    expect(page.locator(".composer.is-dropping")).to_be_visible()
    give(posts(page).first, "drop")
    expect(page.locator(".composer.is-dropping")).to_have_count(0)
    expect(chosen(page)).to_have_count(1)


def test_text_with_a_picture_of_itself_is_pasted_as_text(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    give(composer(page), "paste", text="from a word processor")
    settle(page)
    expect(page.locator(".composer-image")).to_have_count(0)


def test_an_upload_shows_how_far_it_is_and_the_post_waits_for_it(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("with a slow image")
    with requests_paused(page, "**/images") as uploads:
        choose(page, photo("slow.jpg"), photo("next.jpg"))
        expect(page.get_by_role("progressbar", name="Uploading slow.jpg")).to_be_visible()
        expect(page.get_by_text("Waiting…")).to_be_visible()
        assert len(uploads) == 1, "one after the other"
        post_button(page).click()
        expect(post_button(page)).to_be_disabled()
        with requests_paused(page, "**/posts") as sent:
            composer(page).press("Control+Enter")
            settle(page)
            assert sent == []
        expect(posts(page)).to_have_count(0)
    expect(posts(page)).to_have_count(1)
    expect(shown(page)).to_have_count(2)
    assert len(alice.feed()) == 1


def test_an_image_can_be_left_out_after_and_during_its_upload(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    choose(page, photo("a.jpg"), photo("b.jpg", colour="red"))
    expect(chosen(page)).to_have_count(2)
    descriptions(page).last.fill("stays")
    with page.expect_response("**/images/*/delete") as deleted:
        page.get_by_role("button", name="Remove image").first.click()
    assert deleted.value.status == 200
    expect(chosen(page)).to_have_count(1)
    expect(page.get_by_label("Add images")).to_be_focused()
    with requests_paused(page, "**/images"):
        choose(page, photo("c.jpg"))
        page.get_by_role("button", name="Remove image").last.click()
        expect(page.locator(".composer-image")).to_have_count(1)
    post_button(page).click()
    expect(shown(page)).to_have_attribute("alt", "stays")


def test_a_refused_file_costs_nothing_else(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("422 /images")
    page = browse(alice)
    page.goto("/")
    composer(page).fill("typed with care")
    choose(page, photo("good.jpg"), file("notes.png", b"not an image"), file("huge.png", noise(at_least=9 * 1024**2)))
    expect(page.get_by_role("alert")).to_contain_text(
        [
            "huge.png: This file is too large. The limit is 8 MB.",
            "notes.png: This file isn’t an image Freshet can read.",
        ]
    )
    expect(chosen(page)).to_have_count(1)
    expect(composer(page)).to_have_value("typed with care")
    post_button(page).click()
    expect(posts(page)).to_contain_text(["typed with care"])
    expect(shown(page)).to_have_count(1)


def test_a_fifth_image_is_refused(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    choose(page, *(photo(f"{number}.jpg") for number in range(5)))
    expect(page.get_by_role("alert")).to_have_text("A post can have up to four images.")
    expect(chosen(page)).to_have_count(4)
    expect(page.locator(".composer-add")).to_be_hidden()
    post_button(page).click()
    expect(shown(page)).to_have_count(4)


def test_a_refused_text_costs_no_image_and_no_description(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    page = browse(alice)
    page.goto("/")
    composer(page).fill("x" * 501)
    choose(page, photo("a.jpg"), photo("b.jpg"))
    expect(chosen(page)).to_have_count(2)
    descriptions(page).last.fill("The second")
    post_button(page).click()
    expect(page.get_by_role("alert")).to_contain_text("too long")
    expect(descriptions(page).last).to_have_value("The second")
    page.get_by_role("button", name="Remove image").first.click()
    expect(chosen(page)).to_have_count(1)
    composer(page).fill("short")
    post_button(page).click()
    expect(shown(page)).to_have_attribute("alt", "The second")


def test_without_javascript_images_come_with_the_post_and_are_described_afterwards(
    alice: Member, browse: Browse
) -> None:
    page = browse(alice, scripts=False)
    page.goto("/compose")
    composer(page).fill("sent by hand")
    choose(page, photo("a.jpg"), photo("b.jpg"))
    post_button(page).click()
    expect(page.get_by_role("heading", name="Describe your images")).to_be_visible()
    page.get_by_label("Describe image 2").fill("The second")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Descriptions saved.")).to_be_visible()
    images = page.locator(".post-image img")
    assert [image.get_attribute("alt") for image in images.all()] == ["Image 1 of 2, no description", "The second"]


def test_without_javascript_a_refused_file_costs_neither_the_text_nor_the_others(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    page = browse(alice, scripts=False)
    page.goto("/")
    composer(page).fill("typed with care")
    choose(page, photo("a.jpg"), file("notes.png", b"not an image"), photo("b.jpg"))
    post_button(page).click()
    expect(page.get_by_role("alert")).to_contain_text("notes.png: This file isn’t an image")
    expect(composer(page)).to_have_value("typed with care")
    expect(chosen(page)).to_have_count(2)
    descriptions(page).last.fill("stays")
    page.get_by_label("Remove image").first.check(force=True)
    post_button(page).click()
    expect(posts(page)).to_contain_text(["typed with care"])
    expect(shown(page)).to_have_attribute("alt", "stays")


def test_without_javascript_too_much_at_once_is_refused_and_the_text_is_still_there(
    alice: Member, browse: Browse, complaints: Complaints, tmp_path: Path
) -> None:
    complaints.expect("413 /posts")
    page = browse(alice, scripts=False)
    page.goto("/compose")
    composer(page).fill("typed with care")
    huge = [tmp_path / f"{number}.png" for number in range(5)]
    for path in huge:  # as files: the driver takes too long to hand so many bytes over itself
        path.write_bytes(b"x" * 8 * 1024**2)
    page.get_by_label("Add images").set_input_files(huge)
    post_button(page).click()
    expect(page.get_by_role("heading", name="Too large")).to_be_visible()
    page.go_back()
    expect(composer(page)).to_have_value("typed with care")


def test_room_is_kept_for_images_that_are_not_there_yet(alice: Member, bob: Member, browse: Browse) -> None:
    author = browse(alice)
    author.goto("/")
    for sizes in ([(600, 900)], [(900, 200)], [(300, 200), (200, 900), (900, 300)]):
        choose(author, *(photo(f"{size}.jpg", size=size) for size in sizes))
        expect(chosen(author)).to_have_count(len(sizes))
        post_button(author).click()
        expect(chosen(author)).to_have_count(0)
    page = browse(bob, width=390)
    heights = "() => [...document.querySelectorAll('.post-images')].map((images) => images.offsetHeight)"
    with requests_paused(page, "**/media/posts/*"):
        page.goto("/", wait_until="domcontentloaded")
        before = page.evaluate(heights)
    page.wait_for_load_state("networkidle")
    for image in page.locator(".post-image img").all():
        image.scroll_into_view_if_needed()
        expect(image).not_to_have_js_property("naturalWidth", 0)
    after = page.evaluate(heights)
    assert all(abs(a - b) <= 1 for a, b in zip(after, before, strict=True)), (
        "whole pixels in HTML, parts of them in files"
    )
    assert all(height > 50 for height in before)


@pytest.mark.parametrize(("motion", "ending"), [("no-preference", ".moving.webp"), ("reduce", ".l.webp")])
def test_an_animation_moves_only_for_those_who_have_nothing_against_it(
    alice: Member, browse: Browse, motion: str, ending: str
) -> None:
    page = browse(alice, reduced_motion=motion)
    page.goto("/")
    choose(page, file("wave.gif", moving(size=(200, 100))))
    post_button(page).click()
    expect(shown(page)).to_be_visible()
    expect(shown(page)).not_to_have_js_property("currentSrc", "")
    assert shown(page).evaluate("(image) => image.currentSrc").endswith(ending)


def test_after_a_log_in_in_another_tab_the_upload_goes_on(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("401 /images")
    page = browse(alice)
    page.goto("/")
    composer(page).fill("typed before")
    assert alice.send("/logout").status_code == 303
    choose(page, photo())
    expect(page.get_by_role("alert")).to_contain_text("You’ve been logged out.")
    tab = page.context.new_page()
    tab.goto("/login")
    tab.get_by_label("Handle or email").fill("alice")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Log in").click()
    expect(tab.get_by_role("heading", name="Home")).to_be_visible()
    choose(page, photo())
    expect(chosen(page)).to_have_count(1)
    post_button(page).click()
    expect(posts(page)).to_contain_text(["typed before"])
