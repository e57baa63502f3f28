"""What the cards of a home show and name, whichever way their posts came to be known."""

from __future__ import annotations

import pytest
from flask import Flask

from app.accounts.models import User
from app.core import clock, ids
from app.extensions import db
from app.feed.explain.findings import explain_entry
from app.feed.home.filtering import filter_home
from tests.feed.model import ALL, Entry, World
from tests.feed.worlds import HOUR, NOW, START, inserted, reader_in

READER, ANN, BEN, STRANGER = 1, 2, 3, 4


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.mark.parametrize("is_candidate", [True, False])
def test_a_repost_shows_what_its_post_quotes(app: Flask, is_candidate: bool) -> None:
    """Ann's answer to a stranger is among the candidates, and not in the home: there it comes with Ben's repost."""
    asked, quoted = (Entry(ids.id_at(START + n * HOUR), STRANGER, "said long ago") for n in range(2))
    answer = Entry(ids.id_at(START + 2 * HOUR), ANN, "look at that", reply_to=asked, quote_of=quoted)
    repost = Entry(ids.id_at(START + 3 * HOUR), BEN, repost_of=answer)
    world = World(NOW, {each.id: each for each in (asked, quoted, answer, repost)})
    world.follows = {(READER, ANN): ALL, (READER, BEN): ALL}
    candidates = [repost.id, answer.id] if is_candidate else [repost.id]
    with inserted(app, world):
        reader = reader_in(world, READER)
        [card] = filter_home(candidates, reader, size=20).cards(reader)
    assert card.entry_id == repost.id and card.quoted and card.quoted.id == quoted.id


def test_a_reader_who_reposted_it_is_none_of_the_others_whom_they_follow(app: Flask) -> None:
    post = Entry(ids.id_at(START), STRANGER, "popular")
    followed = (ANN, BEN, 5, 6)
    reposts = [Entry(ids.id_at(START + n * HOUR), who, repost_of=post) for n, who in enumerate((*followed, READER), 1)]
    world = World(NOW, {each.id: each for each in (post, *reposts)})
    world.follows = {(READER, who): ALL for who in followed}
    with inserted(app, world):
        reader = reader_in(world, READER)
        [card] = filter_home([each.id for each in reversed(reposts)], reader, size=20).cards(reader)
        explained = explain_entry(reposts[0].id, db.session.get_one(User, READER))
    assert [each.handle for each in card.reposters] == ["p2", None] and card.more_reposters == 3
    assert explained.findings[0].tells == "Reposted by @p2. You and 3 others you follow reposted it too."
