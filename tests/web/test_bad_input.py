"""Broken, huge and misshapen input: a clear 4xx on a page of ours, nothing stored, never a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from time import process_time
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from werkzeug.test import TestResponse

from tests.people import Member
from tests.web.scene import FIELDS, Scene, assert_in_our_design, assert_refused, stored

MEGABYTE = 1024 * 1024
URLENCODED = "application/x-www-form-urlencoded"
BY_ADMINS = {"roles", "access", "site_settings", "approvals", "invites", "open_jobs", "announcements"}
BY_ADMINS |= {"actions", "appeals", "queue", "answers", "rules", "held", "signups"}
BROKEN = {
    "a null byte": b"\x00",
    "two bytes of UTF-16": b"\xff\xfe",
    "half a character": b"\xe2\x82",
    "a lone surrogate": b"\xed\xa0\x80",
    "an overlong slash": b"\xc0\xaf",
    "latin-1": b"caf\xe9",
}
each_break = pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN.keys())


def forms(scene: Scene) -> list[tuple[str, str, Member]]:
    """Return every form of the site: its endpoint, its address, and somebody who may send it."""

    def sender(endpoint: str) -> str:
        if endpoint in {"accounts.create_account", "accounts.log_in"}:
            return "stranger"
        if endpoint.split(".")[0] in BY_ADMINS or endpoint == "joining.invites":
            return "mod"
        return "carol" if endpoint.startswith(("social.", "reports.")) else "alice"

    every = [(endpoint, path) for endpoint, path in scene.paths("POST") if endpoint != "accounts.setup"]
    return [(endpoint, path, scene[sender(endpoint)]) for endpoint, path in every]


def fields_of(endpoint: str, sender: Member) -> dict[str, Any]:
    return {"csrf_token": sender.csrf_token, **FIELDS.get(endpoint, {})}


def assert_all_refused(scene: Scene, send: Callable[[str, str, Member], TestResponse], *codes: int) -> None:
    """Send something to every form; each must refuse it, and nothing may be stored by all of them together."""
    before = stored(scene.app)
    answers = {endpoint: send(endpoint, path, sender) for endpoint, path, sender in forms(scene)}
    assert {endpoint: a.status_code for endpoint, a in answers.items() if a.status_code not in codes} == {}
    for answer in answers.values():
        assert_in_our_design(answer)
    assert answers and stored(scene.app) == before


@each_break
@pytest.mark.parametrize("escaped", [True, False])
def test_forms_refuse_text_that_is_not_unicode(scene: Scene, broken: bytes, escaped: bool) -> None:
    piece = quote(broken).encode() if escaped else broken

    def send(endpoint: str, path: str, sender: Member) -> TestResponse:
        body = urlencode(fields_of(endpoint, sender)).encode() + b"&text=x" + piece + b"y&login=x" + piece
        return sender.client.post(path, data=body, content_type=URLENCODED)

    assert_all_refused(scene, send, 400)


@pytest.mark.parametrize("field", FIELDS["accounts.create_account"])
def test_no_field_of_the_sign_up_form_takes_it(scene: Scene, field: str) -> None:
    stranger, before = scene["stranger"], stored(scene.app)
    fields = fields_of("accounts.create_account", stranger)
    for broken in BROKEN.values():
        body = urlencode(fields | {field: str(fields[field]).encode() + broken})
        assert_refused(stranger.client.post("/signup", data=body, content_type=URLENCODED), 400)
    assert stored(scene.app) == before


@each_break
@pytest.mark.parametrize("place", ["value", "name"])
def test_forms_with_files_refuse_it_as_well(scene: Scene, broken: bytes, place: str) -> None:
    alice, before = scene["alice"], stored(scene.app)
    name, value = (b"name", b"Al" + broken) if place == "value" else (b"na" + broken + b"me", b"Al")
    parts = [(b"csrf_token", alice.csrf_token.encode()), (b"bio", b"new"), (name, value)]
    body = b"".join(b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % part for part in parts)
    response = alice.client.post(
        "/settings/profile", data=body + b"--x--\r\n", content_type="multipart/form-data; boundary=x"
    )
    assert_refused(response, 400, 422)
    assert stored(scene.app) == before


@each_break
def test_no_page_takes_it_in_its_query(scene: Scene, broken: bytes) -> None:
    for _, path in scene.paths("GET"):
        for query in (f"cursor={quote(broken)}", f"{quote(broken)}=1", f"next=/{quote(broken)}"):
            assert_refused(scene["alice"].get(f"{path}?{query}"), 400)


@pytest.mark.parametrize(
    "path", ["/{}", "/tags/{}", "/tags/te{}a", "/@{}", "/@al{}ice", "/@alice/{}", "/media/avatars/{}", "/static/{}"]
)
def test_no_address_has_it(alice: Member, path: str) -> None:
    for broken in BROKEN.values():
        assert_refused(alice.get(path.format(quote(broken))), 400, 404)


def test_ten_megabytes_are_refused_by_every_form(scene: Scene) -> None:
    huge = "x" * (10 * MEGABYTE)

    def send(endpoint: str, path: str, sender: Member) -> TestResponse:
        return sender.client.post(path, data=fields_of(endpoint, sender) | {"text": huge})

    assert_all_refused(scene, send, 413)


def test_a_file_of_ten_megabytes_is_refused_by_every_form(scene: Scene) -> None:
    def send(endpoint: str, path: str, sender: Member) -> TestResponse:
        times = 4 if endpoint == "posts.create_post" else 1  # a post can have four images
        uploads = [(BytesIO(b"x" * (10 * MEGABYTE)), "x.png") for _ in range(times)]
        return sender.client.post(path, data=fields_of(endpoint, sender) | {"avatar": uploads})

    assert_all_refused(scene, send, 413)


def test_a_file_in_a_field_for_another_is_refused_by_every_form(scene: Scene) -> None:
    def send(endpoint: str, path: str, sender: Member) -> TestResponse:
        return sender.client.post(path, data=fields_of(endpoint, sender) | {"elsewhere": (BytesIO(b"x"), "x.png")})

    assert_all_refused(scene, send, 400)


def test_a_body_that_does_not_say_how_long_it_is_is_cut_off(scene: Scene) -> None:
    alice, before = scene["alice"], stored(scene.app)
    body = urlencode({"csrf_token": alice.csrf_token, "text": "x" * (10 * MEGABYTE)}).encode()
    response = alice.client.post(
        "/posts",
        input_stream=BytesIO(body),
        content_type=URLENCODED,
        environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": ""},
    )
    assert_refused(response, 413)
    assert stored(scene.app) == before


def test_ten_thousand_fields_are_refused(scene: Scene) -> None:
    alice, before = scene["alice"], stored(scene.app)
    response = alice.client.post(
        "/settings/profile",
        data={f"field{n}": "x" for n in range(10_000)} | {"avatar": (BytesIO(b"x"), "x.png")},
    )
    assert_refused(response, 400, 413)
    assert stored(scene.app) == before


@pytest.mark.parametrize(
    ("endpoint", "field"),
    [(endpoint, field) for endpoint in FIELDS for field in FIELDS[endpoint] if "setup" not in endpoint],
)
def test_no_field_takes_a_hundred_thousand_characters_nor_long_to_refuse_them(
    scene: Scene, endpoint: str, field: str
) -> None:
    path, sender = next((path, sender) for name, path, sender in forms(scene) if name == endpoint)
    before, started = stored(scene.app), process_time()
    for long in ("x" * 100_000, "é" * 100_000, "👨‍👩‍👧‍👦" * 10_000, " x" * 50_000, "x" * 900_000):
        assert_refused(sender.client.post(path, data=fields_of(endpoint, sender) | {field: long}), 400, 410, 413, 422)
    assert process_time() - started < 10, "seconds of work for what is refused anyway"
    assert stored(scene.app) == before


def test_a_bio_of_a_hundred_thousand_characters_is_refused(scene: Scene) -> None:
    assert_refused(scene["alice"].send("/settings/profile", name="Alice", bio="x" * 100_000), 422)


JSONS = {
    "an object": json.dumps({"text": "from json", "name": "json", "theme": "dark"}),
    "wrong types": json.dumps({"text": 5, "name": ["x"], "handle": {"a": 1}, "login": None, "theme": True}),
    "a surrogate": '{"text": "\\ud800", "name": "\\ud800", "login": "\\ud800", "current_password": "\\ud800"}',
    "a null byte": '{"text": "a\\u0000b", "name": "\\u0000", "login": "\\u0000"}',
    "a list": "[1, 2]",
    "a number": "5",
    "null": "null",
    "nonsense": "{nope",
}


@pytest.mark.parametrize("body", JSONS.values(), ids=JSONS.keys())
def test_json_is_refused_by_every_form(scene: Scene, body: str) -> None:
    def send(endpoint: str, path: str, sender: Member) -> TestResponse:
        headers = {"X-CSRFToken": sender.csrf_token}
        return sender.client.post(path, data=body, content_type="application/json", headers=headers)

    assert_all_refused(scene, send, 400, 415, 422)


@pytest.mark.parametrize(
    "content_type",
    [
        *("text/plain", "application/xml", "application/octet-stream", "nonsense", "text/html; charset=utf-7", "/"),
        *("multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=" + "y" * 300),
    ],
)
def test_other_content_is_refused_where_something_is_written(scene: Scene, content_type: str) -> None:
    alice, before = scene["alice"], stored(scene.app)
    for path in ("/posts", "/settings/profile", "/settings/delete"):
        response = alice.client.post(
            path, data=b"text=hello", content_type=content_type, headers={"X-CSRFToken": alice.csrf_token}
        )
        assert_refused(response, 400, 415, 422)
    assert stored(scene.app) == before


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"text": ""},
        {"text[]": "x"},
        {"TEXT": "x"},
        {"text": (BytesIO(b"a file"), "text.txt")},
        {"text": ["", "second"]},
    ],
)
def test_a_post_without_a_text_is_refused(scene: Scene, fields: dict[str, Any]) -> None:
    alice, before = scene["alice"], stored(scene.app)
    assert_refused(alice.send("/posts", fragment=False, **fields), 400, 422)
    assert stored(scene.app) == before


@pytest.mark.parametrize("field", ["handle", "name", "email", "password"])
def test_a_file_in_the_place_of_a_field_is_refused(scene: Scene, field: str) -> None:
    stranger, before = scene["stranger"], stored(scene.app)
    fields = fields_of("accounts.create_account", stranger) | {field: (BytesIO(b"a file"), "a.txt")}
    assert_refused(stranger.client.post("/signup", data=fields), 400, 422)
    assert stored(scene.app) == before


NO_TOKENS: dict[str, Callable[[Scene], dict[str, str]]] = {
    "none": lambda scene: {},
    "an empty one": lambda scene: {"csrf_token": ""},
    "nonsense": lambda scene: {"csrf_token": "nonsense"},
    "another's": lambda scene: {"csrf_token": _foreign_token(scene)},
}


@pytest.mark.parametrize("token", NO_TOKENS.values(), ids=NO_TOKENS.keys())
def test_every_form_needs_a_token_of_this_browser(scene: Scene, token: Callable[[Scene], dict[str, str]]) -> None:
    def send(endpoint: str, path: str, sender: Member) -> TestResponse:
        return sender.client.post(path, data=FIELDS.get(endpoint, {}) | token(scene))

    assert_all_refused(scene, send, 400)


def test_a_token_in_the_address_does_not_count(scene: Scene) -> None:
    def send(endpoint: str, path: str, sender: Member) -> TestResponse:
        return sender.client.post(f"{path}?csrf_token={sender.csrf_token}", data=FIELDS.get(endpoint, {}))

    assert_all_refused(scene, send, 400)


def _foreign_token(scene: Scene) -> str:
    """Return a token that is good, but in another browser."""
    page = Member(scene.app, None, "")
    with page.client.session_transaction() as cookie:
        cookie["csrf_token"] = "another"
    page.client.get("/login")
    text = page.client.get("/login").text
    return text.split('name="csrf_token" value="')[1].split('"')[0]
