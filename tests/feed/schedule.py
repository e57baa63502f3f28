"""Play the feed engine step by step: transactions held open, builders that stand still, walks, Redis with old data.

Nothing of the engine is replaced. A step is forced by letting a thread wait before or after a function of the engine.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import wraps
from types import ModuleType
from typing import Any, TypeVar

import pytest
from flask import Flask
from redis import Redis
from sqlalchemy import select, text, update
from sqlalchemy.orm import joinedload

from app.accounts.models import User
from app.accounts.operations import sign_up
from app.core import clock
from app.core.database import read_only
from app.core.ids import EPOCH, SEQUENCE_BITS
from app.core.redis import RedisGate
from app.extensions import db, redis
from app.feed.home import from_postgres, new_posts, sources, upwards
from app.feed.home import page as home
from app.feed.home.new_posts import Since
from app.feed.timelines import build, fanout, generation, modes, transport
from app.feed.timelines import keys as timeline
from app.moderation.actions import operations as moderation
from app.moderation.actions.models import ModerationAction
from app.outbox import names
from app.outbox.models import OutboxRow
from app.outbox.running import run_now, run_row
from app.posts.cards.cards import PostCard
from app.posts.deleting import operations as deleting
from app.posts.filters import operations as filters
from app.posts.models import EVERYONE, HIDE, Post
from app.posts.reactions import operations as reactions
from app.posts.streams.rendering import Stream, in_conversations
from app.posts.tags import operations as tags
from app.posts.threads import muting
from app.posts.writing import operations as posts
from app.runtime.servers import EphemeralServers
from app.social import operations as social
from app.web.paging import Page as WebPage
from tests.kept import bring_back
from tests.outbox import drain
from tests.people import PASSWORD, Member

T = TypeVar("T")
PATIENCE = 30.0  # the machine may be busy; a schedule that hangs fails all the same
SIZES = (1, 2, 20)
FLOOR, MARKER = "floor", "marker"
Page = tuple[list[int], int | None]


@dataclass(frozen=True)
class Place:
    """A function of the engine: a thread stands still before it is called, or when it has returned."""

    module: ModuleType
    name: str
    after: bool = False


BEFORE_FOLLOW = Place(social, "follow")
AFTER_INSERT = Place(posts, "publish_post", after=True)  # the id is drawn, the transaction is open
AFTER_FOLLOW = Place(social, "follow", after=True)  # the row is written, the transaction is open
AFTER_SOURCES = Place(sources, "read_sources", after=True)
AFTER_REDIS = Place(transport, "send", after=True)
BEFORE_REDIS = Place(transport, "send")  # a job has what it needs of Postgres and has written nothing
BEFORE_CLAIM = Place(build, "claim")
AFTER_CLAIM = Place(build, "claim", after=True)
AFTER_SNAPSHOT = Place(timeline, "fill")  # the builder has its rows and has not filled them in
AFTER_PLAN = Place(fanout, "plan", after=True)  # a fan-out knows mode and followers and has pushed nothing


class Killed(BaseException):
    """What a killed process leaves behind: its transaction is rolled back, and it handles nothing any more."""


class Actor:
    """A call in a thread of its own that stands still at places, until it is let on."""

    def __init__(self, call: Callable[[], Any], places: Sequence[Place], monkeypatch: pytest.MonkeyPatch) -> None:
        self.returned: Any = None  # by the function at whose end it stands
        self._call, self._places = call, deque(places)
        self._result: Any = None
        self._error: BaseException | None = None
        self._stopped, self._let_on = threading.Semaphore(0), threading.Semaphore(0)
        self.has_ended = self._is_killed = False
        for place in dict.fromkeys(places):
            monkeypatch.setattr(place.module, place.name, self._halting(place))
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._wait()
        assert not (places and self.has_ended), f"it ended before it came to {places[0].name}"

    def _halting(self, place: Place) -> Callable[..., Any]:
        original = getattr(place.module, place.name)

        @wraps(original)
        def halting(*args: Any, **kwargs: Any) -> Any:
            ours = threading.current_thread() is self._thread
            if not (ours and self._places and self._places[0] == place):
                return original(*args, **kwargs)
            self._places.popleft()
            if not place.after:
                self._stand_still()
                return original(*args, **kwargs)
            self.returned = original(*args, **kwargs)
            self._stand_still()
            return self.returned

        return halting

    def _stand_still(self) -> None:
        self._stopped.release()
        assert self._let_on.acquire(timeout=PATIENCE)
        if self._is_killed:
            raise Killed

    def _run(self) -> None:
        try:
            self._result = self._call()
        except Killed:
            pass
        except BaseException as error:
            self._error = error
        self.has_ended = True
        self._stopped.release()

    def _wait(self) -> None:
        assert self._stopped.acquire(timeout=PATIENCE), "it neither came to its next place nor to its end"
        if self._error is not None:
            raise self._error

    def go_on(self) -> Any:
        """Let it run to its next place or to its end; return its result at the end."""
        assert not self.has_ended, "it has ended already"
        self._let_on.release()
        self._wait()
        return self._result

    def finish(self) -> Any:
        """Let it run to its end and return its result."""
        self._places.clear()
        return self._result if self.has_ended else self.go_on()

    def kill(self) -> None:
        """End it where it stands, as kill -9 would."""
        self._is_killed = True
        self.go_on()


@dataclass
class Stage:
    """A small site on which people act one step at a time. Rows stay open until somebody runs them."""

    app: Flask
    monkeypatch: pytest.MonkeyPatch
    servers: EphemeralServers
    actors: list[Actor] = field(default_factory=list)
    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(4))
    offset: timedelta = timedelta(0)
    is_empty: bool = False

    # ---- people

    def begin(self, key: Hashable, make: Callable[[], T]) -> T:
        """Begin with what `make` makes of the empty stage; it is brought back if another test has begun with it."""
        assert self.is_empty, "something has happened already"
        self.is_empty = False
        return bring_back(self.app, ("stage", key), make)

    def people(self, *handles: str) -> list[int]:
        """Sign people up."""
        if self.is_empty:
            return self.begin(("people", handles), lambda: self.people(*handles))
        with self.app.app_context():
            users = [
                sign_up(handle=handle, name=handle, email=f"{handle}@example.org", password=PASSWORD)
                for handle in handles
            ]
            db.session.commit()
            return [user.id for user in users]

    def post(
        self,
        author: int,
        text: str = "something",
        *,
        audience: str = EVERYONE,
        reply_to: int | None = None,
        quote_of: int | None = None,
    ) -> int:
        with self.app.app_context():
            by = db.session.get_one(User, author)
            answered, quoted = _post(reply_to), _post(quote_of)
            post_id: int = posts.publish_post(
                text, by=by, longest=500, audience=audience, reply_to=answered, quote_of=quoted
            )
            db.session.commit()
            return post_id

    def edit(self, post_id: int, text: str) -> None:
        with self.app.app_context():
            post = db.session.get_one(Post, post_id)
            posts.edit_post(post, text, by=db.session.get_one(User, post.author_id), longest=500)
            db.session.commit()

    def delete(self, post_id: int) -> None:
        with self.app.app_context():
            post = db.session.get_one(Post, post_id)
            deleting.delete_post(post, by=db.session.get_one(User, post.author_id))
            db.session.commit()

    def react(self, what: str, who: int, post_id: int) -> int | None:
        """Like, repost or mute the conversation of a post, or undo it; return the id of the repost, if there is one."""
        with self.app.app_context():
            by = db.session.get_one(User, who)
            undoes = what in {"unlike", "undo_repost"}
            operation = getattr(muting if "conversation" in what else reactions, what)
            operation(post_id if undoes else _post(post_id), by=by)
            db.session.commit()
            theirs = select(Post.id).where(Post.repost_of_id == post_id, Post.author_id == who)
            return db.session.scalar(theirs)

    def choose(self, reader: int, **choices: Any) -> None:
        """Change the settings of a reader."""
        with self.app.app_context():
            for name, value in choices.items():
                setattr(db.session.get_one(User, reader), name, value)
            db.session.commit()

    def set_private(self, user: int, is_private: bool) -> None:
        with self.app.app_context():
            social.set_private(db.session.get_one(User, user), is_private)
            db.session.commit()

    def follow_tag(self, reader: int, tag: str, *, undo: bool = False) -> None:
        with self.app.app_context():
            (tags.unfollow_tag if undo else tags.follow_tag)(tag, by=db.session.get_one(User, reader))
            db.session.commit()

    def hide(self, reader: int, phrase: str, *, is_whole_word: bool = False, until: datetime | None = None) -> int:
        """Hide posts with a phrase; return the id of the filter."""
        with self.app.app_context():
            by = db.session.get_one(User, reader)
            filter_id = filters.add_filter(phrase, by=by, action=HIDE, is_whole_word=is_whole_word, until=until)
            db.session.commit()
            return filter_id

    def remove_filter(self, reader: int, filter_id: int) -> None:
        with self.app.app_context():
            filters.remove_filter(filter_id, by=db.session.get_one(User, reader))
            db.session.commit()

    def relate(self, what: str, who: int, whom: int, **how: Any) -> None:
        """Follow, unfollow, mute, unmute, block or unblock, and commit; so, too, what is done about requests."""
        with self.app.app_context():
            getattr(social, what)(db.session.get_one(User, whom), by=db.session.get_one(User, who), **how)
            db.session.commit()

    def set_volume(self, who: int, whom: int, volume: str) -> None:
        self.relate("set_volume", who, whom, volume=volume)

    # ---- those who run the site

    def moderate(self, by: int, action: str, *, post: int | None = None, person: int = 0, hours: int | None) -> int:
        """Act on a post or a person, and return which action it was."""
        until = None if hours is None else self.now() + timedelta(hours=hours)
        with self.app.app_context():
            acting, why = db.session.get_one(User, by), "the rules"
            if post is None:
                taken = moderation.act_on_person(
                    db.session.get_one(User, person), action, by=acting, reason=why, until=until
                )
            else:
                taken = moderation.act_on_post(
                    db.session.get_one(Post, post), action, by=acting, reason=why, until=until
                )
            db.session.commit()
            return taken.id

    def undo(self, action_id: int, *, by: int) -> None:
        with self.app.app_context():
            action = db.session.get_one(ModerationAction, action_id)
            moderation.undo_action(action, by=db.session.get_one(User, by))
            db.session.commit()

    def note_ends(self) -> None:
        """Note what has ended by itself, as a recurring task does."""
        with self.app.app_context():
            moderation.end_what_is_over()
            db.session.commit()

    # ---- time

    def let_pass(self, span: timedelta) -> None:
        """Let time pass: for our clock and for the ids, which are drawn from the database's.

        Ids never go backwards: a sequence that is ahead of the clock goes on from where it is.
        """
        self.offset += span
        ahead = (int(span / timedelta(milliseconds=1))) << SEQUENCE_BITS
        with self.app.app_context():
            there = "GREATEST(last_value, ((extract(epoch FROM clock_timestamp() - :epoch) * 1000)::bigint << 12))"
            move = text(f"SELECT setval('id_sequence', {there} + :ahead) FROM id_sequence")
            db.session.execute(move, {"epoch": EPOCH, "ahead": ahead})
            db.session.commit()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.offset

    def follow(self, who: int, *whom: int) -> None:
        """Follow and backfill, as the route does."""
        for each in whom:
            self.relate("follow", who, each)
            with self.app.app_context():
                run_now(names.BACKFILL_FOLLOW, actor_id=who)

    def promote(self, author: int) -> None:
        with self.app.app_context():
            modes.promote(author)
            db.session.commit()

    def demote(self, author: int) -> None:
        with self.app.app_context():
            modes.demote(author)
            db.session.commit()

    def mode(self, author: int) -> str:
        with self.app.app_context():
            return fanout.mode_of(author)

    # ---- steps

    def window(self, cap: int) -> None:
        """Set how many entries a window holds."""
        self.monkeypatch.setitem(self.app.config, "FEED_WINDOW", cap)

    def start(self, call: Callable[[], Any], *places: Place) -> Actor:
        """Start a call in a thread of its own and wait until it stands at its first place."""
        self.actors.append(Actor(call, places, self.monkeypatch))
        return self.actors[-1]

    def background(self, call: Callable[[], Any]) -> Future[Any]:
        """Start a call that may have to wait for a lock."""
        return self.pool.submit(call)

    def rows(self, job: str, subject_id: int) -> list[int]:
        with self.app.app_context():
            rows = select(OutboxRow.id).where(OutboxRow.job == job, OutboxRow.subject_id == subject_id)
            return list(db.session.scalars(rows.order_by(OutboxRow.id)))

    def run(self, row_id: int) -> None:
        """Do one slice of an outbox row, as a worker would."""
        with self.app.app_context():
            run_row(row_id)

    def fan_out(self, post_id: int) -> None:
        """Do the fan-out of a post, all its slices."""
        while rows := self.rows(names.FAN_OUT_POST, post_id):
            self.run(rows[0])

    def reset(self) -> None:
        """Draw a new generation, as `flask feed reset` does."""
        with self.app.app_context():
            generation.draw()
            db.session.commit()

    def work(self) -> None:
        """Do all open work, what had found Redis away included."""
        with self.app.app_context():
            away = update(OutboxRow).where(OutboxRow.last_error.startswith("RedisAway"))
            db.session.execute(away.values(attempts=0))
            db.session.commit()
        drain(self.app)

    def rest(self) -> None:
        """Let everybody who stands still go on, and do all open work."""
        for actor in self.actors:
            actor.finish()
        self.work()

    # ---- Redis

    def raw(self) -> Redis:
        """Return a connection that goes past the engine."""
        return Redis.from_url(self.app.config["REDIS_URL"])

    def home_key(self, user_id: int) -> str:
        with self.app.app_context():
            return timeline.home_key(generation.current(), user_id)

    def author_key(self, user_id: int) -> str:
        with self.app.app_context():
            return timeline.source_key(generation.current(), user_id)

    def held(self, key: str) -> list[int | str] | None:
        """Return what a timeline holds, newest first; None if it is cold."""
        members = [str(member, "ascii") for member in self.raw().zrange(key, 0, -1) if isinstance(member, bytes)]
        return [
            MARKER if member.startswith("m") else FLOOR if member == "0" else int(member) for member in members
        ] or None

    def home(self, user_id: int) -> list[int | str] | None:
        return self.held(self.home_key(user_id))

    def tag_key(self, tag: str) -> str:
        with self.app.app_context():
            return timeline.source_key(generation.current(), tag)

    def author_window(self, user_id: int) -> list[int | str] | None:
        return self.held(self.author_key(user_id))

    def versions_key(self) -> str:
        with self.app.app_context():
            return timeline.versions_key(generation.current())

    def drop(self, key: str) -> None:
        """Let a timeline expire."""
        self.raw().delete(key)

    def save(self) -> dict[bytes, bytes]:
        """Take a snapshot of the timelines, as Redis would on its disk."""
        raw = self.raw()
        keys = [
            key for pattern in ("home:*", "author*", "tag:*", "source_versions:*") for key in raw.scan_iter(pattern)
        ]
        return {key: dump for key in keys if (dump := raw.dump(key))}

    def restart_redis(self, saved: dict[bytes, bytes]) -> None:
        """End Redis and start it from a snapshot: another run id, old timelines."""
        self.servers.valkey.kill()
        self.servers.valkey.start()
        raw = self.raw()
        for key, dump in saved.items():
            raw.restore(key, 0, dump, replace=True)  # a reader that was faster may have claimed a key of before

    def reconnect(self) -> None:
        """Begin with a new connection, whatever the breaker says."""
        redis.init_app(self.app)
        with self.app.app_context(), redis.client() as client:
            client.ping()

    def another_process(self) -> RedisGate:
        """Return a gate to Redis with connections of its own."""
        gate = RedisGate()
        gate.on_run_id(generation.see_run_id)
        gate.init_app(self.app)
        return gate

    # ---- reading

    def page(self, reader: int, before: int | None = None, size: int = 20) -> Page:
        with self.reading():
            return _page(db.session.get_one(User, reader), before, size)

    def pages(self, reader: int, size: int, before: int | None = None) -> list[list[int]]:
        """Return all pages of a feed."""
        found: list[list[int]] = []
        with self.reading():
            viewer = db.session.get_one(User, reader)
            while not found or before is not None:
                ids, before = _page(viewer, before, size)
                found.append(ids)
        return found

    def pages_above(self, reader: int, size: int, above: int = 0) -> list[list[int]]:
        """Return all pages of a feed as they are read forward in time, each newest first."""
        found: list[list[int]] = []
        place: int | None = above
        with self.reading():
            viewer = db.session.get_one(User, reader)
            while place is not None:
                cards, place = upwards.home_page_above(viewer=viewer, above=place, size=size)
                found.append([card.entry_id for card in cards])
        return found

    def conversations(self, reader: int, size: int, *, is_upwards: bool) -> list[Stream]:
        """Return all pages of a feed with conversations in one piece, from its top or from its end."""
        found: list[Stream] = []
        place: int | None = 0 if is_upwards else None
        with self.reading():
            viewer = db.session.get_one(User, reader)
            while not found or place is not None:
                if is_upwards:
                    cards, place = upwards.home_page_above(viewer=viewer, above=place or 0, size=size)
                else:
                    cards, place = home.home_page(viewer=viewer, before=place, size=size)
                found.append(in_conversations(WebPage(cards, None, is_first=True), viewer=viewer))
        return found

    def new_ids(self, reader: int, since: Since) -> list[int]:
        """Return what the pill counts."""
        with self.reading():
            return new_posts.new_ids(db.session.get_one(User, reader), since)

    def cards(self, reader: int) -> list[PostCard]:
        """Return the first page of a feed as cards."""
        with self.reading():
            return list(home.home_page(viewer=db.session.get_one(User, reader), before=None)[0])

    def reading(self) -> AbstractContextManager[object]:
        """Read as a page does: without transactions, by statements that Postgres has prepared."""
        stack = ExitStack()
        stack.enter_context(self.app.test_request_context("/"))
        stack.enter_context(read_only())
        return stack

    def oracle(self, reader: int) -> list[int]:
        """Return the whole feed as Postgres has it."""
        with self.reading():
            return from_postgres.ids_below(db.session.get_one(User, reader), before=None, size=1_000)

    def warm(self, *readers: int) -> None:
        """Let people read, so that their homes and what they merge are built."""
        for reader in readers:
            self.page(reader)
            held = self.home(reader)
            assert held is not None and MARKER not in held

    def check(self, *readers: int) -> None:
        """Compare every page of the feeds, in pages of one, two and twenty, with Postgres."""
        for reader in readers:
            feed = self.oracle(reader)
            for size in SIZES:
                want = [feed[start : start + size] for start in range(0, len(feed), size)] or [[]]
                assert self.pages(reader, size) == want, f"the home holds {self.home(reader)}"
                forward = feed[::-1]
                want = [forward[start : start + size][::-1] for start in range(0, len(feed), size)] or [[]]
                assert self.pages_above(reader, size) == want, f"the home holds {self.home(reader)}"

    def check_at_rest(self, *readers: int) -> None:
        self.rest()
        self.check(*readers)


def viewer(user_id: int) -> User:
    """Return a reader, inside of a context."""
    return db.session.get_one(User, user_id)


def _post(post_id: int | None) -> Post | None:
    """Return a post with its author, as a loader does."""
    return None if post_id is None else db.session.get_one(Post, post_id, options=[joinedload(Post.author)])


def _page(viewer: User, before: int | None, size: int) -> Page:
    cards, next_before = home.home_page(viewer=viewer, before=before, size=size)
    return [card.entry_id for card in cards], next_before


class Walk:
    """A reader who pages to the end. Whatever was there all the time is seen, once and in order (F4)."""

    def __init__(self, stage: Stage, reader: int, size: int = 1) -> None:
        self.stage, self.reader, self.size = stage, reader, size
        self.there = set(stage.oracle(reader))
        self.seen: list[int] = []
        self.before: int | None = None
        self.has_ended = False

    def page(self) -> None:
        ids, self.before = self.stage.page(self.reader, self.before, self.size)
        self.seen += ids
        self.has_ended = self.before is None

    def to_the_end(self) -> None:
        while not self.has_ended:
            self.page()
        assert self.seen == sorted(set(self.seen), reverse=True), "something was repeated"
        missed = (self.there & set(self.stage.oracle(self.reader))) - set(self.seen)
        assert not missed, f"the walk saw {self.seen} and missed {missed}"


@pytest.fixture
def stage(
    app: Flask, cast: dict[str, Member], servers: EphemeralServers, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stage]:
    """A stage whose Redis is waited for longer than in earnest: a busy machine is not a fault."""
    monkeypatch.setitem(app.config, "REDIS_TIMEOUT", PATIENCE)
    stage = Stage(app, monkeypatch, servers, is_empty=not cast)
    monkeypatch.setattr(clock, "now", stage.now)
    stage.reconnect()
    yield stage
    for actor in stage.actors:
        actor.finish()
    stage.pool.shutdown()
    monkeypatch.undo()
    stage.reconnect()
    if stage.offset:
        with app.app_context():  # the next test empties the tables, and lives in the present again
            db.session.execute(text("SELECT setval('id_sequence', 1)"))
            db.session.commit()
