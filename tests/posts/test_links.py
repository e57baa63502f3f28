"""Link cards: what a linked page says about itself, fetched by a job, shown below the post, removed by its author."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update
from werkzeug.test import TestResponse

from app.core import clock
from app.core.fetching import Bounds
from app.extensions import db
from app.outbox import errands, names
from app.outbox.models import OutboxRow
from app.outbox.rows import open_row
from app.outbox.running import run_row
from app.posts.deleting.operations import erase_deleted
from app.posts.links import asking, refreshing, tidying
from app.posts.links.jobs import MAX_ATTEMPTS
from app.posts.links.models import LinkedPage, PostLink
from tests.accounts.images import image_file, png_that_claims, two_colours
from tests.core.test_images import with_scans
from tests.outbox import drain, open_jobs, open_rows
from tests.outside import Outside, http, outside, redirect
from tests.people import PASSWORD, Member
from tests.sql import statements
from tests.threads import at_once

PAGE = """<title>x</title><meta property=og:title content="The kettle &amp; its leaves">
<meta property=og:description content="All about tea"><meta property=og:image content="/kettle.png">"""


@pytest.fixture
def web(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    """A server of somebody else that may be asked, with a page and its picture."""
    with outside() as running:
        monkeypatch.setitem(app.config, "LINK_CARDS", True)
        monkeypatch.setitem(app.config, "LINKS_ALSO_FROM", [running.place])
        running.serve("/tea", http(PAGE))
        running.serve("/kettle.png", http(image_file("PNG", size=(800, 400)).getvalue(), kind="image/png"))
        yield running


@pytest.fixture(autouse=True)
def _empty_folder(app: Flask) -> None:
    for name in files(app):
        (folder(app) / name).unlink()


def folder(app: Flask) -> Path:
    path: Path = app.config["DATA_FOLDER"] / "media" / "links"
    return path


def files(app: Flask) -> set[str]:
    return {path.name for path in folder(app).iterdir()} if folder(app).exists() else set()


def pages(app: Flask) -> dict[str, str]:
    """Return the titles of the pages that are known, by their addresses."""
    with app.app_context():
        return {page.url: page.title for page in db.session.scalars(select(LinkedPage))}


def picture_in(html: str) -> str:
    [address] = re.findall(r'<img class="link-picture" src="([^"]+)"', html)
    return str(address)


def later(monkeypatch: pytest.MonkeyPatch, **passed: float) -> None:
    real = clock.now
    monkeypatch.setattr(clock, "now", lambda: real() + timedelta(**passed))


def test_a_link_gets_a_card_after_its_page_was_asked(app: Flask, web: Outside, alice: Member, stranger: Member) -> None:
    post = alice.write(f"look: {web.url('/tea#leaves')}.")
    assert web.asked == [], "not while the author waits"
    assert "link-card" not in stranger.get(f"/@alice/{post}").text
    drain(app)
    assert web.asked == ["/tea", "/kettle.png"]
    page = stranger.get(f"/@alice/{post}").text
    link = f'<a href="{web.url("/tea#leaves")}" rel="noopener nofollow ugc" target="_blank">'
    assert f"{link}The kettle &amp; its leaves</a>" in page
    assert "All about tea" in page and "127.0.0.1</p>" in page
    answer = stranger.get(picture_in(page))
    assert (answer.status_code, answer.mimetype) == (200, "image/webp")
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_the_card_is_shown_wherever_the_post_is(app: Flask, web: Outside, alice: Member, bob: Member) -> None:
    post = alice.write(f"kettles #tea {web.url('/tea')}")
    drain(app)
    bob.send(f"/posts/{post}/bookmark")
    for path in (
        "/",
        "/feed",
        "/@alice",
        f"/@alice/{post}",
        "/tags/tea",
        "/search?q=kettles",
        "/bookmarks",
        "/explore",
    ):
        assert bob.get(path).text.count('class="link-card') == 1, path
    reply = bob.write(f"and {web.url('/tea')}", reply_to=post)
    assert alice.get(f"/@alice/{post}").text.count('class="link-card') == 2, reply


def test_a_card_stands_behind_the_warning_of_its_post(app: Flask, web: Outside, alice: Member, bob: Member) -> None:
    post = alice.write(web.url("/tea"), warning="spoilers")
    drain(app)
    page = bob.get(f"/@alice/{post}").text
    assert page.index("spoilers") < page.index("link-card") < page.index("</details>", page.index("link-card"))


def test_only_the_first_link_has_a_card_and_only_without_images_and_quote(
    app: Flask, web: Outside, alice: Member, bob: Member
) -> None:
    web.serve("/other", http("<title>Other</title>"))
    first = alice.write(f"{web.url('/other')} {web.url('/tea')}")
    alice.write(web.url("/tea"), images=alice.upload())
    alice.write(web.url("/tea"), quote_of=bob.write("hello"))
    drain(app)
    assert web.asked == ["/other"]
    page = bob.get("/@alice").text
    assert page.count('class="link-card') == 1 and f'data-post="{first}"' in page


def test_a_page_is_shared_by_all_posts_and_asked_again_rarely(
    app: Flask, web: Outside, alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.write(web.url("/tea"))
    drain(app)
    bob.write(f"also {web.url('/tea#other')}")
    assert names.FETCH_LINKED_PAGE not in open_jobs(app)
    assert len(pages(app)) == 1 and len(web.asked) == 2
    assert alice.get("/@bob").text.count("The kettle") == 1
    web.serve("/tea", http("<title>A new title</title>"))
    later(monkeypatch, days=8)
    alice.write(f"again {web.url('/tea')}")
    drain(app)
    assert list(pages(app).values()) == ["A new title"]
    assert bob.get("/@bob").text.count("A new title") == 1
    assert files(app) == set(), "the picture of before is gone"


def test_what_cannot_be_asked_again_keeps_its_card(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.write(web.url("/tea"))
    drain(app)
    web.serve("/tea", http("gone", status="410 Gone"))
    later(monkeypatch, days=8)
    alice.write(f"again {web.url('/tea')}")
    drain(app)
    assert web.asked.count("/tea") == 2
    assert alice.get("/@alice").text.count("The kettle") == 2
    assert len(files(app)) == 1


def test_what_was_not_found_is_asked_again_after_an_hour(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        alice.write(web.url("/late"))
        drain(app)
    assert web.asked == ["/late"]
    web.serve("/late", http("<title>Here now</title>"))
    later(monkeypatch, minutes=61)
    alice.write(web.url("/late"))
    drain(app)
    assert alice.get("/@alice").text.count("Here now</a>") == 3


def ask_again(app: Flask) -> None:
    """Do what the scheduler does every few minutes, and the errands that it opens."""
    with app.app_context():
        refreshing.ask_again()
        db.session.commit()
    drain(app)


def test_what_was_not_found_at_first_is_tried_a_few_times_ever_more_rarely(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.write(web.url("/late"))
    drain(app)
    tries = []
    for minute in range(4, 60 * 48, 5):
        with monkeypatch.context() as patch:
            later(patch, minutes=minute)
            before = len(web.asked)
            ask_again(app)
            tries += [minute] * (len(web.asked) - before)
    assert tries == [9, 49, 249, 1249]
    web.serve("/late", http("<title>Here now</title>"))
    later(monkeypatch, days=3)
    ask_again(app)
    assert set(pages(app).values()) == {""}, "it was given up"


def test_a_page_that_comes_late_gets_its_card(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.write(web.url("/late"))
    drain(app)
    web.serve("/late", http("<title>Here now</title>"))
    later(monkeypatch, minutes=6)
    ask_again(app)
    assert "Here now</a>" in alice.get("/@alice").text
    ask_again(app)
    assert web.asked == ["/late", "/late"]


def test_a_card_is_refreshed_rarely_and_few_at_a_time(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refreshing, "MAX_AT_ONCE", 2)
    for number in range(3):
        web.serve(f"/{number}", http(f"<title>old {number}</title>"))
        alice.write(web.url(f"/{number}"))
    drain(app)
    for number in range(3):
        web.serve(f"/{number}", http(f"<title>new {number}</title>"))
    with monkeypatch.context() as patch:
        later(patch, days=29)
        ask_again(app)
    assert len(web.asked) == 3
    later(monkeypatch, days=31)
    ask_again(app)
    assert sorted(pages(app).values()) == ["new 0", "new 1", "old 2"]
    ask_again(app)
    ask_again(app)
    assert len(web.asked) == 6


def test_what_is_being_asked_or_shown_nowhere_is_not_asked_again(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = alice.write(web.url("/tea"))
    drain(app)
    later(monkeypatch, days=31)
    for _ in range(2):
        with app.app_context():
            refreshing.ask_again()
            db.session.commit()
    assert open_jobs(app).count(names.FETCH_LINKED_PAGE) == 1
    drain(app)
    assert alice.send(f"/posts/{post}/link/delete").status_code == 303
    later(monkeypatch, days=62)
    ask_again(app)
    monkeypatch.setitem(app.config, "LINK_CARDS", False)
    alice.send(f"/posts/{post}/link")
    ask_again(app)
    assert web.asked.count("/tea") == 2


def test_a_refresh_without_its_picture_keeps_the_one_of_before(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.write(web.url("/tea"))
    drain(app)
    before = files(app)
    web.serve("/tea", http(PAGE.replace("kettle &amp; its", "pot and its")))
    web.serve("/kettle.png", http("away", status="503 Away"))
    later(monkeypatch, days=31)
    ask_again(app)
    page = alice.get("/@alice").text
    assert "The pot and its leaves" in page and {Path(picture_in(page)).name} == before == files(app)


@pytest.mark.parametrize("times", [2, 3])
def test_the_job_may_run_twice_and_late(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    post = alice.write(web.url("/tea"))
    with app.app_context():
        page_id = db.session.scalars(select(LinkedPage.id)).one()
        for _ in range(times):
            open_row(names.FETCH_LINKED_PAGE, page_id)
        db.session.commit()
    drain(app)
    assert web.asked == ["/tea", "/kettle.png"]
    alice.delete(post)
    later(monkeypatch, minutes=1)
    tidy(app)
    with app.app_context():
        open_row(names.FETCH_LINKED_PAGE, page_id)
        db.session.commit()
    drain(app)
    assert (pages(app), len(web.asked)) == ({}, 2)


def test_twins_at_the_same_time_leave_one_picture(app: Flask, web: Outside, alice: Member) -> None:
    alice.write(web.url("/tea"))
    both = threading.Barrier(2)

    def together(connection: Any) -> None:
        both.wait(60)
        connection.sendall(http(PAGE))

    web.serve("/tea", together)
    with app.app_context():
        open_row(names.FETCH_LINKED_PAGE, db.session.scalars(select(LinkedPage.id)).one())
        db.session.commit()

    def run(
        row_id: int,
    ) -> None:  # as by two that know nothing of each other: errands themselves do one after the other
        with app.app_context():
            run_row(row_id)

    at_once(*[partial(run, row.id) for row in open_rows(app) if row.job == names.FETCH_LINKED_PAGE])
    drain(app)
    assert web.asked.count("/tea") == 2
    assert {Path(picture_in(alice.get("/@alice").text)).name} == files(app)


def test_a_page_at_which_something_unforeseen_happens_is_given_up(
    app: Flask,
    web: Outside,
    alice: Member,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    alice.write(web.url("/tea"))
    (tmp_path / "media").write_text("no folder")
    monkeypatch.setitem(app.config, "DATA_FOLDER", tmp_path)
    for attempt in range(MAX_ATTEMPTS + 1):
        assert [row.attempts for row in open_rows(app) if row.job == names.FETCH_LINKED_PAGE] == [attempt]
        with app.app_context():
            db.session.execute(update(OutboxRow).values(lease_until=func.now()))
            db.session.commit()
            assert errands.run_next()
    assert names.FETCH_LINKED_PAGE not in open_jobs(app) and "is given up for now: NotADirectoryError" in caplog.text
    assert web.asked.count("/tea") == MAX_ATTEMPTS
    with app.app_context():
        page = db.session.scalars(select(LinkedPage)).one()
        assert page.asked_at is not None and page.title == "", "as one where nothing was found: it may be tried again"


def test_an_errand_is_due_at_once_and_no_worker_waits_for_it(app: Flask, web: Outside, alice: Member) -> None:
    alice.write(web.url("/tea"))
    with app.app_context():
        assert errands.run_next() and not errands.run_next()
    assert web.asked == ["/tea", "/kettle.png"]


def test_two_posts_at_once_share_a_new_page(app: Flask, web: Outside, alice: Member, bob: Member) -> None:
    at_once(lambda: alice.write(web.url("/tea")), lambda: bob.write(web.url("/tea")))
    drain(app)
    assert len(pages(app)) == 1 and web.asked == ["/tea", "/kettle.png"]
    assert bob.get("/").text.count('class="link-card') == 2


def test_an_edit_changes_the_card_with_the_link(app: Flask, web: Outside, alice: Member) -> None:
    web.serve("/other", http("<title>Other</title>"))
    post = alice.write(f"look {web.url('/tea')}")
    drain(app)
    alice.send(f"/posts/{post}/edit", text=f"look {web.url('/other')}")
    page = alice.get(f"/@alice/{post}").text
    assert "link-card" not in page, "what it linked to before is not shown for a moment"
    drain(app)
    assert "Other</a>" in alice.get(f"/@alice/{post}").text
    alice.send(f"/posts/{post}/edit", text="look")
    assert "link-card" not in alice.get(f"/@alice/{post}").text
    alice.send(f"/posts/{post}/edit", text=f"look {web.url('/tea')}")
    assert "The kettle" in alice.get(f"/@alice/{post}").text


def test_an_author_removes_a_card_and_it_stays_removed(
    app: Flask, web: Outside, alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, other = alice.write(f"look {web.url('/tea')}"), bob.write(web.url("/tea"))
    drain(app)
    assert "Remove link preview" in alice.get(f"/posts/{post}/menu", fragment=True).text
    assert "link preview" not in bob.get(f"/posts/{post}/menu", fragment=True).text
    answer = alice.send(f"/posts/{post}/link/delete", fragment=True, entry=post)
    assert answer.status_code == 200 and "link-card" not in answer.text and "look" in answer.text
    later(monkeypatch, days=8)
    bob.write(f"again {web.url('/tea')}")
    drain(app)
    alice.send(f"/posts/{post}/edit", text=f"look again {web.url('/tea')}")
    assert "link-card" not in bob.get(f"/@alice/{post}").text
    assert "link-card" in alice.get(f"/@bob/{other}").text, "that is somebody else's"
    assert "Show link preview" in alice.get(f"/posts/{post}/menu", fragment=True).text
    assert alice.send(f"/posts/{post}/link").location == f"/@alice/{post}"
    assert "link-card" in bob.get(f"/@alice/{post}").text


def undo_of(answer: TestResponse) -> dict[str, Any]:
    undo: dict[str, Any] = json.loads(answer.headers["HX-Trigger"])["toast"]["undo"]
    return undo


def test_removing_and_showing_a_card_undo_each_other(app: Flask, web: Outside, alice: Member) -> None:
    post = alice.write(f"look {web.url('/tea')}")
    drain(app)
    answer = alice.send(f"/posts/{post}/link/delete", fragment=True, entry=post)
    for path, has_card in ((f"/posts/{post}/link", True), (f"/posts/{post}/link/delete", False)):
        undo = undo_of(answer)
        assert (undo["path"], undo["into"], undo["swap"]) == (path, f"#text-{post}", "innerHTML")
        answer = alice.send(undo["path"], fragment=True, **undo["fields"])
        assert ("link-card" in answer.text) is has_card
    alice.send(f"/posts/{post}/link")
    assert f'action="/posts/{post}/link/delete"' in alice.get(f"/@alice/{post}").text, "without JavaScript"


def test_what_has_no_link_has_no_card_to_remove(alice: Member) -> None:
    post = alice.write("no link")
    assert alice.send(f"/posts/{post}/link/delete").status_code == 404
    assert "link preview" not in alice.get(f"/posts/{post}/menu", fragment=True).text


def test_a_picture_is_as_visible_as_the_posts_that_show_it(
    app: Flask, web: Outside, alice: Member, bob: Member, carol: Member, mallory: Member, stranger: Member
) -> None:
    post = alice.write(web.url("/tea"), audience="followers")
    drain(app)
    path = picture_in(bob.get("/").text)
    assert [who.get(path).status_code for who in (alice, bob)] == [200, 200]
    assert [who.get(path).status_code for who in (carol, mallory, stranger)] == [404, 404, 404]
    public = carol.write(web.url("/tea"))
    assert [who.get(path).status_code for who in (mallory, stranger)] == [200, 200]
    carol.send(f"/posts/{public}/link/delete")
    assert stranger.get(path).status_code == 404
    alice.delete(post)
    assert [who.get(path).status_code for who in (alice, bob)] == [404, 404]


@pytest.mark.parametrize("name", ["../secret_key", "x.webp", "a" * 22 + ".png", "%00", "..%2f..%2fsecret_key"])
def test_no_other_file_is_sent(stranger: Member, name: str) -> None:
    assert stranger.get(f"/media/links/{name}").status_code in {400, 404}


def test_what_nobody_links_to_goes(
    app: Flask, web: Outside, alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = alice.write(web.url("/tea")), bob.write(web.url("/tea"))
    drain(app)
    alice.delete(mine)
    tidy(app)
    assert len(pages(app)) == len(files(app)) == 1
    bob.delete(theirs)
    tidy(app)
    assert len(pages(app)) == 1, "it may be brought back"
    later(monkeypatch, minutes=1)
    tidy(app)
    assert (pages(app), files(app)) == ({}, set())


def test_with_an_account_its_links_go(app: Flask, web: Outside, alice: Member) -> None:
    alice.write(web.url("/tea"))
    drain(app)
    assert alice.send("/settings/delete", current_password=PASSWORD).status_code == 303
    drain(app)
    tidy(app)
    assert (pages(app), files(app)) == ({}, set())


def test_files_that_no_page_has_go_after_a_day(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.write(web.url("/tea"))
    drain(app)
    kept = files(app)
    (folder(app) / ("a" * 22 + ".webp")).write_bytes(b"left by a job that died")
    tidy(app)
    assert len(files(app)) == 2, "its row may be about to be committed"
    later(monkeypatch, days=2)
    tidy(app)
    assert files(app) == kept


def tidy(app: Flask) -> None:
    with app.app_context():
        erase_deleted()
        tidying.forget_unused()
        db.session.commit()


def test_where_it_is_off_nothing_is_asked(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.write(web.url("/tea"))
    monkeypatch.setitem(app.config, "LINK_CARDS", False)
    alice.write(f"again {web.url('/tea')}")
    drain(app)
    assert web.asked == [] and "link-card" not in alice.get("/@alice").text


def test_without_a_link_nothing_is_looked_up(app: Flask, web: Outside, alice: Member, bob: Member) -> None:
    alice.write("plain")
    bob.get("/")
    with statements() as before:
        bob.get("/")
    alice.write(web.url("/tea"))
    drain(app)
    bob.get("/")
    with statements() as after:
        bob.get("/")
    assert len(after) == len(before), "a card costs no statement of its own"


# ---- Hostile pages


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;script&gt;alert(1)&lt;/script&gt;</a>"),
        ("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;", "&#34;&gt;&lt;img src=x onerror=alert(1)&gt;</a>"),
        ("{{ config }}{% raw %}", "{{ config }}{% raw %}</a>"),
        ("\u202eevil\u2066\u0000", "evil</a>"),
        ("#tag @alice https://else.example/", "#tag @alice https://else.example/</a>"),
    ],
)
def test_a_hostile_title_is_text(app: Flask, web: Outside, alice: Member, said: str, shown: str) -> None:
    web.serve("/tea", http(f'<meta property=og:title content="{said}"><meta name=description content="{said}">'))
    alice.write(web.url("/tea"))
    drain(app)
    page = alice.get("/@alice").text
    assert f'target="_blank">{shown}' in page
    assert "<script>alert" not in page and "<img src=x" not in page


def test_a_title_of_a_hundred_kilobytes_is_cut(app: Flask, web: Outside, alice: Member) -> None:
    web.serve("/tea", http(f"<title>{'W' * 100_000}</title>"))
    alice.write(web.url("/tea"))
    drain(app)
    assert list(pages(app).values()) == ["W" * 199 + "…"]


@pytest.mark.parametrize("link", ['https://tea.example/"><script>alert(1)</script>', "https://tea.example/'onclick='x"])
def test_a_hostile_link_leads_nowhere_else(app: Flask, web: Outside, alice: Member, link: str) -> None:
    alice.write(link)
    page = alice.get("/@alice").text
    assert "<script>alert" not in page and "'onclick" not in page.split("data-post")[0]


@pytest.mark.parametrize(
    "picture",
    [
        http(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", kind="image/svg+xml"),
        http(b"<svg onload='alert(1)'/>", kind="image/png"),
        http(png_that_claims(9_000, 9_000).getvalue(), kind="image/png"),
        http(with_scans(65).getvalue(), kind="image/jpeg"),
        http(image_file("PNG", size=(1, 1)).getvalue(), kind="image/png"),
        http(image_file("PNG", size=(20, 20)).getvalue(), kind="text/html"),
        http(image_file("JPEG", size=(600, 400)).getvalue()[:-900], kind="image/jpeg"),
        http(b"x", kind="image/png", status="404 Not Found"),
        http(gzip.compress(bytes(50_000_000), 1), kind="image/png", Content_Encoding="gzip"),
        redirect("http://127.0.0.2:1/"),
        redirect("file:///etc/passwd"),
        b"",
    ],
)
def test_a_card_does_without_a_picture_that_is_none(app: Flask, web: Outside, alice: Member, picture: bytes) -> None:
    web.serve("/kettle.png", picture)
    alice.write(web.url("/tea"))
    drain(app)
    page = alice.get("/@alice").text
    assert "The kettle" in page and "link-picture" not in page
    assert files(app) == set()


def test_a_card_does_without_a_picture_of_very_many_pixels(app: Flask, web: Outside, alice: Member) -> None:
    huge = image_file("PNG", "1", size=(6_000, 4_000)).getvalue()
    assert len(huge) < asking.PICTURE_BOUNDS.max_bytes
    web.serve("/kettle.png", http(huge, kind="image/png"))
    alice.write(web.url("/tea"))
    drain(app)
    assert files(app) == set() and "The kettle" in alice.get("/@alice").text


@pytest.mark.parametrize(
    "place",
    [
        "http://127.0.0.2:{port}/x",
        "//127.0.0.2/x",
        "http://[::1]:{port}/",
        "data:image/png;base64,x",
        "http://[",
        "\\\\127.0.0.2\\x",
    ],
)
def test_a_picture_leads_to_nothing_on_our_side(app: Flask, web: Outside, alice: Member, place: str) -> None:
    with outside("127.0.0.2") as inner:
        inner.serve("/x", http(image_file("PNG", size=(800, 400)).getvalue(), kind="image/png"))
        web.serve("/tea", http(f"<title>T</title><meta property=og:image content='{place.format(port=inner.port)}'>"))
        alice.write(web.url("/tea"))
        drain(app)
        assert inner.asked == [] and files(app) == set()
    assert "T</a>" in alice.get("/@alice").text


def test_a_picture_is_drawn_anew_without_what_was_hidden_in_it(app: Flask, web: Outside, alice: Member) -> None:
    web.serve("/kettle.png", http(two_colours("JPEG", orientation=6).getvalue(), kind="image/jpeg"))
    alice.write(web.url("/tea"))
    drain(app)
    [name] = files(app)
    content = (folder(app) / name).read_bytes()
    assert content[8:12] == b"WEBP" and b"Secret Camera" not in content and b"EXIF" not in content


def test_a_page_that_is_too_slow_has_no_card_and_costs_no_retry(
    app: Flask, web: Outside, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "PAGE_BOUNDS", Bounds(seconds=0.3, max_bytes=1000))
    web.serve("/slow", lambda connection: (connection.recv(1), None)[1])
    alice.write(web.url("/slow"))
    drain(app)
    assert open_jobs(app) == [] and "link-card" not in alice.get("/@alice").text


@pytest.mark.parametrize(
    "link",
    ["http://localhost/x", "http://127.0.0.1:5432/", "http://[::1]/", "http://169.254.169.254/latest/meta-data/"],
)
def test_links_to_our_side_have_no_card(app: Flask, web: Outside, alice: Member, link: str) -> None:
    alice.write(f"see {link}")
    drain(app)
    assert open_jobs(app) == [] and "link-card" not in alice.get("/@alice").text


def test_the_link_of_a_post_is_its_own(app: Flask, web: Outside, alice: Member) -> None:
    post = alice.write(web.url("/tea"))
    with app.app_context():
        assert db.session.get_one(PostLink, post).is_removed is False
