"""Turn a line with choices and slots into a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"\{(\d+)-(\d+)\}")
_SLOT = re.compile(r"\{(?P<article>[aA] )?(?P<name>[A-Za-z]+)(?P<number>\d?)\}")
# Words that sound other than they are spelled: "a unicycle", "an hour".
_SOUNDS_LIKE_CONSONANT = ("uni", "eu", "use", "one", "ux", "u-")
_SOUNDS_LIKE_VOWEL = ("hour", "honest", "heir", "8", "11", "18")


def expand(line: str, words: Mapping[str, Sequence[str]], rng: Random) -> str:
    """Return the line with one of each choice and a word in each slot.

    A slot that occurs twice is the same word both times; `{plant2}` is another plant.
    """
    while _CHOICE.search(line):  # from the inside out
        line = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), line)
    line = _RANGE.sub(lambda match: str(rng.randint(int(match[1]), int(match[2]))), line)
    chosen: dict[str, str] = {}
    return _SLOT.sub(lambda match: _fill(match, words, chosen, rng), line)


def _fill(match: re.Match[str], words: Mapping[str, Sequence[str]], chosen: dict[str, str], rng: Random) -> str:
    name = match["name"].lower()
    key = name + match["number"]
    if key not in chosen:
        taken = {word for other, word in chosen.items() if other.rstrip("0123456789") == name}
        chosen[key] = rng.choice([word for word in words[name] if word not in taken])
    word = chosen[key]
    if match["article"]:
        word = f"{article(word)} {word}"
    return capitalised(word) if match[0][1].isupper() else word


def variety(line: str, words: Mapping[str, Sequence[str]]) -> int:
    """Estimate how many sentences a line can become that a reader would not take for the same."""
    count = 1
    while match := _CHOICE.search(line):
        count *= match[1].count("|") + 1
        line = line.replace(match[0], match[1], 1)
    count <<= len(_RANGE.findall(line))  # another number alone hides little
    slots = {(match["name"].lower(), match["number"]) for match in _SLOT.finditer(line)}
    for name, _ in slots:
        count *= len(words.get(name, "?"))  # what depends on the moment or the author adds nothing
    return count


def article(word: str) -> str:
    """Return the indefinite article of a word."""
    start = word.lower()
    if start.startswith(_SOUNDS_LIKE_VOWEL):
        return "an"
    return "an" if start[0] in "aeiou" and not start.startswith(_SOUNDS_LIKE_CONSONANT) else "a"


def capitalised(text: str) -> str:
    """Return a text with a capital at the start; the rest stays as it is."""
    return text[:1].upper() + text[1:]
