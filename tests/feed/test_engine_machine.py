"""Random histories of everything that can happen to a feed; after every step every page is what it must be.

Not only at rest: open work is merged, so the pages are right while no worker runs, while timelines are half built, and
while Redis is away, wiped or full of old data. Windows are tiny, so that their floors are crossed all the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from sqlalchemy import delete, update

from app.accounts.standing import FOREVER
from app.core import redis as gate
from app.core.ids import MAX_ID
from app.extensions import db, redis
from app.feed.home.new_posts import Since
from app.feed.models import FeedState
from app.feed.timelines import build, fanout, generation, transport
from app.feed.timelines import keys as timeline
from app.feed.timelines.build import Claim
from app.outbox.models import OutboxRow
from app.social.models import EVERYTHING, REPOSTS, VOLUMES
from tests.examples import examples
from tests.feed import schedule
from tests.feed.model import EVERYONE, FOLLOWERS, MENTIONED, Entry, Filter, Mute, World
from tests.feed.schedule import Stage, Walk
from tests.outbox import open_rows

stage = schedule.stage

ACCEPT = "social.accept_requests"

PEOPLE = 4
person = st.integers(0, PEOPLE - 1)
pair = st.tuples(person, person).filter(lambda two: two[0] != two[1])
windows = st.sampled_from([2, 3, 5, 10])  # from 10 on there is room for some more before they are trimmed
which = st.integers(0, 1_000)
run = count()

TAGS = ("tea", "milk")
FOR_EVER = 10**9
# What is mostly written, and what is written for some: hypothesis draws each as often as any other.
PLAIN, REPLY, QUOTE = "plain", "reply", "quote"
kinds = st.sampled_from([PLAIN, PLAIN, REPLY, REPLY, QUOTE])
audiences = st.sampled_from([EVERYONE, EVERYONE, EVERYONE, FOLLOWERS, MENTIONED])
words = st.lists(st.sampled_from(["Pine", "pineapple", "#tea", "#milk", "@0", "@1", "@2", "@3"]), max_size=2)
phrases = st.sampled_from(["pine", "something", "tea"])
some_hours = st.sampled_from([None, 5])
spans = st.sampled_from([1, 6, 11, 13, 60, 80])
Words = list[str]


@dataclass
class HalfBuilt:
    """A build that somebody began and has not finished: claimed, and perhaps read."""

    claim: Claim
    ids: list[int] | None = None


class FeedMachine(RuleBasedStateMachine):
    """Some people, the world as the model has it, and the engine that must agree."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage = stage
        self.world = World(stage.now())
        self.written: list[int] = []
        self.half_built: list[HalfBuilt] = []
        self.walks: list[Walk] = []
        self.seen: dict[int, Since] = {}
        self.steps = count()
        self.rounds = count()
        self.saved: dict[bytes, bytes] = {}
        self.away_for = 0
        self.absent: set[int] = set()
        self.done: dict[tuple[str, int], int] = {}  # what moderators did to which post or person, and not undid

    @property
    def is_away(self) -> bool:
        return self.away_for > 0

    @property
    def app(self) -> Flask:
        return self.stage.app

    @initialize(
        window=windows,
        follows=st.lists(pair, min_size=3, max_size=8, unique=True),
        posts=st.lists(st.tuples(person, kinds, which, audiences, words), max_size=8),
        reposts=st.lists(st.tuples(person, which), max_size=4),
    )
    def begin(
        self,
        window: int,
        follows: list[tuple[int, int]],
        posts: list[tuple[int, str, int, str, Words]],
        reposts: list[tuple[int, int]],
    ) -> None:
        with self.app.app_context():
            db.session.execute(delete(OutboxRow))
            db.session.commit()
        self.stage.raw().flushall()
        self.handles = [f"p{next(run)}" for _ in range(PEOPLE)]
        self.people = self.stage.people(*self.handles)
        self.suffix = self.handles[0]  # of tags, which are everybody's: those of another history are not ours
        [self.moderator] = self.stage.people(f"{self.handles[0]}_mod")
        self.stage.choose(self.moderator, role="moderator")
        self.stage.window(window)
        for two in follows:
            self.follow(two, and_backfill=True)
        for post in posts:
            self.write(*post, times=1)
        for repost in reposts:
            self.repost_or_undo(*repost)
        self.run_all_rows()

    # ---- what the feed must be

    def expected(self, reader: int) -> list[int]:
        self.world.now = self.stage.now()
        return self.world.home(reader)

    @invariant()
    def every_page_is_right(self) -> None:
        for number, reader in enumerate(self.people):
            # Only a first page builds what is cold. Of somebody who is absent we read as if it were not the first.
            before = MAX_ID if number in self.absent else None
            got = [entry for page in self.stage.pages(reader, 3, before) for entry in page]
            assert got == self.expected(number), f"{reader} has {self.stage.home(reader)}"
            self.the_way_up_is_right(number)
        turn, reader = divmod(next(self.rounds), PEOPLE)
        self.conversations_are_whole(reader, is_upwards=turn % 2 == 1)
        self.the_pill_is_right(next(self.steps) % PEOPLE)
        for walk in self.walks:
            walk.there &= set(self.expected(self.people.index(walk.reader)))
        if self.away_for == 1:
            self.stage.reconnect()
        self.away_for = max(0, self.away_for - 1)

    def the_way_up_is_right(self, number: int) -> None:
        """Read forward in time from the end, or from an entry in the middle, to the top."""
        feed = self.expected(number)
        step = next(self.steps)
        above = feed[step % len(feed)] if feed and step % 2 else 0
        got = [entry for page in self.stage.pages_above(self.people[number], 3, above)[::-1] for entry in page]
        assert got == [entry for entry in feed if entry > above], (
            f"the home holds {self.stage.home(self.people[number])}"
        )

    def conversations_are_whole(self, reader: int, *, is_upwards: bool) -> None:
        """Read all pages with conversations in one piece: the same entries, each below what may be seen."""
        self.world.now = self.stage.now()
        pages = self.stage.conversations(self.people[reader], 3, is_upwards=is_upwards)
        laid_out = [[card.entry_id for item in page.layout for card in item.cards] for page in pages]
        in_order = laid_out[::-1] if is_upwards else laid_out
        assert [entry for page in in_order for entry in sorted(page, reverse=True)] == self.expected(reader)
        for page in pages:
            for context in page.contexts.values():
                for snippet in filter(None, (context.first, context.nearest)):
                    assert self.world.sees(reader, self.world.entries[snippet.id])

    def the_pill_is_right(self, reader: int) -> None:
        """Compare what the pill counts since the reader's last page with what is there now."""
        feed = self.expected(reader)
        if since := self.seen.get(reader):
            entries = [self.world.entries[entry] for entry in feed]
            news = [entry.id for entry in entries if entry.author != reader or not entry.repost_of]
            want = [entry for entry in news if since.is_new(entry)]
            assert self.stage.new_ids(self.people[reader], since) == want
        self.seen[reader] = Since.shown(feed[:3], is_all=len(feed) <= 3)

    def teardown(self) -> None:
        """At rest, compare with the feed by SQL too."""
        if not hasattr(self, "people"):
            return
        self.stage.reconnect()
        for walk in self.walks:
            walk.to_the_end()
        self.run_all_rows()
        for number, reader in enumerate(self.people):
            assert self.stage.oracle(reader) == self.expected(number)
        self.stage.check(*self.people)

    # ---- posts

    @rule(author=person, kind=kinds, n=which, audience=audiences, words=words, times=st.integers(1, 2))
    def write(self, author: int, kind: str, n: int, audience: str, words: Words, times: int) -> None:
        """Write a post, an answer or a quote; if there is nothing to answer, a post."""
        for _ in range(times):
            there = {REPLY: self.world.readable(author), QUOTE: self.world.handed_on(author)}.get(kind)
            about = there[n % len(there)] if there else None
            reply_to, quote_of = (about, None) if kind == REPLY else (None, about)
            words = self.for_somebody(words, author, audience)
            mentions = self.mentions(words)
            if reply_to and audience == MENTIONED:
                mentions |= {reply_to.author} - {author}
            post = self.stage.post(
                self.people[author],
                self.text(words),
                audience=audience,
                reply_to=reply_to.id if reply_to else None,
                quote_of=quote_of.id if quote_of else None,
            )
            self.add(Entry(post, author, self.text(words), audience, mentions, self.tags(words), reply_to))

    def for_somebody(self, words: Words, author: int, audience: str) -> Words:
        """Mention somebody where nobody else could read it."""
        self.world.now = self.stage.now()
        is_for_nobody = audience == MENTIONED and not self.mentions(words) - {author}
        others = (who for who in range(PEOPLE) if who != author and not self.world.is_suspended(who))
        return [*words, f"@{next(others)}"] if is_for_nobody else words

    def text(self, words: Words) -> str:
        spelled = {
            "@": lambda word: f"@{self.handles[int(word[1:])]}",
            "#": lambda word: f"#{self.tag(word[1:])}",
        }
        return " ".join(["something", *(spelled.get(word[0], str)(word) for word in words)])

    def tag(self, name: str) -> str:
        return name + self.suffix

    def tags(self, words: Words) -> frozenset[str]:
        return frozenset(self.tag(word[1:]) for word in words if word[0] == "#")

    def mentions(self, words: Words) -> frozenset[int]:
        named = (int(word[1:]) for word in words if word[0] == "@")
        return frozenset(who for who in named if not self.world.is_suspended(who))

    def add(self, entry: Entry) -> None:
        self.world.entries[entry.id] = entry
        self.written.append(entry.id)

    @rule(n=which, words=words)
    def edit(self, n: int, words: Words) -> None:
        if posts := self.world.posts():
            post = posts[n % len(posts)]
            if self.text(words) == post.text:
                return
            self.stage.edit(post.id, self.text(words))
            post.text, post.tags = self.text(words), self.tags(words)
            if post.audience != MENTIONED:
                post.mentions = self.mentions(words)

    @rule(n=which)
    def delete(self, n: int) -> None:
        if posts := self.world.posts():
            post = posts[n % len(posts)]
            self.stage.delete(post.id)
            post.is_deleted = True

    @rule(who=person, n=which)
    def repost_or_undo(self, who: int, n: int) -> None:
        """Repost something; what was reposted already is not any more."""
        if posts := self.world.handed_on(who):
            post = posts[n % len(posts)]
            there = self.world.repost_by(who, post)
            entry_id = self.stage.react("undo_repost" if there else "repost", self.people[who], post.id)
            if there:
                del self.world.entries[there.id]
            elif entry_id:
                self.add(Entry(entry_id, who, repost_of=post))

    @rule(who=st.lists(person, min_size=1, unique=True), n=which)
    def like_or_unlike(self, who: list[int], n: int) -> None:
        for each in who:
            if posts := self.world.readable(each):
                post = posts[n % len(posts)]
                self.stage.react("unlike" if each in post.likes else "like", self.people[each], post.id)
                post.likes ^= {each}

    # ---- people

    @rule(two=pair, and_backfill=st.booleans())
    def follow(self, two: tuple[int, int], and_backfill: bool) -> None:
        """Follow or ask, with the backfill as in the route, or left to whoever runs the row."""
        if self.world.is_blocked(*two):
            return
        if and_backfill:
            self.stage.follow(self.people[two[0]], self.people[two[1]])
        else:
            self.relate("follow", two)
        self.world.follow(*two)

    @rule(two=pair, is_removed=st.booleans())
    def unfollow(self, two: tuple[int, int], is_removed: bool) -> None:
        """Unfollow, or take a request back; or be removed by the one who is followed."""
        if is_removed:
            self.relate("remove_follower", (two[1], two[0]))
        else:
            self.relate("unfollow", two)
            self.world.requests.discard(two)
        self.world.follows.pop(two, None)

    @rule(two=pair, accepts=st.booleans())
    def answer_a_request(self, two: tuple[int, int], accepts: bool) -> None:
        asked = sorted(self.world.requests)
        who, whom = asked[two[0] % len(asked)] if asked else two
        self.relate("accept_request" if accepts else "decline_request", (whom, who))
        if accepts:
            self.world.accept(who, whom)
        self.world.requests.discard((who, whom))

    @rule(who=person)
    def close_or_open(self, who: int) -> None:
        """Switch between private and public. Whoever asked follows when the job of that has run."""
        self.stage.set_private(self.people[who], who not in self.world.private)
        self.world.private ^= {who}

    @rule(two=pair, volume=st.sampled_from(VOLUMES))
    def set_volume(self, two: tuple[int, int], volume: str) -> None:
        followed = sorted(self.world.follows)
        two = followed[(two[0] * PEOPLE + two[1]) % len(followed)] if followed else two
        self.stage.set_volume(self.people[two[0]], self.people[two[1]], volume)
        if two in self.world.follows:
            self.world.follows[two] = volume

    @rule(two=pair, scope=st.sampled_from([EVERYTHING, EVERYTHING, REPOSTS]), hours=some_hours)
    def mute(self, two: tuple[int, int], scope: str, hours: int | None) -> None:
        until = self.after(hours)
        self.relate("mute", two, scope=scope, until=until)
        self.world.mutes[two] = Mute(scope == REPOSTS, until)

    def after(self, hours: int | None) -> datetime | None:
        return None if hours is None else self.stage.now() + timedelta(hours=hours)

    @rule(two=pair)
    def unmute(self, two: tuple[int, int]) -> None:
        self.relate("unmute", two)
        self.world.mutes.pop(two, None)

    @rule(two=pair)
    def block_or_unblock(self, two: tuple[int, int]) -> None:
        if two in self.world.blocks:
            self.relate("unblock", two)
            self.world.blocks.discard(two)
        else:
            self.relate("block", two)
            self.world.block(*two)

    def relate(self, what: str, two: tuple[int, int], **how: object) -> None:
        self.stage.relate(what, self.people[two[0]], self.people[two[1]], **how)

    # ---- what readers want

    @rule(who=person, n=which)
    def mute_a_conversation_or_not(self, who: int, n: int) -> None:
        if posts := self.world.readable(who):
            post = posts[n % len(posts)]
            theirs = (who, post.conversation)
            what = "unmute_conversation" if theirs in self.world.muted_conversations else "mute_conversation"
            self.stage.react(what, self.people[who], post.id)
            self.world.muted_conversations ^= {theirs}

    @rule(who=person, phrase=phrases, is_whole_word=st.booleans(), hours=some_hours)
    def filter_or_not(self, who: int, phrase: str, is_whole_word: bool, hours: int | None) -> None:
        """Hide a phrase; whoever has a filter already removes it."""
        theirs = self.world.filters.setdefault(who, {})
        if theirs:
            filter_id, _ = theirs.popitem()
            self.stage.remove_filter(self.people[who], filter_id)
        else:
            until = self.after(hours)
            filter_id = self.stage.hide(self.people[who], phrase, is_whole_word=is_whole_word, until=until)
            theirs[filter_id] = Filter(phrase, is_whole_word, until)

    @rule(who=person, tag=st.sampled_from(TAGS))
    def follow_a_tag_or_not(self, who: int, tag: str) -> None:
        theirs = (who, self.tag(tag))
        self.stage.follow_tag(self.people[who], self.tag(tag), undo=theirs in self.world.followed_tags)
        self.world.followed_tags ^= {theirs}

    @rule(who=person, hours=st.sampled_from([0, 12, 72, FOR_EVER]), hides_own=st.booleans())
    def choose_repeats(self, who: int, hours: int, hides_own: bool) -> None:
        self.stage.choose(self.people[who], repeat_hours=hours, hides_own_reposts=hides_own)
        self.world.repeat_hours[who] = hours
        self.world.hides_own_reposts -= {who}
        self.world.hides_own_reposts |= {who} if hides_own else set()

    @rule(hours=spans)
    def let_hours_pass(self, hours: int) -> None:
        self.stage.let_pass(timedelta(hours=hours))

    # ---- those who run the site

    @rule(n=which, action=st.sampled_from(["hide", "hide", "remove"]), hours=some_hours)
    def hide_or_restore(self, n: int, action: str, hours: int | None) -> None:
        """Hide or remove a post, for a time or for good; what was done already is undone."""
        if posts := self.world.posts():
            post, field = posts[n % len(posts)], "hidden_until" if action == "hide" else "removed_until"
            if done := self.done.pop((action, post.id), None):
                self.stage.undo(done, by=self.moderator)
                setattr(post, field, None)
            else:
                self.done[action, post.id] = self.stage.moderate(self.moderator, action, post=post.id, hours=hours)
                setattr(post, field, self.after(hours) or FOREVER)

    @rule(who=person, action=st.sampled_from(["limit", "freeze", "suspend"]), hours=some_hours)
    def act_on_a_person_or_undo_it(self, who: int, action: str, hours: int | None) -> None:
        """Limit, freeze or suspend, one person at a time; what was done already is undone."""
        states = {"limit": self.world.limited, "suspend": self.world.suspended}
        if done := self.done.pop((action, who), None):
            self.stage.undo(done, by=self.moderator)
            states.get(action, {}).pop(who, None)
        elif not states.get(action):
            done = self.stage.moderate(self.moderator, action, person=self.people[who], hours=hours)
            self.done[action, who] = done
            states.get(action, {})[who] = self.after(hours) or FOREVER

    @rule()
    def note_what_has_ended(self) -> None:
        """Let the counters follow what has ended by itself; nothing else changes."""
        self.stage.note_ends()
        self.world.now = self.stage.now()
        for state in (self.world.limited, self.world.suspended):
            for who in [who for who, until in state.items() if not self.world.is_on(until)]:
                del state[who]
        for entry in self.world.entries.values():
            entry.hidden_until = entry.hidden_until if self.world.is_on(entry.hidden_until) else None
            entry.removed_until = entry.removed_until if self.world.is_on(entry.removed_until) else None

    # ---- authors

    @rule(author=person)
    def promote(self, author: int) -> None:
        self.stage.promote(self.people[author])

    @rule(author=person)
    def demote(self, author: int) -> None:
        self.stage.demote(self.people[author])

    # ---- readers

    @rule(reader=person)
    def come_or_go(self, reader: int) -> None:
        """Whoever is absent does not build their home."""
        self.absent ^= {reader}

    @rule(reader=person, size=st.integers(1, 2))
    def begin_a_walk(self, reader: int, size: int) -> None:
        self.walks.append(Walk(self.stage, self.people[reader], size))

    @rule(n=which)
    def go_on_with_a_walk(self, n: int) -> None:
        going = [walk for walk in self.walks if not walk.has_ended]
        if going:
            going[n % len(going)].page()

    # ---- workers

    @rule(n=which, times=st.integers(1, 2))
    def run_a_row(self, n: int, times: int) -> None:
        if rows := open_rows(self.app):
            row = rows[n % len(rows)]
            for _ in range(times):
                self.stage.run(row.id)
            self.let_in([row])

    @precondition(lambda self: not self.is_away)
    @rule()
    def run_all_rows(self) -> None:
        rows = open_rows(self.app)
        self.stage.work()
        self.let_in(rows)

    def let_in(self, rows: list[OutboxRow]) -> None:
        """Know who follows since these rows were run: those who had asked an account that is open now."""
        opened = {self.people.index(row.subject_id) for row in rows if row.job == ACCEPT}
        for who, whom in sorted(self.world.requests):
            if whom in opened - self.world.private:
                self.world.accept(who, whom)

    @precondition(lambda self: not self.is_away and self.written)
    @rule(n=which)
    def run_a_late_twin(self, n: int) -> None:
        """A fan-out that finished long ago, or never began, comes once more."""
        post = self.written[n % len(self.written)]
        with self.app.app_context():
            fanout.deliver([plan for plan in fanout.plan([(post, {})]) if plan])
            db.session.commit()

    @rule(slice_=st.sampled_from([1, 2, 5000]))
    def change_the_slice(self, slice_: int) -> None:
        self.stage.monkeypatch.setattr(fanout, "SLICE", slice_)

    # ---- builders

    @precondition(lambda self: not self.is_away)
    @rule(n=person, of=st.sampled_from(["home", "author", *TAGS]))
    def begin_a_build(self, n: int, of: str) -> None:
        user = self.people[n]
        home_of, sources = (user, []) if of == "home" else (None, [user if of == "author" else self.tag(of)])
        self.expire(n, of)
        with self.app.app_context(), redis.client() as client:
            claims = build.claim(client, generation.current(), timeline.new_token(), home_of=home_of, sources=sources)
        self.half_built += [HalfBuilt(claim) for claim in claims]

    @precondition(lambda self: self.half_built and not self.is_away)
    @rule(n=which)
    def go_on_with_a_build(self, n: int) -> None:
        """Take the snapshot or, some time later, fill it in."""
        half = self.half_built[n % len(self.half_built)]
        if half.ids is None:
            with self.app.app_context():
                half.ids = list(db.session.scalars(half.claim.newest))
        else:
            with self.app.app_context(), redis.client() as client:
                transport.send(client, [timeline.fill(half.claim.key, half.claim.token, half.ids)])
            self.half_built.remove(half)

    # ---- Redis

    @rule(n=person, of=st.sampled_from(["home", "author", *TAGS]))
    def expire(self, n: int, of: str) -> None:
        keys = {"home": self.stage.home_key, "author": self.stage.author_key}
        self.stage.drop(keys[of](self.people[n]) if of in keys else self.stage.tag_key(self.tag(of)))

    @rule()
    def wipe(self) -> None:
        self.stage.raw().flushall()

    @rule()
    def save(self) -> None:
        self.saved = self.stage.save()

    @rule()
    def restart_with_old_data(self) -> None:
        """As good as a restart: other data, and a run id that is not the one we know."""
        raw = self.stage.raw()
        raw.flushall()
        for key, dump in self.saved.items():
            raw.restore(key, 0, dump)
        with self.app.app_context():
            db.session.execute(update(FeedState).values(redis_run_id="another"))
            db.session.commit()
        if not self.is_away:
            with redis.client() as client:
                client.connection_pool.disconnect()

    @precondition(lambda self: not self.is_away)
    @rule(steps=st.integers(1, 3))
    def go_away(self, steps: int) -> None:
        """Redis does not answer for some steps."""
        redis._trip(RedisConnectionError("for the test"))
        self.away_for = steps

    @rule(window=windows)
    def change_the_window(self, window: int) -> None:
        self.stage.window(window)


def test_F1_to_F7_hold_in_random_histories(stage: Stage) -> None:
    stage.monkeypatch.setattr(gate, "OPEN_SECONDS", 3600.0)  # it comes back when the history says so
    run_state_machine_as_test(
        lambda: FeedMachine(stage),  # type: ignore[arg-type]
        settings=settings(
            max_examples=examples(15), stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
