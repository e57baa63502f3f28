"""The profile: name, bio and picture, saved together or not at all."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from app.accounts.models import User
from app.extensions import db
from tests.accounts.images import image_file, noise, png_that_claims
from tests.outbox import drain, open_jobs
from tests.people import Member
from tests.sql import wait_for_a_lock
from tests.threads import at_once

MEGABYTE = 1024 * 1024
HTML = b"<!doctype html><script>alert(1)</script>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><rect width="9" height="9"/></svg>'


def save(member: Member, *, avatar: BytesIO | None = None, file: str = "me.png", **fields: object) -> TestResponse:
    """Send the profile's form as a browser does: always as multipart, with an empty file where none was chosen."""
    upload = (avatar or BytesIO(), file if avatar else "")
    return member.send("/settings/profile", fragment=False, **({"name": "Alice", "bio": "", "avatar": upload} | fields))


def account(app: Flask, member: Member) -> User:
    with app.app_context():
        return db.session.get_one(User, member.id)


def files(app: Flask) -> set[str]:
    """Return the names of the avatars that are stored."""
    folder: Path = app.config["DATA_FOLDER"] / "media" / "avatars"
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


def test_name_and_bio_are_shown_as_they_were_written(alice: Member, carol: Member) -> None:
    response = save(alice, name="  Alice  Liddell ", bio="I write.\r\nSee https://a.example and #tea")
    assert (response.status_code, response.location) == (303, "/settings/profile")
    assert "Profile saved." in alice.get("/settings/profile").text
    page = carol.get("/@alice").text
    assert '<h1 class="profile-name">Alice Liddell</h1>' in page
    assert 'I write.<br>See <a href="https://a.example"' in page
    assert '<a class="tag" href="/tags/tea">#tea</a>' in page


def test_html_in_a_bio_is_shown_and_not_obeyed(alice: Member) -> None:
    save(alice, bio="<img src=x onerror=alert(1)>")
    for path in ("/@alice", "/explore/people", "/settings/profile"):
        assert "<img src=x" not in alice.get(path).text


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"name": "", "bio": "typed bio"}, "name-error"),
        ({"name": "\u200b", "bio": "typed bio"}, "name-error"),
        ({"name": "x" * 51, "bio": "typed bio"}, "name-error"),
        ({"name": "x" + "\u0316" * 400, "bio": "typed bio"}, "name-error"),
        ({"name": "Typed", "bio": "typed bio" + "x" * 300}, "bio-error"),
        ({"name": "Typed", "bio": "typed bio" + "\u0316" * 2400}, "bio-error"),
    ],
)
def test_a_mistake_changes_nothing_and_keeps_what_was_typed(
    app: Flask, alice: Member, fields: dict[str, str], error: str
) -> None:
    before = files(app)
    response = save(alice, avatar=image_file(), **fields)
    assert response.status_code == 422
    assert f'id="{error}"' in response.text
    assert "typed bio" in response.text
    assert account(app, alice).name == "Alice"
    assert account(app, alice).avatar is None
    assert files(app) == before


def test_a_bio_is_counted_as_people_see_characters(alice: Member) -> None:
    assert save(alice, bio="👨‍👩‍👧‍👦" * 300).status_code == 303
    assert save(alice, bio="👨‍👩‍👧‍👦" * 301).status_code == 422


def test_line_ends_count_once_however_a_browser_sends_them(alice: Member) -> None:
    assert save(alice, bio="x\r\n" * 149 + "x" * 2).status_code == 303


def test_a_picture_is_shown_everywhere_at_once(app: Flask, alice: Member, bob: Member) -> None:
    alice.write("look at me")
    assert save(alice, avatar=image_file()).status_code == 303
    avatar = account(app, alice).avatar
    assert avatar is not None and files(app) >= {avatar}
    for path in ("/@alice", "/", "/explore", "/explore/people", "/@bob/following"):
        assert f"/media/avatars/{avatar}" in bob.get(path).text
    picture = bob.get(f"/media/avatars/{avatar}")
    assert (picture.status_code, picture.mimetype) == (200, "image/webp")


def test_saving_without_a_new_picture_keeps_the_old_one(app: Flask, alice: Member) -> None:
    save(alice, avatar=image_file())
    avatar = account(app, alice).avatar
    assert save(alice, name="Alice II").status_code == 303
    assert (account(app, alice).name, account(app, alice).avatar) == ("Alice II", avatar)


def test_a_form_without_any_file_field_keeps_the_old_picture(app: Flask, alice: Member) -> None:
    save(alice, avatar=image_file())
    avatar = account(app, alice).avatar
    assert alice.send("/settings/profile", name="Alice II").status_code == 303
    assert account(app, alice).avatar == avatar


def test_the_file_of_a_replaced_picture_is_removed_by_a_job(app: Flask, alice: Member) -> None:
    save(alice, avatar=image_file())
    old = account(app, alice).avatar
    save(alice, avatar=image_file(colour="red"))
    new = account(app, alice).avatar
    assert old is not None and new is not None and old != new
    assert files(app) >= {old, new}
    assert open_jobs(app) == ["accounts.remove_avatar"]
    drain(app)
    assert old not in files(app) and new in files(app)
    assert alice.get(f"/media/avatars/{old}").status_code == 404


def test_a_picture_can_be_removed(app: Flask, alice: Member, bob: Member) -> None:
    save(alice, avatar=image_file())
    old = account(app, alice).avatar
    assert save(alice, remove_avatar="y").status_code == 303
    assert account(app, alice).avatar is None
    assert "/media/avatars/" not in bob.get("/@alice").text
    drain(app)
    assert old not in files(app)


def test_removing_a_picture_that_is_not_there_is_fine(app: Flask, alice: Member) -> None:
    assert save(alice, remove_avatar="y").status_code == 303
    assert open_jobs(app) == []


def test_a_new_picture_wins_over_the_wish_to_remove_the_old_one(app: Flask, alice: Member) -> None:
    assert save(alice, avatar=image_file(), remove_avatar="y").status_code == 303
    assert account(app, alice).avatar is not None


@pytest.mark.parametrize("megabytes", [0.5, 2, 7])
def test_a_picture_of_up_to_eight_megabytes_is_taken(app: Flask, alice: Member, megabytes: float) -> None:
    photo = noise(at_least=int(megabytes * MEGABYTE))
    assert len(photo.getvalue()) >= megabytes * MEGABYTE
    assert save(alice, avatar=photo).status_code == 303
    assert account(app, alice).avatar is not None


def test_a_larger_file_is_refused_before_it_is_read(app: Flask, alice: Member) -> None:
    response = save(alice, avatar=BytesIO(b"\x00" * (8 * MEGABYTE + 1)), name="Typed")
    assert response.status_code == 413
    assert "larger than Freshet accepts" in response.text
    assert account(app, alice).name == "Alice"


@pytest.mark.parametrize(
    ("content", "file", "sentence"),
    [
        (b"not an image at all", "me.png", "isn’t an image Freshet can read"),
        (b"\x00" * 1000, "me.jpg", "isn’t an image Freshet can read"),
        (HTML, "me.png", "isn’t an image Freshet can read"),
        (SVG, "me.svg", "isn’t an image Freshet can read"),
        (SVG, "me.png", "isn’t an image Freshet can read"),
        (b"GIF89a" + HTML, "me.gif", ""),
        (image_file("BMP").getvalue(), "me.bmp", "isn’t an image Freshet can read"),
        (image_file("TIFF").getvalue(), "me.tiff", "isn’t an image Freshet can read"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "me.eps", "isn’t an image Freshet can read"),
        (image_file("JPEG", size=(600, 400)).getvalue()[:-900], "me.jpg", "damaged"),
        (image_file("PNG", size=(600, 400)).getvalue()[:80], "me.png", "damaged"),
        (png_that_claims(9_000, 9_000).getvalue(), "me.png", "too many pixels"),
        (png_that_claims(60_000, 60_000).getvalue(), "me.png", ""),
        (png_that_claims(2**31 - 1, 2**31 - 1).getvalue(), "me.png", ""),
    ],
)
def test_what_cannot_become_a_picture_is_refused_and_the_rest_is_kept(
    app: Flask, alice: Member, content: bytes, file: str, sentence: str
) -> None:
    before = files(app)
    response = save(alice, avatar=BytesIO(content), file=file, name="Typed Name", bio="typed bio")
    assert response.status_code == 422, response.text[:500]
    assert 'id="avatar-error"' in response.text and sentence in response.text
    assert 'value="Typed Name"' in response.text and "typed bio" in response.text
    assert (account(app, alice).name, account(app, alice).bio, account(app, alice).avatar) == ("Alice", "", None)
    assert files(app) == before


@pytest.mark.parametrize("name", ["../../../secret_key", "..%2fsecret_key", "x.webp", "%00", "a" * 5000, "."])
def test_only_pictures_are_sent_from_the_folder_of_pictures(stranger: Member, name: str) -> None:
    assert stranger.get(f"/media/avatars/{name}").status_code == 404


@pytest.mark.parametrize(
    "file", ["../../etc/passwd", "a" * 5000 + ".png", "me\x01.png", "ünï.png", "'; DROP TABLE users"]
)
def test_the_name_of_the_chosen_file_does_not_matter(app: Flask, alice: Member, file: str) -> None:
    assert save(alice, avatar=image_file(), file=file).status_code == 303
    stored = account(app, alice).avatar
    assert stored is not None and stored.endswith(".webp") and len(stored) < 40


@pytest.mark.parametrize("second", ["uploads", "removes"])
def test_of_two_changes_at_once_only_the_picture_that_is_shown_is_kept(app: Flask, alice: Member, second: str) -> None:
    save(alice, avatar=image_file())
    old, before = account(app, alice).avatar, files(app)
    other_tab = Member(app, alice.id, alice.handle)
    with app.app_context(), db.engine.connect() as holder:
        holder.execute(select(User.id).where(User.id == alice.id).with_for_update())

        def release_both() -> None:
            with app.app_context():
                wait_for_a_lock(waiters=2)
            holder.rollback()

        at_once(
            release_both,
            lambda: save(alice, avatar=image_file()),
            lambda: save(other_tab, avatar=image_file()) if second == "uploads" else save(other_tab, remove_avatar="y"),
        )
    drain(app)
    shown = account(app, alice).avatar
    assert files(app) - before == ({shown} if shown else set())
    assert old not in files(app)
