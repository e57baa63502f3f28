"""Rules, in tests."""

from __future__ import annotations

from typing import Any

from flask import Flask
from sqlalchemy import select, update

from app.extensions import db
from app.posts.models import Post
from app.posts.rules.models import Rule, RuleMatch
from tests.people import Member


def written(admin: Member, action: str, *, name: str = "No pills", sentence: str = "", **asked: Any) -> int:
    """Write a rule in the form, which leaves it off; return which it is."""
    response = admin.send("/admin/rules", name=name, action=action, sentence=sentence, is_whole_word="y", **asked)
    assert response.status_code == 303, response.text
    return int(response.location.rpartition("/")[2])


def switched_on(admin: Member, action: str, **asked: Any) -> int:
    """Write a rule and switch it on."""
    rule_id = written(admin, action, **asked)
    assert admin.send(f"/admin/rules/{rule_id}/switch", on="yes").status_code == 303
    return rule_id


def rule(app: Flask, rule_id: int) -> Rule:
    """Return a rule as it is now."""
    with app.app_context():
        return db.session.get_one(Rule, rule_id)


def matched(app: Flask, rule_id: int) -> list[int | None]:
    """Return the posts that a rule matched, the oldest first; None stands for a text that it refused."""
    with app.app_context():
        found = select(RuleMatch.post_id).where(RuleMatch.rule_id == rule_id).order_by(RuleMatch.id)
        return list(db.session.scalars(found))


def tampered(app: Flask, rule_id: int, **columns: Any) -> None:
    """Set columns of a rule as no page does."""
    with app.app_context():
        db.session.execute(update(Rule).where(Rule.id == rule_id).values(**columns))
        db.session.commit()


def key(app: Flask, post_id: int) -> str:
    """Return what names a held post in the form of the queue."""
    with app.app_context():
        edited_at = db.session.get_one(Post, post_id).edited_at
        return f"{post_id}:{edited_at.isoformat() if edited_at else ''}"
