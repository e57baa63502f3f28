"""Make up what people say about themselves."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from app.demo import content
from app.demo.grammar import expand
from app.demo.moments import Home

WITHOUT_BIO = 0.22


class Biographer:
    """Writes bios; a sentence is used once only."""

    def __init__(self, rng: Random, *, general: Sequence[str], whole: Sequence[str], jobs: Sequence[str]) -> None:
        self._rng = rng
        self._general, self._jobs = general, jobs
        self._told: set[str] = set()
        self._whole = rng.sample(whole, len(whole))
        self._of_topic = {topic.name: rng.sample(topic.bios, len(topic.bios)) for topic in content.topics().values()}
        self._origins = [line.split(",")[0] for line in content.sections("places")["away"]]

    def bio(self, handle: str, home: Home, interests: Sequence[str]) -> str:
        """Return one or two sentences about a person, or none."""
        if self._rng.random() < WITHOUT_BIO:
            return ""
        if self._whole and self._rng.random() < 0.1:
            return self._whole.pop()
        general = [self._about_life(home)] if self._rng.random() < 0.55 else []
        special = [sentence for topic in interests if (sentence := self._about_interest(handle, topic))]
        known = [*general, *special] or [self._about_life(home)]
        return " ".join(known[: self._rng.choice((1, 2, 2))])

    def _about_life(self, home: Home) -> str:
        origins = [origin for origin in self._origins if origin != home.city]
        ages = [str(age) for age in range(19, 84)]
        words = {"job": self._jobs, "city": [home.city], "origin": origins, "age": ages}
        while (sentence := expand(self._rng.choice(self._general), words, self._rng)) in self._told:
            pass
        self._told.add(sentence)
        return sentence

    def _about_interest(self, handle: str, topic: str) -> str:
        left = self._of_topic[topic]
        return expand(left.pop(), words_for(handle, topic), self._rng) if left and self._rng.random() < 0.6 else ""


def words_for(handle: str, topic: str) -> dict[str, tuple[str, ...]]:
    """Return the words of a topic as one person has them: their cat always has the same name."""
    found = content.topics().get(topic) or content.accounts()[topic]
    own = {name: (Random(f"{handle} {name}").choice(words),) for name, words in found.personal.items()}
    return {**content.shared_words(), **found.words, **own}
