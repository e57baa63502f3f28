"""What a post said before it was edited, and what was changed each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import zip_longest

import regex
from markupsafe import Markup, escape
from sqlalchemy import func, select

from app.core.paging import PAGE_SIZE, cut
from app.extensions import db
from app.posts.models import Post, PostVersion

# Words with the space behind them; where words are not spaced, and of everything else, single characters.
_PIECE = regex.compile(r"(?:[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}]\p{M}*|[\w'’]+|\X)\s*|\s+")


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
    """Return what tells one state of a post from another: the id of its last version, 0 if it was never edited."""
    return db.session.scalar(select(func.max(PostVersion.id)).where(PostVersion.post_id == post.id)) or 0


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
    steps = SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes()
    for kind, old_start, old_end, new_start, new_end in steps:
        gone, come = "".join(old[old_start:old_end]), "".join(new[new_start:new_end])
        out += [_plain(come)] if kind == "equal" else [_marked("del", gone), _marked("ins", come)]
    return Markup("").join(out)


def _marked(element: str, text: str) -> Markup:
    """Mark a change; the space behind it is not part of it."""
    words = text.rstrip()
    mark = Markup("<{0}>{1}</{0}>").format(element, _plain(words)) if words else Markup("")
    return mark + _plain(text[len(words) :])


def _plain(text: str) -> Markup:
    return escape(text).replace("\n", Markup("<br>"))
