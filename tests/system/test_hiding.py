"""Word filters, muted conversations and the reasons of a feed, in a browser; with JavaScript and without."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.test_menu import open_menu, open_options, post, posts


def describe(page: Page, phrase: str, *choices: str) -> None:
    page.get_by_label("Word or phrase").fill(phrase)
    for choice in choices:
        page.get_by_label(choice).check()


def test_a_filter_is_tested_while_it_is_typed_and_then_hides(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("The ferry is late")
    alice.write("Spoilers for the ferry")
    page = browse(bob)
    page.goto("/settings/filters")
    describe(page, "spoiler")
    expect(page.locator("#caught")).to_contain_text("It wouldn’t have caught any of the last 2 posts")
    page.get_by_label("Also inside other words").check()
    expect(page.locator("#caught")).to_contain_text("It would have caught 1 of the last 2 posts")
    expect(page.locator("mark")).to_have_text("Spoiler")
    describe(page, "")
    expect(page.locator("#caught")).to_be_empty()
    describe(page, "SPOILER")
    expect(page.locator("mark")).to_have_text("Spoiler")
    page.get_by_role("button", name="Add filter").click()
    expect(page.get_by_text("Filter added. It covers old posts too.")).to_be_visible()
    expect(page.get_by_text("Hides posts · also inside other words · forever")).to_be_visible()
    page.goto("/")
    expect(posts(page)).to_contain_text(["The ferry is late"])
    page.goto("/settings/filters")
    page.get_by_role("button", name="Remove the filter “SPOILER”").click()
    expect(page.get_by_text("Filter removed.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Hides posts · also inside other words · forever")).to_be_visible()
    page.get_by_role("button", name="Remove the filter “SPOILER”").click()
    page.goto("/")
    expect(posts(page)).to_have_count(2)


def test_a_collapsed_post_says_why_and_opens(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("Spoilers for the ferry")
    for scripts in (True, False):
        page = browse(bob, scripts=scripts)
        page.goto("/settings/filters")
        if scripts:
            describe(page, "spoilers", "Collapse it and say why", "1 week")
            page.get_by_role("button", name="Add filter").click()
            expect(page.get_by_text("Collapses posts · whole words only · until")).to_be_visible()
        page.goto("/")
        article = post(page, "Collapsed by your filter “spoilers”")
        expect(article.locator(".post-text")).to_be_hidden()
        article.get_by_text("Collapsed by your filter").click()
        expect(article.locator(".post-text")).to_be_visible()


def test_without_javascript_a_filter_is_tested_by_a_button_changed_and_removed(
    alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("Spoilers for the ferry")
    page = browse(bob, scripts=False)
    page.goto("/settings/filters")
    describe(page, "spoiler", "Also inside other words", "1 month")
    page.get_by_role("button", name="Test").click()
    expect(page.locator("mark")).to_have_text("Spoiler")
    expect(page.get_by_label("1 month")).to_be_checked()
    page.get_by_role("button", name="Add filter").click()
    page.get_by_role("link", name="Edit the filter “spoiler”").click()
    expect(page.get_by_label("No change: until")).to_be_checked()
    page.get_by_role("button", name="Test").click()
    expect(page.locator("mark")).to_have_text("Spoiler")  # though it is hidden already
    describe(page, "ferry", "Collapse it and say why", "Forever")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Collapses posts · also inside other words · forever")).to_be_visible()
    page.get_by_role("button", name="Remove the filter “ferry”").click()
    expect(page.get_by_role("heading", name="Your filters")).to_have_count(0)


def conversation(alice: Member, bob: Member) -> None:
    first = alice.write("let us talk")
    alice.send("/posts", text="and talk", reply_to=str(first))
    bob.send("/posts", text="I talk, too", reply_to=str(first))
    alice.write("something else")


def test_a_muted_conversation_leaves_the_page_at_once(alice: Member, bob: Member, browse: Browse) -> None:
    conversation(alice, bob)
    page = browse(bob)
    page.goto("/")
    expect(posts(page)).to_have_count(4)
    open_menu(page, "and talk").get_by_role("button", name="Mute this conversation").click()
    expect(posts(page)).to_contain_text(["something else", "I talk, too"])  # one's own stay
    expect(page.get_by_text("Conversation muted.")).to_be_visible()
    page.reload()
    expect(posts(page)).to_have_count(2)
    open_menu(page, "I talk, too").get_by_role("button", name="Unmute this conversation").click()
    expect(page.get_by_text("Conversation unmuted.")).to_be_visible()
    page.reload()
    expect(posts(page)).to_have_count(4)


def test_on_a_profile_a_muted_conversation_stays_and_so_does_the_relation(
    alice: Member, bob: Member, browse: Browse
) -> None:
    conversation(alice, bob)
    page = browse(bob)
    page.goto("/@alice")
    open_menu(page, "let us talk").get_by_role("button", name="Mute this conversation").click()
    expect(page.get_by_text("Conversation muted.")).to_be_visible()
    expect(post(page, "let us talk")).to_be_visible()
    expect(page.get_by_role("button", name="Following @alice: unfollow")).to_be_visible()


def test_without_javascript_a_conversation_is_muted_and_unmuted_in_settings(
    alice: Member, bob: Member, browse: Browse
) -> None:
    conversation(alice, bob)
    page = browse(bob, scripts=False)
    page.goto("/")
    open_options(page, "let us talk").get_by_role("button", name="Mute this conversation").click()
    expect(page.get_by_text("Conversation muted.")).to_be_visible()
    page.goto("/settings/conversations")
    expect(page.get_by_text("let us talk")).to_be_visible()
    page.get_by_role("button", name="Unmute the conversation started by Alice").click()
    expect(page.get_by_text("Conversation unmuted.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Conversation muted again.")).to_be_visible()
    page.get_by_role("button", name="Unmute the conversation started by Alice").click()
    page.goto("/")
    expect(posts(page)).to_have_count(4)


def test_why_opens_in_a_dialog_and_the_focus_comes_back(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello there")
    page = browse(bob)
    page.goto("/explore")
    open_menu(page, "hello there").get_by_role("link", name="Why am I seeing this?").click()
    dialog = page.get_by_role("dialog", name="Why am I seeing this?")
    expect(dialog).to_contain_text("Explore shows everyone’s posts that you can see. It’s also in your home feed.")
    expect(dialog).to_contain_text("You’ve followed @alice since")
    expect(page.locator(".post-head .menu-items")).to_be_hidden()
    dialog.press("Escape")
    expect(dialog).to_be_hidden()
    expect(post(page, "hello there").locator("summary").first).to_be_focused()


def test_without_javascript_why_is_a_page(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello there")
    page = browse(bob, scripts=False)
    page.goto("/explore")
    open_options(page, "hello there").get_by_role("link", name="Why am I seeing this?").click()
    expect(page.get_by_role("heading", name="Why am I seeing this?")).to_be_visible()
    shows = "Explore shows everyone’s posts that you can see. It’s also in your home feed."
    expect(page.locator("main")).to_contain_text(shows)
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_role("heading", name="Explore")).to_be_visible()


def test_a_tag_is_followed_and_unfollowed(bob: Member, carol: Member, browse: Browse) -> None:
    carol.write("a cup of #tea")
    for scripts in (True, False):
        page = browse(bob, scripts=scripts)
        page.goto("/tags/tea")
        page.get_by_role("button", name="Follow #tea").click()
        expect(page.get_by_role("button", name="Following #tea: unfollow")).to_be_visible()
        expect(page.locator(".htmx-request")).to_have_count(0)  # it shows before the server has answered
        page.goto("/")
        expect(posts(page)).to_contain_text(["a cup of #tea"])
        page.goto("/settings/tags")
        page.get_by_role("button", name="Following #tea: unfollow").click()
        if not scripts:
            expect(page.get_by_text("You’re not following any tags yet.")).to_be_visible()
        else:
            expect(page.get_by_role("button", name="Follow #tea")).to_be_visible()
