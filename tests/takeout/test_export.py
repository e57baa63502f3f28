"""Take one's data along: all that is one's own and nothing else, in slices that may be killed, for oneself alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from flask import Flask
from sqlalchemy import select, update

from app import create_app
from app.accounts.models import User
from app.core import clock, ids
from app.extensions import db, limiter
from app.outbox import names
from app.outbox.models import OutboxRow
from app.outbox.running import run_row
from app.posts.models import Post
from app.takeout.exporting import archive, making, operations
from app.takeout.models import Export
from app.web import limits
from tests.accounts.images import image_file
from tests.moderation.acting import on_person
from tests.outbox import drain, open_rows
from tests.patience import PATIENT
from tests.people import PASSWORD, Member
from tests.threads import at_once

PAGE, ASK, REMOVE, FILE = "/settings/data", "/settings/data/export", "/settings/data/export/delete", "/export.zip"
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'"
LISTS = {
    "posts",
    "follows",
    "followed_tags",
    "likes",
    "bookmarks",
    "mutes",
    "blocks",
    "muted_conversations",
    "filters",
}


@pytest.fixture(autouse=True)
def _nothing_is_left(app: Flask) -> Iterator[None]:
    yield
    with app.app_context():
        for name in archive.stored():
            archive.remove(name)


class Elements(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


def ask(who: Member) -> None:
    response = who.send(ASK)
    assert (response.status_code, response.location) == (303, PAGE)


def fetch(who: Member) -> ZipFile:
    response = who.get(FILE)
    assert response.status_code == 200, response.text
    return ZipFile(BytesIO(response.data))


def exported(who: Member) -> ZipFile:
    ask(who)
    drain(who.app)
    return fetch(who)


def read(found: ZipFile, name: str) -> Any:
    return json.loads(found.read(f"{name}.json"))


def files(app: Flask) -> set[str]:
    with app.app_context():
        folder = archive.folder()
        return {path.name for path in folder.iterdir()} if folder.exists() else set()


def row_of(app: Flask, who: Member) -> Export | None:
    with app.app_context():
        return db.session.scalars(select(Export).where(Export.user_id == who.id)).one_or_none()


def being_made(app: Flask) -> list[OutboxRow]:
    """Return the open rows of exports."""
    return [row for row in open_rows(app) if row.job == names.MAKE_EXPORT]


def run_once(app: Flask) -> None:
    """Do one slice of the export that is being made."""
    [row] = being_made(app)
    with app.app_context():
        run_row(row.id)


def test_an_export_holds_all_that_is_one_s_own(alice: Member, bob: Member, carol: Member, mallory: Member) -> None:
    image = alice.upload(image_file("JPEG", size=(60, 40)))
    with_image = alice.write("A cup of #tea at https://tea.example/", images=image, **{f"alt-{image}": "A green cup"})
    for_followers = alice.write("just for you", audience="followers", warning="Soup")
    letter = alice.write("psst @bob", audience="mentioned")
    theirs = bob.write("what bob says")
    reply = alice.write("an answer", reply_to=theirs)
    quote = alice.write("look at that", quote_of=theirs)
    alice.send(f"/posts/{theirs}/repost")
    alice.send(f"/posts/{theirs}/like")
    alice.send(f"/posts/{theirs}/bookmark")
    alice.follow(carol)
    alice.mute(bob)
    alice.send("/tags/tea/follow")
    alice.send("/settings/filters", phrase="=spoiler", match="word", action="hide", lasts="ever")
    gone = alice.write("never mind")
    alice.delete(gone)
    found = exported(alice)

    posts = {post["id"]: post for post in read(found, "posts")}
    with alice.app.app_context():
        own = select(Post.id).where(Post.author_id == alice.id, Post.deleted_at.is_(None))
        assert list(posts) == sorted(db.session.scalars(own), reverse=True)
    assert gone not in posts
    assert posts[with_image]["text"] == "A cup of #tea at https://tea.example/"
    assert posts[with_image]["url"] == f"http://localhost/@alice/{with_image}"
    [shown] = posts[with_image]["images"]
    assert shown["description"] == "A green cup"
    assert found.read(shown["file"]).startswith(b"RIFF")
    assert (posts[for_followers]["audience"], posts[for_followers]["warning"]) == ("followers", "Soup")
    assert (posts[letter]["audience"], posts[letter]["mentions"]) == ("mentioned", ["bob"])
    assert posts[reply]["reply_to"] == {"author": "bob", "url": f"http://localhost/@bob/{theirs}"}
    assert posts[quote]["quote_of"] == posts[reply]["reply_to"]
    [repost] = [post for post in posts.values() if post["repost_of"]]
    assert repost["text"] == ""
    assert [each["handle"] for each in read(found, "follows")] == ["carol"]
    assert [each["tag"] for each in read(found, "followed_tags")] == ["tea"]
    assert [each["url"] for each in read(found, "likes")] == [f"http://localhost/@bob/{theirs}"]
    assert [each["url"] for each in read(found, "bookmarks")] == [f"http://localhost/@bob/{theirs}"]
    assert [(each["handle"], each["scope"]) for each in read(found, "mutes")] == [("bob", "all")]
    assert [each["handle"] for each in read(found, "blocks")] == ["mallory"]
    assert [each["phrase"] for each in read(found, "filters")] == ["=spoiler"]
    assert read(found, "settings")["email"] == "alice@example.org"
    assert read(found, "profile")["handle"] == "alice"
    assert found.read("follows.csv").decode().splitlines() == [
        "Account address,Show boosts,Volume",
        "carol@localhost,true,all",
    ]
    assert found.read("blocks.csv").decode().splitlines() == ["Account address", "mallory@localhost"]
    assert found.testzip() is None


def test_an_edited_post_is_exported_with_what_it_said_before(alice: Member) -> None:
    post_id = alice.write("first words")
    assert alice.send(f"/posts/{post_id}/edit", text="second words").status_code == 303
    found = exported(alice)
    [post] = read(found, "posts")
    assert post["text"] == "second words" and post["edited_at"]
    assert [version["text"] for version in post["earlier_versions"]] == ["first words"]
    assert "first words" in found.read("index.html").decode()


def test_an_export_holds_nothing_of_other_people(alice: Member, bob: Member) -> None:
    bob.write("what only bob says", audience="followers")
    image = bob.upload()
    theirs = bob.write("with an image", images=image)
    alice.send(f"/posts/{theirs}/like")
    found = exported(alice)
    everything = b"".join(found.read(name) for name in found.namelist()).decode()
    assert "with an image" not in everything and "only bob" not in everything and "bob@example.org" not in everything
    assert not [name for name in found.namelist() if name.startswith("images/")]


def test_what_one_liked_and_may_no_longer_see_is_left_out(alice: Member, bob: Member) -> None:
    post_id = bob.write("for now")
    alice.send(f"/posts/{post_id}/like")
    bob.block(alice)
    assert read(exported(alice), "likes") == []


def test_an_empty_account_gets_a_whole_export_too(carol: Member) -> None:
    found = exported(carol)
    assert all(read(found, name) == [] for name in LISTS)
    assert "You haven’t posted anything." in found.read("index.html").decode()


def test_nothing_that_people_write_becomes_html(app: Flask, alice: Member, join: Any) -> None:
    evil = join("evil", name=EVIL)
    image = alice.upload()
    alice.send("/settings/profile", name=EVIL, bio=EVIL)
    alice.write(EVIL, warning=EVIL, images=image, **{f"alt-{image}": EVIL})
    alice.send("/settings/filters", phrase=EVIL, match="part", action="hide", lasts="ever")
    alice.follow(evil)
    html = exported(alice).read("index.html").decode()
    elements = Elements()
    elements.feed(html)
    assert "script" not in elements.names and "details" in elements.names
    assert not [name for name in elements.attributes if name.startswith("on")]
    assert html.count("&lt;script&gt;alert(1)") >= 6


def test_the_page_needs_nothing_but_the_files_beside_it(alice: Member) -> None:
    image = alice.upload()
    alice.write("with an image of @alice and #tea", images=image)
    found = exported(alice)
    html = found.read("index.html").decode()
    sources = re.findall(r'\bsrc="([^"]+)"', html)
    assert sources and set(sources) <= set(found.namelist())
    links = re.findall(r'\bhref="([^"]+)"', html)
    assert all(link.startswith(("http://localhost", "#", "images/")) for link in links), links
    assert "<script" not in html and "<link" not in html


def test_every_name_in_the_file_stays_below_its_folder(alice: Member) -> None:
    alice.send("/settings/profile", name="Alice", bio="", avatar=(image_file(), "../../me.png"))
    alice.write("hello", images=alice.upload())
    for name in exported(alice).namelist():
        assert re.fullmatch(r"(images/)?[a-z0-9_-]+\.[a-z]+", name), name


@pytest.mark.parametrize("name", ["../up.json", "/etc/passwd", "a/../b.json", "images/../../x.webp", "a\\b.json", ".x"])
def test_no_other_name_can_be_put_into_an_archive(app: Flask, name: str) -> None:
    with app.app_context(), archive.opened("test", {}) as kept, pytest.raises(ValueError, match=re.escape(name)):
        kept.add([(name, Path(__file__))])


# ---- Whose it is


def test_others_find_neither_the_file_nor_how_far_it_is(alice: Member, bob: Member, stranger: Member) -> None:
    alice.write("hello")
    ask(alice)
    assert "being made" in alice.get(PAGE).text
    for part in ("export", "import"):
        assert "being made" not in bob.get(f"{PAGE}?part={part}", fragment=True).text
    assert "being made" not in bob.get(PAGE).text
    drain(alice.app)
    assert bob.get(FILE).status_code == 404
    assert stranger.get(FILE).status_code == 303
    assert bob.send(REMOVE).status_code == 303
    drain(alice.app)
    assert fetch(alice).testzip() is None


def test_everybody_fetches_their_own(alice: Member, bob: Member) -> None:
    for who in (alice, bob):
        who.write(f"by {who.handle}")
        ask(who)
    drain(alice.app)
    for who in (alice, bob):
        assert [post["text"] for post in read(fetch(who), "posts")] == [f"by {who.handle}"]


def test_no_address_leads_to_the_file_itself(app: Flask, alice: Member) -> None:
    exported(alice)
    export = row_of(app, alice)
    assert export is not None and len(export.file) >= 32
    assert files(app) == {f"{export.file}.zip"}
    assert export.file not in alice.get(PAGE).text
    for path in (f"/exports/{export.file}.zip", f"/media/posts/{export.file}.zip", f"/static/{export.file}.zip"):
        assert alice.get(path).status_code == 404


def test_the_file_is_kept_by_no_cache_and_comes_as_a_download(alice: Member) -> None:
    ask(alice)
    drain(alice.app)
    headers = alice.get(FILE).headers
    assert headers["Cache-Control"] == "private, no-store"
    assert re.match(r"attachment; filename=freshet-alice-\d{4}-\d\d-\d\d\.zip", headers["Content-Disposition"])


@pytest.fixture
def strict_app(app: Flask) -> Iterator[Flask]:
    """The site with its limits on."""
    strict = create_app(**PATIENT, TESTING=True, RATELIMIT_ENABLED=True)
    limiter.reset()
    yield strict
    limiter.reset()
    limiter.enabled = False
    with strict.app_context():
        db.engine.dispose()


def test_one_can_ask_some_times_a_day(alice: Member, strict_app: Flask) -> None:
    most, member = int(limits.EXPORT.split()[0]), Member(strict_app, alice.id, "alice")
    assert [member.send(ASK).status_code for _ in range(most + 1)] == [303] * most + [429]
    assert member.get(PAGE).status_code == 200


def test_whoever_is_suspended_can_still_take_their_posts_along(app: Flask, alice: Member, mod: Member) -> None:
    post_id = alice.write("what nobody sees now")
    on_person(app, alice, "suspend", by=mod)
    again = Member(app, alice.id, "alice")  # who has logged in again
    ask(again)
    drain(app)
    assert again.get(PAGE).status_code == 200
    assert [post["id"] for post in read(fetch(again), "posts")] == [post_id]


# ---- One at a time, for some days


def test_asking_twice_makes_one_export(app: Flask, alice: Member) -> None:
    ask(alice)
    ask(alice)
    assert len(being_made(app)) == 1


def test_of_two_who_ask_at_once_each_gets_the_same_export(app: Flask, alice: Member) -> None:
    exported(alice)
    other = Member(app, alice.id, "alice")
    at_once(lambda: ask(alice), lambda: ask(other))
    assert len(being_made(app)) == 1
    drain(app)
    assert fetch(alice).testzip() is None


def test_a_new_export_takes_the_place_of_the_last_one(app: Flask, alice: Member) -> None:
    exported(alice)
    alice.write("since then")
    assert [post["text"] for post in read(exported(alice), "posts")] == ["since then"]
    assert len(files(app)) == 1


def test_an_export_that_is_removed_is_gone_with_its_file(app: Flask, alice: Member) -> None:
    exported(alice)
    alice.send(REMOVE)
    assert alice.get(FILE).status_code == 404
    drain(app)
    assert files(app) == set()


def test_an_export_that_is_cancelled_is_not_made(app: Flask, alice: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "SLICE", 1)
    for number in range(3):
        alice.write(f"post {number}")
    ask(alice)
    run_once(app)
    alice.send(REMOVE)
    drain(app)
    assert alice.get(FILE).status_code == 404
    assert files(app) == set()


def test_after_some_days_it_is_gone(app: Flask, alice: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    exported(alice)
    later = clock.now() + timedelta(days=operations.DAYS, minutes=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert alice.get(FILE).status_code == 404  # before anything is tidied up
    assert "Make a copy" in alice.get(PAGE).text
    tidy(app)
    assert files(app) == set() and row_of(app, alice) is None


def test_files_that_no_row_names_are_removed_and_others_stay(app: Flask, alice: Member, bob: Member) -> None:
    exported(alice)
    exported(bob)
    with app.app_context():
        db.session.execute(update(Export).where(Export.user_id == bob.id).values(file="another"))
        db.session.commit()
    tidy(app)
    assert fetch(alice).testzip() is None
    assert len(files(app)) == 1


def tidy(app: Flask) -> None:
    with app.app_context():
        operations.forget_old_exports()
        db.session.commit()


# ---- Made in slices


@pytest.fixture
def many(alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Alice has written seven posts with images, and her export is made two rows at a time."""
    monkeypatch.setattr(making, "SLICE", 2)
    return [alice.write(f"post {number}", images=alice.upload()) for number in range(7)]


def is_right(found: ZipFile, many: list[int]) -> bool:
    posts = read(found, "posts")
    names = sorted(name for name in found.namelist() if name.startswith("images/"))
    html = found.read("index.html").decode()
    assert found.testzip() is None
    assert [post["id"] for post in posts] == many[::-1]
    assert names == sorted(image["file"] for post in posts for image in post["images"]) and len(names) == len(many)
    assert [html.count(f"post {number}</p>") for number in range(len(many))] == [1] * len(many)
    assert len(found.namelist()) == len(set(found.namelist()))
    return True


def test_progress_is_shown_and_ends_by_itself(app: Flask, alice: Member, many: list[int]) -> None:
    ask(alice)
    assert "About to begin" in alice.get(PAGE).text
    seen = []
    while being_made(app):
        run_once(app)
        fragment = alice.get(f"{PAGE}?part=export", fragment=True).text
        assert "<html" not in fragment
        seen += re.findall(r'<progress[^>]* value="(\d+)" max="7"', fragment)
    assert list(map(int, seen)) == sorted(map(int, seen)) and len(set(seen)) > 2
    assert "hx-trigger" not in fragment and "Download" in fragment
    assert is_right(fetch(alice), many)


def test_a_job_that_is_killed_between_slices_goes_on(app: Flask, alice: Member, many: list[int]) -> None:
    ask(alice)
    run_once(app)
    run_once(app)
    drain(app)
    assert is_right(fetch(alice), many)


@pytest.mark.parametrize("slices", range(9))
def test_a_job_that_is_killed_before_its_slice_counts_leaves_nothing_of_it(
    app: Flask, alice: Member, many: list[int], slices: int
) -> None:
    ask(alice)
    for _ in range(slices):
        if being_made(app):
            run_once(app)
    for _ in range(2):  # all is written, and then the worker dies before it commits
        for row in being_made(app):
            with app.app_context():
                export = db.session.get_one(Export, row.subject_id)
                user = db.session.get_one(User, export.user_id)
                making.go_on(export, user, row.state, origin="http://localhost")
                db.session.rollback()
    drain(app)
    assert is_right(fetch(alice), many)


def test_a_twin_that_does_not_know_that_it_is_one_is_kept_out(app: Flask, alice: Member, many: list[int]) -> None:
    ask(alice)
    run_once(app)
    export = row_of(app, alice)
    assert export is not None
    with app.app_context(), archive.opened(export.file, {}):
        run_once(app)
    [row] = being_made(app)
    assert row.attempts == 1
    with app.app_context():
        run_row(row.id)
        db.session.execute(update(type(row)).values(attempts=0))
        db.session.commit()
    drain(app)
    assert is_right(fetch(alice), many)


def test_an_export_whose_files_are_lost_begins_anew(app: Flask, alice: Member, many: list[int]) -> None:
    ask(alice)
    run_once(app)
    run_once(app)
    export = row_of(app, alice)
    assert export is not None
    with app.app_context():
        archive.remove(export.file)
    drain(app)
    assert is_right(fetch(alice), many)


def test_a_slice_reads_no_more_than_its_share(app: Flask, alice: Member, many: list[int]) -> None:
    ask(alice)
    run_once(app)
    [row] = being_made(app)
    assert row.state["numbers"]["posts"] == 2
    assert row.state["after"] == many[-2]


def test_an_account_that_is_deleted_meanwhile_gets_no_export(app: Flask, alice: Member, many: list[int]) -> None:
    ask(alice)
    run_once(app)
    alice.send("/settings/delete", current_password=PASSWORD)
    run_once(app)
    assert being_made(app) == []  # at once, though her row is still there
    tidy(app)
    assert files(app) == set() and row_of(app, alice) is None


def test_an_image_that_goes_meanwhile_is_left_out(app: Flask, alice: Member, many: list[int]) -> None:
    with app.app_context():
        for path in (app.config["DATA_FOLDER"] / "media" / "posts").iterdir():
            path.unlink()
    found = exported(alice)
    assert all(post["images"] == [] for post in read(found, "posts"))
    assert found.testzip() is None


def test_the_day_of_a_post_is_that_of_its_author(alice: Member) -> None:
    alice.send("/settings/time-zone", time_zone="Pacific/Kiritimati")
    post_id = alice.write("hello")
    html = exported(alice).read("index.html").decode()
    assert ids.time_of(post_id).isoformat() in html
    assert " UTC<" not in html
