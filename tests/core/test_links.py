"""Posts become HTML that is safe whatever was typed, says what was typed, and links what is a link."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.text import mentioned_handles, tags_in, to_html

OUTSIDE = {"href", "rel", "target"}
INSIDE = {"class", "href"}


class Rendered(HTMLParser):
    """Reads rendered text back: what it says, and its links. Anything we never write fails at once."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.said = ""  # with the whole address where a shortened one is shown
        self.links: list[tuple[str, str]] = []
        self._href: str | None = None
        self._shown = ""
        self.feed(html)
        self.close()
        assert self._href is None, "a link is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            assert not attrs
            self.said += "\n"
            return
        assert tag == "a", f"unexpected <{tag}>"
        assert self._href is None, "a link inside a link"
        values = dict(attrs)
        self._href, self._shown = values["href"] or "", ""
        if self._href.startswith("/"):
            assert self._href.startswith(("/@", "/tags/")) and set(values) == INSIDE
            assert values["class"] == ("mention" if self._href.startswith("/@") else "tag")
        else:
            assert self._href.lower().startswith(("http://", "https://")) and set(values) == OUTSIDE
            assert values["rel"] == "nofollow noopener noreferrer"

    def handle_endtag(self, tag: str) -> None:
        assert tag == "a" and self._href is not None
        assert self._shown.strip(), "a link that nobody can see"
        self.links.append((self._href, self._shown))
        if self._href.startswith("/"):
            self.said += self._shown
        else:
            assert self._shown.removesuffix("…") in self._href
            self.said += self._href
        self._href = None

    def handle_data(self, data: str) -> None:
        if self._href is None:
            self.said += data
        else:
            self._shown += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError("a comment")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError("a declaration")

    def handle_pi(self, data: str) -> None:
        raise AssertionError("a processing instruction")


PIECES = [
    *("http://", "https://", "www.", "a.example", "/", "//", "?q=1&b=2", "#", "#tag", "@", "@alice", "@bob", ":", "."),
    *("<script>alert(1)</script>", "<b>", "</a>", '"', "'", "&", "&amp;", "&#x3c;", "<!--", "-->", "<![CDATA["),
    *("\n", "\t", " ", "(", ")", "[", "]", "}", "…", ",", "!", "javascript:", "data:text/html,", "onerror=", "\u202e"),
]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=12).map("".join))


@given(TEXTS, st.sets(st.sampled_from(["alice", "bob"])).map(frozenset))
@example("http:///", frozenset())
@example("https://www./", frozenset())
@example('http://a.example/"onmouseover="alert(1)', frozenset())
@example("http://a.example/<b>&lt;", frozenset())
def test_any_text_becomes_safe_html_that_says_the_same(text: str, mentions: frozenset[str]) -> None:
    assert Rendered(str(to_html(text, mentions))).said == text


def links_of(text: str, *mentions: str) -> list[str]:
    return [href for href, _ in Rendered(str(to_html(text, frozenset(mentions)))).links]


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("see https://a.example", "https://a.example"),
        ("see https://a.example.", "https://a.example"),
        ("see https://a.example, or not", "https://a.example"),
        ("https://a.example!", "https://a.example"),
        ("https://a.example?!", "https://a.example"),
        ("https://a.example…", "https://a.example"),
        ("https://a.example/?q=1&r=2;", "https://a.example/?q=1&r=2"),
        ("(https://a.example)", "https://a.example"),
        ("(https://a.example/x).", "https://a.example/x"),
        ("[https://a.example]", "https://a.example"),
        ("<https://a.example>", "https://a.example"),
        ('"https://a.example"', "https://a.example"),
        ("“https://a.example”", "https://a.example"),
        ("«https://a.example»", "https://a.example"),
        ("https://a.example。", "https://a.example"),
        ("（https://a.example）", "https://a.example"),
        ("**https://a.example**", "https://a.example"),
        ("https://a.example/Foo_(bar)", "https://a.example/Foo_(bar)"),
        ("(https://a.example/Foo_(bar))", "https://a.example/Foo_(bar)"),
        ("https://a.example/a,b;c", "https://a.example/a,b;c"),
        ("https://a.example/#part", "https://a.example/#part"),
        ("https://a.example/@alice", "https://a.example/@alice"),
        ("https://a.example/ünï/ço", "https://a.example/ünï/ço"),
        ("https://a.example:8080/x", "https://a.example:8080/x"),
        ("http://[::1]/x", "http://[::1]/x"),
        ("HTTPS://A.example", "HTTPS://A.example"),
        ("Https://a.example", "Https://a.example"),  # phones begin every sentence with a capital
        ("one\nhttps://a.example\ntwo", "https://a.example"),
        ("javascript:https://a.example", "https://a.example"),
    ],
)
def test_an_address_is_linked_without_what_follows_it(text: str, href: str) -> None:
    assert links_of(text, "alice") == [href]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "http://",
            "https://",
            "https://...",
            "http:///",
            "https://www./",
            "http://?",
            "ftp://a.example",
            "a.example",
        ),
        *("javascript:alert(1)", "//a.example", "data:text/html,x", "mailto:a@a.example", "http:/a.example"),
    ],
)
def test_what_is_no_address_of_the_web_is_not_linked(text: str) -> None:
    assert links_of(text) == []


@pytest.mark.parametrize(
    ("text", "handles"),
    [
        ("@alice", ["alice"]),
        ("hi @alice!", ["alice"]),
        ("@alice's", ["alice"]),
        ("(@alice, @bob)", ["alice", "bob"]),
        ("@ALICE", ["ALICE"]),
        ("@alice.", ["alice"]),
        ("@alice-bob", ["alice"]),
        ("@nobody", []),
        ("mail@alice", []),
        ("mail@alice.example", []),
        ("@alice@other.example", []),
        ("@@alice", []),
        ("x/@alice", []),
        ("é@alice", []),
        ("@alicé", []),
        ("@a", []),
        ("@" + "a" * 31, []),
        ("@ alice", []),
    ],
)
def test_only_whole_mentions_of_people_who_exist_are_linked(text: str, handles: list[str]) -> None:
    assert links_of(text, "alice", "bob", "a", "a" * 31) == [f"/@{handle}" for handle in handles]
    assert {handle.lower() for handle in handles} <= mentioned_handles(text)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#tea", ["tea"]),
        ("#Tea", ["tea"]),
        ("(#tea)", ["tea"]),
        ("#tea, #coffee.", ["tea", "coffee"]),
        ("#tea-time", ["tea"]),
        ("#2026goals", ["2026goals"]),
        ("#a_b", ["a_b"]),
        ("#日本語", ["%E6%97%A5%E6%9C%AC%E8%AA%9E"]),
        ("#Straße", ["strasse"]),
        ("#123", []),
        ("#_", []),
        ("# tea", []),
        ("##tea", []),
        ("a#tea", []),
        ("x/#tea", []),
        ("&#tea", []),
        ("#" + "x" * 200, []),
    ],
)
def test_only_whole_tags_are_linked(text: str, tags: list[str]) -> None:
    assert links_of(text) == [f"/tags/{tag}" for tag in tags]
    assert len(tags_in(text)) == len(tags)


def test_nothing_inside_an_address_is_linked_again() -> None:
    text = "https://a.example/#tea https://b.example/@alice"
    assert links_of(text, "alice") == ["https://a.example/#tea", "https://b.example/@alice"]
    assert tags_in(text) == set()
    assert mentioned_handles(text) == set()


def test_a_long_address_is_shown_short_and_linked_whole() -> None:
    address = "https://www.a.example/" + "long/" * 30
    [(href, shown)] = Rendered(str(to_html(address, frozenset()))).links
    assert href == address
    assert shown.startswith("a.example/long/") and shown.endswith("…") and len(shown) <= 42


def test_html_in_a_post_is_shown_and_not_obeyed() -> None:
    assert str(to_html('<img src=x onerror="alert(1)">', frozenset())) == (
        "&lt;img src=x onerror=&#34;alert(1)&#34;&gt;"
    )


def test_line_breaks_are_kept() -> None:
    assert str(to_html("one\ntwo\n\nthree", frozenset())) == "one<br>two<br><br>three"
