"""What is typed into the search field is understood, or there is a sentence that says why not."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.discovery.search.syntax import LONGEST_WORD, MAX_TERMS, Kind, Term, understand

MEANINGFUL = """
    from: from:me from:@alice -from:bob has: has:image has:cats before: before:2026-03-01 after:2026-13-40 -after:2026
    #tea -#tea # - -- * a* tea* " “ ” „ « » "a b" -"a b" “a b” https://a.example/b?c=d 12:30 befor:1 : :: & | ! ( )
    <-> :* ' '' \\ % _ é 東京 🎉 \u200b \u202e
""".split()
WORDS = st.lists(st.one_of(st.sampled_from(MEANINGFUL), st.text(max_size=4)), max_size=MAX_TERMS + 5)
TYPED = st.one_of(st.text(), WORDS.map(" ".join), WORDS.map("".join), WORDS.map("\n".join))


def only(typed: str) -> Term:
    [term] = understand(typed).terms
    return term


def meant(typed: str) -> list[tuple[Kind, str, bool]]:
    return [(term.kind, term.value, term.is_excluded) for term in understand(typed).terms]


@given(TYPED)
@example('"')
@example("from:@alice" * 2000)
@example("\x00 \ud800 \U0010ffff")
@example("\x1c\x85\u2028")
def test_every_part_of_a_query_is_understood_or_explained(typed: str) -> None:
    query = understand(typed)
    assert "".join("".join(term.typed.split()) for term in query.terms) == "".join(typed.split()), "nothing is lost"
    assert all(term.remark for term in query.terms if term.kind is Kind.NOTHING), "what is left out has a sentence"
    assert query.is_blank == (not typed.split())
    assert query.asks == any(term.kind is not Kind.NOTHING for term in query.terms)
    assert len(query.terms) <= MAX_TERMS + 1
    assert all(len(sentence) < 200 for sentence in query.remarks)


@given(TYPED)
def test_understanding_again_changes_nothing(typed: str) -> None:
    assert understand(typed) == understand(typed)
    assert understand(f"  {typed} ").terms == understand(typed).terms


def test_words_count_from_their_beginning_when_they_are_long_enough() -> None:
    assert meant("tea tomato 2026 don't") == [
        (Kind.WORD, "tea", False),
        (Kind.START, "tomato", False),
        (Kind.WORD, "2026", False),
        (Kind.WORD, "don't", False),
    ]


def test_a_star_asks_for_all_that_begins_so() -> None:
    assert meant("te*") == [(Kind.START, "te*", False)]
    assert meant("-te*") == [(Kind.START, "te*", True)]
    assert only("t*").kind is Kind.WORD
    assert only("t*").remark == "“t*” needs two letters before the *, so it was searched as a word."


def test_what_must_not_be_there_is_meant_as_it_is_written() -> None:
    assert meant('-tomato -"grey heron" -#tea -from:@bob -has:image') == [
        (Kind.WORD, "tomato", True),
        (Kind.PHRASE, "grey heron", True),
        (Kind.TAG, "tea", True),
        (Kind.FROM, "bob", True),
        (Kind.IMAGE, "", True),
    ]


@pytest.mark.parametrize("typed", ['"grey heron"', "“grey heron”", "„grey heron“", "„grey heron”", "«grey heron»"])
def test_quotation_marks_of_several_languages_make_a_phrase(typed: str) -> None:
    assert meant(typed) == [(Kind.PHRASE, "grey heron", False)]


def test_a_quotation_mark_without_a_partner_is_mentioned_and_its_words_count() -> None:
    query = understand('"grey heron')
    assert [term.kind for term in query.terms] == [Kind.NOTHING, Kind.START, Kind.START]
    assert query.remarks == ('A quotation mark (") isn’t closed, so the words after it were searched one by one.',)
    assert understand('""').remarks == ('There’s nothing between the quotation marks in “""”.',)


def test_tags_are_looked_up_as_they_are_stored() -> None:
    assert meant("#Tea, #ﬁne") == [(Kind.TAG, "tea", False), (Kind.TAG, "fine", False)]
    assert only("#1").kind is Kind.WORD


@pytest.mark.parametrize("typed", ["from:@alice", "from:alice", "FROM:@alice", "from:@alice,"])
def test_from_takes_a_handle(typed: str) -> None:
    assert meant(typed) == [(Kind.FROM, "alice", False)]


def test_from_me_is_whoever_asks_and_from_at_me_is_somebody() -> None:
    assert meant("from:me From:ME from:@me") == [
        (Kind.FROM_ME, "", False),
        (Kind.FROM_ME, "", False),
        (Kind.FROM, "me", False),
    ]


@pytest.mark.parametrize(
    ("typed", "first"),
    [("2026-03-31", "2026-03-31"), ("2026-3-1", "2026-03-01"), ("2026-03", "2026-03-01"), ("2026", "2026-01-01")],
)
def test_dates_may_be_days_months_or_years(typed: str, first: str) -> None:
    assert meant(f"before:{typed}") == [(Kind.BEFORE, first, False)]
    assert meant(f"after:{typed}") == [(Kind.AFTER, first, False)]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (
            "befor:2026-01-01",
            "Search doesn’t know “befor:”, so it was searched as a word. Did you mean “before:”?",
        ),
        ("recipe:soup", "Search doesn’t know “recipe:”, so it was searched as a word."),
        ("after:2026-13-40", "“2026-13-40” isn’t a valid date, so it was ignored."),
        ("before:yesterday", "“yesterday” isn’t a valid date, so it was ignored."),
        ("before:", "“before:” needs a date right after it (2026-03-31), so it was ignored."),
        ("-before:2026", "“-before:2026” was ignored. Try after:2026 instead."),
        ("from:", "“from:” needs a handle right after it (from:@someone), so it was ignored."),
        ("from:@a!b", "“@a!b” isn’t a valid handle, so it was ignored."),
        ("has:video", "Search doesn’t know “has:video” (only has:image), so it was ignored."),
        ("x" * (LONGEST_WORD + 1), "“" + "x" * 40 + "…” is too long for a word, so it was ignored."),
        (
            "after:2026-05-01 before:2026-04-01",
            "No post can be from before 2026-04-01 and also from 2026-05-01 or later.",
        ),
    ],
)
def test_what_is_not_understood_is_said_in_a_sentence(typed: str, sentence: str) -> None:
    assert understand(typed).remarks == (sentence,)


@pytest.mark.parametrize("typed", ["https://example.org/a?b=c", "12:30", "grey heron", "a&b", "“grey heron”", "東京"])
def test_what_is_ordinary_is_not_remarked_upon(typed: str) -> None:
    assert understand(typed).remarks == ()
    assert understand(typed).asks


def test_more_words_than_anybody_needs_are_left_out_and_mentioned_once() -> None:
    query = understand(" ".join(f"word{n}" for n in range(5000)))
    assert len(query.terms) == MAX_TERMS + 1
    assert query.remarks == (
        f"Only the first {MAX_TERMS} words count; everything from “word{MAX_TERMS}” on was ignored.",
    )


def test_the_same_sentence_is_said_once() -> None:
    assert len(understand("has:video has:video has:audio").remarks) == 2
