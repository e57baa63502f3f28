"""The feed doctor: why a post is or is not in somebody's feed, and whether windows agree with Postgres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from redis import Redis
from sqlalchemy import select

from app.accounts.models import User
from app.core.redis import RedisAway
from app.extensions import db, redis
from app.feed.explain import facts, wording
from app.feed.explain.facts import Finding
from app.feed.home import from_postgres
from app.feed.home import page as home
from app.feed.models import PUSH
from app.feed.timelines import build, generation, transport
from app.feed.timelines import keys as timeline
from app.feed.timelines.fanout import mode_of
from app.outbox import names
from app.outbox.models import OutboxRow
from app.posts.models import Post


@dataclass(frozen=True)
class Explanation:
    """Whether a post is in a feed, and why, rule by rule."""

    is_in: bool
    findings: list[Finding]


def explain(reader: User, entry: Post) -> Explanation:
    """Say in words whether an entry is in a reader's home feed, and why."""
    asked = facts.question(reader, entry)
    found = facts.verdicts(asked)
    findings = [*wording.findings(asked, found), *_travel(reader, entry, asked.by)]
    cards, _ = home.home_page(viewer=reader, before=entry.id + 1, size=1)
    shown = bool(cards) and cards[0].entry_id == entry.id
    if shown != found.is_in:
        findings.append(Finding("difference", "the page does not agree with Postgres: this is a fault", False))
    return Explanation(found.is_in, findings)


def _travel(reader: User, post: Post, author: User) -> Iterator[Finding]:
    mode = mode_of(author.id)
    words = "pushed into followers' homes" if mode == PUSH else "merged from the author's window when somebody reads"
    yield Finding("mode", f"@{author.handle} is {mode}: {words}")
    row = select(OutboxRow).where(OutboxRow.job == names.FAN_OUT_POST, OutboxRow.subject_id == post.id)
    if db.session.scalars(row).first():
        yield Finding("fan-out", "still open: merged from the outbox until a worker has pushed it")
    try:
        yield redis.uninterrupted(lambda client: _in_window(client, reader, post))
    except RedisAway:
        yield Finding("window", "Redis is away: the feed comes from Postgres")


def _in_window(client: Redis, reader: User, post: Post) -> Finding:
    [members] = transport.send(client, [timeline.read_home(generation.current(), reader.id, before=None)])
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
        cards, next_before = home.home_page(viewer=reader, before=before, size=100)
        oracle = from_postgres.cards(reader, before, 100)
        got, want = [card.entry_id for card in cards], [card.entry_id for card in oracle]
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
        claims = build.claim(client, now, token, home_of=reader.id, sources=[])
        build.build(client, claims)
        return bool(claims)

    return redis.uninterrupted(anew)
