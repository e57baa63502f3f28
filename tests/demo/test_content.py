"""What is written by hand: every line can be filled, and points nowhere outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from app.core.text import count_characters, mentioned_handles
from app.demo import content
from app.demo.bios import words_for
from app.demo.content import Topic
from app.demo.grammar import expand
from app.demo.moments import Home, words_of
from app.demo.people import EVERYBODYS_TOPIC
from app.demo.writing import SMALL_TALK
from tests.demo.conftest import LONGEST, NOW

EVERYTHING = [*content.topics().values(), *content.accounts().values()]
MARKS = {
    *("morning", "afternoon", "evening", "night", "spring", "summer", "autumn", "winter", "weekend", "weekday"),
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "local", "away", "newcomer"),
    *("november", "december"),
}


def texts(topic: Topic) -> Iterator[str]:
    """Return each line of a topic, filled in some ways."""
    words = {**words_for("alice", topic.name), **words_of(NOW, Home("Lisbon"))}
    known = {**words, "friend": ("@alice", "@bob"), "asker": ("@alice",), "answerer": ("@bob",)}
    for line in [*topic.posts, *(conversation.line for conversation in topic.conversations)]:
        for number in range(8):
            yield from expand(line.text, known, Random(number)).split(content.TURN)


@pytest.mark.parametrize("topic", EVERYTHING, ids=lambda topic: topic.name)
def test_every_line_can_be_filled(topic: Topic) -> None:
    for text in texts(topic):
        assert not re.search(r"[\[\]{}]|  |\b[Aa] a ", text), text
        assert count_characters(text) <= LONGEST


@pytest.mark.parametrize("topic", EVERYTHING, ids=lambda topic: topic.name)
def test_mentions_and_links_stay_in_the_demo(topic: Topic) -> None:
    for text in texts(topic):
        assert mentioned_handles(text) <= {"alice", "bob", *content.accounts()}
        assert all(host in ("example.org", "example.com") for host in re.findall(r"https?://([^/\s]+)", text))


def test_marks_are_spelled_right() -> None:
    marks = {mark for topic in EVERYTHING for line in topic.posts for group in line.marks for mark in group}
    assert marks <= MARKS


def test_topics_named_in_code_and_accounts_exist() -> None:
    named = {EVERYBODYS_TOPIC, *SMALL_TALK}
    named |= {interest for account in content.accounts().values() for interest in account.words.get("interests", ())}
    assert named <= content.topics().keys()


def test_every_topic_has_enough_to_say() -> None:
    for topic in content.topics().values():
        assert len(topic.posts) >= 25, topic.name
        assert topic.conversations and topic.bios and topic.words["tags"] and topic.words["handle"]
