"""Let people who follow each other talk: a question, an answer, sometimes the result a day later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from app.demo import content
from app.demo.bios import words_for
from app.demo.content import TURN, Conversation
from app.demo.decks import Deck
from app.demo.grammar import expand
from app.demo.moments import marks_of, words_of
from app.demo.people import EVERYBODYS_TOPIC, Person
from app.demo.schedule import NEWEST, a_moment_of
from app.demo.voices import styled
from app.demo.writing import Written
from app.posts.writing.operations import BadText, checked_text

CONVERSATIONS = 220
LONGEST_PAUSE_MINUTES = 25
# How long nobody else has the same conversation.
REST = timedelta(days=12)


@dataclass(frozen=True)
class _Meeting:
    asker: Person
    answerer: Person
    moment: datetime


def make_conversations(
    friends: Mapping[Person, Sequence[Person]], rng: Random, *, now: datetime, longest: int
) -> list[Written]:
    """Return what people said to each other, all turns of all conversations."""
    meetings = sorted(_meetings(friends, rng, now), key=lambda meeting: meeting.moment, reverse=True)
    host = _Host(rng, now=now, longest=longest)
    return [turn for meeting in meetings for turn in host.talk(meeting)]


def _meetings(friends: Mapping[Person, Sequence[Person]], rng: Random, now: datetime) -> Iterator[_Meeting]:
    """Yield pairs of friends; those who share an interest find each other more often."""
    ordinary = {person: [friend for friend in known if not friend.account] for person, known in friends.items()}
    talkers = [person for person, known in ordinary.items() if known and not person.account]
    for _ in range(CONVERSATIONS if talkers else 0):
        asker = rng.choice(talkers)
        some = rng.sample(ordinary[asker], min(4, len(ordinary[asker])))
        answerer = max(some, key=lambda friend: len(_shared(asker, friend)))
        yield _Meeting(asker, answerer, a_moment_of(max(asker, answerer, key=lambda person: person.joined), rng, now))


def _shared(one: Person, other: Person) -> list[str]:
    return [topic for topic in one.interests if topic in other.interests]


class _Host:
    """Has a conversation for every pair, and none twice within some days."""

    def __init__(self, rng: Random, *, now: datetime, longest: int) -> None:
        self._rng, self._now, self._longest = rng, now, longest
        self._decks = {name: Deck(topic.conversations, rng) for name, topic in content.topics().items()}
        self._last: dict[Conversation, datetime] = {}

    def talk(self, meeting: _Meeting) -> list[Written]:
        """Return the turns of one conversation; none where there is nothing left to say or no time to say it."""
        for topic in [*_shared(meeting.asker, meeting.answerer), EVERYBODYS_TOPIC]:
            if card := self._draw(topic, meeting):
                try:
                    texts = self._texts(card, topic, meeting)
                except BadText:  # longer than this site allows
                    return []
                return self._timed(card, texts, meeting)
        return []

    def _draw(self, topic: str, meeting: _Meeting) -> Conversation | None:
        marks = marks_of(meeting.moment, meeting.asker.home)
        latest = meeting.moment + REST
        deck = self._decks[topic]
        card = deck.draw(lambda card: card.line.fits(marks) and self._last.get(card, latest) >= latest)
        if card:
            deck.put_back(card)
            self._last[card] = meeting.moment
        return card

    def _texts(self, card: Conversation, topic: str, meeting: _Meeting) -> list[str]:
        words = words_for(meeting.asker.handle, topic) | words_of(meeting.moment, meeting.asker.home)
        words |= {"asker": (f"@{meeting.asker.handle}",), "answerer": (f"@{meeting.answerer.handle}",)}
        texts = expand(card.line.text, words, self._rng).split(TURN)
        speakers = {"A": meeting.asker, "B": meeting.answerer}
        said = [styled(text, speakers[who], {}, self._rng) for text, who in zip(texts, card.speakers, strict=True)]
        return [checked_text(text, longest=self._longest) for text in said]

    def _timed(self, card: Conversation, texts: Sequence[str], meeting: _Meeting) -> list[Written]:
        handles = {"A": meeting.asker.handle, "B": meeting.answerer.handle}
        moment, turns = meeting.moment, list[Written]()
        for who, is_later, text in zip(card.speakers, card.pauses, texts, strict=True):
            then = moment + timedelta(hours=is_later * self._rng.uniform(5, 30))
            turns.append(Written(handles[who], then, text, answers=turns[-1] if turns else None))
            moment = turns[-1].moment + timedelta(minutes=self._rng.uniform(1, LONGEST_PAUSE_MINUTES))
        return turns if turns[-1].moment < self._now - NEWEST else []
