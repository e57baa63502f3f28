"""Conversations are the same decided over facts and decided by Postgres, in random worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from app.core import clock
from app.core.statements import Compiled
from app.posts.facts import facts_about
from app.posts.threads import conversations, deciding, statements, structure, tree
from app.posts.threads.deciding import Decider, Undecided
from app.posts.threads.tree import Below, Place
from tests.feed.model import NOBODY, World
from tests.feed.worlds import NOW, draw_world, inserted, reader_in, readers

EXAMPLES = max(4, settings().max_examples // 12)
TALKATIVE = ("post", *["reply"] * 9)
ENTRIES = 40
AS_IT_IS: dict[str, int] = {}
SMALL = {
    "CANDIDATES": 4,
    "BRANCHES": 2,
    "MAX_SHOWN_BELOW": 1,
    "MAX_COUNTED_ANSWERS": 2,
    "LONGEST_CHAIN": 2,
    "MAX_POSTS_BELOW": 12,
    "DEEPEST_READ": 4,
}


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture(params=[AS_IT_IS, SMALL], ids=["as it is", "small"])
def _bounds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have bounds that even small conversations reach, in both readings."""
    for module in (structure, statements, deciding, conversations, tree):
        for name, bound in request.param.items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, bound)
    monkeypatch.setattr(structure, "_structure", Compiled(structure._structure._build))
    statements._compiled.cache_clear()
    yield
    statements._compiled.cache_clear()


def draw_talk(random: Random) -> World:
    """Return a world in which people talk to each other, and of which some posts are gone without a trace."""
    world = draw_world(random, kinds=TALKATIVE, entries=ENTRIES)
    for post_id in random.sample(sorted(world.entries), 3):
        del world.entries[post_id]
    return world


def answered(world: World) -> list[int]:
    """Return the posts that something hangs below, also where they left no row."""
    return sorted({entry.reply_to.id for entry in world.entries.values() if entry.reply_to})


def compare(world: World, random: Random) -> Iterator[str]:
    """Compare what both decide about some pages for some readers, and yield what was in them.

    Not about all: what Postgres decides by takes 40 ms to plan.
    """
    for reader in (NOBODY, *random.sample(readers(world), 2)):
        viewer = None if reader == NOBODY else reader_in(world, reader)
        for post_id in random.sample(posts := answered(world), min(len(posts), 10)):
            for after in (0, *structure.read_structure(post_id, after=0).answers[1:2]):
                near = structure.read_structure(post_id, after=after)
                facts = facts_about([post_id, *near.ids], viewer=viewer)
                by_sql, _ = conversations._read_below(post_id, dict(facts), viewer=viewer, after=after)
                try:
                    over_facts = Decider(near, facts, viewer).below()
                except Undecided:
                    yield "undecided"
                    continue
                assert over_facts == by_sql, f"p{reader} reads {post_id} after {after}"
                yield from _kinds(by_sql)


def _kinds(below: Below) -> Iterator[str]:
    yield from ("chain",) if below.chain else ()
    yield from ("next page",) if below.next_after else ()
    for place in (*below.chain, *below.answers):
        yield from _kinds_in(place)


def _kinds_in(place: Place) -> Iterator[str]:
    yield "shown" if place.is_shown else "gone" if place.is_gone else "unwanted" if place.is_unwanted else "hidden"
    yield from ("more",) if place.more else ()
    for each in place.below:
        yield "below"
        yield from _kinds_in(each)


@pytest.mark.usefixtures("_bounds")
def test_conversations_are_decided_alike_in_random_worlds(app: Flask) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
        phases=[Phase.generate],
    )
    @given(st.randoms(use_true_random=False))
    def check(random: Random) -> None:
        world = draw_talk(random)
        with inserted(app, world):
            for _ in compare(world, random):
                pass

    check()


@pytest.mark.usefixtures("_bounds")
def test_all_kinds_of_places_are_compared(app: Flask) -> None:
    found = Counter[str]()
    for seed in range(4):
        world = draw_talk(random := Random(seed))
        with inserted(app, world):
            found.update(compare(world, random))
    kinds = {"chain", "shown", "gone", "unwanted", "hidden", "more", "below", "undecided"}
    assert found.keys() >= kinds, found
    assert found["undecided"] < found["shown"]
