"""A draft that is discarded is gone wherever it was, and one of a post that has changed can still be gone on with."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.test_draft_list import begin, items
from tests.system.test_drafts import composer, expect_drafts, line
from tests.system.test_writing import card, field, reply

CHANGED = "The post has changed since you began it"


def edit(page: Page, post: int, words: str) -> None:
    page.goto(f"/posts/{post}/edit")
    page.get_by_label("Edit your post").fill(words)


def test_what_is_discarded_in_the_list_is_gone_from_the_dialog_the_card_and_other_tabs(
    alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    begin(page, "hello", "half a thought")
    tab = page.context.new_page()
    tab.goto("/drafts")
    items(tab).get_by_role("link", name="Continue").click()
    expect(field(tab)).to_have_value("half a thought")
    field(tab).fill("half a thought, and longer")
    tab.keyboard.press("Escape")
    begin(page, "hello", "half a thought again")  # a second copy
    items(tab).get_by_role("button", name="Discard").click()
    expect_drafts(tab, 0)
    expect(tab.locator("#drafts-count")).to_have_text("")
    expect(card(page, "hello").locator(".action-reply")).to_have_accessible_name("Reply")
    reply(page, "hello").click()
    expect(field(page)).to_have_value("")
    expect(line(page)).to_contain_text("Draft discarded")
    tab.reload()
    expect(tab.get_by_text("No drafts.")).to_be_visible()


def test_what_is_discarded_on_the_same_page_is_not_in_its_dialog(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    begin(page, "hello", "half a thought")
    page.goto("/drafts")
    items(page).get_by_role("link", name="Continue").click()
    expect(field(page)).to_have_value("half a thought")
    page.keyboard.press("Escape")
    items(page).get_by_role("button", name="Discard").click()
    page.get_by_role("button", name="Undo").click()
    items(page).get_by_role("link", name="Continue").click()
    expect(field(page)).to_have_value("half a thought")
    page.keyboard.press("Escape")
    items(page).get_by_role("button", name="Discard").click()
    page.get_by_role("link", name="Write", exact=True).click()
    expect(field(page)).to_have_value("")
    expect_drafts(page, 0)


def test_what_is_discarded_in_a_form_is_emptied_in_other_tabs_and_can_be_brought_back_there(
    alice: Member, browse: Browse
) -> None:
    one = browse(alice)
    one.goto("/")
    composer(one).fill("perhaps not")
    two = one.context.new_page()
    two.goto("/")
    expect(composer(two)).to_have_value("perhaps not")
    line(two).get_by_role("button", name="Discard").click()
    expect(composer(two)).to_have_value("")
    expect(composer(one)).to_have_value("")
    expect_drafts(two, 0)
    line(one).get_by_role("button", name="Undo").click()
    expect(composer(one)).to_have_value("perhaps not")
    expect_drafts(one, 1)


def test_what_was_written_in_another_tab_by_itself_stays(alice: Member, browse: Browse) -> None:
    one = browse(alice)
    one.goto("/")
    two = one.context.new_page()
    two.goto("/")
    composer(one).fill("written in the first")
    composer(two).fill("written in the second")
    expect_drafts(one, 2)
    three = one.context.new_page()
    three.goto("/")
    expect(composer(three)).to_have_value("written in the second")
    line(three).get_by_role("button", name="Discard").click()
    expect(composer(two)).to_have_value("")
    expect(composer(one)).to_have_value("written in the first")
    expect_drafts(one, 1)


def test_a_refused_form_is_emptied_by_a_discard(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("422 /posts")
    page = browse(alice)
    page.goto("/")
    composer(page).fill("x" * 501)
    page.locator("#composer .button-primary").click()
    expect(page.locator("#composer [role=alert]")).to_contain_text("too long")
    tab = page.context.new_page()
    tab.goto("/drafts")
    tab.get_by_role("button", name="Discard").click()
    expect(composer(page)).to_have_value("")
    expect_drafts(tab, 0)


def test_a_change_to_a_post_that_has_changed_meanwhile_can_be_gone_on_with(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("409 /posts/")
    post = alice.write("as it was")
    page = browse(alice)
    edit(page, post, "from the desk")
    assert alice.send(f"/posts/{post}/edit", text="from the phone").status_code == 303
    page.goto("/drafts")
    expect(items(page)).to_contain_text(["from the phone"])
    items(page).get_by_role("link", name="Continue").click()
    expect(composer(page)).to_have_value("from the desk")
    expect(line(page)).to_contain_text(CHANGED)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("from the phone")
    expect(composer(page)).to_have_value("from the desk")
    page.get_by_role("button", name="Save mine").click()
    expect(page.get_by_role("article")).to_contain_text("from the desk")
    expect_drafts(page, 0)


def test_such_a_change_can_be_discarded_and_the_post_edited_as_it_is(alice: Member, browse: Browse) -> None:
    post = alice.write("as it was")
    page = browse(alice)
    edit(page, post, "from the desk")
    assert alice.send(f"/posts/{post}/edit", text="from the phone").status_code == 303
    page.reload()
    expect(line(page)).to_contain_text(CHANGED)
    line(page).get_by_role("button", name="Discard").click()
    expect(composer(page)).to_have_value("from the phone")
    composer(page).fill("from the phone, mended")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("article")).to_contain_text("from the phone, mended")


def test_a_change_from_before_the_update_is_found(alice: Member, browse: Browse) -> None:
    post = alice.write("as it was")
    page = browse(alice)
    edit(page, post, "from the desk")
    page.evaluate(
        """() => {
          const [key] = Object.keys(localStorage).filter((key) => key.startsWith('draft:'));
          const [, account, place, page] = key.split(':'), { version, ...draft } = JSON.parse(localStorage[key]);
          localStorage.clear();
          localStorage['drafts-of'] = account;
          localStorage[`draft:${account}:${place}-${version}:${page}`] = JSON.stringify(draft);
        }"""
    )
    page.goto("/drafts")
    items(page).get_by_role("link", name="Continue").click()
    expect(composer(page)).to_have_value("from the desk")
    expect(line(page)).to_have_text("Draft restored · Discard")


def test_a_change_to_a_post_that_was_deleted_can_be_copied(alice: Member, browse: Browse) -> None:
    post = alice.write("as it was")
    page = browse(alice)
    edit(page, post, "from the desk")
    alice.delete(post)
    page.goto("/drafts")
    expect(items(page)).to_contain_text(["from the desk"])
    expect(items(page)).to_contain_text(["What it’s about is gone"])
    expect(items(page).get_by_role("link", name="Continue")).to_have_count(0)
