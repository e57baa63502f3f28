"""Build cold timelines: claim, read Postgres in a snapshot taken after the claim, fill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redis import Redis
from sqlalchemy import BigInteger, Select, literal, select, union_all

from app.extensions import db
from app.feed.timelines import keys as timeline
from app.feed.timelines import transport
from app.feed.timelines.keys import Source
from app.posts.models import Post, PostTag
from app.social.models import Follow


@dataclass(frozen=True)
class Claim:
    """A cold timeline that this builder may fill, and what belongs into it."""

    key: str
    token: str
    newest: Select[int]


def claim(client: Redis, generation: str, token: str, *, home_of: int | None, sources: Sequence[Source]) -> list[Claim]:
    """Claim cold timelines under a builder's token; of two builders one gets each. Pushes land in them from now on."""
    wanted = [Claim(timeline.source_key(generation, source), token, newest_of(source)) for source in sources]
    if home_of is not None:
        wanted.append(Claim(timeline.home_key(generation, home_of), token, newest_in_home(home_of)))
    answers = transport.send(client, [timeline.mark(each.key, each.token) for each in wanted])
    return [each for each, answer in zip(wanted, answers, strict=True) if answer]


def build(client: Redis, claims: Sequence[Claim]) -> None:
    """Fill claimed timelines with the newest entries of all their authors, pulled and muted ones too."""
    fills = [timeline.fill(each.key, each.token, db.session.scalars(each.newest).all()) for each in claims]
    if fills:
        transport.send(client, fills)


def newest_of(source: Source) -> Select[int]:
    """Select the newest entries of an author or under a tag, as many as a window holds."""
    return newest_by(source) if isinstance(source, int) else newest_tagged(source)


def newest_tagged(tag: str) -> Select[int]:
    """Select the newest posts under a tag, no matter who may see them."""
    tagged = select(PostTag.post_id).join(Post, Post.id == PostTag.post_id)
    tagged = tagged.where(PostTag.tag == tag, Post.deleted_at.is_(None))
    return tagged.order_by(PostTag.post_id.desc()).limit(timeline.cap())


def newest_by(author_id: int) -> Select[int]:
    """Select the newest entries of an author."""
    theirs = select(Post.id).where(Post.author_id == author_id, Post.deleted_at.is_(None))
    return theirs.order_by(Post.id.desc()).limit(timeline.cap())


def newest_in_home(user_id: int) -> Select[int]:
    """Select the newest entries that a reader could see: by those they follow and by themselves, nothing filtered."""
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
