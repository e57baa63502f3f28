"""Build cold timelines: claim, read Postgres in a snapshot taken after the claim, fill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redis import Redis
from sqlalchemy import BigInteger, Select, literal, select, union_all

from app.extensions import db
from app.feed import timeline
from app.posts.models import Post
from app.social.models import Follow


@dataclass(frozen=True)
class Claim:
    """A cold timeline that this builder may fill: the home of somebody, or the window of an author."""

    key: str
    token: str
    user_id: int
    is_home: bool


def claim(client: Redis, generation: str, token: str, *, home_of: int | None, authors: Sequence[int]) -> list[Claim]:
    """Claim cold timelines under a builder's token; of two builders one gets each. Pushes land in them from now on."""
    wanted = [Claim(timeline.author_key(generation, a), token, a, is_home=False) for a in authors]
    if home_of is not None:
        wanted.append(Claim(timeline.home_key(generation, home_of), token, home_of, is_home=True))
    answers = timeline.send(client, [timeline.mark(each.key, each.token) for each in wanted])
    return [each for each, answer in zip(wanted, answers, strict=True) if answer]


def build(client: Redis, claims: Sequence[Claim]) -> None:
    """Fill claimed timelines with the newest entries of all their authors, pulled ones too, whoever is muted."""
    fills = []
    for each in claims:
        newest = newest_in_home(each.user_id) if each.is_home else newest_by(each.user_id)
        fills.append(timeline.fill(each.key, each.token, db.session.scalars(newest).all()))
    if fills:
        timeline.send(client, fills)


def newest_by(author_id: int) -> Select[int]:
    """Select the newest entries of an author, as many as a window holds."""
    theirs = select(Post.id).where(Post.author_id == author_id, Post.deleted_at.is_(None))
    return theirs.order_by(Post.id.desc()).limit(timeline.cap())


def newest_in_home(user_id: int) -> Select[int]:
    """Select the newest entries that somebody could see: by whom they follow and by themselves, nothing filtered."""
    own = select(literal(user_id, BigInteger).label("author_id"))
    followed = select(Follow.followed_id.label("author_id")).where(Follow.follower_id == user_id)
    authors = union_all(own, followed).subquery("authors")
    newest = (
        select(Post.id)
        .where(Post.author_id == authors.c.author_id, Post.deleted_at.is_(None))
        .order_by(Post.id.desc())
        .limit(timeline.cap())
        .lateral("newest")
    )
    ids = select(newest.c.id).select_from(authors).join(newest, literal(True))
    return ids.order_by(newest.c.id.desc()).limit(timeline.cap())
