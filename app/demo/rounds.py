"""Let many people answer one question: threads with branches, as a post of a well-known author gets them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from app.demo.graph import Following
from app.demo.people import CELEBRITY, Person
from app.demo.schedule import NEWEST
from app.demo.writing import Written

AGES = (timedelta(hours=3), timedelta(hours=9), timedelta(hours=27), timedelta(days=3), timedelta(days=6))
HOST = "host"  # the author who asked


@dataclass(frozen=True)
class Turn:
    """One answer: to which turn (0 is the question), by which of the guests, in which words."""

    to: int
    who: int | str
    text: str


@dataclass(frozen=True)
class Round:
    """A question, and all that comes of it."""

    question: str
    turns: tuple[Turn, ...]

    @property
    def guests(self) -> int:
        return len({turn.who for turn in self.turns} - {HOST})


def make_rounds(
    people: Sequence[Person], followings: Sequence[Following], rng: Random, *, now: datetime, longest: int
) -> list[Written]:
    """Return questions and answers: the celebrity asks every second one, an author that many follow the others."""
    followers = defaultdict(list)
    for following in followings:
        followers[following.followed].append(following)
    ordinary = [person.handle for person in people if not person.account]
    known = sorted(ordinary, key=lambda handle: len(followers[handle]), reverse=True)
    joined = {person.handle: person.joined for person in people}
    said: list[Written] = []
    for number, (each, age) in enumerate(zip(ROUNDS, AGES, strict=True)):
        host = CELEBRITY if number % 2 == 0 else known[number // 2]
        began = now - age
        here = [fan.follower for fan in followers[host] if fan.moment < began and fan.follower in ordinary]
        if joined[host] < began and len(here) >= each.guests:
            turns = list(_talk(each, host, rng.sample(here, each.guests), began, rng))
            if all(len(turn.text) <= longest and turn.moment < now - NEWEST for turn in turns):
                said += turns
    return said


def _talk(each: Round, host: str, guests: Sequence[str], began: datetime, rng: Random) -> Iterator[Written]:
    turns = [Written(host, began, each.question)]
    yield turns[0]
    for turn in each.turns:
        answered = turns[turn.to]
        moment = max(answered.moment, turns[-1].moment) + timedelta(minutes=rng.uniform(1, 11))
        who = host if isinstance(turn.who, str) else guests[turn.who]
        turns.append(Written(who, moment, turn.text, answers=answered))
        yield turns[-1]


ROUNDS = (
    Round(
        "If your kitchen were on fire and everybody was safe: which one tool would you carry out?",
        (
            Turn(0, 0, "The cast-iron pan. It would survive the fire better than I would."),
            Turn(0, 1, "My grandmother's rolling pin. It has no handles left, only opinions."),
            Turn(2, HOST, "A rolling pin with opinions is the best kind."),
            Turn(0, 2, "The good knife. Everything else I can borrow from the neighbours."),
            Turn(4, 3, "I am your neighbour. You have borrowed everything already."),
            Turn(5, 2, "And I will bring back the sieve. This weekend. Probably."),
            Turn(0, 4, "The sourdough starter. It isn't a tool, it's a dependant."),
            Turn(7, 5, "Mine is called Bruno and he goes out first."),
            Turn(8, 4, "Mine is Agnes. They should meet."),
            Turn(0, 6, "The moka pot, still warm."),
            Turn(0, HOST, "I asked for tools and got a family reunion. Thank you, all of you."),
        ),
    ),
    Round(
        "I'm collecting first lines of books that you know by heart. One each, please, no looking it up.",
        (
            Turn(0, 0, "“It was a bright cold day in April, and the clocks were striking thirteen.”"),
            Turn(1, 1, "I came to say this one."),
            Turn(0, 2, "“Call me Ishmael.” Sorry. Somebody had to."),
            Turn(3, HOST, "It had been four minutes. I was getting worried."),
            Turn(0, 3, "“All happy families are alike…” and then I never remember which ones aren't."),
            Turn(5, 4, "The unhappy ones. It's the rest of the book."),
            Turn(0, 5, "The one with the hobbit and the hole. I read it aloud three times, to three children."),
            Turn(7, HOST, "That counts four times."),
        ),
    ),
    Round(
        "What did you change your mind about this year?",
        (
            Turn(0, 0, "Getting up early. I was against it for thirty years. Now I've seen the light, literally."),
            Turn(0, 1, "That I can't grow tomatoes. It was the balcony, not me."),
            Turn(2, 2, "Which way does the new one face? Asking for my own sad tomatoes."),
            Turn(3, 1, "South-west, and out of the wind. And talk to them."),
            Turn(0, 3, "Small talk. I thought it was empty. It's how people check that the line works."),
            Turn(5, HOST, "I'm going to quote this for years."),
            Turn(0, 4, "Nothing, and I've just noticed that this is the worrying answer."),
            Turn(0, 5, "That my father's stories were too long. I'd give a lot for one more."),
            Turn(8, HOST, "Oh. Yes."),
            Turn(8, 0, "Same here."),
        ),
    ),
    Round(
        "Which walk do you take when you have exactly one hour?",
        (
            Turn(0, 0, "Round the reservoir, the wrong way, so that I meet everybody from the front."),
            Turn(0, 1, "To the bakery that's farther away."),
            Turn(2, HOST, "The only correct answer so far."),
            Turn(0, 2, "Along the railway line until the 17:40 comes, then back."),
            Turn(4, 3, "The 17:40 hasn't been on time since spring. You must be very fit."),
            Turn(0, 4, "Up the hill behind the school. You can see the weather of tomorrow from there."),
        ),
    ),
    Round(
        "Small things that make a place feel like home within a day. I'll start: knowing which light switch is which.",
        (
            Turn(0, 0, "The first time somebody at the bakery says “the usual?”"),
            Turn(0, 1, "A chair by a window. Everything else can stay in boxes."),
            Turn(2, 2, "And a lamp for the chair."),
            Turn(0, 3, "Hearing the neighbours' piano and knowing which bit they always get wrong."),
            Turn(4, 4, "It's the left hand. It's always the left hand. I'm sorry."),
            Turn(5, HOST, "I love this site."),
            Turn(0, 5, "My own mug. Nothing tastes right before it's unpacked."),
            Turn(0, 6, "A cat, but I've been told that's not a small thing."),
        ),
    ),
)
