"""Back leads to the same post at the same height, whether the browser kept the page that was left or forgot it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, Page, expect

from tests.accounts.images import image_file
from tests.people import Member
from tests.system.conftest import ARGUMENTS, Browse, Launch
from tests.system.reading import older, posts, shown
from tests.system.test_scrolling import TO_THE_END, write_many

IS_REMEMBERED = """() => {
  const place = history.state?.place, post = place && document.querySelector(`[data-entry='${place.entry}']`);
  return post && scrollY > 0 && Math.abs(post.getBoundingClientRect().top - place.top) < 1;
}"""


@pytest.fixture(scope="module")
def remembering(launch: Launch) -> Iterator[Browser]:
    """A browser that keeps the pages that are left, as people's do, and Playwright's does not unless asked."""
    with launch(ignore_default_args=["--disable-back-forward-cache"]) as browser:
        yield browser


@pytest.fixture(scope="module")
def forgetting(launch: Launch) -> Iterator[Browser]:
    """A browser that has to ask again for every page."""
    with launch(args=[*ARGUMENTS, "--disable-back-forward-cache"]) as browser:
        yield browser


@pytest.fixture(params=["remembering", "forgetting"])
def kind(request: pytest.FixtureRequest) -> Browser:
    browser: Browser = request.getfixturevalue(request.param)
    return browser


def height_of(post: Locator) -> float:
    top: float = post.evaluate("(post) => post.getBoundingClientRect().top")
    return top


def read_to(page: Page, post_id: int) -> Locator:
    """Scroll down until a post is there, and have it somewhere in the middle of the screen."""
    post = page.locator(f"#list [data-entry='{post_id}']")
    while not post.count():
        count = posts(page).count()
        older(page).scroll_into_view_if_needed()
        expect(posts(page)).not_to_have_count(count)
    post.evaluate("(post) => scrollTo({ top: scrollY + post.getBoundingClientRect().top - 333, behavior: 'instant' })")
    return post


def open_post(post: Locator) -> None:
    post.locator(".post-time").click()
    expect(post.page.get_by_role("heading", name="Post", exact=True)).to_be_visible()


def expect_at(post: Locator, height: float) -> None:
    """Expect a post at a height, as soon as its page is there."""
    post.page.wait_for_function(
        """([post, height]) => {
          const found = document.querySelector(`#list [data-entry='${post}']`);
          return found && Math.abs(found.getBoundingClientRect().top - height) < 2;
        }""",
        arg=[post.get_attribute("data-entry"), height],
    )


@pytest.mark.parametrize("path", ["/", "/@alice", "/tags/tea", "/explore"])
def test_back_leads_to_the_same_post_at_the_same_height(
    path: str, kind: Browser, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 90, tag="#tea")
    page = browse(bob, browser=kind)
    page.goto(path)
    post = read_to(page, written[50])
    height = height_of(post)
    open_post(post)
    write_many(app, alice, 3, tag="#tea")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.is_navigation_request() else None)
    page.go_back(wait_until="commit")
    expect_at(post, height)
    assert len(asked) <= 1, "at once, and not page after page from the top"
    around = shown(page)
    assert written[50] in around
    assert around == [each for each in written if around[-1] <= each <= around[0]]
    post = read_to(page, written[70])
    height = height_of(post)
    open_post(post)
    page.go_back(wait_until="commit")
    expect_at(post, height)


def test_from_there_the_feed_goes_on_both_ways_without_a_gap(
    kind: Browser, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 90)
    page = browse(bob, browser=kind)
    page.goto("/")
    open_post(read_to(page, written[50]))
    page.go_back(wait_until="commit")
    expect(page.locator(f"#post-{written[50]}")).to_be_in_viewport()
    while page.locator(".pager-end").count() == 0:
        page.wait_for_function(TO_THE_END, arg=posts(page).count())
    while page.locator("a[rel=prev]").count():
        count = posts(page).count()
        posts(page).first.scroll_into_view_if_needed()
        expect(posts(page)).not_to_have_count(count)
    assert shown(page) == written


def test_what_changed_meanwhile_is_right(kind: Browser, app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    liked, counted, deleted, opened = (alice.write(text) for text in ("liked", "counted", "deleted", "opened"))
    page = browse(bob, browser=kind)
    for path in ("/", "/@alice", "/explore"):
        page.goto(path)
        for _ in range(2):  # the second time the browser has the page of the first
            open_post(page.locator(f"#list [data-entry='{opened}']"))
            bob.send(f"/posts/{liked}/like")
            bob.write("an answer", reply_to=counted)
            page.go_back(wait_until="commit")
            expect(page.locator(f"#like-{liked}")).to_have_attribute("aria-pressed", "true")
            replies = alice.get(f"/@alice/{counted}").text.count(">an answer<")
            expect(page.locator(f"#actions-{counted} .action-reply")).to_have_text(str(replies))
        expect(page.locator(f"#post-{deleted}")).to_be_visible()
        open_post(page.locator(f"#list [data-entry='{opened}']"))
        alice.delete(deleted)
        page.go_back(wait_until="commit")
        expect(page.locator(f"#like-{liked}")).to_be_visible()
        expect(page.locator(f"#post-{deleted}")).to_have_count(0)
        bob.send(f"/posts/{liked}/like/delete")
        deleted = alice.write("deleted")


def test_back_to_a_search_that_names_an_author_keeps_what_it_found(
    kind: Browser, bob: Member, carol: Member, browse: Browse
) -> None:
    post = carol.write("muted, and asked for by name")
    bob.mute(carol)
    page = browse(bob, browser=kind)
    page.goto("/search?q=from:carol")
    open_post(page.locator(f"#post-{post}"))
    bob.send(f"/posts/{post}/like")
    page.go_back(wait_until="commit")
    expect(page.locator(f"#like-{post}")).to_have_attribute("aria-pressed", "true")
    expect(posts(page)).to_have_count(1)


def test_what_stands_above_a_reply_and_the_numbers_of_a_post_are_right(
    kind: Browser, alice: Member, bob: Member, carol: Member, browse: Browse
) -> None:
    answered = carol.write("said, and taken back")
    alice.follow(carol)
    bob.follow(carol)
    reply = alice.write("to that", reply_to=answered)
    bob.unfollow(carol)
    bob.send("/@alice/volume", volume="all_replies")
    page = browse(bob, browser=kind)
    page.goto("/")
    expect(page.locator(f"[data-context='{answered}']")).to_be_visible()
    open_post(page.locator(f"#list [data-entry='{reply}']"))
    page.locator("[data-permalink] .post-author").click()
    expect(page.locator("[data-profile]")).to_be_visible()
    alice.send(f"/posts/{reply}/like")
    page.go_back(wait_until="commit")
    expect(page.locator(".post-counts")).to_contain_text("1 like")
    carol.delete(answered)
    page.go_back(wait_until="commit")
    expect(page.get_by_text("This post was deleted.")).to_be_visible()
    expect(page.locator(f"[data-context='{answered}']")).to_have_count(0)
    expect(posts(page)).to_have_count(1)


def test_a_post_that_is_gone_leaves_its_height_to_the_one_below(
    kind: Browser, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 60)
    page = browse(bob, browser=kind)
    page.goto("/")
    post = read_to(page, written[30])
    height, below = height_of(post), page.locator(f"#post-{written[31]}")
    open_post(post)
    alice.delete(written[30])
    page.go_back(wait_until="commit")
    expect(post).to_have_count(0)
    expect_at(below, height)


def test_a_post_that_is_gone_from_a_conversation_leaves_its_height_to_what_is_below(
    kind: Browser, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    """The conversation begins with the oldest post of all, which is no reason to lead there."""
    root = alice.write("the oldest")
    written = write_many(app, alice, 10)
    answer, last = alice.write("an answer", reply_to=root), alice.write("another", reply_to=root)
    write_many(app, alice, 6)
    page = browse(bob, browser=kind)
    page.goto("/")
    for gone, below in ((answer, last), (written[2], written[3])):
        post = read_to(page, gone)
        height = height_of(post)
        open_post(post)
        alice.delete(gone)
        page.go_back(wait_until="commit")
        expect(post).to_have_count(0)
        expect_at(page.locator(f"#list [data-entry='{below}']"), height)


def test_a_bookmark_that_was_removed_meanwhile_leaves_its_height_to_the_one_below(
    kind: Browser, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    """Bookmarks have the order in which they were made: the oldest posts are on top here."""
    kept = write_many(app, alice, 50)
    for post_id in kept:
        bob.send(f"/posts/{post_id}/bookmark")
    in_order = kept[::-1]
    page = browse(bob, browser=kind)
    page.goto("/bookmarks")
    post = read_to(page, in_order[30])
    height = height_of(post)
    open_post(post)
    bob.send(f"/posts/{in_order[30]}/bookmark/delete")
    alice.delete(in_order[30])
    page.go_back(wait_until="commit")
    expect(post).to_have_count(0)
    expect_at(page.locator(f"#list [data-entry='{in_order[31]}']"), height)


def at_the_address_bar(page: Page) -> None:
    page.goto("/settings/appearance")


def by_key(page: Page) -> None:
    page.keyboard.press("g")
    page.keyboard.press("e")
    expect(page.get_by_role("heading", name="Explore")).to_be_visible()


def to_a_profile(page: Page) -> None:
    page.locator("#list .post-author").nth(30).click()
    expect(page.locator("[data-profile]")).to_be_visible()


def to_compose(page: Page) -> None:
    page.evaluate("() => location.assign('/compose')")
    expect(page.get_by_role("heading", name="New post").first).to_be_visible()


@pytest.mark.parametrize("leave", [at_the_address_bar, by_key, to_a_profile, to_compose])
def test_however_the_page_was_left(
    leave: Callable[[Page], None], kind: Browser, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 60)
    page = browse(bob, browser=kind)
    page.goto("/")
    post = read_to(page, written[30])
    height = height_of(post)
    page.wait_for_function(IS_REMEMBERED)
    leave(page)
    page.go_back(wait_until="commit")
    expect_at(post, height)


def test_a_reader_at_the_top_comes_back_to_the_top_and_to_what_is_new_above_it(
    kind: Browser, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 30)
    page = browse(bob, browser=kind)
    page.goto("/")
    post = page.locator(f"#post-{written[0]}")
    height = height_of(post)
    open_post(post)
    page.go_back(wait_until="commit")
    expect_at(post, height)
    expect(page).to_have_url(re.compile(r"/$"))
    expect(page.get_by_label("Write a post")).to_be_visible()


def test_replies_of_a_thread_that_came_later_are_come_back_to(
    kind: Browser, alice: Member, bob: Member, browse: Browse
) -> None:
    root = alice.write("root")
    replies = [alice.write(f"number {number}", reply_to=root) for number in range(1)]
    replies += [bob.write(f"number {number}", reply_to=root) for number in range(30)]
    page = browse(bob, browser=kind)
    page.goto(f"/@alice/{root}")
    post = read_to(page, replies[25])
    height = height_of(post)
    open_post(post)
    page.go_back(wait_until="commit")
    expect_at(post, height)


# ---- What lies over the page


def open_viewer(page: Page) -> Locator:
    page.locator(".post-image").first.click()
    return page.locator("#viewer")


def open_writing(page: Page) -> Locator:
    page.locator(".action-reply").first.click()
    return page.locator("#writing")


def open_keys(page: Page) -> Locator:
    page.keyboard.press("?")
    return page.locator("#keys")


def open_question(page: Page) -> Locator:
    page.locator("summary[aria-label=Options]").first.click()
    page.get_by_role("link", name="Delete this post").click()
    return page.locator("#confirm")


@pytest.mark.parametrize("open_one", [open_viewer, open_writing, open_keys, open_question])
def test_back_closes_what_lies_over_the_page_and_then_leaves_it(
    open_one: Callable[[Page], Locator], kind: Browser, alice: Member, browse: Browse
) -> None:
    image = alice.upload(image_file("JPEG", size=(600, 400)))
    alice.write("with a picture", images=[image])
    page = browse(alice, browser=kind)
    page.goto("/explore")
    page.goto("/")
    for closing in ("back", "Escape", "back"):
        dialog = open_one(page)
        expect(dialog).to_be_visible()
        page.wait_for_function("() => history.state?.over === 1")
        page.go_back() if closing == "back" else page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        page.wait_for_function("() => !history.state?.over")
        expect(page).to_have_url(re.compile(r"/$"))
        expect(posts(page)).to_have_count(1)
    page.go_back(wait_until="commit")
    expect(page).to_have_url(re.compile(r"/explore$"))


def test_back_takes_one_after_another_from_the_page(kind: Browser, alice: Member, browse: Browse) -> None:
    alice.write("something")
    page = browse(alice, browser=kind)
    page.goto("/")
    writing = open_writing(page)
    expect(writing.get_by_role("textbox").first).to_be_focused()
    page.evaluate("() => document.querySelector('#keys').showModal()")
    page.wait_for_function("() => history.state?.over === 2")
    page.go_back()
    expect(page.locator("#keys")).to_be_hidden()
    expect(writing).to_be_visible()
    page.go_back()
    expect(writing).to_be_hidden()


def test_a_link_in_a_dialog_leaves_no_dialog_behind_in_the_history(
    kind: Browser, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 60)
    page = browse(bob, browser=kind)
    page.goto("/")
    post = read_to(page, written[30])
    height = height_of(post)
    post.locator("summary[aria-label=Options]").click()
    page.get_by_role("link", name="Why am I seeing this?").click()
    expect(page.locator("#why")).to_be_visible()
    page.wait_for_function("() => history.state?.over === 1")
    page.get_by_role("link", name="Your word filters").click()
    expect(page.get_by_role("heading", name="Word filters").first).to_be_visible()
    page.go_back(wait_until="commit")
    expect_at(post, height)
    expect(page.locator("#why")).to_be_hidden()


def test_a_question_about_a_plain_form_is_answered_and_the_form_sent(
    kind: Browser, alice: Member, browse: Browse
) -> None:
    page = browse(alice, browser=kind)
    page.goto("/settings/")
    page.goto("/")
    page.evaluate("""() => {
      const form = document.querySelector(".me form");
      form.dataset.ask = "Really?";
    }""")
    page.get_by_role("button", name="Log out").click()
    page.locator("#confirm").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
