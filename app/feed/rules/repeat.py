"""Which reposts are left out: by authors whose reposts are muted, and of what the reader had in their feed already."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import BigInteger, BindParameter, Boolean, ColumnElement, and_, bindparam, exists, or_
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.accounts.reader import Reader, zone_of
from app.core import ids, times
from app.core.ids import MAX_ID, SEQUENCE_BITS
from app.core.statements import AnyViewer
from app.feed.rules.entries import Entry
from app.feed.rules.reason import REASON
from app.feed.rules.reply import REPLY
from app.posts.clauses import AuthorRow, Clause, Finding, any_hides
from app.posts.facts import Facts
from app.posts.models import Post, PostRow, Viewer
from app.posts.visibility import BUT_DELETED, muted_until, shown_to
from app.social.models import REPOSTS
from app.social.queries import muted_by

HOUR = 60 * 60 * 1000 << SEQUENCE_BITS  # as a distance between ids
REPEAT_HOURS = (12, 72, 1_000_000, 0)  # what readers may choose: the third is longer than anything lasts, 0 shows all
A_YEAR = 365 * 24  # hours from which on it is always

# Aliases keep their own rows inside a statement that selects from the same table.
_Earlier, _Own = aliased(Post), aliased(Post)


def span_of(reader: Reader) -> int:
    """Return how far apart two entries are repeats, as a distance between ids."""
    return min(reader.repeat_hours * HOUR, MAX_ID)


def _reposts_muted(entry: Facts, reader: Reader | None) -> bool:
    return entry.mute == REPOSTS and entry.repost_of_id is not None


def _reposts_muted_sql(viewer: Viewer, entry: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    assert isinstance(viewer, AnyViewer)
    return and_(entry.repost_of_id.is_not(None), muted_by(viewer.id, entry.author_id, REPOSTS))


def _reposts_muted_words(entry: Facts, reader: User) -> Iterator[Finding]:
    if _reposts_muted(entry, reader):
        whose, until = f"muted reposts by @{entry.handle}", muted_until(reader, entry.author_id)
        says = f"@{reader.handle} {whose}{times.ending(until, None)}"
        yield Finding("mute", says, False, f"You’ve {whose}{times.ending(until, zone_of(reader))}.")


REPOSTS_MUTED = Clause("reposts muted", _reposts_muted, _reposts_muted_sql, _reposts_muted_words)
# What lets an entry into a home, repeats left aside.
BELONGS = (REASON, REPLY, REPOSTS_MUTED)


def could_be_in_home_of(viewer: AnyViewer, entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the entries that a home feed is about, seen or not, repeated or not."""
    return and_(*(~clause.sql(viewer, entry, None) for clause in BELONGS))


# ---- Repeats. The oldest wins: a new arrival never changes what is on the page. Decided over all entries, never over
# those at hand. That an entry would be a repeat itself does not matter: what could be in the feed counts.


def first_before(entry: Entry, reader: Reader) -> int | None:
    """Return the entry that makes a repost a repeat, the oldest of several."""
    above = entry.facts.id - span_of(reader)
    post = entry.post
    if post.id > above and not any_hides(BELONGS, post, reader) and not any_hides(BUT_DELETED, post, reader):
        return post.id
    # What others reposted is hidden where one's own repost is to stand for all of them: it must not hide that one.
    if entry.facts.author_id == reader.id and reader.hides_own_reposts:
        return None
    return next((repost.id for repost in entry.reposts if above < repost.id < entry.facts.id), None)


def _is_repeat(entry: Entry, reader: Reader | None) -> bool:
    if not entry.is_repost:
        return False
    assert reader is not None
    return first_before(entry, reader) is not None or _own_stands_for_it(entry, reader)


def _own_stands_for_it(entry: Entry, reader: Reader) -> bool:
    return reader.hides_own_reposts and entry.facts.author_id != reader.id and entry.post.is_reposted


def _is_repeat_sql(viewer: Viewer, entry: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    assert isinstance(viewer, AnyViewer)
    earlier = exists().where(*_is_earlier(viewer, entry))
    own = exists().where(_hides_own_reposts(), _Own.repost_of_id == entry.repost_of_id, _Own.author_id == viewer.id)
    return and_(entry.repost_of_id.is_not(None), or_(earlier, and_(entry.author_id != viewer.id, own)))


def _is_earlier(viewer: AnyViewer, entry: PostRow) -> tuple[ColumnElement[bool], ...]:
    return (
        or_(_Earlier.id == entry.repost_of_id, _Earlier.repost_of_id == entry.repost_of_id),
        _Earlier.id < entry.id,
        _Earlier.id > entry.id - bindparam("repeat_span", type_=BigInteger),
        could_be_in_home_of(viewer, _Earlier),
        shown_to(viewer, _Earlier),
        or_(_Earlier.repost_of_id.is_(None), entry.author_id != viewer.id, ~_hides_own_reposts()),
    )


def _hides_own_reposts() -> BindParameter[bool]:
    return bindparam("hides_own_reposts", type_=Boolean)


def _repeat_words(entry: Entry, reader: User) -> Iterator[Finding]:
    if not entry.is_repost:
        return
    window, earlier_id = _repeat_window(reader), first_before(entry, reader)
    if earlier_id is not None:
        earlier = ids.time_of(earlier_id)
        when = times.in_full(earlier, None)
        says = f"hidden: an earlier entry ({earlier_id}) was in the feed on {when}; repeats are hidden {window}"
        when = times.in_full(earlier, zone_of(reader))
        told = f"This post was already in your feed, on {when}. You chose to hide repeats {window}."
        yield Finding("repeat", says, False, told)
    elif _own_stands_for_it(entry, reader):
        says = f"hidden: @{reader.handle} reposted it, and hides other people's reposts of it"
        told = "You reposted it, and chose to hide other people’s reposts of it."
        yield Finding("repeat", says, False, told)
    else:
        says = f"no earlier entry for this post; repeats are hidden {window}"
        yield Finding("repeat", says if reader.repeat_hours else "the reader hides no repeats", True)


def _repeat_window(reader: User) -> str:
    hours = reader.repeat_hours
    if hours >= A_YEAR:
        return "forever"
    return f"within {hours // 24} days" if hours % 24 == 0 and hours > 24 else f"within {hours} hours"


REPEAT = Clause("repeat", _is_repeat, _is_repeat_sql, _repeat_words)
