"""The words of a search are marked in the posts found, in their text alone."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from app.core.text import to_html
from app.discovery.search.marking import _sought, mark_words
from app.discovery.search.syntax import understand
from tests.examples import examples
from tests.people import Member


def marked(text: str, typed: str) -> str:
    return str(mark_words(to_html(text, frozenset({"tea"})), tuple(_sought(understand(typed)))))


@pytest.mark.parametrize(
    ("text", "typed", "shown"),
    [
        ("Green tea, black TEA", "tea", "Green <mark>tea</mark>, black <mark>TEA</mark>"),
        ("teapot tea", "tea", "teapot <mark>tea</mark>"),
        ("gardening", "gard*", "<mark>gardening</mark>"),
        ("gardening", "garden", "<mark>gardening</mark>"),
        ("Café crème", "cafe CREME", "<mark>Café</mark> <mark>crème</mark>"),
        ("hot green tea and green hot tea", '"green tea"', "hot <mark>green tea</mark> and green hot tea"),
        ("coffee and tea", "coffee -tea", "<mark>coffee</mark> and tea"),
        ("a < b & tea > c", "tea", "a &lt; b &amp; <mark>tea</mark> &gt; c"),
        ("amp & lt <", "amp lt", "<mark>amp</mark> &amp; <mark>lt</mark> &lt;"),
        ("don't", "don't", "<mark>don&#39;t</mark>"),
        ("a\nb", "b", "a<br><mark>b</mark>"),
        ("br a href", "br href", "<mark>br</mark> a <mark>href</mark>"),
        ("tea", "from:@tea has:image", "tea"),
        ("tea", "", "tea"),
    ],
)
def test_words_are_marked_as_they_are_found(text: str, typed: str, shown: str) -> None:
    assert marked(text, typed) == shown


def test_nothing_is_marked_in_an_address() -> None:
    html = marked("@tea https://tea.example/a #tea", "tea example")
    assert 'href="/@tea"' in html and 'href="https://tea.example/a"' in html
    assert html.count("<mark>tea</mark>") == 3 and html.count("<mark>example</mark>") == 1


@settings(max_examples=examples(300))
@given(st.text(max_size=80), st.text(max_size=30))
def test_a_mark_adds_nothing_but_marks(text: str, typed: str) -> None:
    plain = to_html(text, frozenset())
    html = mark_words(plain, tuple(_sought(understand(typed))))
    assert Markup(re.sub("</?mark>", "", html)).unescape() == plain.unescape()
    assert html.count("<mark>") == html.count("</mark>")


def test_a_search_marks_and_other_pages_do_not(alice: Member, bob: Member) -> None:
    post = alice.write("a <b>kettle</b> whistles", warning="kettle")
    page = bob.get("/search?q=kettle&in=latest").text
    assert "a &lt;b&gt;<mark>kettle</mark>&lt;/b&gt; whistles" in page
    assert "<mark>" not in bob.get(f"/@alice/{post}").text + bob.get("/").text
    assert "<mark>whistles</mark>" in bob.get("/search?q=whist*").text
    assert "<mark>" not in bob.get("/search?q=from:@alice").text


def test_a_start_page_keeps_the_tips_behind_a_button(stranger: Member) -> None:
    for path in ("/search", "/search?q=nothing", "/search?q=!!!"):
        page = stranger.get(path).text
        assert '<summary class="icon-button" aria-label="Search tips"' in page
        assert page.count('class="syntax"') == 1 and "tips=1" in page and 'search-help">' in page
        [tips] = re.findall(r'href="([^"]+)" data-tips', page)
        assert 'search-help" open>' in stranger.get(unescape(tips)).text
