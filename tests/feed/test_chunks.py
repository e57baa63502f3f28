"""A warm page is decided chunk by chunk over facts, and beyond them by Postgres: it is that of Postgres alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from flask import Flask

from app.accounts.models import User
from app.core import clock, ids
from app.core.statements import Compiled
from app.extensions import db
from app.feed.explain.findings import explain_entry
from app.feed.home import filtering, first_chunk, from_postgres
from app.feed.home.filtering import CHUNKS, filter_home
from app.feed.home.first_chunk import FirstChunks, first_chunks
from app.posts import fact_columns, facts
from app.posts.cards.reading import facts_along
from tests.feed.model import ALL, NO_REPLIES, Entry, Filter, Mute, World
from tests.feed.worlds import HOUR, NOW, START, draw_world, inserted, reader_in, readers
from tests.sql import statements

READER, SHOWN, MUTED, STRANGER = 1, 2, 3, 4
COUNTED = 3  # reposts of a post that are read, in these tests
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture
def few_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filtering, "COUNTED_REPOSTS", COUNTED)
    monkeypatch.setattr(filtering, "_wanted_reposts", Compiled(filtering._wanted_reposts._build))


def mostly_hidden(number: int, *, every: int, by_filter: bool) -> World:
    """Return a home of so many candidates of which few are shown, the oldest among them."""
    world = World(NOW, follows={(READER, SHOWN): ALL, (READER, MUTED): ALL}, repeat_hours={READER: 72})
    if by_filter:
        world.filters[READER] = {1: Filter("noise", is_whole_word=True, until=None)}
    else:
        world.mutes[READER, MUTED] = Mute(only_reposts=False, until=None)
    for n in range(number):
        author, text = (SHOWN, "a word") if n % every == 0 else (MUTED, "some noise")
        entry = Entry(ids.id_at(START + n * MINUTE), author, text)
        world.entries[entry.id] = entry
    return world


# One more than the chunks so far, most of them hidden: the statements are a row of facts for each chunk, what Postgres
# finds among the rest, and the facts about that; with filters one more for each of the facts.
@pytest.mark.parametrize("by_filter", [False, True])
@pytest.mark.parametrize(("number", "most_facts"), [(29, 2), (85, 3), (197, 4), (400, 4)])
def test_F3_pages_of_mostly_hidden_candidates_are_those_of_postgres(
    app: Flask, number: int, most_facts: int, by_filter: bool
) -> None:
    assert CHUNKS == (28, 56, 112)
    world = mostly_hidden(number, every=28, by_filter=by_filter)
    candidates, home = sorted(world.entries, reverse=True), world.home(READER)
    with inserted(app, world):
        reader = reader_in(world, READER)
        for size in (1, 3, 26):
            for start in range(0, len(home) + 1, 3):
                before = home[start - 1] if start else candidates[0] + 1
                with statements() as sent:
                    found = filter_home([each for each in candidates if each < before], reader, size=size)
                page = [entry.facts.id for entry in found.entries]
                assert page == home[start : start + size]
                assert page == from_postgres.ids_below(reader, before=before, size=size)
                assert len(sent) <= most_facts * (2 if by_filter else 1) + (number > sum(CHUNKS))


def test_a_first_page_that_shows_all_takes_one_chunk(app: Flask) -> None:
    world = mostly_hidden(400, every=1, by_filter=False)
    with inserted(app, world), statements() as sent:
        filter_home(sorted(world.entries, reverse=True), reader_in(world, READER), size=21)
    assert len(sent) == 1


def test_the_first_chunk_is_as_large_as_the_last_page_needed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    along = facts_along

    def noted(ids: Sequence[int], **options: Any) -> dict[int, facts.Facts]:
        asked.append(len(ids))
        return along(ids, **options)

    monkeypatch.setattr(filtering, "facts_along", noted)
    shown, hidden = mostly_hidden(60, every=1, by_filter=False), mostly_hidden(60, every=2, by_filter=False)
    for world, expected in ((shown, [28, 23]), (hidden, [28, 32, 28, 32])):
        first_chunks.forget()
        with inserted(app, world):
            candidates = sorted(world.entries, reverse=True)
            for _ in range(2):
                found = filter_home(candidates, reader_in(world, READER), size=21)
                assert [entry.facts.id for entry in found.entries] == world.home(READER)[:21]
        assert asked == expected
        asked.clear()


def test_no_more_readers_are_kept_than_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_chunk, "MAX_KEPT_READERS", 2)
    kept = FirstChunks()
    for reader_id in (1, 2, 3):
        kept.note(reader_id, 21, taken=21)
    assert [kept.size(reader_id, 21, most=28) for reader_id in (1, 2, 3)] == [28, 28, 23]


def reposted(*hours: int) -> tuple[World, list[int]]:
    """Return a world in which a stranger's post is reposted by accounts that the reader follows, and the reposts."""
    post = Entry(ids.id_at(START - 500 * HOUR), STRANGER, "popular")
    reposts = [Entry(ids.id_at(START + at * HOUR), 10 + n, repost_of=post) for n, at in enumerate(hours)]
    world = World(NOW, {each.id: each for each in (post, *reposts)}, repeat_hours={READER: 72})
    world.follows = {(READER, each.author): NO_REPLIES for each in reposts}
    return world, [each.id for each in reposts]


@pytest.mark.usefixtures("few_counted")
@pytest.mark.parametrize(
    "hours", [(0, 72, 73), (0, 1, 100), (0, 1, 2, 100), (0, 1, 2, 100, 101), (0, 1, 2, 3, 100, 101, 171, 173)]
)
def test_F3_a_repeat_of_what_is_beyond_the_counted_reposts_is_one(app: Flask, hours: tuple[int, ...]) -> None:
    world, reposts = reposted(*hours)
    home = world.home(READER)
    assert set(reposts) - set(home)
    with inserted(app, world):
        reader = reader_in(world, READER)
        for size in (1, 2, len(reposts)):
            found = filter_home(sorted(world.entries, reverse=True), reader, size=size)
            assert [entry.facts.id for entry in found.entries] == home[:size]
        assert from_postgres.ids_below(reader, before=None, size=10) == home
        told = {each: explain_entry(each, db.session.get_one(User, READER)).is_in for each in reposts}
    assert told == {each: each in home for each in reposts}


@pytest.mark.usefixtures("few_counted")
@pytest.mark.parametrize("seed", range(3))
def test_F3_random_homes_are_the_same_if_few_reposts_are_counted(
    app: Flask, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(filtering, "COUNTED_REPOSTS", 1)
    world = draw_world(Random(100 + seed))
    with inserted(app, world):
        for reader in readers(world):
            found = filter_home(sorted(world.entries, reverse=True), reader_in(world, reader), size=100)
            assert [entry.facts.id for entry in found.entries] == world.home(reader)


@pytest.mark.parametrize("bound", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_F3_random_homes_are_the_same_if_what_a_viewer_hides_is_looked_up(
    app: Flask, monkeypatch: pytest.MonkeyPatch, bound: int, seed: int
) -> None:
    monkeypatch.setattr(fact_columns, "MAX_LOOKED_THROUGH", bound)
    monkeypatch.setattr(facts, "_facts", Compiled(facts._facts._build))
    world = draw_world(Random(200 + seed))
    assert world.mutes and world.blocks, "what would be looked up"
    with inserted(app, world):
        for reader in readers(world):
            found = filter_home(sorted(world.entries, reverse=True), reader_in(world, reader), size=100)
            assert [entry.facts.id for entry in found.entries] == world.home(reader)
