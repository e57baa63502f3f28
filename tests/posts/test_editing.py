"""Edit a post: at once, at the same place, with what it said before for whoever can see it, and nothing overwritten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import func, select

from app import create_app
from app.extensions import db, limiter
from app.posts.deleting.operations import TIME_TO_RESTORE
from app.posts.editing.history import changes
from app.posts.models import Post, PostMention, PostTag, PostVersion
from app.web import limits
from tests.outbox import drain
from tests.patience import PATIENT
from tests.people import Member, entries, next_link
from tests.posts.test_deleting import erase, let_pass
from tests.threads import at_once


def edit(who: Member, post: int, text: str, **fields: str | int) -> int:
    return who.send(f"/posts/{post}/edit", fragment=False, text=text, **fields).status_code


def version_in(html: str) -> str:
    match = re.search(r'name="version" value="(\d+)"', html)
    assert match, html
    return match[1]


def versions_on(html: str) -> list[str]:
    """Return what the versions of a page say, without the marks and what went."""
    texts = re.findall(r'<div class="version-text" dir="auto">(.*?)</div>', html, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", re.sub(r"<del>.*?</del> ?", "", text)).strip() for text in texts]


def said(app: Flask, post: int) -> str:
    with app.app_context():
        return db.session.get_one(Post, post).text


def test_the_new_text_is_on_every_page_at_once_and_at_the_same_place(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("the butler did it")
    later = alice.write("later")
    drain(app)
    assert bob.feed() == alice.feed() == [later, post]
    assert bob.get("/").text.count("edited</a>") == 0
    assert edit(alice, post, "the gardener did it") == 303
    for page in ("/", "/@alice", f"/@alice/{post}", "/explore"):
        shown = bob.get(page).text
        assert "the gardener did it" in shown and "butler" not in shown, page
        assert f'href="/@alice/{post}/history">edited</a>' in shown
    assert bob.feed() == [later, post], "it is where it was"


def test_the_form_holds_what_is_there(alice: Member) -> None:
    [post] = entries(alice.send("/posts", fragment=True, text="a & b", warning="letters", audience="followers").text)
    page = alice.get(f"/posts/{post}/edit").text
    assert ">a &amp; b</textarea>" in page and 'value="letters"' in page
    assert "stays visible to your followers" in page and 'name="audience"' not in page
    assert f'href="/posts/{post}/edit"' in alice.get(f"/posts/{post}/menu", fragment=True).text


def test_the_warning_comes_and_goes_and_the_audience_stays(app: Flask, alice: Member) -> None:
    [post] = entries(alice.send("/posts", fragment=True, text="hello", audience="followers").text)
    assert edit(alice, post, "hello", warning="a greeting", audience="everyone") == 303
    with app.app_context():
        stored = db.session.get_one(Post, post)
        assert (stored.warning, stored.audience) == ("a greeting", "followers")
    assert edit(alice, post, "hello") == 303
    assert "a greeting" not in alice.get(f"/@alice/{post}").text


@pytest.mark.parametrize(("text", "warning", "sentence"), [
    (" ", "", "Write something first."),
    ("x" * 501, "", "1 character too long"),
    ("hello", "w" * 102, "2 characters too long. The limit is 100."),
    ("x" + "\u0316" * 4000, "", "1 character too long. The limit is 500."),
    ("hello", "w" + "\u0316" * 808, "2 characters too long. The limit is 100."),
])  # fmt: skip
def test_a_refused_edit_keeps_what_was_typed(app: Flask, alice: Member, text: str, warning: str, sentence: str) -> None:
    post = alice.write("as it was")
    answer = alice.send(f"/posts/{post}/edit", text=text, warning=warning, version=0)
    assert answer.status_code == 422
    assert sentence in answer.text and f">{text}</textarea>" in answer.text and f'value="{warning}"' in answer.text
    assert said(app, post) == "as it was"
    assert version_in(answer.text) == "0"


def test_only_the_author_edits(alice: Member, bob: Member, stranger: Member) -> None:
    post = alice.write("mine")
    assert bob.get(f"/posts/{post}/edit").status_code == edit(bob, post, "mine now") == 403
    assert edit(stranger, post, "mine now") == 401
    assert "Edit" not in bob.get(f"/posts/{post}/menu", fragment=True).text


def test_mentions_and_tags_follow_the_text(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write("to @bob about #tea")
    assert edit(alice, post, "to @carol about #coffee") == 303
    with app.app_context():
        assert list(db.session.scalars(select(PostMention.user_id))) == [carol.id]
        assert list(db.session.scalars(select(PostTag.tag))) == ["coffee"]
    assert bob.feed("/tags/tea") == [] and bob.feed("/tags/coffee") == [post]


def test_a_letter_stays_with_those_to_whom_it_was_written(alice: Member, bob: Member, carol: Member) -> None:
    """Whoever was let in later would read the history, too."""
    post = alice.write("a secret about carol, @bob", audience="mentioned")
    assert "Mentioning someone new won’t let them see it." in alice.get(f"/posts/{post}/edit").text
    for words in ("nothing about anybody", "hello @carol"):
        assert edit(alice, post, words) == 303
        assert words in re.sub("<[^>]+>", "", bob.get(f"/@alice/{post}").text)
        for path in (f"/@alice/{post}", f"/@alice/{post}/history"):
            assert (bob.get(path).status_code, carol.get(path).status_code) == (200, 404), path


# ---- History


def test_earlier_versions_are_there_newest_first_with_what_changed(alice: Member, stranger: Member) -> None:
    post = alice.write("one two three")
    for text in ("one 2 three", "one 2 three <four>"):
        assert edit(alice, post, text) == 303
    page = stranger.get(f"/@alice/{post}/history").text
    assert versions_on(page) == ["one 2 three &lt;four&gt;", "one 2 three", "one two three"]
    assert "<del>two</del> <ins>2</ins> three" in page
    assert "three <ins>&lt;four&gt;</ins>" in page
    assert page.index("Current <time") < page.index("Edited <time") < page.index("Original <time")


def test_saving_the_same_again_makes_no_version(app: Flask, alice: Member) -> None:
    post = alice.write("same")
    assert edit(alice, post, "same ") == 303
    assert "hasn’t been edited" in alice.get(f"/@alice/{post}/history").text
    assert "edited</a>" not in alice.get("/").text


def test_the_history_is_as_visible_as_the_post(alice: Member, bob: Member, carol: Member, mallory: Member) -> None:
    [post] = entries(alice.send("/posts", fragment=True, text="for followers", audience="followers").text)
    edit(alice, post, "still for followers")
    path = f"/@alice/{post}/history"
    statuses = {who.handle: who.get(path).status_code for who in (alice, bob, carol, mallory)}
    assert statuses == {"alice": 200, "bob": 200, "carol": 404, "mallory": 404}
    assert bob.get(f"/@bob/{post}/history").status_code == 404


def test_a_warning_stands_before_all_versions(alice: Member, bob: Member) -> None:
    """Whoever adds a warning wants it to hold for what was there before, too."""
    post = alice.write("the butler did it")
    edit(alice, post, "the butler did it", warning="the end of the book")
    page = bob.get(f"/@alice/{post}/history").text
    assert page.count("<details") - page.count('<details class="menu') == 2
    assert page.count("the end of the book") == 2


def test_a_long_history_goes_on_over_pages(alice: Member, bob: Member) -> None:
    post = alice.write("text 0")
    for number in range(1, 25):
        edit(alice, post, f"text {number}")
    first = bob.get(f"/@alice/{post}/history").text
    path = next_link(first)
    assert path
    second = bob.get(path).text
    assert versions_on(first) + versions_on(second) == [f"text {number}" for number in range(24, -1, -1)]
    assert "Current <time" not in second and next_link(second) is None
    assert "<del>3</del><ins>4</ins>" in first, "the last one of a page is compared with the first of the next"
    assert "<del>2</del><ins>3</ins>" in second


def test_deleting_a_post_deletes_what_it_said_before(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("I regret this")
    edit(alice, post, "I said nothing")
    alice.delete(post)
    assert bob.get(f"/@alice/{post}/history").status_code == 410
    let_pass(app, 2 * TIME_TO_RESTORE)
    erase(app)
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(PostVersion)) == 0


@pytest.mark.parametrize(("before", "after", "marked"), [
    ("a b c", "a x c", "a <del>b</del> <ins>x</ins> c"),
    ("a b", "a  b", "a  b"),
    ("a\nb", "a\nb\nc", "a<br>b<br><ins>c</ins>"),
    ("私は猫です", "私は犬です", "私は<del>猫</del><ins>犬</ins>です"),
    ("<i>", "<b>", "&lt;<del>i</del><ins>b</ins>&gt;"),
    ("gone", "", "<del>gone</del>"),
    ("", "come", "<ins>come</ins>"),
    ("a a", "a a a", "a a <ins>a</ins>"),
    ("x a b c y", "x c a y", "x <ins>c</ins> a <del>b c</del> y"),
])  # fmt: skip
def test_what_changed_is_marked_by_words(before: str, after: str, marked: str) -> None:
    assert changes(before, after) == marked


def test_texts_that_would_take_long_to_compare_are_marked_as_a_whole() -> None:
    before, after = "!." * 250 + "!", "?." * 250 + "?"
    assert changes(f"a {before} z", f"a {after} z") == f"a <del>{before}</del> <ins>{after}</ins> z"
    assert changes(f"{before} b {before}", f"{before} c {before}") == f"{before} <del>b</del> <ins>c</ins> {before}"


# ---- Races


def test_whoever_saves_second_sees_both_and_overwrites_nothing(app: Flask, alice: Member) -> None:
    post = alice.write("as it was")
    desk = phone = version_in(alice.get(f"/posts/{post}/edit").text)
    assert edit(alice, post, "from the phone", version=phone) == 303
    answer = alice.send(f"/posts/{post}/edit", text="from the desk", version=desk)
    assert answer.status_code == 409
    assert "from the phone" in answer.text and ">from the desk</textarea>" in answer.text
    assert said(app, post) == "from the phone"
    assert edit(alice, post, "from the desk", version=version_in(answer.text)) == 303
    assert said(app, post) == "from the desk"
    assert versions_on(alice.get(f"/@alice/{post}/history").text)[1] == "from the phone"


def test_saving_the_same_text_twice_is_no_conflict(alice: Member) -> None:
    post = alice.write("as it was")
    assert edit(alice, post, "twice", version=0) == edit(alice, post, "twice", version=0) == 303


@pytest.mark.parametrize("version", ["1", "x", "-1", "9" * 40, "²"])
def test_a_version_that_there_never_was_is_a_conflict(app: Flask, alice: Member, version: str) -> None:
    post = alice.write("as it was")
    assert edit(alice, post, "new", version=version) == 409
    assert said(app, post) == "as it was"


def test_of_edits_at_once_one_is_saved_and_the_others_are_told(app: Flask, alice: Member) -> None:
    post = alice.write("as it was")
    browsers = [Member(app, alice.id, "alice") for _ in range(4)]
    calls = [partial(edit, who, post, f"edit {number}", version=0) for number, who in enumerate(browsers)]
    statuses = at_once(*calls)
    assert sorted(statuses) == [303, 409, 409, 409]
    assert said(app, post) == f"edit {statuses.index(303)}"
    assert len(versions_on(alice.get(f"/@alice/{post}/history").text)) == 2


def test_an_edit_and_a_delete_at_once_leave_nothing_behind(app: Flask, alice: Member) -> None:
    for _ in range(5):
        post = alice.write("soon gone")
        other = Member(app, alice.id, "alice")
        remove = lambda post=post, other=other: other.send(f"/posts/{post}/delete").status_code  # noqa: E731
        edited, deleted = at_once(partial(edit, alice, post, "changed"), remove)
        assert deleted == 303 and edited in {303, 410}
        assert said(app, post) == ""
    let_pass(app, 2 * TIME_TO_RESTORE)
    erase(app)
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(PostVersion)) == 0


def test_what_was_typed_for_a_deleted_post_is_given_back(alice: Member) -> None:
    post = alice.write("soon gone")
    alice.delete(post)
    answer = alice.send(f"/posts/{post}/edit", text="a better sentence", version=0)
    assert answer.status_code == 410
    assert ">a better sentence</textarea>" in answer.text


@pytest.fixture
def strict_app(app: Flask) -> Iterator[Flask]:
    """The site with its limits on, on the same servers."""
    strict = create_app(**PATIENT, TESTING=True, RATELIMIT_ENABLED=True)
    limiter.reset()
    yield strict
    limiter.reset()
    limiter.enabled = False
    with strict.app_context():
        db.engine.dispose()


def test_editing_is_limited_like_posting(alice: Member, strict_app: Flask) -> None:
    post = alice.write("number 0")
    most, member = int(limits.POST.split()[0]), Member(strict_app, alice.id, "alice")
    assert [edit(member, post, f"number {number}") for number in range(most + 1)] == [303] * most + [429]


def test_reading_histories_is_limited(strict_app: Flask) -> None:
    most, stranger = int(limits.READ.split()[0]), Member(strict_app, None, "")
    codes = [stranger.get("/@alice/1/history").status_code for _ in range(most + 1)]
    assert codes == [404] * most + [429]
