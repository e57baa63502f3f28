"""Completion while somebody types @ or #: the right people, in a useful order, and nobody whom one must not meet."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from flask import Flask
from sqlalchemy import ColumnElement, func, literal, select, text

from app import create_app
from app.accounts.models import User
from app.accounts.queries import has_word_starting
from app.core.statements import starts_with
from app.discovery.completion import queries as completion
from app.extensions import db, limiter
from app.posts.models import PostTag
from app.web import limits
from tests.patience import PATIENT
from tests.people import PASSWORD, Member

Join = Callable[..., Member]


def offered(who: Member, typed: str) -> list[str]:
    """Return what is offered for what somebody has typed."""
    response = who.get(f"/complete?q={quote(typed)}", fragment=True)
    assert response.status_code == 200, response.text
    return re.findall(r'data-text="([^"]+)"', response.text)


def test_people_are_found_by_how_their_handle_starts_in_any_case(alice: Member, join: Join) -> None:
    join("carla")
    join("carlos_2")
    join("oscar")
    assert sorted(offered(alice, "@car")) == sorted(offered(alice, "@CAR")) == ["@carla", "@carlos_2"]
    assert offered(alice, "@carlos_") == ["@carlos_2"]
    assert offered(alice, "@carlosx") == []


def test_an_underscore_stands_for_itself_only(alice: Member, join: Join) -> None:
    join("a_b")
    join("axb")
    assert offered(alice, "@a_") == ["@a_b"]


@pytest.mark.parametrize("typed", ["@ame", "@AME", "@öz", "@Öz", "@luc", "@李"])
def test_people_are_found_by_any_word_of_their_name(alice: Member, join: Join, typed: str) -> None:
    join("hidden_away", name="Jean-Luc Amélie ÖZGÜR 李明".replace("é", "e"))
    assert offered(alice, typed) == ["@hidden_away"]


def test_friends_come_first_then_the_well_known(alice: Member, join: Join) -> None:
    quiet, known, fan, idol, friend = (join(f"sam_{what}") for what in ("quiet", "known", "fan", "idol", "friend"))
    for reader in (join("one"), join("two"), quiet):
        reader.follow(known)
    fan.follow(alice)
    alice.follow(idol)
    alice.follow(friend)
    friend.follow(alice)
    assert offered(alice, "@sam") == ["@sam_friend", "@sam_idol", "@sam_fan", "@sam_known", "@sam_quiet"]


def test_a_bare_at_offers_those_whom_one_follows(alice: Member, bob: Member, carol: Member) -> None:
    assert offered(bob, "@") == ["@alice"]
    assert offered(alice, "@") == []


def test_eight_are_enough(alice: Member, join: Join) -> None:
    for number in range(10):
        join(f"sam_{number}")
    assert len(offered(alice, "@sam")) == 8


def test_nobody_is_offered_themselves(alice: Member, bob: Member) -> None:
    assert offered(alice, "@al") == []
    assert offered(bob, "@al") == ["@alice"]


def test_whoever_blocks_or_is_blocked_is_not_offered(alice: Member, mallory: Member) -> None:
    for typed in ("@mal", "@Mallory", "@"):
        assert offered(alice, typed) == []
    for typed in ("@al", "@Alice"):
        assert offered(mallory, typed) == []


def test_whoever_deleted_their_account_is_not_offered(alice: Member, carol: Member) -> None:
    alice.follow(carol)
    assert carol.send("/settings/delete", current_password=PASSWORD).status_code == 303
    for typed in ("@car", "@Carol", "@"):
        assert offered(alice, typed) == []


def test_names_are_shown_as_text(alice: Member, join: Join) -> None:
    join("sam", name="<b>Sam</b> \"'")
    page = alice.get("/complete?q=@sam", fragment=True).text
    assert "&lt;b&gt;Sam&lt;/b&gt;" in page and "<b>Sam" not in page


def test_tags_are_offered_by_how_many_posts_they_have(alice: Member, bob: Member) -> None:
    for words in ("#tea", "#Tea again", "#teapot", "#cake", "two of a kind: #tea #tea"):
        bob.write(words)
    assert offered(alice, "#te") == offered(alice, "#TE") == ["#tea", "#teapot"]
    page = alice.get("/complete?q=%23te", fragment=True).text
    assert "3 posts" in page and "1 post<" in page


def test_a_bare_hash_and_an_unknown_tag_offer_nothing(alice: Member) -> None:
    alice.write("#tea")
    assert offered(alice, "#") == offered(alice, "#cof") == []


def test_tags_of_other_scripts_are_found(alice: Member) -> None:
    alice.write("#Ökonomie #東京 #हिन्दी")
    assert offered(alice, "#ök") == offered(alice, "#ÖK") == ["#ökonomie"]
    assert offered(alice, "#東") == ["#東京"]
    assert offered(alice, "#हिन्") == ["#हिन्दी"]


def test_tags_of_posts_that_one_may_not_see_are_not_offered(alice: Member, bob: Member, mallory: Member) -> None:
    alice.write("#teatime and #teapot")
    bob.write("#teapot")
    gone = bob.write("#teacup")
    bob.delete(gone)
    assert offered(bob, "#tea") == ["#teapot", "#teatime"]
    assert offered(mallory, "#tea") == ["#teapot"]
    assert "1 post<" in mallory.get("/complete?q=%23tea", fragment=True).text


def test_only_visible_posts_are_counted(app: Flask, alice: Member, bob: Member) -> None:
    for _ in range(3):
        bob.delete(bob.write("#teapot"))
    bob.write("#teapot")
    bob.write("#tea")
    bob.write("#tea")
    assert offered(alice, "#te") == ["#tea", "#teapot"]


def test_hidden_posts_neither_order_tags_nor_push_others_out(
    alice: Member, bob: Member, carol: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    carol.write("#teaa #teab #teac")
    carol.write("#teac")
    for number in range(30):
        alice.write(f"#teab #teahid{number} #tea_{number}", audience="followers")
    assert offered(carol, "#tea") == ["#teac", "#teaa", "#teab"]
    assert "#teahid7" in offered(bob, "#teahid7")
    for most, shown in ((1, ["#teac"]), (2, ["#teac", "#teaa"])):
        monkeypatch.setattr(completion, "MAX_TAGS", most)
        assert offered(carol, "#tea") == shown
    monkeypatch.setattr(completion, "MAX_TRIED", 1)
    assert offered(carol, "#tea") == ["#teac"], "what everybody may see is tried first"


def test_large_numbers_are_not_counted_to_the_end(app: Flask, alice: Member) -> None:
    post_id = alice.write("#tea")
    with app.app_context():
        for statement in (
            "INSERT INTO posts (author_id, text) SELECT :author, 'more #tea' FROM generate_series(1, 150)",
            "INSERT INTO post_tags (post_id, tag) SELECT id, 'tea' FROM posts WHERE id <> :post",
        ):
            db.session.execute(text(statement), {"author": alice.id, "post": post_id})
        db.session.commit()
    assert "100+ posts" in alice.get("/complete?q=%23te", fragment=True).text


HOSTILE = [
    "",
    "x",
    "@@",
    "##",
    "@#",
    "@ ",
    "# ",
    "@%",
    "@_",
    "@__",
    "#_",
    "@a%",
    "@'",
    "@':*",
    "@a' | 'b",
    "@a:*",
    "@\\",
    "@a\\",
    "#\\",
    "@!",
    "@&",
    "@(",
    "@<->",
    "#%",
    "#a'--",
    "@\U0010ffff",
    "#\U0010ffff",
    "@\u200b",
    "@\u202e",
    "#ﷺ",
    "#" + "ﷺ" * 64,
    "@" + "a" * 64,
    "@" + "a" * 65,
    "#" + "a" * 10_000,
    "@" + "\u0301" * 30,
    "@🦊",
    "@1",
    "@ß",
    "#ß",
    "@İ",
    "#İ",
    "@a\nb",
    "@a\tb",
    "＠alice",
    "＃tea",
]


@pytest.mark.parametrize("typed", HOSTILE)
def test_nothing_that_can_be_typed_breaks_it_or_finds_everybody(alice: Member, bob: Member, typed: str) -> None:
    alice.write("#tea #cake")
    assert offered(bob, typed) == []
    assert offered(alice, typed) == []


def test_without_a_question_nothing_is_offered(alice: Member) -> None:
    assert alice.get("/complete").status_code == 200
    assert alice.get("/complete?q=@a&q=%23b&Q=x").status_code == 200


def test_strangers_get_nothing(stranger: Member, alice: Member) -> None:
    response = stranger.get("/complete?q=@al", fragment=True)
    assert response.status_code == 401 and "alice" not in response.text


def test_asking_too_often_is_refused(app: Flask, alice: Member) -> None:
    strict = create_app(**PATIENT, TESTING=True, RATELIMIT_ENABLED=True)
    most, eager = int(limits.READ.split()[0]), Member(strict, alice.id, "alice")
    try:
        codes = [eager.get("/complete?q=@", fragment=True).status_code for _ in range(most + 1)]
    finally:
        limiter.reset()
        limiter.enabled = False
        with strict.app_context():
            db.engine.dispose()
    assert codes == [200] * most + [429]


@pytest.mark.parametrize(
    ("fits", "index"),
    [
        (starts_with(func.lower(User.handle), "al"), "ix_users_handle_prefix"),
        (has_word_starting("al"), "ix_users_name_words"),
        (starts_with(PostTag.tag, "te"), "ix_post_tags_tag"),
    ],
)
def test_an_index_finds_them(app: Flask, fits: ColumnElement[bool], index: str) -> None:
    """Postgres would read a small table as a whole; told not to, it shows that the index answers the question."""
    with app.app_context():
        db.session.execute(text("SET LOCAL enable_seqscan = off"))
        asked = select(literal(1)).where(fits).compile(db.engine, compile_kwargs={"literal_binds": True})
        plan = db.session.connection().exec_driver_sql(f"EXPLAIN {asked}").all()
    assert index in str(plan)
