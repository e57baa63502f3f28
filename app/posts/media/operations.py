"""Images of posts: kept when they are uploaded, attached when their post is published, removed when it goes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import IO

from sqlalchemy import ColumnElement, and_, delete, false, insert, or_, select, update

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock, ids
from app.core.images import BadImage
from app.core.statements import is_one_of
from app.core.text import clean, too_long_by
from app.extensions import db
from app.posts.media import files as image_files
from app.posts.models import Post, PostImage
from app.posts.visibility import visible_to

MAX_IMAGES = 4
LONGEST_ALT = 1000
PATIENCE = timedelta(days=7)  # for an image that waits to be posted: it may be in a draft
MAX_WAITING_IMAGES = 40  # of one account
SLICE = 1000
TOO_MANY = "A post can have up to four images."


@dataclass(frozen=True)
class Choice:
    """An image that an author wants to post, and what they say it shows."""

    id: int
    alt: str = ""


def keep(upload: IO[bytes], *, by: User, most_bytes: int) -> PostImage:
    """Store an uploaded image. It waits for its post, and nobody but its owner sees it."""
    if upload.seek(0, os.SEEK_END) > most_bytes:
        raise BadImage(f"This file is too large. The limit is {most_bytes // 1024**2} MB.")
    upload.seek(0)
    saved = image_files.save(upload)
    values = {"file": saved.file, "width": saved.width, "height": saved.height, "is_moving": saved.is_moving}
    image = db.session.scalars(insert(PostImage).values(owner_id=by.id, **values).returning(PostImage)).one()
    _make_room(image, by=by)
    return image


def _make_room(image: PostImage, *, by: User) -> None:
    """Remove the oldest images that an author has not posted, if an image is one too many.

    Not refused: most are of discarded drafts, which nobody could empty. A draft says which of its images are gone.
    """
    oldest = select(PostImage.id).where(_waits_for(by)).order_by(PostImage.id.desc()).offset(MAX_WAITING_IMAGES)
    gone = delete(PostImage).where(PostImage.id.in_(oldest), _waits_for(by))  # still: it may be posted in this moment
    _remove_files(db.session.scalars(gone.returning(PostImage.file)).all(), subject_id=image.id, by=by)


def waiting(image_ids: Sequence[int], *, of: User) -> list[PostImage]:
    """Return those of an author's images that wait for a post, in the order given."""
    theirs = select(PostImage).where(is_one_of(PostImage.id, image_ids), _waits_for(of))
    found = {image.id: image for image in db.session.scalars(theirs)}
    return [found[image_id] for image_id in dict.fromkeys(image_ids) if image_id in found]


def check(choices: Sequence[Choice], *, by: User) -> None:
    """Lock the images that an author wants to post, or say why they cannot: of two posts at once only one gets them."""
    image_ids = {choice.id for choice in choices}
    if len(choices) > MAX_IMAGES or len(image_ids) < len(choices):
        raise BadImage(TOO_MANY)
    for choice in choices:
        checked_alt(choice.alt)
    if not choices:
        return
    free = select(PostImage.id).where(is_one_of(PostImage.id, list(image_ids)), _waits_for(by)).order_by(PostImage.id)
    locked = set(db.session.scalars(free.with_for_update()))
    for choice in choices:
        if choice.id not in locked:
            raise BadImage(about_gone(choice))


def about_gone(choice: Choice) -> str:
    """Say that an image is no longer here, and what was written about it: nobody should have to write that again."""
    words = "One of your images is no longer here. Unless you posted it in another window, add it again."
    return f"{words} You’d described it as “{choice.alt.strip()}”" if choice.alt.strip() else words


def attach(choices: Sequence[Choice], *, to: int) -> None:
    """Give checked images to a post, in their order."""
    for position, choice in enumerate(choices):
        attached = update(PostImage).where(PostImage.id == choice.id)
        db.session.execute(attached.values(post_id=to, position=position, alt=checked_alt(choice.alt)))


def checked_alt(alt: str) -> str:
    """Return a description as it is stored, or say why it cannot be."""
    alt = clean(alt)
    if too_long_by(alt, LONGEST_ALT):
        raise BadImage(f"A description can have up to {LONGEST_ALT} characters.")
    return alt


def alt_errors(choices: Sequence[Choice]) -> dict[int, str]:
    """Return what is wrong with descriptions, by their images."""
    errors = {}
    for choice in choices:
        try:
            checked_alt(choice.alt)
        except BadImage as error:
            errors[choice.id] = str(error)
    return errors


def images_of(post: Post) -> Sequence[PostImage]:
    """Return the images of a post."""
    return db.session.scalars(select(PostImage).where(PostImage.post_id == post.id).order_by(PostImage.position)).all()


def describe(choices: Sequence[Choice], *, post: Post) -> None:
    """Set what the images of a post show, for those who do not see them."""
    for choice in choices:
        described = update(PostImage).where(PostImage.id == choice.id, PostImage.post_id == post.id)
        db.session.execute(described.values(alt=checked_alt(choice.alt)))


def discard(image_id: int, *, by: User) -> bool:
    """Remove an image that waits for its post; say whether there was one."""
    gone = delete(PostImage).where(PostImage.id == image_id, _waits_for(by)).returning(PostImage.file)
    return _remove_files(db.session.scalars(gone).all(), subject_id=image_id, by=by)


def remove_from(post_id: int) -> None:
    """Remove all images of a post."""
    gone = delete(PostImage).where(PostImage.post_id == post_id).returning(PostImage.file)
    _remove_files(db.session.scalars(gone).all(), subject_id=post_id)


def _remove_files(files: Sequence[str], *, subject_id: int, by: User | None = None) -> bool:
    """Have a job delete the files, after the commit."""
    if files:
        activity.record(
            verbs.IMAGES_REMOVED, actor_id=by.id if by else None, subject_id=subject_id, details={"files": list(files)}
        )
    return bool(files)


def _waits_for(owner: User) -> ColumnElement[bool]:
    return and_(PostImage.owner_id == owner.id, PostImage.post_id.is_(None))


def is_visible(file: str, *, viewer: User | None) -> bool:
    """Say whether a viewer may see an image: if they may see its post; while it waits for one, if it is theirs."""
    own = _waits_for(viewer) if viewer else false()
    found = select(PostImage.id).outerjoin(Post, Post.id == PostImage.post_id)
    found = found.where(PostImage.file == file, or_(own, visible_to(viewer, muted_too=True)))
    return db.session.scalar(found) is not None


def forget_orphans() -> None:
    """Remove images that were not posted within a week, and then the files that no row names."""
    long_ago = clock.now() - PATIENCE
    orphans = (PostImage.post_id.is_(None), PostImage.id < ids.id_at(long_ago))
    db.session.execute(delete(PostImage).where(*orphans))
    files = sorted(image_files.stored_before(long_ago))
    for start in range(0, len(files), SLICE):
        some = files[start : start + SLICE]
        named = set(db.session.scalars(select(PostImage.file).where(PostImage.file.in_(some))))
        for file in set(some) - named:
            image_files.remove(file)
