"""Somebody’s own posts, as an export writes them down: all that they wrote, for whomever, and what it said before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, Select, and_, or_, select

from app import addresses
from app.accounts.models import User
from app.core import ids
from app.core.statements import is_one_of
from app.extensions import db
from app.posts.media import files as image_files
from app.posts.models import Post, PostImage, PostMention, PostVersion
from app.posts.moderated import REMOVED
from app.posts.visibility import DELETED, visible_to

Item = dict[str, Any]
Posts = Sequence[Row[*tuple[Any, ...]]]
_COLUMNS = (
    Post.id,
    Post.text,
    Post.warning,
    Post.audience,
    Post.edited_at,
    Post.repost_of_id,
    Post.quote_of_id,
    Post.reply_to_id,
)


def select_posts(user: User) -> Select[*tuple[Any, ...]]:
    """Select what a person wrote and reposted, as far as it is still there: also what nobody sees of one suspended."""
    still_there = and_(*(~clause.sql(user, Post, None) for clause in (DELETED, REMOVED)))
    reposted = or_(Post.repost_of_id.is_(None), visible_to(user, muted_too=True))
    return select(*_COLUMNS).where(Post.author_id == user.id, still_there, reposted)


def items(rows: Posts, user: User, origin: str) -> list[Item]:
    """Return posts with their images, their history and the addresses of what they point to."""
    own = [row.id for row in rows]
    images, versions, mentions = _images(own), _versions(own), _mentions(own)
    others = _others(rows, user, origin)
    found = []
    for row in rows:
        files = images[row.id]
        found.append(
            {
                "id": row.id,
                "url": origin + addresses.post(user.handle, row.id),
                "written_at": ids.time_of(row.id),
                "text": row.text,
                "warning": row.warning,
                "audience": row.audience,
                "mentions": mentions[row.id],
                "edited_at": row.edited_at,
                "earlier_versions": versions[row.id],
                "reply_to": others.get(row.reply_to_id),
                "repost_of": others.get(row.repost_of_id),
                "quote_of": others.get(row.quote_of_id),
                "images": [image for image, _ in files],
                "_files": [(image["file"], path) for image, path in files],
            }
        )
    return found


def _images(post_ids: Sequence[int]) -> Mapping[int, list[tuple[Item, Any]]]:
    """Return the images of posts as they lie in the archive, under names made of numbers, and where they lie here."""
    theirs = select(PostImage).where(is_one_of(PostImage.post_id, post_ids)).order_by(PostImage.position)
    found = defaultdict(list)
    for image in db.session.scalars(theirs):
        assert image.post_id is not None
        size = image_files.MOVING if image.is_moving else "l"
        path = image_files.folder() / image_files.name(image.file, size)
        if path.exists():
            name = f"images/{image.post_id}-{image.position + 1}.webp"
            shown = {"file": name, "description": image.alt, "width": image.width, "height": image.height}
            found[image.post_id].append((shown, path))
    return found


def _versions(post_ids: Sequence[int]) -> Mapping[int, list[Item]]:
    """Return what posts said before, the newest first."""
    theirs = select(PostVersion).where(is_one_of(PostVersion.post_id, post_ids)).order_by(PostVersion.id.desc())
    found = defaultdict(list)
    for version in db.session.scalars(theirs):
        said = {"text": version.text, "warning": version.warning, "replaced_at": version.replaced_at}
        found[version.post_id].append(said)
    return found


def _mentions(post_ids: Sequence[int]) -> Mapping[int, list[str]]:
    """Return the handles of those whom posts name."""
    named = select(PostMention.post_id, User.handle).join(User, User.id == PostMention.user_id)
    named = named.where(is_one_of(PostMention.post_id, post_ids), User.deleted_at.is_(None)).order_by(User.handle)
    found = defaultdict(list)
    for row in db.session.execute(named):
        found[row.post_id].append(row.handle)
    return found


def _others(rows: Posts, user: User, origin: str) -> Mapping[int | None, Item]:
    """Return where the posts are that these point to: those that the person may see."""
    ids_of = {other for row in rows for other in (row.repost_of_id, row.quote_of_id, row.reply_to_id) if other}
    seen = select(Post.id, User.handle).join(User, User.id == Post.author_id)
    seen = seen.where(is_one_of(Post.id, sorted(ids_of)), visible_to(user, muted_too=True))
    return {
        row.id: {"author": row.handle, "url": origin + addresses.post(row.handle, row.id)}
        for row in db.session.execute(seen)
    }
