"""What belongs into a home feed: it has a reason to be there, is visible, and is no repeat. At every read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, and_

from app.accounts.models import User
from app.accounts.reader import Reader
from app.core.statements import AnyViewer
from app.feed.rules.entries import Entry
from app.feed.rules.repeat import BELONGS, REPEAT, could_be_in_home_of, span_of
from app.posts import visibility
from app.posts.clauses import Finding, all_words, any_hides
from app.posts.facts import Facts
from app.posts.models import Post, PostRow
from app.posts.visibility import is_visible, visible_to


def values_of(reader: Reader) -> dict[str, Any]:
    """Return the values that the compiled predicates need of a reader."""
    return {
        "viewer_id": reader.id,
        "repeat_span": span_of(reader),
        "hides_own_reposts": reader.hides_own_reposts,
    }


def in_home_of(viewer: AnyViewer, entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the entries of a home feed."""
    return and_(could_be_in_home_of(viewer, entry), visible_to(viewer, entry), ~REPEAT.sql(viewer, entry, None))


def belongs(entry: Facts, reader: Reader) -> bool:
    """Decide whether an entry may be in a home, the post that it may be a repost of and repeats left aside."""
    return not any_hides(BELONGS, entry, reader) and is_visible(entry, reader)


def is_news(entry: Entry, reader: Reader) -> bool:
    """Decide whether an entry is no repost, or one of a post that the reader may see and has not had already."""
    return not entry.is_repost or (is_visible(entry.post, reader) and not REPEAT.hides(entry, reader))


def is_in_home(entry: Entry, reader: Reader) -> bool:
    """Decide what `in_home_of` selects, over facts."""
    return belongs(entry.facts, reader) and is_news(entry, reader)


def findings(entry: Entry, reader: User) -> Iterator[Finding]:
    """Say what each clause finds about an entry."""
    yield from all_words(BELONGS, entry.facts, reader)
    yield from REPEAT.words(entry, reader)
    hiding = [*all_words(visibility.CLAUSES, entry.facts, reader)]
    if entry.is_repost:
        hiding += all_words(visibility.CLAUSES, entry.post, reader)
    yield from hiding
    if all(finding.lets_through for finding in hiding):
        yield Finding("filters", "nothing hides it", True)
