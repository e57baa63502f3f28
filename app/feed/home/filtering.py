"""Which candidates belong into a home, and their cards: facts from Postgres at every read, decided by the clauses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Integer,
    Select,
    Text,
    and_,
    any_,
    bindparam,
    cast,
    column,
    func,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import array
from sqlalchemy.orm import aliased
from werkzeug.exceptions import Gone

from app.accounts.models import User
from app.accounts.reader import Reader
from app.core.statements import AnyViewer, Compiled, as_array, is_one_of
from app.feed.home.first_chunk import first_chunks
from app.feed.rules.entries import Entry, Repost
from app.feed.rules.home import belongs, in_home_of, is_news, values_of
from app.feed.rules.repeat import REPEAT, REPOSTS_MUTED, span_of
from app.posts.cards.cards import PostCard, Reposter, make_card
from app.posts.cards.reading import facts_along, quoted_in, related_to, unwanted_quote_in
from app.posts.facts import Facts, facts_about
from app.posts.models import Post
from app.posts.moderated import LIMITED
from app.posts.visibility import AUDIENCE, CLAUSES, DELETED, FILTER, PRIVATE, none_hides
from app.social.models import WITH_REPOSTS, Follow

CHUNKS = (28, 56, 112)  # candidates that are decided over facts; beyond them Postgres decides over the rest at once
COUNTED_REPOSTS = 100

_Repost, _Reposter, _Follow = aliased(Post), aliased(User), aliased(Follow)


@dataclass(frozen=True)
class Filtered:
    """Entries of a home, in the order of the candidates, and the facts that their cards are made of."""

    entries: Sequence[Entry]
    known: Mapping[int, Facts]

    def cards(self, reader: Reader) -> list[PostCard]:
        return [_card(entry, self.known, reader) for entry in self.entries]


def filter_home(
    candidates: Sequence[int], reader: Reader, *, size: int, without_filter: int = 0, upwards: bool = False
) -> Filtered:
    """Return the first of the candidates that belong into a reader's home, up to `size`.

    They are given newest first or, where the feed is read upwards, oldest first.
    """
    entries: list[Entry] = []
    known: dict[int, Facts] = {}
    rest = iter(candidates)
    for chunk_size in (first_chunks.size(reader.id, size, most=CHUNKS[0]), *CHUNKS[1:]):
        chunk = list(islice(rest, chunk_size))
        if not chunk or len(entries) >= size:
            break
        _decide(chunk, reader, entries, known, without_filter)
    ids = list(rest)
    while ids and len(entries) < size:
        wanted = size - len(entries)
        asked = {**values_of(reader), "ids": as_array(ids), "size": wanted, "without_filter": without_filter}
        if found := [row[0] for row in (_oldest_in_home_among if upwards else _in_home_among).rows(**asked)]:
            _decide(found, reader, entries, known, without_filter)
        # Some of them may be hidden by now, as after an unfollow in between; the others are still candidates.
        ids = ids[ids.index(found[-1]) + 1 :] if len(found) == wanted else []
    if len(entries) >= size > 0:
        first_chunks.note(reader.id, size, taken=candidates.index(entries[size - 1].facts.id) + 1)
    return Filtered(entries[:size], known)


def read_entry(entry_id: int, reader: Reader) -> Entry:
    """Return all that the clauses may ask about one entry, in a home or not."""
    facts = _facts_of(entry_id, reader)
    post = facts if facts.repost_of_id is None else _facts_of(facts.repost_of_id, reader)
    reposts = _reposts_of([post.id], reader)[post.id]
    if len(reposts) == COUNTED_REPOSTS:  # what makes this one a repeat may be among those that were not read
        above = max(reposts[-1].id, facts.id - span_of(reader))
        reposts += _reposts_of([post.id], reader, above=above)[post.id][:1]
    return Entry(facts, post, reposts)


def _facts_of(post_id: int, reader: Reader) -> Facts:
    """Return the facts about a post that was just found. It may have gone since: then this is a 410."""
    found = facts_about([post_id], viewer=reader).get(post_id)
    if found is None:
        raise Gone("This post was deleted by its author.")
    return found


def reposters_of(entry: Entry, reader: Reader) -> list[Reposter]:
    """Return who reposted a post: who brought this entry, the reader without a handle, the others, the oldest first.

    The reader before the others: those who are counted and not named are others that the reader follows.
    """
    facts = entry.facts
    by = [each for each in entry.reposts if each.id != facts.id]
    by.sort(key=lambda each: each.author_id != reader.id)
    if entry.is_repost:
        by.insert(0, Repost(entry.post.id, facts.id, facts.author_id, facts.handle, facts.name))
    return [Reposter(None if each.author_id == reader.id else each.handle, each.name) for each in by]


def _decide(
    ids: Sequence[int], reader: Reader, entries: list[Entry], known: dict[int, Facts], without_filter: int
) -> None:
    """Add those of the ids that belong into a home to `entries`, and what was read about them to `known`."""
    facts = facts_along(ids, viewer=reader, without_filter=without_filter)
    likely = [facts[each] for each in ids if each in facts and belongs(facts[each], reader)]
    known |= facts
    known |= related_to(likely, known, viewer=reader, without_filter=without_filter)
    shown = [(each, post) for each in likely if (post := known.get(each.repost_of_id or each.id))]
    reposts = _reposts_of({post.id for _, post in shown if post.all_reposts}, reader)
    whole = [Entry(each, post, reposts.get(post.id, ())) for each, post in shown]
    in_doubt = [entry.facts.id for entry in whole if entry.is_repost and len(entry.reposts) == COUNTED_REPOSTS]
    repeats = {row[0] for row in _repeats_among.rows(**values_of(reader), ids=as_array(in_doubt))} if in_doubt else ()
    entries += [entry for entry in whole if entry.facts.id not in repeats and is_news(entry, reader)]


def _card(entry: Entry, known: Mapping[int, Facts], reader: Reader) -> PostCard:
    post = entry.post
    return make_card(
        post,
        entry_id=entry.facts.id,
        collapsed=post.collapsing_phrase,
        quoted=quoted_in(post, known, reader),
        unwanted_quote=unwanted_quote_in(post, known, reader),
        reposters=reposters_of(entry, reader) if entry.reposts or entry.is_repost else (),
    )


def _reposts_of(post_ids: Iterable[int], reader: Reader, *, above: int = 0) -> defaultdict[int, list[Repost]]:
    """Return the reposts of posts that could be in a reader's home, the oldest first, up to a hundred of each."""
    reposts: defaultdict[int, list[Repost]] = defaultdict(list)
    if ids := list(post_ids):
        for repost in _wanted_reposts.rows_as(Repost, viewer_id=reader.id, posts=as_array(ids), above=above):
            reposts[repost.post_id].append(repost)
    return reposts


@Compiled
def _wanted_reposts() -> Select[int, int, int, str, str]:
    viewer = AnyViewer()
    ids = cast(bindparam("posts", type_=Text), ARRAY(BigInteger))
    posts = func.unnest(ids).table_valued(column("id", BigInteger), name="wanted").render_derived()
    of_post = select(_Repost.id, _Repost.author_id).where(_Repost.repost_of_id == posts.c.id, _is_wanted(viewer))
    of_post = of_post.where(_Repost.id > bindparam("above", type_=BigInteger))
    some = of_post.order_by(_Repost.id).limit(COUNTED_REPOSTS).correlate(posts).lateral("some")
    return (
        select(posts.c.id.label("post_id"), some.c.id, some.c.author_id, _Reposter.handle, _Reposter.name)
        .select_from(posts)
        .join(some, true())
        .join(_Reposter, _Reposter.id == some.c.author_id)
        .order_by(some.c.id)
    )


def _is_wanted(viewer: AnyViewer) -> ColumnElement[bool]:
    """Hold for the reposts that a reader could have in their home.

    A repost is bare: it has no words to filter and no audience; private and limited accounts are open to followers.
    """
    clauses = [clause for clause in CLAUSES if clause not in (DELETED, AUDIENCE, PRIVATE, LIMITED, FILTER)]
    follow = select(_Follow.volume).where(_Follow.follower_id == viewer.id, _Follow.followed_id == _Repost.author_id)
    # Not EXISTS, which Postgres would answer by reading all follows of the viewer into a table first.
    volume = follow.limit(1).correlate(_Repost).scalar_subquery()
    wants = and_(volume == any_(array(WITH_REPOSTS)), ~REPOSTS_MUTED.sql(viewer, _Repost, None))
    return or_(_Repost.author_id == viewer.id, and_(wants, none_hides(clauses, viewer, _Repost)))


@Compiled
def _in_home_among() -> Select[int]:
    """Select the entries of a home among many candidates."""
    return _select_in_home().order_by(Post.id.desc()).limit(bindparam("size", type_=Integer))


@Compiled
def _oldest_in_home_among() -> Select[int]:
    """Select the same, the oldest first."""
    return _select_in_home().order_by(Post.id).limit(bindparam("size", type_=Integer))


def _select_in_home() -> Select[int]:
    return select(Post.id).where(is_one_of(Post.id, bindparam("ids", type_=Text)), in_home_of(AnyViewer()))


@Compiled
def _repeats_among() -> Select[int]:
    """Select the repeats among reposts of posts that more accounts reposted than are read."""
    found = is_one_of(Post.id, bindparam("ids", type_=Text))
    return select(Post.id).where(found, REPEAT.sql(AnyViewer(), Post, None))
