"""What a post said before it was edited, and what was changed each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import takewhile, zip_longest

import regex
from markupsafe import Markup, escape
from sqlalchemy import select

from app.core import ids
from app.core.paging import PAGE_SIZE, cut
from app.extensions import db
from app.posts.models import Post, PostVersion

# Words with the space behind them; where words are not spaced, and of everything else, single characters.
_PIECE = regex.compile(r"(?:[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}]\p{M}*|[\w'’]+|\X)\s*|\s+")

# The work of comparing grows with the pairs of equal words; 500 letters that are words each have some thousand.
MAX_COMPARED_PAIRS = 10_000


@dataclass(frozen=True)
class Version:
    """What a post said for a while, with what is new in it and what it no longer says marked."""

    written_at: datetime
    html: Markup
    warning: Markup
    is_current: bool
    is_first: bool
    has_warning: bool


@dataclass(frozen=True)
class _Said:
    """A text and its warning, and when it was replaced; None is what the post says now."""

    text: str
    warning: str
    replaced_at: datetime | None = None


def newest_version(post: Post) -> int:
    """Return what tells one state of a post from another: when it was last edited, 0 if it never was."""
    return (post.edited_at - ids.EPOCH) // timedelta(microseconds=1) if post.edited_at else 0


def versions_of(post: Post, *, before: int | None) -> tuple[Sequence[Version], int | None]:
    """Return what a post says and said, the newest first, each with its changes against the one before."""
    older = select(PostVersion).where(PostVersion.post_id == post.id).order_by(PostVersion.id.desc())
    if before is not None:
        older = older.where(PostVersion.id < before)
    found = list(db.session.scalars(older.limit(PAGE_SIZE + 1)))
    page, next_before = cut(found, key=lambda version: version.id)
    said = [_Said(version.text, version.warning, version.replaced_at) for version in found]
    if before is None:
        said.insert(0, _Said(post.text, post.warning))
    steps = list(zip_longest(said, said[1:]))
    surplus = len(found) - len(page)  # one more was read, to compare the last one with
    return [_version(post, *step) for step in steps[: len(steps) - surplus]], next_before


def _version(post: Post, said: _Said, earlier: _Said | None) -> Version:
    if earlier is None:
        html, warning = _plain(said.text), _plain(said.warning)
    else:
        html, warning = changes(earlier.text, said.text), changes(earlier.warning, said.warning)
    return Version(
        written_at=(earlier and earlier.replaced_at) or post.created_at,
        html=html,
        warning=warning,
        is_current=said.replaced_at is None,
        is_first=earlier is None,
        has_warning=bool(said.warning),
    )


@lru_cache(maxsize=1000)
def changes(before: str, after: str) -> Markup:
    """Return a text as safe HTML, with the words that came in `<ins>` and those that went in `<del>`."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    old_words, new_words = ([piece.strip() for piece in pieces] for pieces in (old, new))  # whatever the spaces
    out = []
    for kind, old_start, old_end, new_start, new_end in _steps(old_words, new_words):
        gone, come = "".join(old[old_start:old_end]), "".join(new[new_start:new_end])
        out += [_plain(come)] if kind == "equal" else [_marked("del", gone), _marked("ins", come)]
    return Markup("").join(out)


def _steps(old: list[str], new: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield how one list of words becomes the other, as `SequenceMatcher` says it.

    It takes cubic time where a few words come again and again. So what begins and ends alike is left out of it, and
    where too much is left, all of that was replaced.
    """
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    yield "equal", 0, start, 0, start
    old_end, new_end = len(old) - end, len(new) - end
    gone, come = old[start:old_end], new[start:new_end]
    often = Counter(come)
    if sum(often[word] for word in gone) > MAX_COMPARED_PAIRS:
        yield "replace", start, old_end, start, new_end
    else:
        for kind, a, b, c, d in SequenceMatcher(None, gone, come, autojunk=False).get_opcodes():
            yield kind, start + a, start + b, start + c, start + d
    yield "equal", old_end, len(old), new_end, len(new)


def _alike(old: list[str], new: list[str]) -> int:
    """Return with how many equal words two lists begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _marked(element: str, text: str) -> Markup:
    """Mark a change; the space behind it is not part of it."""
    words = text.rstrip()
    mark = Markup("<{0}>{1}</{0}>").format(element, _plain(words)) if words else Markup("")
    return mark + _plain(text[len(words) :])


def _plain(text: str) -> Markup:
    return escape(text).replace("\n", Markup("<br>"))
