"""What a page says about itself is read from whatever its HTML is, and is plain text that can be shown."""

from __future__ import annotations

import encodings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.text import count_characters
from app.posts.links.metadata import LONGEST_DESCRIPTION, LONGEST_TITLE, Metadata, read_metadata
from tests.examples import examples

OPEN_GRAPH = """<!doctype html><html><head><title>The title</title>
<meta property="og:title" content="Tea &amp; cake"><meta property="og:description" content="An
  afternoon"><meta property="og:image" content="/tea.jpg"><meta name="description" content="other"></head><body>"""


def read(html: str | bytes, charset: str | None = None) -> Metadata:
    return read_metadata(html.encode() if isinstance(html, str) else html, charset)


def test_what_is_meant_for_cards_comes_first() -> None:
    assert read(OPEN_GRAPH) == Metadata("Tea & cake", "An afternoon", "/tea.jpg")


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<title>Only\n a title</title>", Metadata("Only a title", "", "")),
        ("<TITLE>Loud</TITLE><META NAME=Description CONTENT=words>", Metadata("Loud", "words", "")),
        ("<meta name='twitter:title' content='T'><meta name=twitter:image content=x>", Metadata("T", "", "x")),
        ("<meta name='og:title' content='By name'>", Metadata("By name", "", "")),
        ("<meta property=og:title content=''><title>Then this</title>", Metadata("Then this", "", "")),
        ("<title>First</title><svg><title>An icon</title></svg>", Metadata("First", "", "")),
        ("<p>no head<meta property=og:title content=late>", Metadata("late", "", "")),
        ("<meta property=og:title content=a><meta property=og:title content=b>", Metadata("a", "", "")),
        ("<title>torn", Metadata("torn", "", "")),
        ("<meta property=og:title content='torn", Metadata("", "", "")),
        ("<meta property=og:title><meta content=x><meta>", Metadata("", "", "")),
        ("<!-- <title>no</title> --><script>'<title>no</title>'</script>", Metadata("", "", "")),
        ("", Metadata("", "", "")),
        (" \n", Metadata("", "", "")),
        ("\0\0\0", Metadata("", "", "")),
        ("%PDF-1.7 \x00\x01", Metadata("", "", "")),
        ("<title> \u200b\u3164 </title>", Metadata("", "", "")),
    ],
)
def test_whatever_there_is_is_read(html: str, said: Metadata) -> None:
    assert read(html) == said


def test_markup_in_a_title_stays_text() -> None:
    html = "<meta property=og:title content='&lt;script&gt;alert(1)&lt;/script&gt; &quot;x&quot;'>"
    assert read(html).title == '<script>alert(1)</script> "x"'


def test_what_turns_the_direction_of_the_page_around_is_left_out() -> None:
    assert read("<title>\u202egnp.exe\u2066 \u2028new\u0007</title>").title == "gnp.exe new"


@pytest.mark.parametrize("character", ["a", "界", "\N{FAMILY}\u200d" * 7, "Z" + "\u0351" * 40, "\u0351"])
def test_a_title_without_end_is_cut(character: str) -> None:
    said = read(
        f"<meta property=og:title content='x{character * 100_000}'><meta name=description content='{'d ' * 9000}'>"
    )
    assert count_characters(said.title) <= LONGEST_TITLE and len(said.title) <= 8 * LONGEST_TITLE + 1
    assert said.title.endswith("…")
    assert count_characters(said.description) <= LONGEST_DESCRIPTION


@pytest.mark.parametrize(
    ("html", "charset", "title"),
    [
        ("<title>Grün</title>".encode("latin-1"), "ISO-8859-1", "Grün"),
        ("<title>“Grün”</title>".encode("cp1252"), "iso-8859-1", "“Grün”"),
        ("<meta charset=windows-1251><title>Чай</title>".encode("cp1251"), None, "Чай"),
        (
            "<meta http-equiv=content-type content='text/html; charset=Shift_JIS'><title>お茶</title>".encode(
                "shift_jis"
            ),
            None,
            "お茶",
        ),
        ("<title>茶</title>".encode("gb18030"), "GBK", "茶"),
        ("<title>茶</title>".encode("big5"), "big5", "茶"),
        ("<title>차</title>".encode("euc-kr"), "euc-kr", "차"),
        ("\ufeff<title>Grün</title>".encode(), "latin-1", "Grün"),
        ("<title>Grün</title>".encode("utf-16"), None, "Grün"),
        ("<title>Grün</title>".encode(), "no-such-charset", "Grün"),
        ("<title>Grün</title>".encode(), "", "Grün"),
        (b"<title>Gr</title>", "\0", "Gr"),
        (b"<title>plain</title>", "rot13", "plain"),
        (b"<title>plain</title>", "zip", "plain"),
        (b"<title>plain</title>", "punycode", "plain"),
        (b"<title>plain</title>", "utf-7", "plain"),
        (b"<title>plain</title>", "unicode_escape", "plain"),
        (b"<title>Gr\xfcn \xff\xfe</title>", "utf-8", "Gr\ufffdn \ufffd\ufffd"),
        (b"<title>odd\x00\xd8</title>", "utf-16-le", ""),
    ],
)
def test_encodings_are_taken_as_browsers_do(html: bytes, charset: str | None, title: str) -> None:
    assert read(html, charset).title == title


@pytest.mark.parametrize(
    "piece",
    [
        "<i>" * 60_000 + "</b>" * 60_000,
        "<div>",
        "<b><i>",
        "<p><b>",
        "<table><tr><td>",
        "<",
        "&",
        "<!--",
        "<meta ",
        "<title>",
    ],
)
def test_a_page_costs_no_more_than_its_length(piece: str) -> None:
    """A tree as deep as a page is long would take minutes; this one is read without any."""
    assert read(f"<title>deep</title>{piece * (1024 * 1024 // len(piece))}").title == "deep"


def test_a_page_is_read_to_where_it_nests_too_deeply() -> None:
    """For each end tag the parser looks through all that is open: a page of a megabyte took a minute."""
    deep, flat = "<i>" * 10_000, "<i></i><br>" * 10_000
    late = "<meta property=og:title content=late>"
    assert read(f"<title>early</title>{deep}{late}").title == "early"
    assert read(f"<title>early</title>{flat}{late}").title == "late"


def test_the_name_of_an_encoding_is_not_kept_for_ever() -> None:
    assert read("<title>tea</title>", "x" * 60_000).title == "tea"
    assert max(map(len, encodings._cache)) < 1000


@settings(max_examples=examples(300))
@given(st.binary(max_size=400), st.sampled_from([None, "utf-8", "utf-16", "latin-1", "gbk", "euc-jp", "x"]))
def test_no_bytes_are_too_odd(html: bytes, charset: str | None) -> None:
    said = read_metadata(b"<meta property=og:title content='" + html + b"'><title>" + html, charset)
    assert "\0" not in said.title + said.description + said.picture
    (said.title + said.description + said.picture).encode()
