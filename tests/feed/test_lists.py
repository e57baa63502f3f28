"""Lists of posts are decided over facts, chunk by chunk, and beyond them by Postgres: no page differs."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from flask import Flask

from app.accounts.models import User
from app.core import clock
from app.extensions import db
from app.posts import lists
from app.posts.lists import Listing, PostList
from app.posts.models import Post
from app.posts.visibility import visible_to
from tests.feed.worlds import NOW, draw_world, inserted
from tests.people import Member
from tests.sql import statements

LISTS = {name: value for name, value in vars(lists).items() if isinstance(value, PostList)}

SMALL_PAGE = 2


@pytest.fixture
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have pages of two, chunks of three, and two of them before Postgres decides."""
    monkeypatch.setattr(clock, "now", lambda: NOW)
    for name, value in {"PAGE_SIZE": SMALL_PAGE, "CHUNK": 3, "MAX_CHUNKS": 2}.items():
        monkeypatch.setattr(lists, name, value)
    _forget()
    yield
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    PostList._candidates.cache_clear()
    PostList._visible.cache_clear()


@pytest.mark.usefixtures("_small_pages")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", LISTS)
def test_F3_every_list_is_what_may_be_seen_of_it(app: Flask, name: str, seed: int) -> None:
    posts, world = LISTS[name], draw_world(Random(300 + seed), entries=40)
    quoted = next(each.quote_of.id for each in world.entries.values() if each.quote_of)
    asked: dict[str, object] = {"author_id": 1, "tag": "tea", "post_id": quoted}
    with inserted(app, world):
        for viewer_id in (1, 2, 3) if posts is lists.LETTERS else (None, 1, 2, 3):  # nobody else has letters
            viewer = db.session.get_one(User, viewer_id) if viewer_id else None
            asked["reader_id"] = viewer_id
            visible = _all_visible(posts, viewer, asked)
            assert _paged(Listing(posts, asked), viewer) == visible
            assert _paged_upwards(Listing(posts, asked), viewer) == visible


def _paged(posts: Listing, viewer: User | None) -> list[int]:
    found, before = list[int](), None
    while True:
        cards, before = posts.page(viewer=viewer, before=before)
        assert len(cards) <= SMALL_PAGE
        found += [card.entry_id for card in cards]
        if before is None:
            return found


def _paged_upwards(posts: Listing, viewer: User | None) -> list[int]:
    found, above = list[int](), 0
    while True:
        cards, higher = posts.page(viewer=viewer, above=above)
        assert len(cards) <= SMALL_PAGE
        found = [card.entry_id for card in cards] + found
        if higher is None:
            return found
        above = higher


def _all_visible(posts: PostList, viewer: User | None, asked: dict[str, object]) -> list[int]:
    """Return what `visible_to` leaves of a list, in one statement of SQLAlchemy's own."""
    found = posts.select_candidates().where(visible_to(viewer, muted_too=posts.muted_too)).order_by(Post.id.desc())
    names = found.compile().params.keys() & asked.keys()
    return list(db.session.scalars(found.params({name: asked[name] for name in names})))


@pytest.mark.usefixtures("_small_pages")
def test_a_page_is_two_statements_and_one_below_many_hidden_posts_a_bounded_number(
    alice: Member, bob: Member, carol: Member
) -> None:
    first = [alice.write(f"number {number}") for number in range(3)]
    assert _statements_of_page(alice, bob) == (first[:0:-1], 2)
    hidden = [alice.write(f"for @{carol.handle} alone", audience="mentioned") for _ in range(12)]
    assert _statements_of_page(alice, bob) == (first[:0:-1], 2 * lists.MAX_CHUNKS + 2)
    assert _statements_of_page(alice, alice) == (hidden[:-3:-1], 2)


def _statements_of_page(author: Member, viewer: Member) -> tuple[list[int], int]:
    """Return the first page of a profile, and how many statements it took."""
    with viewer.app.app_context():
        people = [db.session.get_one(User, each.id) for each in (author, viewer)]
        with statements() as sent:
            cards, _ = lists.posts_by(people[0]).page(viewer=people[1])
        return [card.entry_id for card in cards], len(sent)
