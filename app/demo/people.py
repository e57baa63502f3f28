"""Make up people: names from many places, lives that fit together, a voice of their own."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from app.accounts import handles
from app.demo import content
from app.demo.bios import Biographer
from app.demo.content import Topic
from app.demo.moments import RHYTHMS, Home

ORDINARY_PEOPLE = 320
MAX_NAMESAKES = 2
# The town itself joins first, so that a post that mentions the bakery mentions an account that is there.
FOUNDING = timedelta(hours=12)
EVERYBODYS_TOPIC = "life"
ADMIN, READER, NEWCOMER, CELEBRITY, MARKER = "ada", "robin", "newton", "mira", "demo"
MODERATOR = "alderbrook_library"

_WITHOUT_DECOMPOSITION = str.maketrans("øØłŁıđĐßæÆ", "oOlLidDsaA")


@dataclass(frozen=True)
class Voice:
    """How an author writes, whatever it is about."""

    is_lowercase: bool = False
    ends_with_stop: bool = True
    emoji: float = 0.0
    tags: float = 0.0


@dataclass(frozen=True, eq=False)
class Person:
    """A person who never existed. `account` holds their own lines if they are one of the named accounts."""

    handle: str
    name: str
    bio: str
    joined: datetime
    home: Home
    interests: tuple[str, ...]
    rhythm: str
    voice: Voice = Voice()
    account: Topic | None = None
    has_portrait: bool = False

    @property
    def role(self) -> str:
        return {ADMIN: "admin", MODERATOR: "moderator"}.get(self.handle, "member")


def make_people(rng: Random, *, start: datetime, now: datetime) -> list[Person]:
    """Return everybody, in the order in which they joined."""
    named = [_named(topic, rng, start, now) for topic in content.accounts().values()]
    inventor = _Inventor(rng, taken={person.handle for person in named})
    ordinary = [inventor.person(_joined(rng, start, now)) for _ in range(ORDINARY_PEOPLE)]
    return sorted([*named, *ordinary], key=lambda person: person.joined)


def _joined(rng: Random, start: datetime, now: datetime) -> datetime:
    """Return when a person came: most soon after the site began, some every day since."""
    begin = start + _founding(start, now)
    share: float = rng.random() ** 1.7
    return begin + (now - timedelta(hours=1) - begin) * share


def _founding(start: datetime, now: datetime) -> timedelta:
    return min(FOUNDING, (now - start) / 4)


def _named(topic: Topic, rng: Random, start: datetime, now: datetime) -> Person:
    words = topic.words
    first = {MARKER: timedelta(0), ADMIN: timedelta(minutes=5)}
    joined = start + first.get(topic.name, _founding(start, now) * rng.uniform(0.1, 1))
    return Person(
        handle=topic.name,
        name=words["name"][0],
        bio=words["bio"][0],
        joined=now - timedelta(minutes=20) if topic.name == NEWCOMER else joined,
        home=Home(content.sections("places")["home"][0], is_local=True),
        interests=words.get("interests", ()),
        rhythm=words.get("rhythm", ("always",))[0],
        account=topic,
        has_portrait="portrait" in words,
    )


class _Inventor:
    """Makes one person after the other, no two with the same handle or bio."""

    def __init__(self, rng: Random, taken: set[str]) -> None:
        self._rng = rng
        self._taken = taken
        self._namesakes = Counter[str]()
        names = content.sections("names")
        self._own_letters = [line.split(" | ") for line in names.pop("in their own letters")]
        jobs = [job for line in names.pop("jobs") for job in line.split(" | ")]
        bios, whole_bios = names.pop("bios"), names.pop("whole bios")
        self._groups = [content.word_lists(lines) for lines in names.values()]
        self._homes = _homes()
        self._topics = [topic for topic in content.topics() if topic != EVERYBODYS_TOPIC]
        self._biographer = Biographer(rng, general=bios, whole=whole_bios, jobs=jobs)

    def person(self, joined: datetime) -> Person:
        home = self._home()
        interests = self._interests(home)
        handle, name = self._handle_and_name(interests)
        bio = self._biographer.bio(handle, home, interests)
        rhythm = self._rng.choice([rhythm for rhythm in RHYTHMS if rhythm != "opening"])
        has_portrait = self._rng.random() < 0.4
        return Person(handle, name, bio, joined, home, interests, rhythm, self._voice(), has_portrait=has_portrait)

    def _home(self) -> Home:
        local, *away = self._homes
        return local if self._rng.random() < 0.55 else self._rng.choice(away)

    def _interests(self, home: Home) -> tuple[str, ...]:
        possible = [topic for topic in self._topics if home.is_local or topic != "town"]
        sizes = [len(content.topics()[topic].posts) for topic in possible]  # what has more to say has more friends
        wanted, chosen = self._rng.choice((2, 3, 3)), set[str]()
        while len(chosen) < wanted:
            chosen.update(self._rng.choices(possible, sizes))
        return tuple(sorted(chosen))

    def _voice(self) -> Voice:
        rng = self._rng
        return Voice(
            rng.random() < 0.04, rng.random() < 0.75, rng.choice((0, 0, 0.05, 0.12, 0.3)), rng.random() ** 3 * 0.5
        )

    def _handle_and_name(self, interests: tuple[str, ...]) -> tuple[str, str]:
        if self._own_letters and self._rng.random() < 0.05:
            handle, name = self._own_letters.pop()
            self._taken.add(handle)
            return handle, name
        while True:
            group = self._rng.choice(self._groups)
            given, family = self._rng.choice(group["given"]), self._rng.choice(group["family"])
            if self._namesakes[given] == MAX_NAMESAKES or self._namesakes[given + family]:
                continue
            handle = self._rng.choice(_handles(given, family, interests, self._rng))
            if handle.lower() not in self._taken and not handles.is_reserved(handle) and 2 <= len(handle) <= 30:
                self._taken.add(handle.lower())
                self._namesakes.update([given, given + family])
                return handle, self._shown(given, family)

    def _shown(self, given: str, family: str) -> str:
        full = f"{given} {family}"
        initial = f"{given} {family[0].upper()}."
        decorated = f"{given} {self._rng.choice('🌻🚲📚🌊🎻🐦🍞☕🌙🧶')}"
        return self._rng.choices([full, given, initial, full.lower(), decorated], [80, 6, 7, 3, 4])[0]


def _handles(given: str, family: str, interests: tuple[str, ...], rng: Random) -> list[str]:
    """Return handles that a person with this name might pick, the likely ones more than once."""
    first, last = _ascii(given), _ascii(family)
    hobby = rng.choice(content.topics()[rng.choice(interests)].words["handle"])
    plain = [first + last, f"{first}_{last}", first[0] + last, first]
    return [
        *plain,
        *plain,
        last + first[0],
        f"{first}{rng.randint(2, 99)}",
        f"{first}_{hobby}",
        first.title() + last.title(),
    ]


def _ascii(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.translate(_WITHOUT_DECOMPOSITION))
    return re.sub(r"[^a-z]", "", plain.lower())


def _homes() -> list[Home]:
    places = content.sections("places")
    return [Home(places["home"][0], is_local=True), *(_home(*line.split(", ")) for line in places["away"])]


def _home(city: str, hours_ahead: str, side: str = "") -> Home:
    return Home(city, float(hours_ahead), is_southern=side == "south")
