"""Random text and bytes, thrown at what takes input: never a 500, and what is accepted is shown harmlessly."""

from __future__ import annotations

import json
import re
from urllib.parse import quote, urlsplit

import pytest
from flask import Flask
from hypothesis import example, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from tests.accounts.browser import Browser, form_token
from tests.examples import examples
from tests.people import Member

throw = settings(max_examples=examples(25))
ODD = [
    "\x00",
    "\n",
    "\r",
    "\t",
    "\u200b",
    "\u202e",
    "\ufeff",
    "\ufffd",
    "\u0301",
    "<",
    ">",
    "&",
    '"',
    "'",
    "%",
    "\\",
    "/",
]
ODD += [
    "#",
    "@",
    "#tea",
    "@alice",
    "http://",
    "https://a.example/",
    "🏳️‍🌈",
    "İ",
    "ß",
    "ﷺ",
    "½",
    "{{7*7}}",
    "{%",
    "${x}",
    "--",
    ";",
]
TEXTS = st.one_of(st.text(), st.lists(st.one_of(st.sampled_from(ODD), st.text(max_size=5)), max_size=20).map("".join))
BYTES = st.one_of(st.binary(max_size=200), TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")))
JSONS = st.one_of(
    st.none(), st.integers(), TEXTS, st.lists(TEXTS), st.dictionaries(st.sampled_from(["text", "name"]), TEXTS)
)
URLENCODED = "application/x-www-form-urlencoded"


def assert_handled(response: TestResponse) -> None:
    """Check that a response is an answer, not a crash, and leads nowhere else."""
    assert response.status_code < 500, response.status
    assert not re.search(r"<script(?! src=)|Traceback", response.get_data().decode(errors="replace"))
    if response.location is not None:
        assert urlsplit(response.location).netloc in {"", "localhost"}, response.location
        assert not response.location.startswith(("//", "/\\"))


@throw
@given(text=TEXTS)
@example("#" + "ﷺ" * 100)
@example("#a" + "㍿" * 60)
@example("@" * 500)
@example("#" * 500)
@example("http://" * 70)
def test_any_text_can_be_posted_or_is_refused(alice: Member, text: str) -> None:
    for fragment in (False, True):
        response = alice.send("/posts", fragment=fragment, text=text)
        assert_handled(response)
        assert response.status_code in {200, 303, 400, 422}
    page = alice.get("/")
    assert page.status_code == 200
    assert_handled(page)


@throw
@given(body=BYTES)
@example(b"text=%ED%A0%80")
@example(b"text=a%00b")
@example(b"=&=&%&%zz&text")
def test_any_bytes_can_be_sent_as_a_form(alice: Member, body: bytes) -> None:
    headers = {"X-CSRFToken": alice.csrf_token}
    for path in ("/posts", "/settings/profile", "/settings/email", "/settings/appearance", "/@alice/follow"):
        assert_handled(alice.client.post(path, data=body, content_type=URLENCODED, headers=headers))


@throw
@given(body=BYTES, boundary=st.sampled_from(["x", "--", '"x"', "é", "x y"]))
@example(b'--x\r\nContent-Disposition: form-data; name="name"; filename="\xff"\r\n\r\n\x00\r\n--x--\r\n', "x")
@example(b'--x\r\nContent-Disposition: form-data; name="text"; filename="a"\r\n\r\nfile\r\n--x--\r\n', "x")
def test_any_bytes_can_be_sent_as_a_form_with_files(alice: Member, body: bytes, boundary: str) -> None:
    headers = {"X-CSRFToken": alice.csrf_token}
    for path in ("/posts", "/settings/profile"):
        kind = f"multipart/form-data; boundary={boundary}"
        assert_handled(alice.client.post(path, data=body, content_type=kind, headers=headers))


@throw
@given(body=st.one_of(BYTES, JSONS.map(json.dumps).map(str.encode)))
@example(b'{"text": 5}')
@example(b"[]")
def test_any_bytes_can_be_sent_as_json(alice: Member, body: bytes) -> None:
    headers = {"X-CSRFToken": alice.csrf_token}
    for path in ("/posts", "/settings/profile", "/@alice/follow"):
        assert_handled(alice.client.post(path, data=body, content_type="application/json", headers=headers))


@pytest.fixture
def signing_up(app: Flask, alice: Member) -> Browser:
    return Browser(app)


@throw
@given(handle=TEXTS, name=TEXTS, email=st.one_of(TEXTS, st.emails()), password=TEXTS)
@example("\x00\x00", "\x00", "\x00@example.org", "\x00" * 10)
@example("new_one", "ﷺ", "ﷺ@example.org", "ﷺﷺabcdef")
def test_anything_can_be_typed_into_the_sign_up_form(
    signing_up: Browser, handle: str, name: str, email: str, password: str
) -> None:
    signing_up.client.delete_cookie("freshet")
    token = form_token(signing_up.get("/signup").text)
    fields = {"csrf_token": token, "handle": handle, "name": name, "email": email, "password": password}
    assert_handled(signing_up.client.post("/signup", data=fields))


@throw
@given(login=TEXTS, password=TEXTS, after=TEXTS)
@example("\x00", "\x00", "/\x00")
@example("a@\x00", "x" * 1000, "//evil.example")
def test_anything_can_be_typed_into_the_log_in_form(signing_up: Browser, login: str, password: str, after: str) -> None:
    token = form_token(signing_up.get("/login").text)
    fields = {"csrf_token": token, "login": login, "password": password, "next": after}
    assert_handled(signing_up.client.post("/login", data=fields))


@throw
@given(name=TEXTS, bio=TEXTS)
def test_anything_can_be_typed_into_the_profile(alice: Member, name: str, bio: str) -> None:
    assert_handled(alice.send("/settings/profile", name=name, bio=bio))
    for path in ("/@alice", "/explore/people"):
        page = alice.get(path)
        assert page.status_code == 200
        assert_handled(page)


@throw
@given(
    text=BYTES,
    path=st.sampled_from(
        ["/{}", "/@{}", "/tags/{}", "/@alice/{}", "/posts/{}/menu", "/media/avatars/{}", "/static/{}"]
    ),
)
@example(b"/evil.example", "/{}")
@example("½a".encode(), "/tags/{}")
def test_any_address_can_be_asked_for(alice: Member, stranger: Member, text: bytes, path: str) -> None:
    for who in (alice, stranger):
        assert_handled(who.get(path.format(quote(text, safe=""))))


@throw
@given(
    text=BYTES,
    path=st.sampled_from(["/", "/feed", "/@alice", "/@alice/followers", "/tags/tea", "/explore", "/explore/people"]),
)
def test_any_cursor_can_be_asked_for(alice: Member, text: bytes, path: str) -> None:
    response = alice.get(f"{path}?cursor={quote(text)}")
    assert_handled(response)
    assert response.status_code == 400


@throw
@given(tag=st.text(st.characters(categories=["L", "N", "M"], include_characters="_"), min_size=1, max_size=30))
@example("½a")
@example("ßẞﬁİ")
@example("aﷺ")
def test_a_tag_that_is_linked_leads_to_the_post_that_carries_it(alice: Member, tag: str) -> None:
    post_id = alice.write(f"x #{tag}")
    page = alice.get(f"/@alice/{post_id}").text
    for address in re.findall(r'<a class="tag" href="([^"]+)"', page):
        found = alice.get(address)
        assert found.status_code == 200, address
        assert f'data-entry="{post_id}"' in found.text, address
