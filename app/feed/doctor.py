"""The feed doctor: why a post is or is not in somebody's feed, and whether windows agree with Postgres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from redis import Redis
from sqlalchemy import exists, select

from app.accounts.models import User
from app.activity.models import OutboxRow
from app.core import ids, times
from app.core.redis import RedisAway
from app.extensions import db, redis
from app.feed import building, from_postgres, generation, queries, timeline
from app.feed.fanout import mode_of
from app.feed.models import PUSH
from app.posts.models import Post
from app.posts.queries import visible_to
from app.social.models import Follow
from app.social.queries import relation_to


@dataclass(frozen=True)
class Finding:
    """One rule, and what it says here."""

    rule: str
    says: str
    lets_through: bool | None = None  # None: it explains, it does not decide


@dataclass(frozen=True)
class Explanation:
    """Whether a post is in a feed, and why, rule by rule."""

    is_in: bool
    findings: list[Finding]


def explain(reader: User, post: Post, author: User) -> Explanation:
    """Say in words whether a post is in a reader's home feed, and why."""
    findings = [*_who(reader, author), *_hidden(reader, post, author), *_travel(reader, post, author)]
    in_home = select(exists().where(Post.id == post.id, from_postgres.in_home_of(reader), visible_to(reader)))
    is_in = bool(db.session.scalar(in_home))
    cards, _ = queries.home_page(viewer=reader, before=post.id + 1, size=1)
    shown = bool(cards) and cards[0].id == post.id
    if shown != is_in:
        findings.append(Finding("difference", "the page does not agree with Postgres: this is a fault", False))
    return Explanation(is_in, findings)


def _who(reader: User, author: User) -> Iterator[Finding]:
    if reader.id == author.id:
        yield Finding("who", "it is the reader's own post", True)
        return
    follow = db.session.get(Follow, (reader.id, author.id))
    if follow is None:
        yield Finding("who", f"@{reader.handle} does not follow @{author.handle}", False)
    else:
        since = times.in_full(ids.time_of(follow.id))
        yield Finding("who", f"@{reader.handle} follows @{author.handle} since {since}", True)


def _hidden(reader: User, post: Post, author: User) -> Iterator[Finding]:
    relation = relation_to(author, viewer=reader)
    rules = [
        ("deleted", post.deleted_at is not None, "the post was deleted"),
        ("account", author.deleted_at is not None, f"the account of @{author.handle} was deleted"),
        ("block", relation.blocks, f"@{reader.handle} blocks @{author.handle}"),
        ("block", relation.blocked_by, f"@{author.handle} blocks @{reader.handle}"),
        ("mute", relation.mutes, f"@{reader.handle} mutes @{author.handle}"),
    ]
    hiding = [Finding(rule, words, False) for rule, holds, words in rules if holds]
    yield from hiding or [Finding("filters", "nothing hides it", True)]


def _travel(reader: User, post: Post, author: User) -> Iterator[Finding]:
    mode = mode_of(author.id)
    words = "pushed into followers' homes" if mode == PUSH else "merged from the author's window when somebody reads"
    yield Finding("mode", f"@{author.handle} is {mode}: {words}")
    row = select(OutboxRow).where(OutboxRow.job == queries.FAN_OUT, OutboxRow.subject_id == post.id)
    if db.session.scalars(row).first():
        yield Finding("fan-out", "still open: merged from the outbox until a worker has pushed it")
    try:
        yield redis.uninterrupted(lambda client: _in_window(client, reader, post))
    except RedisAway:
        yield Finding("window", "Redis is away: the feed comes from Postgres")


def _in_window(client: Redis, reader: User, post: Post) -> Finding:
    [members] = timeline.send(client, [timeline.read_home(generation.current(), reader.id, before=None)])
    window = timeline.window_in(members)
    if window is None:
        return Finding("window", "the home is cold or being built: the feed comes from Postgres")
    if post.id in window.ids:
        return Finding("window", "in the reader's home window in Redis")
    if post.id < window.floor:
        return Finding("window", f"below the window, whose floor is {window.floor}: it comes from Postgres")
    return Finding("window", "not in the reader's home window in Redis")


def difference(reader: User) -> list[str]:
    """Compare a reader's whole feed, page by page, and their window with Postgres; return what differs, in words."""
    found = []
    before: int | None = None
    while True:
        cards, next_before = queries.home_page(viewer=reader, before=before, size=100)
        oracle = from_postgres.cards(reader, before, 100)
        got, want = [card.id for card in cards], [card.id for card in oracle]
        if got != want:
            missing, too_many = sorted(set(want) - set(got)), sorted(set(got) - set(want))
            found.append(f"@{reader.handle}: missing {missing}, too many {too_many}")
        if next_before is None:
            return found
        before = next_before


def rebuild(reader: User) -> bool:
    """Throw a reader's home away and build it anew; False if somebody else is building it."""

    token = timeline.new_token()

    def anew(client: Redis) -> bool:
        now = generation.current()
        client.delete(timeline.home_key(now, reader.id))
        claims = building.claim(client, now, token, home_of=reader.id, authors=[])
        building.build(client, claims)
        return bool(claims)

    return redis.uninterrupted(anew)
