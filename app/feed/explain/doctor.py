"""The feed doctor: why a post is or is not in a reader's feed, and whether windows agree with Postgres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from redis import Redis
from sqlalchemy import select

from app.accounts.models import User
from app.core.redis import RedisAway
from app.extensions import db, redis
from app.feed.explain.findings import Explanation, explain_entry
from app.feed.home import from_postgres
from app.feed.home import page as home
from app.feed.models import PUSH
from app.feed.timelines import build, generation, transport
from app.feed.timelines import keys as timeline
from app.feed.timelines.fanout import mode_of
from app.outbox import names
from app.outbox.models import OutboxRow
from app.posts.clauses import Finding
from app.posts.models import Post


def explain(reader: User, entry: Post) -> Explanation:
    """Say in words whether an entry is in a reader's home feed, and why, and compare facts, SQL and page."""
    explained = explain_entry(entry.id, reader)
    findings = [*explained.findings, *_travel(reader, entry, explained.entry.facts.handle)]
    cards, _ = home.home_page(viewer=reader, before=entry.id + 1, size=1)
    in_page = bool(cards) and cards[0].entry_id == entry.id
    in_postgres = from_postgres.ids_below(reader, before=entry.id + 1, size=1) == [entry.id]
    if not in_page == in_postgres == explained.is_in:
        says = f"facts say {explained.is_in}, Postgres {in_postgres}, the page {in_page}: this is a fault"
        findings.append(Finding("difference", says, False))
    return replace(explained, findings=findings)


def _travel(reader: User, post: Post, handle: str) -> Iterator[Finding]:
    mode = mode_of(post.author_id)
    words = "pushed into followers' homes" if mode == PUSH else "merged from the author's window when somebody reads"
    yield Finding("mode", f"@{handle} is {mode}: {words}")
    row = select(OutboxRow).where(OutboxRow.job == names.FAN_OUT_POST, OutboxRow.subject_id == post.id)
    if db.session.scalars(row).first():
        yield Finding("fan-out", "still open: merged from the outbox until a worker has pushed it")
    try:
        yield redis.uninterrupted(lambda client: _in_window(client, reader, post))
    except RedisAway:
        yield Finding("window", "Redis is away: the feed comes from Postgres")


def _in_window(client: Redis, reader: User, post: Post) -> Finding:
    [members] = transport.send(client, [timeline.read_whole_home(generation.current(), reader.id)])
    window = timeline.window_in(members)
    if window is None:
        return Finding("window", "the home is cold or being built: the feed comes from Postgres")
    if post.id in window.ids:
        return Finding("window", "in the reader's home window in Redis")
    if post.id < window.floor:
        return Finding("window", f"below the window, whose floor is {window.floor}: it comes from Postgres")
    return Finding("window", "not in the reader's home window in Redis")


def difference(reader: User) -> list[str]:
    """Compare a reader's whole feed, page by page, decided over facts, with what SQL selects; return what differs."""
    found = []
    before: int | None = None
    while True:
        cards, next_before = home.home_page(viewer=reader, before=before, size=100)
        got, want = [card.entry_id for card in cards], from_postgres.ids_below(reader, before=before, size=100)
        if got != want:
            missing, too_many = sorted(set(want) - set(got)), sorted(set(got) - set(want))
            found.append(f"@{reader.handle}: missing {missing}, too many {too_many}")
        if next_before is None:
            return found
        before = next_before


def rebuild(reader: User) -> bool:
    """Throw a reader's home away and build it anew; False if another process is building it."""

    token = timeline.new_token()

    def anew(client: Redis) -> bool:
        now = generation.current()
        client.delete(timeline.home_key(now, reader.id))
        claims = build.claim(client, now, token, home_of=reader.id, sources=[])
        build.build(client, claims)
        return bool(claims)

    return redis.uninterrupted(anew)
