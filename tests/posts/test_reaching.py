"""From any post of a conversation every other that a reader may see is reached by links; numbers are what they lead to.

In random worlds: with strangers, and people who are muted, blocked, private or gone, with filters and deleted posts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from app.accounts.reader import Reader
from app.core import clock
from app.core.statements import Compiled
from app.posts.facts import Facts, facts_about
from app.posts.threads import conversations, deciding, statements, structure, tree
from app.posts.threads.conversations import Around, read_around
from app.posts.threads.tree import Place
from app.posts.visibility import is_visible, is_visible_in_thread
from tests.feed.model import NOBODY, Entry, World
from tests.feed.worlds import NOW, inserted, reader_in, readers
from tests.posts.test_deciding import AS_IT_IS, SMALL, draw_talk

EXAMPLES = max(4, settings().max_examples // 12)


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture(params=[AS_IT_IS, SMALL | {"MAX_POSTS_ABOVE": 2}], ids=["as it is", "small"])
def _bounds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have bounds that even small conversations reach."""
    for module in (structure, statements, deciding, conversations, tree):
        for name, bound in request.param.items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, bound)
    monkeypatch.setattr(structure, "_structure", Compiled(structure._structure._build))
    statements._compiled.cache_clear()
    yield
    statements._compiled.cache_clear()


class Walker:
    """Follows the links that the page of a post has, as posts/_above.html, _branch.html and their like write them."""

    def __init__(self, viewer: Reader | None) -> None:
        self.viewer = viewer
        self.pages: dict[int, list[Around]] = {}

    def page(self, post_id: int) -> list[Around]:
        """Return what is around a post, with all pages of its answers."""
        if post_id not in self.pages:
            self.pages[post_id], after = [], 0
            while True:
                [around], next_after = read_around(post_id, viewer=self.viewer, after=after)
                self.pages[post_id].append(around)
                if next_after is None:
                    break
                assert next_after > after, "the way onwards leads on"
                after = next_after
        return self.pages[post_id]

    def answers(self, post_id: int) -> list[Place]:
        return [place for around in self.page(post_id) for place in around.below.answers]

    def chain(self, post_id: int) -> tuple[Place, ...]:
        return self.page(post_id)[0].below.chain

    def reach(self, start: int) -> tuple[set[int], set[int]]:
        """Return the posts that are shown on the way from a page, and those whose own page was opened."""
        shown, opened, to_open = set[int](), set[int](), [start]
        while to_open:
            post_id = to_open.pop()
            if post_id in opened:
                continue
            opened.add(post_id)
            above = self.page(post_id)[0].above
            for place in above.places:
                shown |= {place.id} if place.is_shown else set()
                to_open.append(place.id)  # by its time, or by "See its replies"
            to_open += [above.beginning.id] if above.beginning else []
            below = [*self.chain(post_id), *self.answers(post_id)]
            while below:
                place = below.pop()
                below += place.below
                shown |= {place.id} if place.is_shown else set()
                if place.is_shown or place.is_unwanted or place.more > 0:
                    to_open.append(place.id)
        return shown | opened, opened


def conversation_of(world: World, post_id: int) -> set[int]:
    root = world.entries[post_id].conversation
    return {entry.id for entry in world.entries.values() if entry.conversation == root and not entry.repost_of}


def hangs_below(post: Entry, post_id: int) -> bool:
    return post.reply_to is not None and (post.reply_to.id == post_id or hangs_below(post.reply_to, post_id))


def check_reach(world: World, walker: Walker, facts: dict[int, Facts], start: int) -> Iterator[str]:
    """Check that everything in a conversation is reached from one of its posts."""
    viewer = walker.viewer
    shown, opened = walker.reach(start)
    wanted = {each for each in conversation_of(world, start) if is_visible_in_thread(facts[each], viewer)}
    assert wanted <= shown, f"from {start} nothing leads to {sorted(wanted - shown)}"
    yield from ("reached" for _ in wanted)
    for post_id in opened - {start}:
        if not (post_id in facts and is_visible(facts[post_id], viewer, muted_too=True)):
            below = walker.page(post_id)[0].below
            if any(hangs_below(world.entries[each], post_id) for each in wanted):
                assert below.answers or below.chain, f"the page of {post_id} is an error"
                yield "opened though it is missing"


def check_numbers(world: World, walker: Walker, facts: dict[int, Facts]) -> Iterator[str]:
    """Check that every number beside a link is what the page that it leads to has.

    How an author went on is shown there also where the viewer hides it from lists, and is then not counted.
    """
    seen = {post_id for post_id in facts if is_visible_in_thread(facts[post_id], walker.viewer)}
    for post_id in list(walker.pages):
        places = [(place, True) for place in walker.chain(post_id)]
        places += [(place, False) for place in walker.answers(post_id)]
        links = {place.id for place, is_link in places if is_link}
        while places:
            place, is_link = places.pop()
            places += [(each, False) for each in place.below]
            if not place.is_counted:
                yield "not counted"
                continue
            if place.id not in facts:
                continue  # erased: its answers hang below the first post as well
            there = {each.id for each in walker.answers(place.id)}
            for link in walker.chain(place.id)[:1]:
                if link.id in seen or any(hangs_below(world.entries[each], link.id) for each in seen):
                    there.add(link.id)
            assert place.answers == len(there - links if is_link else there), f"below {place.id} on {post_id}"
            yield "counted"


def walk(app: Flask, world: World, random: Random) -> Iterator[str]:
    with inserted(app, world):
        for who in (NOBODY, *random.sample(readers(world), 2)):
            viewer = None if who == NOBODY else reader_in(world, who)
            facts = facts_about(sorted(world.entries), viewer=viewer)
            walker = Walker(viewer)
            likely = [each for each in facts if is_visible(facts[each], viewer, muted_too=True)]
            talked = [each for each in likely if len(conversation_of(world, each)) > 2]
            for start in random.sample(talked, min(len(talked), 4)):
                yield from check_reach(world, walker, facts, start)
            yield from check_numbers(world, walker, facts)


@pytest.mark.usefixtures("_bounds")
def test_every_visible_post_is_reached_from_every_other_and_numbers_are_what_they_lead_to(app: Flask) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
        phases=[Phase.generate],
    )
    @given(st.randoms(use_true_random=False))
    def check(random: Random) -> None:
        for _ in walk(app, draw_talk(random), random):
            pass

    check()


@pytest.mark.usefixtures("_bounds")
def test_all_that_matters_is_met_on_the_way(app: Flask) -> None:
    found = Counter[str]()
    for seed in range(3):
        found.update(walk(app, draw_talk(random := Random(seed)), random))
    assert found.keys() >= {"reached", "counted", "opened though it is missing"}, found
