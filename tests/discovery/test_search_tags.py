"""Tags are found by how they begin, with the number of posts that the viewer would see under them."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from app.core import cursor
from app.discovery.search import tags as search_tags
from tests.discovery.searching import search
from tests.people import PASSWORD, Member, next_link


def listed(html: str) -> list[tuple[str, str]]:
    rows = re.findall(r'<b>#([^<]+)</b></a><span class="hint">([^<]+)</span>', html)
    return [(unescape(tag), count) for tag, count in rows]


def tags(who: Member, typed: str) -> list[tuple[str, str]]:
    """Return all tags that a search gives, page by page."""
    shown: list[tuple[str, str]] = []
    path: str | None = search(typed, "tags")
    while path:
        page = who.get(path)
        assert page.status_code == 200
        shown += listed(page.text)
        path = next_link(page.text)
    return shown


def names(who: Member, typed: str) -> list[str]:
    return [tag for tag, _ in tags(who, typed)]


def test_tags_are_found_by_their_beginning_in_the_order_of_the_alphabet(alice: Member, bob: Member) -> None:
    for text in ("#teatime", "#Tea and #coffee", "#tea again", "#teapot", "#Été"):
        alice.write(text)
    expected = [("tea", "2 posts"), ("teapot", "1 post"), ("teatime", "1 post")]
    for typed in ("tea", "#tea", "TE", "te*", "@tea"):
        assert tags(bob, typed) == expected, typed
    assert names(bob, "pot") == []
    assert names(bob, "été") == ["été"]
    assert names(bob, "coffee tea -teapot from:@alice") == ["coffee", "tea", "teapot", "teatime"]


def test_several_words_may_be_one_tag(alice: Member, bob: Member) -> None:
    for text in ("#slowtravel", "#slow_food", "#travelling", "#other"):
        alice.write(text)
    assert names(bob, "slow travel") == ["slow_food", "slowtravel", "travelling"]
    assert names(bob, "s f") == []
    assert names(bob, "slow_f") == ["slow_food"]


def test_only_what_the_viewer_may_see_is_counted_and_named(
    alice: Member, bob: Member, carol: Member, mallory: Member, stranger: Member
) -> None:
    alice.write("#tea")
    carol.write("#tea")
    alice.write("#teapot for friends", audience="followers")
    gone = alice.write("#teacup")
    alice.delete(gone)
    assert tags(bob, "tea") == [("tea", "2 posts"), ("teapot", "1 post")]
    assert tags(stranger, "tea") == tags(carol, "tea") == [("tea", "2 posts")]
    assert tags(mallory, "tea") == [("tea", "1 post")]
    bob.mute(carol)
    assert tags(bob, "tea") == [("tea", "1 post"), ("teapot", "1 post")]
    assert alice.send("/settings/delete", current_password=PASSWORD).status_code == 303
    assert tags(stranger, "tea") == [("tea", "1 post")]


def test_a_tag_of_very_many_posts_says_so(alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_tags, "MAX_COUNTED_POSTS", 2)
    for _ in range(4):
        alice.write("#tea")
    assert tags(bob, "tea") == [("tea", "2+ posts")]


def test_paging_gives_each_tag_once_and_goes_on_past_what_is_hidden(
    alice: Member, bob: Member, mallory: Member
) -> None:
    for number in range(25):
        alice.write(f"#tag{number:02}a #tag{number:02}é")
    for number in range(30):
        mallory.write(f"#tag{number:02}b")
    assert names(bob, "tag") == sorted(f"tag{n:02}{x}" for n in range(30) for x in "abé" if x == "b" or n < 25)
    assert names(alice, "tag") == sorted(f"tag{n:02}{x}" for n in range(25) for x in "aé")
    assert names(mallory, "tag") == [f"tag{n:02}b" for n in range(30)]


def test_no_cursor_tells_of_tags_that_the_viewer_may_not_see(alice: Member, carol: Member, stranger: Member) -> None:
    """Cursors are signed, but whoever has one can read it."""
    alice.close()
    for number in range(25):
        alice.write(f"#tag{number:02}hidden")
    for who in (carol, stranger):
        assert next_link(who.get(search("tag", "tags")).text) is None
    for number in range(25):
        carol.write(f"#tag{number:02}")
    for who in (carol, stranger):
        page = who.get(search("tag", "tags")).text
        [named] = parse_qs(urlsplit(next_link(page) or "").query)["cursor"]
        with who.app.app_context():
            place = cursor.read_place("search:tags:tag", named, viewer_id=who.id or None)
        assert "".join(map(chr, place)) == listed(page)[-1][0] == "tag19"
        assert names(who, "tag") == [f"tag{n:02}" for n in range(25)]


def test_hidden_tags_take_no_room_but_the_way_past_them_has_an_end(
    alice: Member, carol: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.close()
    for number in range(30):
        alice.write(f"#tag{number:02}hidden #tag{number:02}hidden_too")
    carol.write("#tagged")
    assert names(carol, "tag") == ["tagged"]
    assert ">#tagged</b> 1 post</a>" in carol.get(search("tag", "")).text
    monkeypatch.setattr(search_tags, "MAX_STEPS", 61)
    assert names(carol, "tag") == ["tagged"]
    monkeypatch.setattr(search_tags, "MAX_STEPS", 60)
    assert names(carol, "tag") == []
    assert names(carol, "tagg") == ["tagged"]


def test_new_tags_do_not_move_the_others(alice: Member, bob: Member) -> None:
    for number in range(45):
        alice.write(f"#tag{number:02}")
    page = bob.get(search("tag", "tags")).text
    alice.write("#tag #tag10a #tag30a")
    path = next_link(page)
    assert path
    fragment = bob.get(path, fragment=True).text
    assert "<html" not in fragment
    assert [tag for tag, _ in listed(fragment)][:12] == [*(f"tag{n}" for n in range(20, 31)), "tag30a"]


def test_the_best_few_stand_above_the_posts(join: Callable[..., Member], alice: Member, bob: Member) -> None:
    for text in ("#teapot", "#teapot", "#tea", "#teatime #teacup", "#teabag #tearoom #teal"):
        alice.write(text)
    join("teamaker")
    page = bob.get(search("tea", "")).text
    chips = re.findall(r'<a class="tag-chip" href="([^"]+)"><b>#(\w+)</b> ([^<]+)</a>', page)
    assert chips[:2] == [("/tags/tea", "tea", "1 post"), ("/tags/teapot", "teapot", "2 posts")]
    assert len(chips) == 5
    assert page.index("tag-chip") < page.index("@teamaker") < page.index("<article")
