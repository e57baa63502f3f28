"""Acting on posts and people, in tests."""

from __future__ import annotations

from datetime import datetime

from flask import Flask

from app.accounts.models import User
from app.extensions import db
from app.moderation.actions import operations
from app.moderation.actions.models import ModerationAction
from app.posts.models import Post
from tests.people import Member

WHY = "because of the rules"


def on_person(app: Flask, whom: Member, action: str, *, by: Member, until: datetime | None = None) -> int:
    """Do something to a person, and return which action it was."""
    with app.app_context():
        acting, person = db.session.get_one(User, by.id), db.session.get_one(User, whom.id)
        taken = operations.act_on_person(person, action, by=acting, reason=WHY, until=until)
        db.session.commit()
        return taken.id


def on_post(app: Flask, post_id: int, action: str, *, by: Member, until: datetime | None = None, mark: str = "") -> int:
    """Do something to a post, and return which action it was."""
    with app.app_context():
        acting, post = db.session.get_one(User, by.id), db.session.get_one(Post, post_id)
        taken = operations.act_on_post(post, action, by=acting, reason=WHY, until=until, mark=mark)
        db.session.commit()
        return taken.id


def undo(app: Flask, action_id: int, *, by: Member) -> bool:
    """Undo it, and say whether it was not undone yet."""
    with app.app_context():
        action = db.session.get_one(ModerationAction, action_id)
        is_new = operations.undo_action(action, by=db.session.get_one(User, by.id))
        db.session.commit()
        return is_new
