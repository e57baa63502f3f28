"""Headers that no browser of good will sends change nothing, or are refused on a page of ours."""

from __future__ import annotations

import pytest

from app.web import assets, kept
from tests.people import FRAGMENT
from tests.web.scene import Scene, assert_in_our_design, stored

HOSTS = [
    *(
        "",
        " ",
        "evil.example",
        "<script>alert(1)</script>",
        "a b",
        "localhost:99999",
        "localhost:port",
        "[::1",
        "::1",
        "..",
    ),
    *(
        "http://evil.example",
        "evil.example/path",
        "a" * 5000,
        "\xff\xfe",
        "localhost\t",
        "user@evil.example",
        "%00",
        "127.0.0.1",
    ),
]


@pytest.mark.parametrize("host", HOSTS)
def test_a_nonsense_host_gets_a_page_of_ours_without_a_word_of_it(scene: Scene, host: str) -> None:
    assets._address.cache_clear()  # as in a process that has just started
    kept.fixed.cache_clear()
    for path in ("/", "/explore", f"/@alice/{scene.post_id}", "/nowhere"):
        response = scene["carol"].client.get(path, environ_overrides={"HTTP_HOST": host})
        assert response.status_code < 500
        assert_in_our_design(response)
        assert "<script>alert" not in response.text


def test_no_redirect_follows_a_foreign_host(scene: Scene) -> None:
    elsewhere = {"HTTP_HOST": "evil.example"}
    for path in ("/settings/profile", "/settings/", "/@ALICE", "/feed", f"/@ALICE/{scene.post_id}"):
        response = scene["stranger"].client.get(path, environ_overrides=elsewhere)
        assert response.status_code in {301, 303}
        assert response.location is not None and response.location.startswith("/")


GARBAGE = {
    "HX-Request": ["", "false", "<script>", "x" * 5000],
    "HX-Boosted": ["", "maybe", "\xff"],
    "HX-Target": ["", "relation-0", "relation-<script>", "x" * 5000, "\xff\xfe"],
    "HX-Trigger": ["<script>alert(1)</script>", '{"evil": 1}'],
    "HX-Trigger-Name": ["\xff"],
    "HX-Current-URL": ["javascript:alert(1)", "//evil.example", ""],
    "HX-Prompt": ["x" * 5000],
    "HX-History-Restore-Request": ["nonsense"],
    "Cookie": ["freshet", "=;=;=", "freshet=; freshet=x", "theme=<script>; freshet=\xff", "a" * 5000, ";" * 1000],
    "Accept": ["nonsense", "application/json", "*/*;q=x"],
    "Accept-Language": ["x" * 5000],
    "Accept-Encoding": ["nonsense;q=-1"],
    "Range": ["bytes=999999-", "bytes=-", "lines=1-2", "bytes=5-1"],
    "If-None-Match": ['"', "*", "nonsense"],
    "If-Modified-Since": ["yesterday", "Thu, 99 Foo 9999 99:99:99 GMT"],
    "Authorization": ["Basic !!!", "Bearer x", "Basic \xff", "nonsense"],
    "User-Agent": ["", "\xff\xfe", "x" * 5000],
    "Referer": ["javascript:alert(1)", "\xff"],
    "Origin": ["null", "https://evil.example"],
    "Content-Type": ["multipart/form-data", "nonsense"],
    "Content-Length": ["nonsense", "-1", "5"],
    "Expect": ["nonsense"],
    "Upgrade": ["websocket"],
}


@pytest.mark.parametrize("header", GARBAGE)
def test_nonsense_in_a_header_breaks_no_page(scene: Scene, header: str) -> None:
    avatar = f"/media/avatars/{scene.avatar}"
    for value in GARBAGE[header]:
        for path in ("/", "/feed", "/@alice", "/login", "/settings/sessions", "/static/css/base.css", avatar):
            response = scene["alice"].client.get(path, headers={header: value})
            assert response.status_code < 500, f"{path} with {header}: {value!r}"
            assert b"<script>alert" not in response.get_data()


@pytest.mark.parametrize("header", [name for name in GARBAGE if name.startswith("HX-")])
def test_nonsense_for_htmx_breaks_no_form(scene: Scene, header: str) -> None:
    carol = scene["carol"]
    for value in GARBAGE[header]:
        for path in ("/@alice/follow", "/@alice/mute", "/posts"):
            headers = FRAGMENT | {"X-CSRFToken": carol.csrf_token, header: value}
            response = carol.client.post(path, data={"text": "hello"}, headers=headers)
            assert response.status_code in {200, 303}
            assert "<script>" not in response.headers.get("HX-Trigger", "")


@pytest.mark.parametrize("length", ["nonsense", "-1", "99999999999999999999", "1e3"])
def test_a_nonsense_length_stores_nothing(scene: Scene, length: str) -> None:
    alice, before = scene["alice"], stored(scene.app)
    response = alice.client.post(
        "/posts",
        data=f"csrf_token={alice.csrf_token}&text=hello",
        content_type="application/x-www-form-urlencoded",
        environ_overrides={"CONTENT_LENGTH": length},
    )
    assert 400 <= response.status_code < 500
    assert_in_our_design(response)
    assert stored(scene.app) == before
