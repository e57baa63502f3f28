"""Read the posts that rules hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import contains_eager

from app.accounts.models import User
from app.accounts.standing import holds_sql
from app.extensions import db
from app.posts.models import Post, PostImage
from app.posts.rules.models import HOLD, Rule, RuleMatch

MAX_SHOWN = 50

# Which posts wait: a moderator may have removed one on its own page meanwhile.
WAITS = (Post.held_at.is_not(None), Post.deleted_at.is_(None), ~holds_sql(Post.removed_until))


@dataclass(frozen=True)
class Held:
    """A post that waits for review, the names of the rules that hold it, and what its images show."""

    post: Post
    rules: Sequence[str]
    alts: Sequence[str]

    @property
    def author(self) -> User:
        return self.post.author

    @property
    def key(self) -> str:
        """Return what names the post as it was read: an edit makes another of it."""
        edited_at = self.post.edited_at
        return f"{self.post.id}:{edited_at.isoformat() if edited_at else ''}"


def held_posts() -> Sequence[Held]:
    """Return the held posts, the oldest first."""
    waiting = select(Post).join(Post.author).options(contains_eager(Post.author)).where(*WAITS)
    posts = db.session.scalars(waiting.order_by(Post.id).limit(MAX_SHOWN)).all()
    ids = [post.id for post in posts]
    by_rule = select(RuleMatch.post_id, Rule.name).join(RuleMatch.rule)
    names = db.session.execute(by_rule.where(RuleMatch.post_id.in_(ids), Rule.action == HOLD).order_by(Rule.id)).all()
    images = select(PostImage.post_id, PostImage.alt).where(PostImage.post_id.in_(ids)).order_by(PostImage.position)
    alts = db.session.execute(images).all()
    return [
        Held(
            post,
            list(dict.fromkeys(row[1] for row in names if row[0] == post.id)),
            [row[1] for row in alts if row[0] == post.id],
        )
        for post in posts
    ]


def number_held() -> int:
    """Return how many posts wait."""
    return db.session.scalar(select(func.count()).select_from(Post).where(*WAITS)) or 0
