"""Followed tags come into home like people: from windows of their own, whatever state these are in."""

from __future__ import annotations

from functools import partial

import pytest
from flask import Flask
from sqlalchemy import text

from app.accounts.models import User
from app.extensions import db
from app.feed.timelines import generation
from app.feed.timelines import keys as timeline
from app.posts.models import Post
from app.posts.tags import operations as tags
from app.posts.writing import operations as posts
from app.social import operations as social
from tests.feed import schedule
from tests.feed.schedule import AFTER_CLAIM, AFTER_SNAPSHOT, FLOOR, MARKER, Stage, Walk
from tests.outbox import drain, open_jobs
from tests.people import Member, entries
from tests.redis_trips import round_trips
from tests.sql import statements
from tests.threads import at_once

stage = schedule.stage


def follow_tag(stage: Stage, reader: int, *names: str) -> None:
    with stage.app.app_context():
        for name in names:
            tags.follow_tag(name, by=db.session.get_one(User, reader))
        db.session.commit()


def unfollow_tag(stage: Stage, reader: int, name: str) -> None:
    with stage.app.app_context():
        tags.unfollow_tag(name, by=db.session.get_one(User, reader))
        db.session.commit()


def post(stage: Stage, author: int, words: str, audience: str = "everyone") -> int:
    with stage.app.app_context():
        by = db.session.get_one(User, author)
        post_id = posts.publish_post(words, by=by, longest=500, audience=audience)
        db.session.commit()
        return post_id


def edit(stage: Stage, post_id: int, words: str) -> None:
    with stage.app.app_context():
        found = db.session.get_one(Post, post_id)
        posts.edit_post(found, words, by=db.session.get_one(User, found.author_id), longest=500)
        db.session.commit()


def tag_key(stage: Stage, name: str) -> str:
    with stage.app.app_context():
        return timeline.source_key(generation.current(), name)


def feed(stage: Stage, reader: int) -> list[int]:
    """Return the feed in pages of two, and check it against Postgres."""
    found = [entry for page in stage.pages(reader, 2) for entry in page]
    assert found == stage.oracle(reader)
    return found


@pytest.fixture
def town(stage: Stage) -> tuple[Stage, int, int, int]:
    """Rea reads, Anna is followed, Ben is not."""
    rea, anna, ben = stage.people("rea", "anna", "ben")
    stage.window(5)
    stage.follow(rea, anna)
    return stage, rea, anna, ben


Town = tuple[Stage, int, int, int]


def test_F2_cold_warm_and_wiped_it_is_the_same_feed(town: Town) -> None:
    stage, rea, anna, ben = town
    want = [post(stage, anna, "anna 1"), post(stage, ben, "#tea 1"), post(stage, anna, "anna 2")]
    post(stage, ben, "not tagged")
    stage.work()
    follow_tag(stage, rea, "tea")
    for _ in range(3):  # cold, warm, warm
        assert feed(stage, rea) == want[::-1]
    assert stage.held(tag_key(stage, "tea")) == [want[1], FLOOR]
    want.append(post(stage, ben, "#Tea 2"))
    assert feed(stage, rea) == want[::-1]  # open work
    stage.work()
    assert stage.held(tag_key(stage, "tea")) == [want[3], want[1], FLOOR]
    assert feed(stage, rea) == want[::-1]
    stage.raw().flushall()
    assert feed(stage, rea) == want[::-1]
    assert feed(stage, rea) == want[::-1]
    stage.reset()
    assert feed(stage, rea) == want[::-1]


def test_F2_following_and_unfollowing_hold_at_once_for_old_posts_too(town: Town) -> None:
    stage, rea, anna, ben = town
    old, mine = post(stage, ben, "#tea"), post(stage, anna, "hello")
    stage.work()
    stage.warm(rea)
    assert feed(stage, rea) == [mine]
    follow_tag(stage, rea, "tea")
    assert feed(stage, rea) == [mine, old]
    unfollow_tag(stage, rea, "tea")
    assert feed(stage, rea) == [mine]
    follow_tag(stage, rea, "tea", "tea")  # twice is once
    assert feed(stage, rea) == [mine, old]


def test_F2_while_the_tag_is_being_built_pages_come_from_postgres(town: Town) -> None:
    stage, rea, anna, ben = town
    want = [post(stage, ben, "#tea 1"), post(stage, anna, "anna")]
    stage.work()
    stage.warm(rea)
    follow_tag(stage, rea, "tea")
    builder = stage.start(lambda: stage.page(rea), AFTER_CLAIM, AFTER_SNAPSHOT)
    assert stage.held(tag_key(stage, "tea")) == [MARKER]
    want.append(post(stage, ben, "#tea 2"))
    stage.work()  # lands in the window that is being built
    assert feed(stage, rea) == want[::-1]
    builder.go_on()
    want.append(post(stage, ben, "#tea 3"))
    stage.work()
    assert feed(stage, rea) == want[::-1]
    builder.finish()
    assert stage.held(tag_key(stage, "tea")) == [want[3], want[2], want[0], FLOOR]
    assert feed(stage, rea) == want[::-1]


def test_F2_below_the_windows_there_is_no_gap_and_no_repeat(town: Town) -> None:
    stage, rea, anna, ben = town
    want = []
    for n in range(9):
        want += [post(stage, ben, f"#tea {n}"), post(stage, anna, f"anna {n}")]
        if n % 3 == 0:
            want.append(post(stage, ben, f"#milk {n}"))
    stage.work()
    follow_tag(stage, rea, "tea", "milk")
    stage.check(rea)
    assert feed(stage, rea) == want[::-1]
    held = stage.held(tag_key(stage, "tea"))
    assert held is not None and FLOOR not in held and len(held) == 5
    walk = Walk(stage, rea)
    walk.page()
    for n in range(8):  # a trim while somebody reads
        stage.fan_out(post(stage, ben, f"#tea later {n}"))
        walk.page()
    walk.to_the_end()
    stage.check_at_rest(rea)


def test_a_post_under_several_followed_tags_by_somebody_followed_is_there_once(town: Town) -> None:
    stage, rea, anna, ben = town
    follow_tag(stage, rea, "tea", "milk", "sugar")
    want = [post(stage, anna, "#tea #milk"), post(stage, ben, "#tea #milk #sugar"), post(stage, rea, "#tea mine")]
    assert feed(stage, rea) == want[::-1]
    stage.work()
    assert feed(stage, rea) == want[::-1]
    stage.promote(anna)
    assert feed(stage, rea) == want[::-1]
    stage.relate("unfollow", rea, anna)
    assert feed(stage, rea) == want[::-1]  # still under a tag
    unfollow_tag(stage, rea, "tea")
    unfollow_tag(stage, rea, "milk")
    assert feed(stage, rea) == [want[2], want[1]]


def test_F3_an_edit_that_adds_or_takes_a_tag_holds_at_once(town: Town) -> None:
    stage, rea, _anna, ben = town
    follow_tag(stage, rea, "tea")
    old = post(stage, ben, "plain")
    new = [post(stage, ben, f"#tea {n}") for n in range(3)]
    stage.work()
    assert feed(stage, rea) == new[::-1]
    edit(stage, old, "now with #tea")
    assert feed(stage, rea) == [*new[::-1], old]  # while no worker runs
    assert "feed.fan_out_post" in open_jobs(stage.app)
    stage.work()
    assert stage.held(tag_key(stage, "tea")) == [*new[::-1], old, FLOOR]
    assert feed(stage, rea) == [*new[::-1], old]
    edit(stage, new[1], "no longer")
    assert feed(stage, rea) == [new[2], new[0], old]
    stage.work()
    assert feed(stage, rea) == [new[2], new[0], old]
    edit(stage, new[1], "again #tea")
    stage.work()
    assert feed(stage, rea) == [*new[::-1], old]


def test_F2_a_tag_added_to_a_post_below_the_window_makes_no_hole(town: Town) -> None:
    stage, rea, _anna, ben = town
    follow_tag(stage, rea, "tea")
    old = post(stage, ben, "plain")
    new = [post(stage, ben, f"#tea {n}") for n in range(9)]
    stage.work()
    stage.warm(rea)
    edit(stage, old, "now with #tea")
    stage.work()
    assert feed(stage, rea) == [*new[::-1], old]
    assert old not in (stage.held(tag_key(stage, "tea")) or [])


def test_F5_everything_is_there_while_no_worker_runs(town: Town) -> None:
    stage, rea, _anna, ben = town
    follow_tag(stage, rea, "tea")
    stage.warm(rea)
    want = [post(stage, ben, f"#tea {n}") for n in range(8)]
    assert feed(stage, rea) == want[::-1]
    stage.drop(tag_key(stage, "tea"))
    assert feed(stage, rea) == want[::-1]
    stage.check_at_rest(rea)


def test_F10_without_redis(town: Town) -> None:
    stage, rea, anna, ben = town
    follow_tag(stage, rea, "tea")
    want = [post(stage, anna, "anna"), post(stage, ben, "#tea")]
    stage.servers.valkey.kill()
    try:
        assert feed(stage, rea) == want[::-1]
    finally:
        stage.servers.valkey.start()
        stage.reconnect()


def test_F3_what_is_not_for_the_reader_is_not_shown_under_a_tag(town: Town) -> None:
    stage, rea, _anna, ben = town
    follow_tag(stage, rea, "tea")
    public = post(stage, ben, "#tea for all")
    close = post(stage, ben, "#tea for followers", audience="followers")
    named = post(stage, ben, "#tea for @rea", audience="mentioned")
    post(stage, ben, "#tea for @anna", audience="mentioned")
    stage.work()
    assert feed(stage, rea) == feed(stage, rea) == [named, public]
    stage.follow(rea, ben)
    assert feed(stage, rea) == [named, close, public]
    stage.relate("unfollow", rea, ben)
    with stage.app.app_context():
        social.set_private(db.session.get_one(User, ben), True)
        db.session.commit()
    assert feed(stage, rea) == [named]
    with stage.app.app_context():
        social.set_private(db.session.get_one(User, ben), False)
        db.session.commit()
    assert feed(stage, rea) == [named, public]
    for what, undo in [("mute", "unmute"), ("block", "unblock")]:
        stage.relate(what, rea, ben)
        assert feed(stage, rea) == []
        stage.relate(undo, rea, ben)
        assert feed(stage, rea) == [named, public]
    stage.delete(public)
    assert feed(stage, rea) == [named]


def test_replies_under_a_tag_belong_where_replies_do(town: Town) -> None:
    stage, rea, anna, ben = town
    follow_tag(stage, rea, "tea")
    first = post(stage, ben, "#tea?")
    with stage.app.app_context():
        people = [db.session.get_one(User, user_id) for user_id in (anna, ben)]
        answers = [
            posts.publish_post("#tea!", by=by, longest=500, reply_to=db.session.get_one(Post, first)) for by in people
        ]
        db.session.commit()
    stage.work()
    assert feed(stage, rea) == [answers[1], first]  # Ben answers himself; Anna answers somebody who is not followed


def test_F9_fifty_followed_tags_take_no_more_statements_and_no_more_round_trips(
    app: Flask, alice: Member, bob: Member
) -> None:
    with app.app_context():
        reader = db.session.get_one(User, bob.id)
        for n in range(tags.MAX_FOLLOWED_TAGS):
            tags.follow_tag(f"tag{n}", by=reader)
        stranger = db.session.scalar(
            text("INSERT INTO users (handle, name, email, password_hash) VALUES ('x9', 'X', 'x@x', '') RETURNING id")
        )
        rows = [{"author": stranger, "text": f"Number {n}"} for n in range(200)]
        db.session.execute(text("INSERT INTO posts (author_id, text) VALUES (:author, :text)"), rows)
        db.session.execute(text("INSERT INTO post_tags SELECT id, 'tag' || (row_number() OVER () % 50) FROM posts"))
        db.session.commit()
    bob.get("/"), bob.get("/")
    with statements() as sent, round_trips() as trips:
        page = bob.get("/").text
    assert len(entries(page)) == 20
    assert len(sent) == 2
    assert trips == [["EVALSHA", "HMGET"]]


def test_the_pill_counts_them(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    alice.write("hello")
    bob.send("/tags/tea/follow")
    bob.get("/")
    for work in (lambda: None, lambda: drain(app)):
        since = bob.get("/").text.split("/feed/new?since=")[1].split('"')[0]
        tagged = carol.write("#tea")
        carol.write("#coffee")
        work()
        assert "1 new post<" in bob.get(f"/feed/new?since={since}", fragment=True).text
        assert entries(bob.get(f"/feed/new?show=1&since={since}", fragment=True).text) == [tagged]


# ---- Following


def test_the_button_on_the_page_of_a_tag(bob: Member, carol: Member, stranger: Member) -> None:
    tagged = carol.write("a #Tea")
    assert bob.feed() == []
    assert 'aria-label="Follow #tea"' in bob.get("/tags/tea").text
    assert "/follow" not in stranger.get("/tags/tea").text
    response = bob.send("/tags/Tea/follow", fragment=True, next="/tags/tea")
    assert (
        "Following #Tea: unfollow" in response.text
        and "Posts tagged #Tea will now appear in your home feed."
        in response.headers["HX-Trigger"].encode().decode("unicode_escape")
    )
    assert bob.feed() == [tagged]
    assert "#tea" in bob.get("/settings/tags").text
    assert 'aria-label="Following #TEA: unfollow"' in bob.get("/tags/TEA").text
    assert bob.send("/tags/tea/follow/delete", next="/settings/tags").location == "/settings/tags"
    assert bob.feed() == []
    assert "You’re not following any tags yet." in bob.get("/settings/tags").text


def test_odd_tags_are_refused_and_others_are_spelled_right(bob: Member, carol: Member) -> None:
    assert bob.send("/tags/123/follow").status_code == 404
    tagged = carol.write("#茶 #Größe")
    assert bob.send("/tags/GRÖSSE/follow", next="/tags/GR%C3%96SSE").status_code == 303
    assert bob.feed() == [tagged]
    assert "/tags/gr%C3%B6sse" in bob.get("/settings/tags").text


def test_nobody_follows_more_than_fifty(app: Flask, bob: Member) -> None:
    for n in range(tags.MAX_FOLLOWED_TAGS):
        assert bob.send(f"/tags/tag{n}/follow").status_code == 303
    for _ in range(2):
        response = bob.send("/tags/one_more/follow", fragment=True)
        assert (response.status_code, response.text) == (403, "You already follow 50 tags. Unfollow one first.")
    assert bob.send("/tags/tag7/follow").status_code == 303  # again is no more
    bob.send("/tags/tag7/follow/delete")
    assert bob.send("/tags/one_more/follow").status_code == 303


def test_of_several_followed_at_once_only_those_count_for_which_there_is_room(app: Flask, bob: Member) -> None:
    for n in range(tags.MAX_FOLLOWED_TAGS - 1):
        assert bob.send(f"/tags/tag{n}/follow").status_code == 303
    tabs = [Member(app, bob.id, "bob") for _ in range(4)]
    answers = at_once(*[partial(tab.send, f"/tags/more{n}/follow") for n, tab in enumerate(tabs)])
    assert sorted(answer.status_code for answer in answers) == [303, 403, 403, 403]
