"""What it costs to show the conversations of a home in one piece, below what they answer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sqlalchemy import update

from app.accounts.models import User
from app.extensions import db
from bench.against_bare import press_site
from bench.cpu import Pressed
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns
from bench.stage import Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Press the homes of rich readers in turns: grouped, and every post on its own."""
    stage.check_warm()
    rounds = in_turns(
        {"together": partial(_press, stage, grouped=True), "apart": partial(_press, stage, grouped=False)},
        rounds=stage.scale.rounds,
    )
    _choose(stage, grouped=True)
    stage.check_warm()
    yield ratio(
        "home page of a rich reader, conversations in one piece against every post on its own: pages/s",
        ("together pages/s", [each.load.per_second for each in rounds["together"]]),
        ("apart pages/s", [each.load.per_second for each in rounds["apart"]]),
        bar=Bar(least=0.9),
        note="of 20 entries about three are replies, most of them to posts that are not on the page",
    )
    yield ratio(
        "the same: processor time per page (web server, Postgres and Valkey)",
        ("together ms", [each.cpu_ms for each in rounds["together"]]),
        ("apart ms", [each.cpu_ms for each in rounds["apart"]]),
    )


def _press(stage: Stage, *, grouped: bool) -> Pressed:
    _choose(stage, grouped=grouped)
    return press_site(stage, stage.rich_homes, seconds=stage.scale.seconds / 2)


def _choose(stage: Stage, *, grouped: bool) -> None:
    with stage.app.app_context():
        theirs = update(User).where(User.id.in_(stage.cast.rich_readers))
        db.session.execute(theirs.values(groups_conversations=grouped))
        db.session.commit()
