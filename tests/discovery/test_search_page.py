"""The page around a search: what it shows first, what it says, and that it keeps what was typed."""

from __future__ import annotations

import re
from html import unescape
from unittest.mock import patch
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from psycopg.errors import QueryCanceled
from sqlalchemy.exc import OperationalError

from app.discovery.search import routes
from tests.discovery.searching import search
from tests.examples import examples
from tests.people import Member, entries, next_link

HOSTILE = [
    "x" * 10_000,
    "tea " * 2_500,
    '"' * 10_000,
    '"' + "tea " * 2_499,
    "-" * 500,
    "- " * 500,
    "from: has: before: after:",
    "from:@alice has:image before:2026-01-01 after:2026-01-01 #tea",
    "-from:me -has:image -#tea -tea",
    "' OR 1=1 --",
    "tea:* & !(a | b) <-> c <2> d \\ ' '' :A :*AB",
    "'tea' & 'coffee'",
    "\\",
    "%_%",
    "\u200b",
    "\u202etea",
    "\ufffe\uffff",
    "🏳️‍🌈 e\u0301\u0301 ﷺ",
    "<script>alert(1)</script> {{7*7}}",
    "before:9999-99-99 after:0000-00-00 before:٢٠٢٦-٠١-٠١",
    "#" + "w" * 200,
    "a* b* c* -d* 1* **",
]


def shown_value(html: str) -> str:
    match = re.search(r'id="q" name="q" value="([^"]*)"', html)
    assert match, html[:500]
    return unescape(match[1])


def test_an_empty_search_says_what_can_be_asked(alice: Member, stranger: Member) -> None:
    for who in (alice, stranger):
        for path in ("/search", "/search?q=", "/search?q=+%0a", "/search?q=&in=people"):
            page = who.get(path)
            assert page.status_code == 200
            for word in ("Search tips", "from:me", "has:image", "before:", "after:", "-tea"):
                assert word in page.text
            assert "<article" not in page.text
    assert "from:@alice" in alice.get("/search").text


def test_every_example_on_that_page_can_be_asked(alice: Member) -> None:
    examples = re.findall(r'<dt><a href="(/search\?q=[^"]+)"', alice.get("/search").text)
    assert len(examples) >= 8
    for address in examples:
        page = alice.get(unescape(address))
        assert page.status_code == 200
        assert 'class="remarks"' not in page.text, address


def test_people_and_tags_stand_above_the_posts_of_the_first_page_only(alice: Member, bob: Member) -> None:
    for number in range(25):
        alice.write(f"about alice {number} #alice")
    page = bob.get(search("alice", "")).text
    assert len(entries(page)) == 20
    assert page.index("#alice</b>") < page.index('class="person-link" href="/@alice"') < page.index("<article")
    path = next_link(page)
    assert path and "q=alice" in path and "in=" not in path
    rest = bob.get(path).text
    assert len(entries(rest)) == 5
    assert "person-link" not in rest and "tag-chip" not in rest
    assert shown_value(rest) == "alice"
    assert "person-link" not in bob.get(search("alice", "posts")).text
    fragment = bob.get(path, fragment=True).text
    assert entries(fragment) == entries(rest) and "<html" not in fragment
    assert "Older" not in page + rest + fragment, "what follows need not be older"


def test_the_tabs_keep_what_was_typed_and_the_field_keeps_the_tab(alice: Member) -> None:
    page = alice.get(search('tea & "two words" +ü', "people")).text
    links = {unescape(link) for link in re.findall(r'href="(/search\?q=[^"]+)"', page)}
    typed = "q=tea+%26+%22two+words%22+%2B%C3%BC"
    assert {f"/search?{typed}", f"/search?{typed}&in=posts", f"/search?{typed}&in=tags"} <= {
        link.replace("%20", "+") for link in links
    }
    assert '<input type="hidden" name="in" value="people">' in page
    assert re.search(r'in=people" aria-current="page">People<', page)


def test_an_unknown_list_is_all_of_them(alice: Member) -> None:
    alice.write("tea")
    page = alice.get(search("tea", "nonsense"))
    assert page.status_code == 200 and len(entries(page.text)) == 1
    assert re.search(r'aria-current="page">All<', page.text)


def test_what_was_not_understood_is_said_and_the_rest_is_searched(alice: Member, bob: Member) -> None:
    post = alice.write("tea")
    page = bob.get(search('tea has:video after:2026-13-40 - "'))
    assert entries(page.text) == [post]
    text = unescape(page.text)
    assert "Search doesn’t know “has:video” (only has:image), so it was ignored." in text
    assert "“2026-13-40” isn’t a valid date, so it was ignored." in text
    assert "“-” has no letters or numbers to search for, so it was ignored." in text
    assert 'A quotation mark (") isn’t closed' in text
    assert "Search doesn’t know “befor:”, so it was searched as a word." in unescape(
        bob.get(search("befor:2026-01-01")).text
    )


def test_where_nothing_was_understood_nothing_is_listed_and_the_page_helps(alice: Member, bob: Member) -> None:
    alice.write("tea")
    for typed in ("!!!", "from: has:", '""', "x" * 400):
        page = bob.get(search(typed, ""))
        assert page.status_code == 200
        assert entries(page.text) == [] and "Search tips" in page.text, typed
        assert 'class="remarks"' in page.text and shown_value(page.text) == typed


def test_nothing_found_is_said_kindly(alice: Member) -> None:
    assert "Nothing found" in alice.get(search("qqqq", "")).text
    assert "No tags start with that." in alice.get(search("qqqq", "tags")).text
    assert "Nobody here has that handle or name." in alice.get(search("qqqq", "people")).text
    found_person = alice.get(search("alice", "")).text
    assert "No posts found" in found_person and "@alice" in found_person


@pytest.mark.parametrize("within", ["", "people", "tags"])
def test_hostile_input_is_searched_for_like_any_other(alice: Member, within: str) -> None:
    alice.write("tea and 'coffee' 100% #tea")
    for typed in HOSTILE:
        page = alice.get(search(typed, within))
        assert page.status_code == 200, typed[:50]
        assert shown_value(page.text) == typed
        assert "<script>alert" not in page.text and "Traceback" not in page.text


def test_a_null_byte_and_broken_text_are_refused_with_a_page(alice: Member) -> None:
    for encoded in ("a%00b", "%ED%A0%80", "%ff"):
        response = alice.get(f"/search?q={encoded}")
        assert response.status_code == 400 and "· Freshet</title>" in response.text


@settings(max_examples=examples(30))
@given(
    typed=st.lists(
        st.one_of(
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12),
            st.sampled_from(
                ["tea", '"', "-", "#", "from:", "from:me", "has:", "before:", "*", "'", "\\", ":*", "&", "|", "!"]
            ),
        ),
        max_size=12,
    ).map(lambda words: " ".join(words))
)
@example("\r\n")
@example("ﷺ" * 50)
def test_anything_can_be_typed(alice: Member, typed: str) -> None:
    for within in ("", "people", "tags"):
        page = alice.get(f"/search?q={quote(typed, safe='')}&in={within}")
        assert page.status_code == 200
        assert shown_value(page.text).replace("\r\n", "\n") == typed.replace("\r\n", "\n")


def test_a_search_that_takes_too_long_is_stopped_in_words_and_keeps_what_was_typed(alice: Member) -> None:
    slow = OperationalError("SELECT", {}, QueryCanceled("canceling statement due to statement timeout"))
    with patch.object(routes, "look_up", side_effect=slow):
        page = alice.get(search("tea"))
        assert page.status_code == 503
        assert routes.TOO_SLOW in page.text and shown_value(page.text) == "tea"
        fragment = alice.get(search("tea"), fragment=True)
        assert (fragment.status_code, fragment.text) == (503, routes.TOO_SLOW)


def test_explore_has_a_search_field(stranger: Member, alice: Member) -> None:
    for path in ("/explore", "/explore/people"):
        page = stranger.get(path).text
        assert re.search(r'<form class="search" role="search" action="/search">', page)
        assert shown_value(page) == ""
    assert 'href="/search"' in alice.get("/").text


@pytest.mark.parametrize("typed", ["", "from:@nobody_there", "-nothing"])
def test_a_fragment_of_a_search_for_nothing_is_empty(alice: Member, typed: str) -> None:
    answer = alice.client.get("/search", query_string={"q": typed}, headers={"HX-Request": "true"})
    assert answer.status_code in {200, 204}
    assert "<html" not in answer.text
