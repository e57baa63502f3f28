"""Bring in lists of people: what files may look like, what is refused, and that no more is done than by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from flask import Flask
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from app.accounts.models import User
from app.core import clock
from app.core.errors import NotAllowed
from app.extensions import db
from app.outbox import names
from app.outbox.running import run_row
from app.social.models import Block, Follow, FollowRequest, Mute
from app.social.operations import follow
from app.takeout.importing import operations, reading, working
from app.takeout.models import Import
from tests.moderation.acting import on_person
from tests.outbox import drain, open_rows
from tests.people import PASSWORD, Member
from tests.threads import at_once

PAGE = "/settings/data"


def send(who: Member, content: bytes | str, kind: str = "follows", name: str = "list.csv") -> TestResponse:
    raw = content.encode() if isinstance(content, str) else content
    return who.send(PAGE, kind=kind, file=(BytesIO(raw), name))


def bring_in(who: Member, content: bytes | str, kind: str = "follows") -> str:
    """Bring in a list, have it worked through, and return what the page says of it."""
    response = send(who, content, kind)
    assert (response.status_code, response.location) == (303, f"{PAGE}#import"), response.text
    drain(who.app)
    return who.get(PAGE).text


def followed_by(who: Member) -> set[int]:
    with who.app.app_context():
        return set(db.session.scalars(select(Follow.followed_id).where(Follow.follower_id == who.id)))


def found(who: Member) -> Import:
    with who.app.app_context():
        return db.session.scalars(select(Import).where(Import.user_id == who.id)).one()


@pytest.mark.parametrize(
    "content",
    [
        "alice\ncarol\n",
        "@alice\r\n@carol",
        "alice@localhost\n@carol@LOCALHOST\n",
        "Account address,Show boosts,Notify on new posts,Languages\nalice@localhost,true,false,\ncarol,true,false,",
        "Account address;Show boosts\nALICE;true\ncarol;true",
        "handle\nalice\ncarol",
        "'@alice\n\"'@carol\"\n",
        "\ufeffAccount address\nalice\ncarol",
        "\n\n  alice  \n\ncarol\ncarol\nAlice\n",
    ],
)
def test_lists_of_all_these_shapes_are_read(alice: Member, bob: Member, carol: Member, content: str) -> None:
    bob.unfollow(alice)
    text = bring_in(bob, content)
    assert followed_by(bob) == {alice.id, carol.id}
    assert "2 new people you follow" in text


def test_a_list_in_utf_16_is_read_too(alice: Member, carol: Member) -> None:
    bring_in(alice, "carol\n".encode("utf-16"))
    assert followed_by(alice) == {carol.id}


def test_what_was_exported_can_be_brought_in_again(alice: Member, bob: Member, carol: Member) -> None:
    alice.follow(bob)
    alice.send("/@bob/volume", volume="highlights")
    alice.send("/@carol/mute", scope="reposts", lasts="week")
    alice.send("/settings/data/export")
    drain(alice.app)
    with alice.app.app_context():
        before = db.session.scalars(select(Mute).where(Mute.muter_id == alice.id)).one()
    exported = {name: read_from(alice, name) for name in ("follows", "mutes")}
    alice.unfollow(bob)
    alice.unmute(carol)
    for kind, content in exported.items():
        bring_in(alice, content, kind)
    with alice.app.app_context():
        assert db.session.scalars(select(Follow.volume).where(Follow.follower_id == alice.id)).all() == ["highlights"]
        after = db.session.scalars(select(Mute).where(Mute.muter_id == alice.id)).one()
        assert (after.muted_id, after.scope, after.until) == (before.muted_id, before.scope, before.until)


def read_from(who: Member, kind: str) -> bytes:
    return ZipFile(BytesIO(who.get("/export.zip").data)).read(f"{kind}.csv")


def test_bringing_in_a_list_again_changes_nothing(alice: Member, bob: Member, carol: Member) -> None:
    for kind, model in (("mutes", Mute), ("blocks", Block)):
        for words in (f"1 new person {kind[:-1]}", "1 person left as they were"):
            assert words.replace("mute", "muted").replace("block", "blocked") in bring_in(alice, "carol", kind)
        with alice.app.app_context():
            assert len(db.session.scalars(select(model)).all()) == 1
    assert "1 person left as they were" in bring_in(bob, "alice")


def test_a_block_that_is_brought_in_ends_follows_and_requests_both_ways(
    alice: Member, bob: Member, carol: Member
) -> None:
    alice.follow(bob)
    alice.close()
    carol.send("/@alice/follow")
    bring_in(alice, "bob\ncarol", "blocks")
    with alice.app.app_context():
        assert db.session.scalars(select(Follow.id)).all() == db.session.scalars(select(FollowRequest.id)).all() == []
    assert bob.get("/@alice").status_code == 404


def test_who_is_not_here_is_listed(alice: Member, carol: Member) -> None:
    text = bring_in(alice, "nobody\ncarol\nada@elsewhere.example\nalice\n<b>odd</b>\n")
    assert followed_by(alice) == {carol.id}
    assert found(alice).skipped == {
        "unknown": ["nobody"],
        "elsewhere": ["ada@elsewhere.example"],
        "you": ["alice"],
        "odd": ["<b>odd</b>"],
    }
    assert "nobody" in text and "ada@elsewhere.example" in text and "&lt;b&gt;odd" in text


def test_who_is_limited_or_suspended_is_to_strangers_as_if_they_were_not_here(
    app: Flask, mod: Member, alice: Member, bob: Member, carol: Member, mallory: Member
) -> None:
    bob.follow(alice)
    mallory.block(alice)
    for whom, action in ((alice, "limit"), (carol, "suspend")):
        on_person(app, whom, action, by=mod)
    for who in (mod, mallory):
        bring_in(who, "alice\ncarol\nnobody")
        assert (followed_by(who), found(who).skipped) == (set(), {"unknown": ["alice", "carol", "nobody"]})
    bring_in(bob, "alice\ncarol")
    assert (followed_by(bob), found(bob).counts) == ({alice.id}, {"already": 1}), "a follower still meets them"
    with app.app_context(), pytest.raises(NotAllowed):
        follow(db.session.get_one(User, alice.id), by=db.session.get_one(User, mod.id))


def test_who_blocks_them_or_is_blocked_is_not_followed_and_that_is_said(
    alice: Member, bob: Member, mallory: Member
) -> None:
    text = bring_in(mallory, "alice\nbob")
    assert followed_by(mallory) == {bob.id}
    assert "one of you is blocking the other" in text
    bring_in(alice, "mallory\nbob")
    assert followed_by(alice) == {bob.id}


def test_who_blocks_them_can_be_blocked_back(alice: Member, mallory: Member) -> None:
    bring_in(mallory, "alice", "blocks")
    with alice.app.app_context():
        assert db.session.scalars(select(Block.blocked_id).where(Block.blocker_id == mallory.id)).all() == [alice.id]


def test_a_private_account_is_asked_once(alice: Member, carol: Member) -> None:
    alice.close()
    assert "1 private account sent a request" in bring_in(carol, "alice")
    assert followed_by(carol) == set()
    assert "@carol" in alice.get("/requests").text
    assert "1 person left as they were" in bring_in(carol, "alice")
    alice.send("/@carol/request/accept")
    assert followed_by(carol) == {alice.id}


def test_counters_are_right_and_the_feed_has_their_posts(alice: Member, bob: Member, carol: Member) -> None:
    post_id = alice.write("hello")
    bring_in(carol, "alice\nbob")
    assert post_id in carol.feed()
    text = carol.get("/@carol/following").text
    assert "@alice" in text and "@bob" in text
    assert "<b>2</b>" in alice.get("/@alice").text  # followers: Bob and Carol


def test_a_mute_that_has_ended_is_not_brought_in(alice: Member, carol: Member) -> None:
    content = "Account address,Until\ncarol,2020-01-01T00:00:00+00:00"
    assert "Their mute had already ended" in bring_in(alice, content, "mutes")
    with alice.app.app_context():
        assert db.session.scalars(select(Mute.id)).all() == []


# ---- What cannot be read


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "This file is empty."),
        (b" \n\n", "This file is empty."),
        (b"PK\x03\x04....", "Unzip it first"),
        ("Jos\xe9,true".encode("latin-1"), "in UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00", "in UTF-8"),
        (b"alice\x00bob", "isn’t a CSV file"),
        (b'"' + b"a" * 200_000, "isn’t a CSV file"),
        (b"what is this?\nno handles here!", "no handles in this file"),
        (b"Account address,Show boosts\n", "no handles in this file"),
        (b"a" * (reading.MAX_BYTES + 1), "The limit is 1 MB"),
        (b"\n".join(b"user%d" % number for number in range(reading.MAX_PEOPLE + 1)), "This list is too long."),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_at_its_field(alice: Member, content: bytes, sentence: str) -> None:
    response = send(alice, content, "blocks")
    assert response.status_code == 422
    error = response.text.split('id="file-error">')[1].split("</p>")[0]
    assert sentence in error
    assert 'value="blocks" checked' in response.text
    assert open_rows(alice.app) == []


def test_without_a_file_or_with_another_kind_each_field_says_so(alice: Member) -> None:
    response = alice.send(PAGE, kind="friends")
    assert response.status_code == 422
    assert "Choose a file first." in response.text and "Choose what to do with these people." in response.text


def test_a_list_as_long_as_can_be_is_taken(alice: Member) -> None:
    lines = "\n".join(f"user{number}" for number in range(reading.MAX_PEOPLE))
    assert send(alice, lines).status_code == 303


# ---- At work


@pytest.fixture
def crowd(join: Callable[..., Member], monkeypatch: pytest.MonkeyPatch) -> list[Member]:
    monkeypatch.setattr(working, "SLICE", 2)
    return [join(f"user{number}") for number in range(5)]


def run_once(app: Flask) -> None:
    [row] = [row for row in open_rows(app) if row.job == names.BRING_IN]
    with app.app_context():
        run_row(row.id)


def test_progress_is_shown_to_the_owner_alone_and_ends_by_itself(
    app: Flask, alice: Member, bob: Member, crowd: list[Member]
) -> None:
    send(alice, "\n".join(each.handle for each in crowd))
    run_once(app)
    assert 'value="2" max="5"' in alice.get(f"{PAGE}?part=import", fragment=True).text
    assert "<progress" not in bob.get(f"{PAGE}?part=import", fragment=True).text
    assert 'name="file"' not in alice.get(PAGE).text  # one list at a time
    drain(app)
    text = alice.get(f"{PAGE}?part=import", fragment=True).text
    assert "hx-trigger" not in text and "5 new people you follow" in text


def test_a_second_list_waits_for_the_first(app: Flask, alice: Member, crowd: list[Member]) -> None:
    send(alice, "user0")
    response = send(alice, "user1")
    assert response.status_code == 422 and "still being worked through" in response.text
    drain(app)
    assert followed_by(alice) == {crowd[0].id}


def test_of_two_lists_at_once_one_is_refused(app: Flask, alice: Member, crowd: list[Member]) -> None:
    other = Member(app, alice.id, "alice")
    answers = at_once(lambda: send(alice, "user0"), lambda: send(other, "user1"))
    assert sorted(answer.status_code for answer in answers) == [303, 422]
    drain(app)
    assert len(followed_by(alice)) == 1


def test_a_job_that_is_killed_before_its_slice_counts_does_it_again(
    app: Flask, alice: Member, crowd: list[Member]
) -> None:
    send(alice, "\n".join(each.handle for each in crowd))
    run_once(app)
    with app.app_context():
        row = db.session.scalars(select(Import)).one()
        working.work_through(row, by=db.session.get_one(User, alice.id))
        db.session.rollback()
    drain(app)
    assert followed_by(alice) == {each.id for each in crowd}
    assert found(alice).counts == {"followed": 5}


def test_an_account_that_is_deleted_meanwhile_follows_nobody_more(
    app: Flask, alice: Member, crowd: list[Member]
) -> None:
    send(alice, "\n".join(each.handle for each in crowd))
    run_once(app)
    alice.send("/settings/delete", current_password=PASSWORD)
    run_once(app)
    assert names.BRING_IN not in [row.job for row in open_rows(app)]  # at once, though her row is still there
    assert len(followed_by(alice)) == 2
    drain(app)
    assert followed_by(alice) == set()


def test_a_list_is_dropped_when_its_owner_is_frozen_meanwhile(
    app: Flask, alice: Member, mod: Member, crowd: list[Member]
) -> None:
    send(alice, "\n".join(each.handle for each in crowd))
    run_once(app)
    on_person(app, alice, "freeze", by=mod)
    drain(app)
    assert len(followed_by(alice)) == 2
    assert send(alice, "user4").status_code == 403


def test_people_who_bring_in_each_other_at_once_do_not_wait_for_each_other_forever(
    app: Flask, crowd: list[Member]
) -> None:
    for who in crowd:
        send(who, "\n".join(each.handle for each in crowd))
    rows = [row for row in open_rows(app) if row.job == names.BRING_IN]

    def work(row_id: int) -> None:
        with app.app_context():
            for _ in range(3):
                run_row(row_id)

    at_once(*[lambda row_id=row.id: work(row_id) for row in rows])
    assert all(row.attempts == 0 for row in open_rows(app))
    drain(app)
    for who in crowd:
        assert followed_by(who) == {each.id for each in crowd} - {who.id}


def test_old_results_are_forgotten(app: Flask, alice: Member, carol: Member) -> None:
    bring_in(alice, "carol")
    with app.app_context():
        db.session.execute(update(Import).values(finished_at=clock.now() - operations.KEPT - timedelta(minutes=1)))
        operations.forget_old_imports()
        db.session.commit()
    assert "new person you follow" not in alice.get(PAGE).text
