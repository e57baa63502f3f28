"""A cursor holds for one list and one reader, and only as it was given out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from hypothesis import assume, example, given
from hypothesis import strategies as st

from app.core import cursor, tokens
from app.core.errors import BadCursor
from app.core.ids import MAX_ID

IDS = st.integers(min_value=0, max_value=MAX_ID)
READERS = st.one_of(st.none(), st.integers(min_value=1, max_value=10**9))
SCOPES = st.one_of(st.sampled_from(["home", "latest", "people", "profile:1", "followers:1", "tag:tea"]), st.text())


@pytest.fixture(autouse=True)
def signing_app() -> Iterator[Flask]:
    app = Flask(__name__)
    app.config["SECRET_KEY"] = "a secret of these tests"
    with app.app_context():
        yield app


@given(SCOPES, IDS, READERS)
def test_a_cursor_says_what_was_signed(scope: str, before: int, reader: int | None) -> None:
    assert cursor.read(scope, cursor.sign(scope, before, viewer_id=reader), viewer_id=reader) == before


def test_no_cursor_is_the_top() -> None:
    assert cursor.read("home", None, viewer_id=1) is None


@given(IDS, st.integers(min_value=0), st.characters())
@example(1, -1, "B")
def test_any_altered_character_is_refused(before: int, place: int, character: str) -> None:
    signed = cursor.sign("home", before, viewer_id=1)
    place %= len(signed)
    altered = signed[:place] + character + signed[place + 1 :]
    assume(altered != signed)
    with pytest.raises(BadCursor):
        cursor.read("home", altered, viewer_id=1)


def test_the_last_character_has_only_one_spelling() -> None:
    """The last letter of a signature carries bits that mean nothing; another letter with the same bits is altered."""
    signed = cursor.sign("home", 123456, viewer_id=1)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    accepted = [letter for letter in letters if _is_accepted(signed[:-1] + letter)]
    assert accepted == [signed[-1]]


@given(IDS, st.integers(min_value=0), st.characters())
@example(1, 20, "!")
@example(1, -1, "=")
def test_an_added_character_is_refused(before: int, place: int, character: str) -> None:
    signed = cursor.sign("home", before, viewer_id=1)
    place %= len(signed) + 1
    with pytest.raises(BadCursor):
        cursor.read("home", signed[:place] + character + signed[place:], viewer_id=1)


@given(st.text())
@example("")
@example(".")
@example("\ud800")
@example("MQ.\ud800")
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(BadCursor):
        cursor.read("home", text, viewer_id=1)


@given(SCOPES, SCOPES, READERS, READERS, IDS)
def test_another_list_or_another_reader_is_refused(
    one: str, other: str, reader: int | None, other_reader: int | None, before: int
) -> None:
    assume((one, reader) != (other, other_reader))
    signed = cursor.sign(one, before, viewer_id=reader)
    with pytest.raises(BadCursor):
        cursor.read(other, signed, viewer_id=other_reader)


@pytest.mark.parametrize("numbers", [[], [1, 2], [MAX_ID + 1], [2**56 - 1]])
def test_what_is_signed_but_no_id_is_refused(numbers: list[int]) -> None:
    signed = tokens.sign("cursor:1:home", numbers)
    with pytest.raises(BadCursor):
        cursor.read("home", signed, viewer_id=1)
    assert list(tokens.read("cursor:1:home", signed)) == numbers, "the seal itself is right"


def test_a_cursor_signed_with_another_secret_is_refused(signing_app: Flask) -> None:
    foreign = cursor.sign("home", 1, viewer_id=1)
    signing_app.config["SECRET_KEY"] = "another secret"
    with pytest.raises(BadCursor):
        cursor.read("home", foreign, viewer_id=1)


def _is_accepted(text: str) -> bool:
    try:
        cursor.read("home", text, viewer_id=1)
    except BadCursor:
        return False
    return True
