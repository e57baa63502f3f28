"""Text is cleaned once, counted as people count, and known to be blank when nothing of it can be seen."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.text import (
    clean,
    clean_line,
    count_characters,
    first_link,
    initials,
    is_blank,
    is_tag,
    shortened,
    tag_key,
    tags_in,
    to_html,
    too_long_by,
)

INVISIBLE = [
    "\u200b",  # zero width space
    "\u200c",
    "\u200d",  # joiners
    "\u2060",  # word joiner
    "\u00ad",  # soft hyphen
    "\u00a0",  # no-break space
    "\u3000",  # ideographic space
    "\u2800",  # braille blank
    "\u3164",
    "\u115f",
    "\u1160",
    "\uffa0",  # hangul fillers
    "\ufe0f",  # variation selector
    "\u0301",  # a combining mark with nothing to stand on
    "\u202e",  # right-to-left override
    "\ufeff",
    "\U000e0020",  # tag space
    "\t",
    "\n",
]
# Characters that mean trouble: line ends of all kinds, controls, marks, joiners, spaces.
TRICKY = st.text(
    st.sampled_from(["\r", "\n", " ", "\t", "\x00", "\x85", "\u2028", "\u202e", "e", "\u0301", *INVISIBLE])
)
TEXTS = st.one_of(st.text(), TRICKY)


@given(TEXTS)
@example("a \r\n\r\n \r\n\n b")
@example("\u0340")
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert clean_line(clean_line(text)) == clean_line(text)


@given(TEXTS)
def test_clean_text_has_no_control_characters_and_at_most_one_blank_line_in_a_row(text: str) -> None:
    cleaned = clean(text)
    assert not [c for c in cleaned if unicodedata.category(c) == "Cc" and c not in "\n\t"]
    assert "\n\n\n" not in cleaned
    assert cleaned == cleaned.strip()
    assert unicodedata.is_normalized("NFC", cleaned)
    assert "\n" not in clean_line(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1))
def test_cleaning_keeps_every_character_that_shows(text: str) -> None:
    assert clean(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("  around  ", "around"),
        ("line end  \nnext", "line end\nnext"),
        ("a\n\n\n\n\nb", "a\n\nb"),
        ("a\n \n\t\n b", "a\n\n b"),
        ("cafe\u0301", "caf\u00e9"),
        ("null\x00byte", "nullbyte"),
        ("evil\u202etxt.exe", "eviltxt.exe"),
        ("tab\tstays", "tab\tstays"),
        ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"),
        ("می‌خواهم", "می‌خواهم"),  # the non-joiner inside a Persian word is spelling, not decoration
    ],
)
def test_what_is_stored_of_what_was_typed(typed: str, stored: str) -> None:
    assert clean(typed) == stored


def test_a_name_is_one_line_with_single_spaces() -> None:
    assert clean_line("  Ada \n\t Lovelace\u3000King ") == "Ada Lovelace King"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("", 0),
        ("abc", 3),
        ("e\u0301", 1),
        ("👨‍👩‍👧‍👦", 1),
        ("👍🏽", 1),
        ("🇩🇪", 1),
        ("🇩🇪🇫🇷", 2),
        ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 1),
        ("🏳️‍🌈", 1),
        ("Z̶̡̛a̴l̵g̷o̸", 5),
        ("각", 1),
        ("a\nb", 3),
        ("日本語", 3),
    ],
)
def test_characters_are_counted_as_people_see_them(text: str, seen: int) -> None:
    assert count_characters(text) == seen


@given(st.lists(st.sampled_from(["a", "é", "👨‍👩‍👧‍👦", "👍🏽", "日", "🏳️‍🌈", "."]), max_size=30))
def test_the_count_of_a_text_is_the_number_of_its_pictures_and_letters(pieces: list[str]) -> None:
    assert count_characters("".join(pieces)) == len(pieces)


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("x" * 500, 0),
        ("x" * 502, 2),
        ("👨‍👩‍👧‍👦" * 500, 0),
        ("👨‍👩‍👧‍👦" * 501, 1),
        ("x" + "\u0316" * 3999, 0),
        ("x" + "\u0316" * 150_000, 18_251),
    ],
)
def test_a_character_may_be_made_of_much_but_not_of_anything(text: str, over: int) -> None:
    assert too_long_by(text, 500) == over


def test_marks_that_pile_up_are_not_put_in_order() -> None:
    """That takes quadratic time: minutes for what fits into a form."""
    piled = "a" + "\u0323\u0301\u0316" * 40
    assert clean(piled) == tag_key(piled) == piled
    assert clean("a\u0301\u0316") == "\u00e1\u0316"


@given(st.lists(st.sampled_from(INVISIBLE)).map("".join))
def test_text_without_ink_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", ".", "0", "👍", "🏳️‍🌈", "日", "e\u0301", "\u200bx\u200b", "¶", "_"])
def test_text_with_ink_is_not_blank(text: str) -> None:
    assert not is_blank(text)


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Ada", "A"),
        ("ada lovelace", "AL"),
        ("Ada Augusta King", "AK"),
        ("Élodie", "É"),
        ("(Bob) [Builder]", "BB"),
        ("李小龍", "李"),
        ("R2 D2", "RD"),
        ("निशा", "नि"),  # a vowel sign belongs to its letter and does not start a word
        ("🦊", "?"),
        ("", "?"),
    ],
)
def test_initials_stand_for_a_name(name: str, letters: str) -> None:
    assert initials(name) == letters


@given(st.text())
@example("ßen ßen")
def test_initials_are_one_or_two_characters_whatever_the_name_is(name: str) -> None:
    assert 1 <= count_characters(initials(name)) <= 2


@pytest.mark.parametrize("tag", ["tea", "Tea", "ＴＥＡ", "tEa"])
def test_spellings_of_one_tag_share_one_key(tag: str) -> None:
    assert tag_key(tag) == "tea"


@pytest.mark.parametrize("tag", ["tea", "2026年", "caffè", "_x_", "a1", "Straße", "İstanbul", "ελληνικά", "हिन्दी"])
def test_what_can_be_a_tag(tag: str) -> None:
    assert is_tag(tag)


@pytest.mark.parametrize(
    "no_tag", ["", "123", "_", "a b", "a-b", "a/b", "#a", "a\x00", "\ufffd", "x" * 200, "a?b", "@a"]
)
def test_what_cannot_be_a_tag(no_tag: str) -> None:
    assert not is_tag(no_tag)


LETTERS = st.text(st.characters(categories=["L", "N"], include_characters="_"), min_size=1, max_size=20)


@given(LETTERS)
@example("a½")
@example("aﷺ")
@example("aǰͅ")
def test_the_key_of_a_tag_leads_to_the_page_of_that_tag(tag: str) -> None:
    for key in tags_in(f"#{tag}"):
        assert is_tag(key), f"/tags/{key} would be 404"
        assert tag_key(key) == key, "the page would look under another key"


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("see (https://tea.example/a), and https://else.example", "https://tea.example/a"),
        ("HTTPS://Tea.example/A!", "HTTPS://Tea.example/A"),
        ("http:// nothing", None),
        ("tea.example #https @http", None),
        ("", None),
    ],
)
def test_the_first_link_is_the_one_that_is_linked(text: str, link: str | None) -> None:
    assert first_link(text) == link
    assert link is None or f'href="{link}"' in to_html(text, frozenset())


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("  a\n lin \t", "a lin"),
        ("abcde", "abcde"),
        ("abcdef", "abcd…"),
        ("abc def", "abc…"),
        ("e\u0301" * 5, "é" * 5),
        ("x" + "\u0351" * 500, "x" + "\u0351" * 39 + "…"),
        ("\u200b\u3164", ""),
        ("\u202eabc\u2069", "abc"),
    ],
)
def test_a_text_of_a_stranger_is_shortened_to_what_can_be_shown(text: str, short: str) -> None:
    assert shortened(text, 5) == short
