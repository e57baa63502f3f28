"""The hand-written part of the demo: text files with words and sentences, read once.

A file consists of sections, each under a line like `== posts ==`. Words are lists: `plant: beans | kale`; a `*` in
front of the name gives each author one of them for good. A post may start with the marks of the moments it fits,
`<evening/night, winter>`; what stands in it between `[a|b]` and `{plant}` is chosen anew each time it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "content"

_HEADING = re.compile(r"== (?P<title>.+) ==")
_MARKED = re.compile(r"<(?P<marks>[^>]+)> *(?P<text>.+)")
_SLOT = re.compile(r"\{(?:[aA] )?(?P<name>[A-Za-z]+)\d?\}")

# Between the turns of a conversation, and the person each speaker means by {other}.
TURN = "\x1e"
OTHER = {"A": "{answerer}", "B": "{asker}"}

Words = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Line:
    """A sentence to be filled in: it fits a moment with all its marks, and where all its words are known."""

    text: str
    marks: tuple[frozenset[str], ...]
    needs: frozenset[str]

    def fits(self, marks: frozenset[str]) -> bool:
        """Say whether each group of marks holds one that the moment has."""
        return all(group & marks for group in self.marks)


@dataclass(frozen=True)
class Conversation:
    """What two people say to each other: one line, cut into turns, so that a word once chosen stays the same.

    `speakers` says who has which turn, A or B; `pauses` which turns come only on the next day.
    """

    speakers: str
    pauses: tuple[bool, ...]
    line: Line


@dataclass(frozen=True)
class Topic:
    """What people with one interest talk about, and the words they have for it."""

    name: str
    words: Words
    personal: Words
    bios: tuple[str, ...]
    posts: tuple[Line, ...]
    conversations: tuple[Conversation, ...]


@cache
def topics() -> dict[str, Topic]:
    """Return all topics of ordinary people by name."""
    return {path.stem: _topic(path) for path in sorted((FOLDER / "topics").glob("*.txt"))}


@cache
def accounts() -> dict[str, Topic]:
    """Return what the named accounts write, by handle: the organisations and the cast of the demo."""
    return {path.stem: _topic(path) for path in sorted((FOLDER / "accounts").glob("*.txt"))}


@cache
def shared_words() -> Words:
    """Return the words that every topic may use."""
    return word_lists(sections("words")["words"])


def sections(name: str) -> dict[str, list[str]]:
    """Return the lines of a content file under their headings, without the empty ones."""
    return {title: [line for line in lines if line] for title, lines in _sections(FOLDER / f"{name}.txt").items()}


def _sections(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if heading := _HEADING.fullmatch(line.strip()):
            lines = found.setdefault(heading["title"], [])
        elif not line.startswith("//"):
            lines.append(line.strip())
    return found


def _topic(path: Path) -> Topic:
    parts = _sections(path)
    words = word_lists(parts.get("words", []))
    return Topic(
        name=path.stem,
        words={name: values for name, values in words.items() if not name.startswith("*")},
        personal={name[1:]: values for name, values in words.items() if name.startswith("*")},
        bios=tuple(line for line in parts.get("bios", []) if line),
        posts=tuple(_line(line) for line in parts.get("posts", []) if line),
        conversations=tuple(_conversations(parts.get("conversations", []))),
    )


def word_lists(lines: Iterable[str]) -> Words:
    """Read lists like `plant: beans | kale`."""
    pairs = (line.split(":", 1) for line in lines if line)
    return {name.strip(): tuple(value.strip() for value in values.split(" | ")) for name, values in pairs}


def _line(raw: str) -> Line:
    marks: tuple[frozenset[str], ...] = ()
    if marked := _MARKED.fullmatch(raw):
        raw = marked["text"]
        marks = tuple(frozenset(group.strip().split("/")) for group in marked["marks"].split(","))
    needs = frozenset(slot["name"].lower() for slot in _SLOT.finditer(raw))
    return Line(raw.replace("\\n", "\n"), marks, needs)


def _conversations(lines: Sequence[str]) -> Iterable[Conversation]:
    """Yield the blocks between empty lines; each line starts with `A:`, `B:` or `A later:`."""
    block: list[str] = []
    for line in [*lines, ""]:
        if line:
            block.append(line)
        elif block:
            yield _conversation(block)
            block = []


def _conversation(block: Sequence[str]) -> Conversation:
    heads, texts = zip(*(line.split(":", 1) for line in block), strict=True)
    first = _line(texts[0].strip())
    turns = [text.strip().replace("{other}", OTHER[head[0]]) for head, text in zip(heads, texts, strict=True)]
    turns[0] = first.text.replace("{other}", OTHER["A"])
    line = _line(TURN.join(turns))
    pauses = tuple(head.endswith("later") for head in heads)
    return Conversation("".join(head[0] for head in heads), pauses, Line(line.text, first.marks, line.needs))
