"""Lines with choices and slots."""

from __future__ import annotations

from random import Random

import pytest

from app.demo.grammar import article, expand, variety

WORDS = {"plant": ("kale", "leeks", "peas"), "animal": ("owl", "hen")}


def expansions(line: str) -> set[str]:
    return {expand(line, WORDS, Random(seed)) for seed in range(200)}


def test_a_choice_takes_one_of_its_parts() -> None:
    assert expansions("[|very ]good") == {"good", "very good"}


def test_choices_may_hold_choices_and_slots() -> None:
    assert expansions("[no|yes, [an owl|{animal}s]]") == {"no", "yes, an owl", "yes, owls", "yes, hens"}


def test_the_same_slot_is_the_same_word_and_a_numbered_one_is_another() -> None:
    for text in expansions("{plant} {plant} {plant2}"):
        first, again, other = text.split()
        assert first == again != other


def test_a_slot_may_ask_for_article_and_capital() -> None:
    assert expansions("{A animal} saw {a animal} and {Animal}") == {
        "An owl saw an owl and Owl",
        "A hen saw a hen and Hen",
    }


def test_a_range_is_a_number_within_it() -> None:
    assert expansions("{3-5}") == {"3", "4", "5"}


@pytest.mark.parametrize(
    ("word", "expected"), [("hour", "an"), ("unicycle", "a"), ("egg", "an"), ("UX researcher", "a")]
)
def test_articles_follow_the_sound(word: str, expected: str) -> None:
    assert article(word) == expected


def test_variety_counts_what_a_reader_would_notice() -> None:
    assert variety("Always the same.", WORDS) == 1
    assert variety("{friend} always the same.", WORDS) == 1
    assert variety("[a|b] {plant}", WORDS) == 6
