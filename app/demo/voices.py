"""Give a sentence the manner of the person who writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from app.demo.people import Person

LONG_STORY = 180  # nobody puts a party popper under the story of a funeral


def styled(text: str, author: Person, words: Mapping[str, Sequence[str]], rng: Random) -> str:
    """Return the text as this author would type it: their dots, their capitals, their emoji and tags."""
    voice, text = author.voice, text.strip()
    if not voice.ends_with_stop and text.endswith(".") and not text.endswith(".."):
        text = text[:-1]
    if voice.is_lowercase:
        text = text.lower()
    if "emoji" in words and len(text) < LONG_STORY and rng.random() < voice.emoji:
        text = f"{text} {rng.choice(words['emoji'])}"
    if "tags" in words and "#" not in text and rng.random() < voice.tags:
        text = _tagged(text, words["tags"], rng)
    return text


def _tagged(text: str, tags: Sequence[str], rng: Random) -> str:
    chosen = rng.sample(tags, min(len(tags), rng.choice((1, 1, 1, 2, 3))))
    return text + rng.choice((" ", "\n\n")) + " ".join(f"#{tag}" for tag in chosen)
