"""Every clause decides the same over facts, as SQL and in a plain model, alone and together, in random worlds."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import ColumnElement, Select, select

from app.accounts.models import User
from app.core import clock, ids
from app.core.statements import AnyViewer, Compiled
from app.extensions import db
from app.feed.explain.findings import explain_entry
from app.feed.home import filtering, from_postgres
from app.feed.home.filtering import filter_home
from app.feed.rules.entries import Entry as HomeEntry
from app.feed.rules.home import in_home_of, is_in_home, values_of
from app.feed.rules.reason import REASON
from app.feed.rules.repeat import BELONGS, REPEAT, REPOSTS_MUTED
from app.feed.rules.reply import REPLY
from app.posts import moderated, visibility
from app.posts.cards.reading import cards_for
from app.posts.clauses import Clause
from app.posts.facts import Facts, facts_about
from app.posts.models import Post, Viewer
from app.posts.visibility import (
    is_visible,
    is_visible_in_thread,
    one_visible_to,
    shown_to,
    visible_in_thread,
    visible_to,
    was_visible,
)
from tests.feed.model import ALL, HIGHLIGHTS, NOBODY, Entry, World
from tests.feed.worlds import HOUR, NOW, PEOPLE, START, Someone, draw_world, inserted, reader_in, readers

Decisions = dict[int, dict[str, bool]]  # about each entry, by the name of what decides
EXAMPLES = max(4, settings().max_examples // 6)
FIXED_WORLDS = 8

ABOUT_POSTS: dict[Clause[Facts], Callable[[World, int, Entry], bool]] = {
    visibility.DELETED: lambda world, reader, entry: entry.is_deleted,
    visibility.ACCOUNT: lambda world, reader, entry: entry.author in world.erased,
    moderated.HIDDEN: World.is_hidden,
    moderated.HELD: World.is_held,
    moderated.REMOVED: lambda world, reader, entry: world.is_on(entry.removed_until),
    moderated.SUSPENDED: lambda world, reader, entry: world.is_suspended(entry.author),
    moderated.LIMITED: World.is_limited_to_others,
    visibility.AUDIENCE: World.is_for_others,
    visibility.PRIVATE: World.is_closed,
    visibility.BLOCK: lambda world, reader, entry: world.is_blocked(reader, entry.author),
    visibility.MUTE: lambda world, reader, entry: world.is_muted(reader, entry.author, only_reposts=False),
    visibility.CONVERSATION: World.is_in_muted_conversation,
    visibility.FILTER: lambda world, reader, entry: bool(world.filtering(reader, entry, collapses=False)),
}
ABOUT_ENTRIES: dict[Clause[Facts], Callable[[World, int, Entry], bool]] = {
    REASON: lambda world, reader, entry: not world.has_reason(reader, entry),
    REPLY: lambda world, reader, entry: not world.reply_belongs(reader, entry),
    REPOSTS_MUTED: lambda world, reader, entry: bool(
        entry.repost_of and world.is_muted(reader, entry.author, only_reposts=True)
    ),
}
NAMES = [*(clause.name for clause in (*ABOUT_POSTS, *ABOUT_ENTRIES)), REPEAT.name]


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)


# ---- The three readings


def by_model(world: World, reader: int) -> Decisions:
    return {entry.id: _model_about(world, reader, entry) for entry in world.entries.values()}


def _model_about(world: World, reader: int, entry: Entry) -> dict[str, bool]:
    about = {clause.name: hides(world, reader, entry) for clause, hides in ABOUT_POSTS.items()}
    shows = not entry.repost_of or world.sees(reader, entry.repost_of)
    may_read, wants = world.may_read(reader, entry), reader == entry.author or not world.is_unwanted(reader, entry)
    about |= {"alone": may_read and wants, "alone, muted too": may_read}
    shows_own = entry.author == reader and entry.repost_of and world.may_read(reader, entry.repost_of)
    about |= {"shown": may_read and wants and shows, "shown, muted too": may_read and bool(shows or shows_own)}
    about["in thread"] = may_read and (reader == entry.author or not world.is_unwanted(reader, entry, in_thread=True))
    about["once"] = world.may_read(reader, replace(entry, is_deleted=False))
    if reader == NOBODY:
        return about
    about |= {clause.name: hides(world, reader, entry) for clause, hides in ABOUT_ENTRIES.items()}
    about["home"] = world.belongs(reader, entry) and not world.is_repeat(reader, entry)
    about[REPEAT.name] = world.is_repeat(reader, entry)
    # What it would be among the highlights is nothing that the model knows.
    if entry.is_deleted or world.is_on(entry.hidden_until) or world.is_on(entry.removed_until):
        del about[REASON.name]
    if entry.repost_of and not world.sees(reader, entry.repost_of):  # so it is hidden, a repeat or not
        del about[REPEAT.name]
    return about


def by_facts(world: World, reader: int) -> Decisions:
    viewer = None if reader == NOBODY else reader_in(world, reader)
    newest_first = sorted(world.entries, reverse=True)
    facts = facts_about(newest_first, viewer=viewer)
    shown = {card.entry_id for card in cards_for(newest_first, viewer=viewer)}
    muted_too = {card.entry_id for card in cards_for(newest_first, viewer=viewer, muted_too=True)}
    about: Decisions = {}
    for post in facts.values():
        about[post.id] = {clause.name: clause.hides(post, viewer) for clause in visibility.CLAUSES}
        about[post.id] |= {
            "alone": is_visible(post, viewer),
            "alone, muted too": is_visible(post, viewer, muted_too=True),
            "in thread": is_visible_in_thread(post, viewer),
            "once": was_visible(post, viewer),
            "shown": post.id in shown,
            "shown, muted too": post.id in muted_too,
        }
    if viewer:
        _facts_about_home(about, facts, viewer)
    return about


def _facts_about_home(about: Decisions, facts: Mapping[int, Facts], reader: Someone) -> None:
    home = {entry.facts.id for entry in filter_home(sorted(facts, reverse=True), reader, size=len(facts)).entries}
    reposts = filtering._reposts_of(list(facts), reader)
    for entry in facts.values():
        post = facts[entry.repost_of_id or entry.id]
        whole = HomeEntry(entry, post, reposts.get(post.id, ()))
        about[entry.id] |= {clause.name: clause.hides(entry, reader) for clause in BELONGS}
        about[entry.id] |= {REPEAT.name: REPEAT.hides(whole, reader), "home": entry.id in home}
        assert is_in_home(whole, reader) == (entry.id in home)


def by_sql(world: World, reader: int) -> Decisions:
    rows = _for_nobody.rows() if reader == NOBODY else _for_readers.rows(**values_of(reader_in(world, reader)))
    return {row[0]: dict(zip(_names(reader == NOBODY), row[1:], strict=True)) for row in rows}


@cache
def _names(for_nobody: bool) -> list[str]:
    return list(_columns(None if for_nobody else AnyViewer()))


def _columns(viewer: Viewer) -> dict[str, ColumnElement[bool]]:
    clauses: list[Clause[Facts]] = [*visibility.CLAUSES, *(BELONGS if viewer else ())]
    columns = {clause.name: clause.sql(viewer, Post, User if clause.asks_author else None) for clause in clauses}
    columns |= {
        "alone": one_visible_to(viewer, Post),
        "alone, muted too": one_visible_to(viewer, Post, muted_too=True),
        "in thread": visible_in_thread(viewer, Post),
        "once": shown_to(viewer, muted_too=True),
        "shown": visible_to(viewer),
        "shown, muted too": visible_to(viewer, muted_too=True),
    }
    if isinstance(viewer, AnyViewer):
        columns |= {REPEAT.name: REPEAT.sql(viewer, Post, None), "home": in_home_of(viewer)}
    return columns


def _select(viewer: Viewer) -> Select[*tuple[object, ...]]:
    columns = [column.label(name.replace(" ", "_")) for name, column in _columns(viewer).items()]
    return select(Post.id, *columns).join(User, User.id == Post.author_id)


_for_nobody = Compiled(lambda: _select(None))
_for_readers = Compiled(lambda: _select(AnyViewer()))


# ---- They agree


def compare(world: World) -> Iterator[Mapping[str, bool]]:
    """Compare the readings for every reader and entry, and yield what was decided."""
    for reader in (NOBODY, *readers(world)):
        facts, sql, model = by_facts(world, reader), by_sql(world, reader), by_model(world, reader)
        assert facts.keys() == sql.keys() == model.keys()
        for entry_id, entry in world.entries.items():
            assert facts[entry_id] == sql[entry_id], f"p{reader} and {entry}: facts, SQL"
            decided = {name: sql[entry_id][name] for name in model[entry_id]}
            assert decided == model[entry_id], f"p{reader} and {entry}: SQL, model"
            yield sql[entry_id]
        if reader != NOBODY:
            check_cards(world, reader)
    first = readers(world)[0]
    assert from_postgres.ids_below(reader_in(world, first), before=None, size=100) == world.home(first)


def check_cards(world: World, reader: int) -> None:
    """Compare what the cards of a home name and quote with what the reader may know."""
    home = [world.entries[entry_id] for entry_id in world.home(reader)]
    candidates = {entry.id for entry in home} | {entry.repost_of.id for entry in home if entry.repost_of}
    someone = reader_in(world, reader)
    cards = filter_home(sorted(candidates, reverse=True), someone, size=100).cards(someone)
    assert [card.entry_id for card in cards] == [entry.id for entry in home]
    for entry, card in zip(home, cards, strict=True):
        post = entry.repost_of or entry
        told = [f"{who.handle or f'p{reader}'}" for who in card.reposters]
        assert told == _reposters(world, reader, entry)[:2], entry
        assert card.more_reposters == len(_reposters(world, reader, entry)[2:])
        quoted = post.quote_of if post.quote_of and world.sees(reader, post.quote_of) else None
        assert (card.quoted and card.quoted.id) == (quoted and quoted.id), entry
        assert is_collapsed(world, reader, post, card.collapsed), entry
        if quoted and card.quoted:
            assert is_collapsed(world, reader, quoted, card.quoted.collapsed), entry
        meets = {who for who in post.mentions if world.meets(reader, who)}
        assert {who for who in post.mentions if f'href="/@p{who}"' in card.html} == meets, entry
        answered = post.reply_to.author if post.reply_to else None
        is_met = answered and world.meets(reader, answered)
        assert card.answers == (f"p{answered}" if is_met else None), entry


def is_collapsed(world: World, reader: int, post: Entry, phrase: str | None) -> bool:
    """Say whether a post is collapsed for a phrase as the reader wants it."""
    phrases = world.filtering(reader, post, collapses=True)
    return phrase in phrases if phrases else phrase is None


def _reposters(world: World, reader: int, entry: Entry) -> list[str]:
    """Return who brought it, then the reader, then who else reposted it, as far as the reader wants to hear that."""
    post = entry.repost_of or entry
    same = (other for other in world.entries.values() if other.repost_of is post and world.belongs(reader, other))
    others = sorted((other.author for other in same if other is not entry), key=lambda who: who != reader)
    return [f"p{who}" for who in ([entry.author, *others] if entry.repost_of else others)]


def test_every_clause_is_exercised_both_ways_and_alone(app: Flask) -> None:
    """A clause that nothing depends on could be taken out unseen: each must hide something that no other one hides."""
    hid, let_through, alone = Counter[str](), Counter[str](), Counter[str]()
    for seed in range(FIXED_WORLDS):
        world = draw_world(Random(seed))
        with inserted(app, world):
            for decided in compare(world):
                hiding = [name for name in NAMES if decided.get(name)]
                hid.update(hiding)
                let_through.update(name for name in NAMES if not decided.get(name, True))
                alone.update(hiding if len(hiding) == 1 else ())
    assert [name for name in NAMES if not (hid[name] and let_through[name] and alone[name])] == []


def test_F3_facts_and_sql_and_model_agree_in_random_worlds(app: Flask) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(st.randoms(use_true_random=False))
    def check(random: Random) -> None:
        world = draw_world(random)
        with inserted(app, world):
            for _ in compare(world):
                pass

    check()


def test_F3_ones_own_repost_stands_for_those_before_it(app: Flask) -> None:
    post = Entry(ids.id_at(START), 4)
    reposts = [Entry(ids.id_at(START + n * HOUR), who, repost_of=post) for n, who in enumerate((2, 1, 3), 1)]
    world = World(NOW, {each.id: each for each in (post, *reposts)}, {(1, 2): ALL, (1, 3): ALL}, hides_own_reposts={1})
    with inserted(app, world):
        assert len(list(compare(world))) > 0
    assert world.home(1) == [entry.id for entry in reposts if entry.author == 1]


def test_F3_a_deleted_post_takes_no_place_among_the_highlights(app: Flask) -> None:
    posts = [Entry(ids.id_at(START + n * HOUR), 2, is_deleted=n == 0) for n in range(5)]
    world = World(NOW, {each.id: each for each in posts}, {(1, 2): HIGHLIGHTS})
    with inserted(app, world):
        assert len(list(compare(world))) > 0
    assert world.home(1) == [posts[n].id for n in (3, 2, 1)]


def test_every_clause_is_compared() -> None:
    modules = [module for name, module in sys.modules.items() if name.startswith("app.")]
    clauses = {value for module in modules for value in vars(module).values() if isinstance(value, Clause)}
    assert clauses == {*ABOUT_POSTS, *ABOUT_ENTRIES, REPEAT}
    assert set(visibility.CLAUSES) == set(ABOUT_POSTS) and set(BELONGS) == set(ABOUT_ENTRIES)
    assert len(set(NAMES)) == len(NAMES)


# ---- And the words say the same


def test_the_words_say_what_is_decided_and_name_nobody_whom_the_reader_must_not_meet(app: Flask) -> None:
    world = draw_world(Random(0))
    told = Counter[str]()
    with inserted(app, world):
        for reader in readers(world):
            user = db.session.get_one(User, reader)
            home = world.home(reader)
            unmet = [f"@p{who}" for who in PEOPLE if not world.meets(reader, who)]
            for entry in world.entries.values():
                explained = explain_entry(entry.id, user)
                hiding = [finding for finding in explained.findings if finding.lets_through is False]
                assert explained.is_in == (entry.id in home) == (not hiding), (reader, entry, explained.findings)
                told.update(finding.rule for finding in hiding)
                if world.sees(reader, entry):  # nobody else is told anything
                    tells = " ".join(finding.tells or "" for finding in explained.findings)
                    assert [handle for handle in unmet if handle in tells] == [], (reader, entry, tells)
    assert told.keys() >= {"who", "volume", "reply", "mute", "repeat", "audience", "private", "block", "filter"}
    assert told.keys() >= {"hidden", "held", "removed"}
