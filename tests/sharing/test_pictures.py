"""What other sites show of our pages: of public ones their words and a picture, of all others nothing."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from flask import Flask
from PIL import Image
from werkzeug.test import TestResponse

from app.sharing import letters
from app.sharing.drawing import HEIGHT, WIDTH, Drawn, DrawnTitle, draw, draw_title
from tests.accounts.images import image_file
from tests.people import Member


def said(html: str) -> dict[str, str]:
    """Return the Open Graph of a page."""
    return dict(re.findall(r'<meta property="og:([^"]+)" content="([^"]*)">', html))


def picture_of(response: TestResponse) -> Image.Image:
    assert response.status_code == 200, response.text
    return Image.open(BytesIO(response.data))


def drawn(app: Flask, **other: object) -> bytes:
    values = {"author_id": 7, "name": "Alice", "handle": "alice", "avatar": None, "text": "words"}
    with app.app_context():
        return draw(Drawn(**{**values, "below": "1 May 2026", "site": "Freshet", **other}))  # type: ignore[arg-type]


def test_a_public_post_says_what_it_is_and_has_a_picture(alice: Member, stranger: Member) -> None:
    post = alice.write('Tea at four & "cake"')
    found = said(stranger.get(f"/@alice/{post}").text)
    assert found["title"] == "Alice (@alice)" and found["description"] == "Tea at four &amp; &#34;cake&#34;"
    assert found["url"] == f"http://localhost/@alice/{post}" and found["type"] == "article"
    assert found["image"] == f"http://localhost/@alice/{post}/picture.png"
    answer = stranger.get(found["image"])
    assert picture_of(answer).size == (WIDTH, HEIGHT) and answer.mimetype == "image/png"
    assert answer.headers["Cache-Control"] == "public, max-age=300" and "Set-Cookie" not in answer.headers
    again = stranger.client.get(found["image"], headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_a_profile_has_one_too(alice: Member, stranger: Member) -> None:
    alice.send("/settings/profile", name="Alice", bio="I keep bees.", avatar=(image_file(colour="red"), "me.png"))
    found = said(stranger.get("/@alice").text)
    assert (found["type"], found["description"]) == ("profile", "I keep bees.")
    picture = picture_of(stranger.get(found["image"])).convert("RGB")
    red, green, blue = picture.getpixel((148, 148))  # type: ignore[misc]
    assert red > 200 and green < 60 and blue < 60, "the profile picture"


def test_a_post_with_an_image_shows_that(alice: Member, stranger: Member) -> None:
    post = alice.write("look", images=alice.upload(image_file("JPEG", size=(600, 400))))
    found = said(stranger.get(f"/@alice/{post}").text)
    assert "/media/posts/" in found["image"] and (found["image:width"], found["image:height"]) == ("600", "400")
    hidden = alice.write("the end", warning="spoilers", images=alice.upload())
    found = said(stranger.get(f"/@alice/{hidden}").text)
    assert found["image"].endswith("/picture.png") and found["description"] == "spoilers"
    assert "the end" not in str(found)


@pytest.mark.parametrize("audience", ["followers", "mentioned"])
def test_a_post_for_some_has_none(alice: Member, bob: Member, stranger: Member, audience: str) -> None:
    post = alice.write("for @bob", audience=audience)
    assert said(bob.get(f"/@alice/{post}").text) == {}
    for who in (alice, bob, stranger):
        assert who.get(f"/@alice/{post}/picture.png").status_code == 404


def test_a_private_account_has_none(alice: Member, bob: Member, stranger: Member) -> None:
    post = alice.write("hello")
    assert stranger.get(f"/@alice/{post}/picture.png").status_code == 200
    alice.close()
    for who in (alice, bob, stranger):
        assert who.get(f"/@alice/{post}/picture.png").status_code == 404
        assert who.get("/@alice/picture.png").status_code == 404
        assert said(who.get("/@alice").text) == {}


def test_what_is_deleted_or_somebody_elses_has_none(alice: Member, bob: Member, stranger: Member) -> None:
    post, repost = alice.write("hello"), bob.write("mine")
    bob.send(f"/posts/{post}/repost")
    [entry] = [entry for entry in bob.feed("/@bob") if entry != repost]
    for path in (f"/@bob/{post}/picture.png", f"/@bob/{entry}/picture.png", f"/@ALICE/{post}/picture.png"):
        assert stranger.get(path).status_code == 404
    alice.delete(post)
    assert stranger.get(f"/@alice/{post}/picture.png").status_code == 404
    assert stranger.get("/@nobody/picture.png").status_code == 404


def test_who_is_looking_makes_no_difference(alice: Member, bob: Member, stranger: Member) -> None:
    post = alice.write("river walks")
    bob.send("/settings/filters", phrase="river", match="word", action="collapse", lasts="ever")
    path = f"/@alice/{post}/picture.png"
    assert bob.get(path).data == stranger.get(path).data
    assert said(bob.get(f"/@alice/{post}").text) == {}, "collapsed for him, which is nobody else's business"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Tea & cake, “naïve” – 5 €", "Tea & cake, “naïve” – 5 €"),
        ("tea \N{FACE WITH TEARS OF JOY}\ntime \N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}!", "tea time !"),
        ("日本語のテキスト", ""),
        ("هذا منشور", ""),
        ("\N{FACE WITH TEARS OF JOY}", ""),
        ("", ""),
    ],
)
def test_what_the_typeface_has_no_letters_for_is_left_out(text: str, kept: str) -> None:
    assert letters.drawable(text) == kept


@pytest.mark.parametrize("text", ["", "W" * 500, "word " * 100, "a" * 30 + " " + "b" * 300, "x"])
def test_lines_fit_and_end(text: str) -> None:
    found = letters.lines(text, 400, 3, 40)
    assert len(found) <= 3
    assert all(letters.font(40).getlength(line) <= 400 for line in found)
    assert "".join(found).rstrip("…").replace(" ", "") in text.replace(" ", "")


@pytest.mark.parametrize("text", ["", "日本語", "W" * 500, "Z" + "\u0351" * 400, "a\n\n\nb" * 50, "\u202eabc"])
def test_whatever_was_written_a_picture_is_drawn(app: Flask, text: str) -> None:
    file = drawn(app, text=text, name=text or "x", below="", site=text)
    assert Image.open(BytesIO(file)).size == (WIDTH, HEIGHT)
    assert len(file) < 300_000


@pytest.mark.parametrize("length", [1, 69, 70, 71, 129, 131, 400])
def test_no_text_is_drawn_over_the_foot(app: Flask, length: int) -> None:
    foot = (0, HEIGHT - 100, WIDTH, HEIGHT)
    written, plain = (Image.open(BytesIO(drawn(app, text=text))) for text in (("gjW " * 400)[:length], ""))
    assert written.crop(foot).tobytes() == plain.crop(foot).tobytes()
    assert written.tobytes() != plain.tobytes()


def test_a_profile_picture_that_is_gone_becomes_letters(app: Flask) -> None:
    assert drawn(app, avatar="gone.webp") == drawn(app)


@pytest.mark.parametrize(
    ("path", "title", "description", "picture"),
    [
        ("/", "Freshet", "Freshet: a social feed that’s complete, fast and honest.", "/picture.png"),
        ("/explore", "Explore", "The latest posts on Freshet.", "/picture.png"),
        ("/explore/people", "People", "The people on Freshet.", "/picture.png"),
        ("/tags/tea", "#tea", "Posts with #tea on Freshet.", "/tags/tea/picture.png"),
        ("/tags/th%C3%A9", "#thé", "Posts with #thé on Freshet.", "/tags/th%C3%A9/picture.png"),
    ],
)
def test_pages_that_are_nobodys_say_what_they_are_and_have_one_too(
    alice: Member, stranger: Member, path: str, title: str, description: str, picture: str
) -> None:
    alice.write("a #tea that only followers read about", audience="followers")
    page = stranger.get(path).text
    found = said(page)
    assert (found["title"], found["description"]) == (title, description)
    assert (found["url"], found["image"]) == (f"http://localhost{path}", f"http://localhost{picture}")
    answer = stranger.get(found["image"])
    assert picture_of(answer).size == (WIDTH, HEIGHT) and answer.headers["Cache-Control"] == "public, max-age=300"
    assert f'<meta name="description" content="{description}">' in page
    assert "followers read" not in page


@pytest.mark.parametrize("title", ["#tea", "#" + "w" * 64, "#日本", ""])
def test_whatever_a_tag_is_called_its_picture_is_drawn(app: Flask, title: str) -> None:
    with app.app_context():
        assert Image.open(BytesIO(draw_title(DrawnTitle(title, f"Posts with {title}.", "Freshet")))).size == (
            WIDTH,
            HEIGHT,
        )


def test_what_cannot_be_a_tag_has_none(stranger: Member) -> None:
    assert stranger.get("/tags/two%20words/picture.png").status_code == 404
