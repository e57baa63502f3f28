"""All that is wrong with a form is said at once, each at its field, and goes when that field is changed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.accounts.images import image_file
from tests.people import PASSWORD, Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.test_writing import field, reply


def send_wrong_post(form: Locator) -> None:
    form.locator("textarea[name=text]").fill("x" * 502)
    form.locator(".composer-warning summary").click()
    form.locator("[name=warning]").fill("w" * 104)
    form.locator(".button-primary").click()
    expect(form.locator(".error")).to_have_text(
        ["This is 2 characters too long. The limit is 500.", "This is 4 characters too long. The limit is 100."]
    )


@pytest.mark.parametrize("is_over", [False, True])
def test_everything_wrong_with_a_post_is_said_and_each_goes_when_it_is_changed(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints, is_over: bool
) -> None:
    complaints.expect("422 /posts")
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    if is_over:
        reply(page, "hello").click()
        expect(field(page)).to_be_focused()
    form = page.locator("#writing .composer" if is_over else ".column .composer")
    send_wrong_post(form)
    text, warning = form.locator("textarea[name=text]"), form.locator("[name=warning]")
    expect(text).to_be_focused()
    expect(text).to_have_accessible_description("2 over This is 2 characters too long. The limit is 500.")
    warning.press("End")
    warning.press("Backspace")
    expect(form.locator(".error")).to_have_text(["This is 2 characters too long. The limit is 500."])
    expect(text).to_have_attribute("aria-invalid", "true")
    text.fill("shorter")
    expect(form.locator(".error")).to_have_count(0)
    expect(text).not_to_have_attribute("aria-invalid", "true")
    form.locator(".button-primary").click()
    expect(form.locator(".error")).to_have_text(["This is 3 characters too long. The limit is 100."])
    expect(warning).to_be_focused()
    warning.fill("short")
    form.locator(".button-primary").click()
    expect(page.locator("#toasts" if is_over else "#list")).to_contain_text("Reply sent" if is_over else "shorter")


def test_what_was_said_of_images_goes_when_one_is_described(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    page = browse(alice)
    page.goto("/")
    page.locator("#compose").fill("x" * 501)
    picture = image_file("JPEG", size=(90, 60)).getvalue()
    page.locator("#composer [type=file]").set_input_files(
        {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": picture}
    )
    words = page.get_by_label("Image description")
    words.fill("y" * 1001)
    page.locator("#composer .button-primary").click()
    expect(page.locator("#composer .error")).to_have_text(
        ["This is 1 character too long. The limit is 500.", "A description can have up to 1000 characters."]
    )
    expect(words).to_have_accessible_description("A description can have up to 1000 characters.")
    words.fill("y" * 1000)
    expect(page.locator("#composer .error")).to_have_count(1)
    expect(words).not_to_have_attribute("aria-invalid", "true")


def test_images_are_described_on_their_page(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("422 /posts")
    post = alice.write("look", images=[alice.upload(), alice.upload()])
    page = browse(alice)
    page.goto(f"/posts/{post}/images")
    first, second = (page.get_by_label(f"Describe image {number}") for number in (1, 2))
    second.fill("x" * 1001)
    first.press_sequentially("a pear tree")
    page.get_by_role("button", name="Save").click()
    expect(second).to_be_focused()
    expect(second).to_have_accessible_description("A description can have up to 1000 characters.")
    second.fill("its pears")
    expect(page.locator("main .error, main [role=alert]")).to_have_count(0)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice")).to_have_text("Descriptions saved.")
    expect(page.get_by_alt_text("a pear tree")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(
    ("path", "button", "typed", "kept", "errors"),
    [
        (
            "/settings/email",
            "Change email",
            {"New email": "nonsense", "Your password": "wrong"},
            {"New email": "nonsense", "Your password": ""},
            ["That doesn’t look like an email address.", "That’s not your password."],
        ),
        (
            "/settings/password",
            "Change password",
            {"Current password": "wrong", "New password": "short"},
            {"Current password": "", "New password": ""},
            ["That’s not your password.", "Use at least 8 characters."],
        ),
        (
            "/settings/profile",
            "Save",
            {"Display name": "n" * 51, "About you": "b" * 301},
            {"Display name": "n" * 51, "About you": "b" * 301},
            ["Use 50 characters or fewer.", "Use 300 characters or fewer."],
        ),
    ],
)
def test_settings_say_everything_at_once_and_keep_what_was_typed(
    alice: Member,
    browse: Browse,
    complaints: Complaints,
    scripts: bool,
    path: str,
    button: str,
    typed: dict[str, str],
    kept: dict[str, str],
    errors: list[str],
) -> None:
    complaints.expect(f"422 {path}")
    page = browse(alice, scripts=scripts)
    page.goto(path)
    for label, words in typed.items():
        page.get_by_label(label, exact=True).fill(words)
    page.get_by_role("button", name=button, exact=True).click()
    said = page.locator("main .error")
    expect(said).to_contain_text(errors)
    expect(page.get_by_role("alert")).to_have_text(f"2 fields need a change: {', '.join(typed)}.")
    for label, words in kept.items():
        expect(page.get_by_label(label, exact=True)).to_have_value(words)
    if not scripts:
        return
    first, second = (page.get_by_label(label, exact=True) for label in typed)
    expect(first).to_be_focused()
    expect(first).to_have_accessible_description(said.first.text_content() or "")
    second.press("End")
    second.press_sequentially("a")
    expect(said).to_contain_text(errors[:1])
    expect(said).to_have_count(1)
    first.press_sequentially("a")
    expect(said).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_wrong_picture_is_said_beside_a_wrong_name(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("422 /settings/profile")
    page = browse(alice)
    page.goto("/settings/profile")
    page.get_by_label("Display name").fill(" ")
    page.get_by_label("Picture").set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main .error")).to_have_count(2)
    expect(page.get_by_label("Picture")).to_be_focused()


def test_a_filter_says_everything_at_once(alice: Member) -> None:
    answer = alice.send("/settings/filters", phrase=" ", match="nowhere", action="hide", lasts="ever")
    assert answer.status_code == 422
    assert "Enter the word or phrase" in answer.text and "Choose how to match it." in answer.text
    assert "2 fields need a change: Word or phrase, Match." in answer.text


def test_a_password_is_checked_once_the_address_is_right_too(alice: Member) -> None:
    assert alice.send("/settings/email", email="new@example.org", current_password="wrong").status_code == 422
    assert alice.send("/settings/email", email="new@example.org", current_password=PASSWORD).status_code == 303


def test_without_javascript_everything_wrong_with_a_post_is_said(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    page = browse(alice, scripts=False)
    page.goto("/compose")
    send_wrong_post(page.locator("#composer"))
    expect(page.locator("#compose")).to_have_value("x" * 502)
    expect(page.locator("#warning")).to_have_value("w" * 104)


def test_everything_wrong_with_a_change_is_said_at_once(alice: Member) -> None:
    post = alice.write("hello")
    answer = alice.send(f"/posts/{post}/edit", text="x" * 502, warning="w" * 104)
    assert answer.status_code == 422
    assert "This is 2 characters" in answer.text and "This is 4 characters" in answer.text
