"""A long evening: two hundred posts from top to end while the others go on writing; not one twice, not one missing."""

from __future__ import annotations

from itertools import cycle

from flask import Flask
from playwright.sync_api import expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.reading import older, open_home, pill, posts, shown, wait_for_question
from tests.system.test_scrolling import write_many

PAGE = 20
END = "You’ve reached the very beginning of your feed."


def test_F2_F4_F5_scrolling_through_two_hundred_posts_then_the_pill_brings_what_came_meanwhile(
    app: Flask, alice: Member, bob: Member, carol: Member, browse: Browse
) -> None:
    bob.follow(carol)
    earlier = write_many(app, carol, 100)
    written = write_many(app, alice, 110) + earlier
    page = open_home(browse, bob)
    arrived: list[int] = []
    for count, author in zip(range(PAGE, len(written), PAGE), cycle((alice, carol)), strict=False):
        expect(posts(page)).to_have_count(count)
        arrived.insert(0, author.write(f"while Bob reads post {count}"))
        older(page).scroll_into_view_if_needed()
    expect(posts(page)).to_have_count(len(written))
    expect(page.get_by_text(END)).to_be_visible()
    assert shown(page) == written

    last = page.locator(f"#post-{written[-1]}")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    wait_for_question(page)
    expect(pill(page)).to_have_text(f"{len(arrived)} new posts")
    before = last.bounding_box()
    pill(page).click()
    expect(posts(page)).to_have_count(len(arrived) + len(written))
    assert shown(page) == arrived + written
    expect(page.locator(f"#post-{arrived[-1]}")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Back to where you were").click()
    expect(last).to_be_in_viewport(ratio=1)
    assert last.bounding_box() == before
    assert wait_for_question(page).status == 204


def test_F2_F4_plain_links_through_two_hundred_posts_while_new_ones_arrive(
    app: Flask, alice: Member, bob: Member, carol: Member, browse: Browse
) -> None:
    bob.follow(carol)
    earlier = write_many(app, carol, 100)
    written = write_many(app, alice, 110) + earlier
    page = browse(bob, scripts=False)
    page.goto("/")
    read, arrived = shown(page), list[int]()
    for author in cycle((alice, carol)):
        if older(page).count() == 0:
            break
        arrived.insert(0, author.write(f"while Bob has read {len(read)}"))
        with page.expect_navigation():
            older(page).click()
        read += shown(page)
    expect(page.get_by_text(END)).to_be_visible()
    assert read == written
    with page.expect_navigation():
        page.get_by_role("link", name="Back to top").click()
    assert shown(page) == (arrived + written)[:PAGE]
