"""`python -m app.demo` on a real database."""

from __future__ import annotations

from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.accounts import avatars
from app.accounts.blocks.queries import all_blocks
from app.accounts.models import User, UserCounters
from app.accounts.queries import user_by_credentials
from app.core import clock, ids
from app.core.text import mentioned_handles, tags_in
from app.demo.__main__ import main
from app.demo.filling import PASSWORD, ids_at
from app.demo.people import ADMIN, CELEBRITY, MARKER, MODERATOR, NEWCOMER, READER
from app.extensions import db
from app.moderation.actions.models import ModerationAction
from app.moderation.appeals.queries import number_waiting, waiting_appeals
from app.moderation.held.queries import number_held
from app.moderation.reports.models import Case
from app.moderation.rules.queries import all_rules
from app.outbox import names
from app.outbox.models import OutboxRow
from app.posts.models import Post, PostMention, PostTag
from app.posts.reactions.counters import recount
from app.posts.rules.models import RuleMatch
from app.social.models import Follow
from tests.conftest import begin_anew
from tests.demo.conftest import NOW
from tests.kept import bring_back
from tests.people import Member


@dataclass(frozen=True)
class Filled:
    """A site that the demo has filled, and what it said."""

    app: Flask
    said: str


@pytest.fixture
def filled(whole_app: Flask, monkeypatch: pytest.MonkeyPatch) -> Filled:
    monkeypatch.setitem(whole_app.config, "CELEBRITY_FOLLOWERS", 250)
    return Filled(whole_app, bring_back(whole_app, "demo", lambda: _fill(whole_app)))


def _fill(app: Flask) -> str:
    begin_anew(app)
    with app.app_context(), redirect_stdout(StringIO()) as said:
        assert main() == 0
    return said.getvalue()


def number_of_rows() -> dict[str, int]:
    models = (User, UserCounters, Follow, Post, PostMention, PostTag)
    return {model.__tablename__: db.session.scalar(select(func.count()).select_from(model)) or 0 for model in models}


def test_the_demo_fills_an_empty_site_once(filled: Filled, capsys: pytest.CaptureFixture[str]) -> None:
    for handle in (ADMIN, MODERATOR, READER, CELEBRITY, NEWCOMER):
        assert f"@{handle} " in filled.said
    assert PASSWORD in filled.said
    with filled.app.app_context():
        before = number_of_rows()
        assert before["users"] == before["user_counters"] > 320
        assert before["posts"] > 5500
        assert main() == 0
        assert number_of_rows() == before
    assert "nothing was changed" in capsys.readouterr().out


def test_what_the_demo_stored_is_what_the_site_would_have_stored(filled: Filled) -> None:
    with filled.app.app_context():
        assert list(recount()) == []
        assert db.session.scalars(select(func.next_id())).one() > (db.session.scalar(select(func.max(Post.id))) or 0)
        newest = ids.time_of(db.session.scalars(select(func.max(Post.id))).one())
        assert clock.now() - newest < timedelta(minutes=15)
        assert _stored_marks() == _derived_marks()
        open_jobs = db.session.scalars(select(OutboxRow.job).order_by(OutboxRow.job)).all()
        assert open_jobs == [*[names.FAN_OUT_POST] * 2, *[names.DRY_RUN_RULE] * 3], (
            "what rules hold, and their dry runs"
        )
        _assert_logins_work()
        files = db.session.scalars(select(User.avatar).where(User.avatar.is_not(None))).all()
        assert len(files) > 100
        assert all((avatars.folder() / str(file)).is_file() for file in files)


def test_the_demo_refuses_a_site_with_real_people(
    alice: Member, app: Flask, capsys: pytest.CaptureFixture[str]
) -> None:
    with app.app_context():
        assert main() == 1
        db.session.rollback()
        assert number_of_rows()["users"] == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_ids_are_unique_and_ascending_even_within_a_millisecond() -> None:
    moments = [NOW, NOW, NOW + timedelta(milliseconds=1)]
    drawn = list(ids_at(moments))
    assert drawn == sorted(set(drawn))
    assert [ids.time_of(entry_id) for entry_id in drawn] == moments


def _stored_marks() -> tuple[set[tuple[int, str]], set[tuple[int, str]]]:
    mentions = select(PostMention.post_id, User.handle).join(User, User.id == PostMention.user_id)
    stored_mentions = {(post_id, handle.lower()) for post_id, handle in db.session.execute(mentions)}
    return stored_mentions, {
        (post_id, tag) for post_id, tag in db.session.execute(select(PostTag.post_id, PostTag.tag))
    }


def _derived_marks() -> tuple[set[tuple[int, str]], set[tuple[int, str]]]:
    """Return what `publish_post` would have found at the time of each post."""
    joined = {handle.lower(): moment for handle, moment in db.session.execute(select(User.handle, User.created_at))}
    mentions, tags = set(), set()
    for post in db.session.scalars(select(Post)):
        known = {handle for handle in mentioned_handles(post.text) if joined[handle] <= post.created_at}
        mentions |= {(post.id, handle) for handle in known}
        tags |= {(post.id, tag) for tag in tags_in(post.text)}
    return mentions, tags


def _assert_logins_work() -> None:
    admin = user_by_credentials(ADMIN, PASSWORD)
    assert admin is not None and admin.is_admin
    assert user_by_credentials(f"{READER}@example.org", PASSWORD) is not None
    assert user_by_credentials(MARKER, PASSWORD) is None
    followers = select(UserCounters.followers).join(User, User.id == UserCounters.user_id)
    assert db.session.scalars(followers.where(User.handle == CELEBRITY)).one() > 250


def test_there_is_something_on_each_page_of_moderation(filled: Filled) -> None:
    with filled.app.app_context():
        kinds = db.session.scalars(select(ModerationAction.action).order_by(ModerationAction.action)).all()
        assert kinds == ["hide", "limit", "mark", "remove", "suspend"]
        assert len(waiting_appeals()) == number_waiting() == 1
        assert len(db.session.scalars(select(User.id).where(User.suspended_until.is_not(None))).all()) == 1
        assert (number_held(), len(all_rules()), len(all_blocks())) == (2, 3, 2)
        assert db.session.scalars(select(RuleMatch.said).where(RuleMatch.post_id.is_(None))).one().startswith("Look")


def test_there_are_reports_in_every_state(filled: Filled) -> None:
    with filled.app.app_context():
        states = {(case.outcome, case.claimed_by_id is not None) for case in db.session.scalars(select(Case))}
    assert states == {(None, False), (None, True), ("acted", True), ("nothing", False)}
