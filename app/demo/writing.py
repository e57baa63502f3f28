"""Write posts: each person about their own interests, in their own voice, never the same line twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from app.demo import content
from app.demo.bios import words_for
from app.demo.content import Line, Topic
from app.demo.decks import Deck
from app.demo.grammar import expand, variety
from app.demo.moments import marks_of, words_of
from app.demo.people import EVERYBODYS_TOPIC, Person
from app.demo.voices import styled
from app.posts.writing.operations import BadText, checked_text

TRIES = 4
NEW_FOR = timedelta(days=3)

# What an author falls back on who has said everything about their own interests.
SMALL_TALK = ("weather", "coffee", "cooking", "books", "films", "work")
# From which variety on a line may be used how often: a sentence that never changes comes once.
USES = ((200, 10), (30, 8), (9, 5), (4, 3), (2, 2), (0, 1))


def _uses(line: Line, topic: Topic) -> int:
    found = variety(line.text, content.shared_words() | topic.words)
    return next(uses for least, uses in USES if found >= least)


@dataclass(frozen=True)
class Written:
    """One post, perhaps an answer to another or a quote of it."""

    author: str
    moment: datetime
    text: str
    answers: Written | None = None
    quotes: Written | None = None


class Writer:
    """Writes for everybody. Ask for the newest posts first: the decks are fresh then, and these are what people see."""

    def __init__(self, friends: Mapping[Person, Sequence[Person]], rng: Random, *, longest: int) -> None:
        self._friends, self._rng, self._longest = friends, rng, longest
        everything = content.topics() | content.accounts()
        self._decks = {name: Deck(topic.posts, rng) for name, topic in everything.items()}
        self._uses_left = {line: _uses(line, topic) for topic in everything.values() for line in topic.posts}
        self._used: set[tuple[str, str]] = set()
        self._texts: set[str] = set()

    def post(self, author: Person, moment: datetime) -> str | None:
        """Return something that the author might write at this moment; None if everything is said."""
        for topic in self._topics_of(author):
            if text := self._post_about(topic, author, moment):
                return text
        return None

    def _topics_of(self, author: Person) -> list[str]:
        """Return what the author may write about, in the order of today's mood."""
        weights = dict.fromkeys(author.interests, 1.0)
        if author.account is not None:
            weights[author.handle] = 1.0
            return self._in_random_order(weights)
        weights[EVERYBODYS_TOPIC] = 0.4
        return [*self._in_random_order(weights), *self._rng.sample(SMALL_TALK, len(SMALL_TALK))]

    def _in_random_order(self, weights: Mapping[str, float]) -> list[str]:
        return sorted(weights, key=lambda topic: self._rng.random() ** (1 / weights[topic]), reverse=True)

    def _post_about(self, topic: str, author: Person, moment: datetime) -> str | None:
        words = self._words(topic, author, moment)
        marks = marks_of(moment, author.home)
        if moment - author.joined < NEW_FOR:
            marks |= {"newcomer"}
        may_repeat = author.account is not None and "repeats" in author.account.words

        def fits(line: Line) -> bool:
            fresh = may_repeat or (author.handle, line.text) not in self._used
            return fresh and line.fits(marks) and line.needs <= words.keys()

        deck = self._decks[topic]
        while line := deck.draw(fits):
            if text := self._filled(line, author, words):
                self._uses_left[line] -= 1
                if may_repeat or self._uses_left[line]:
                    deck.put_back(line)
                self._used.add((author.handle, line.text))
                return text
        return None

    def _filled(self, line: Line, author: Person, words: Mapping[str, Sequence[str]]) -> str | None:
        """Return a text that nobody has written yet; None if the line has no more to give."""
        for _ in range(TRIES):
            text = styled(expand(line.text, words, self._rng), author, words, self._rng)
            try:
                text = checked_text(text, longest=self._longest)
            except BadText:
                return None
            if text not in self._texts:
                self._texts.add(text)
                return text
        return None

    def _words(self, topic: str, author: Person, moment: datetime) -> dict[str, Sequence[str]]:
        words: dict[str, Sequence[str]] = {**words_for(author.handle, topic), **words_of(moment, author.home)}
        friends = [f"@{friend.handle}" for friend in self._friends[author] if friend.joined < moment]
        if friends:
            words["friend"] = friends
        return words
