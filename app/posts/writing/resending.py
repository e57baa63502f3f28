"""A form makes one post, however often it is sent: twice by two clicks, again after a lost answer, from two tabs."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence

from sqlalchemy import select

from app.accounts.models import User
from app.core.errors import Refused
from app.core.text import clean, clean_line
from app.extensions import db
from app.posts.media.operations import Choice, images_of
from app.posts.models import Post
from app.posts.visibility import visible_to

_ONCE = re.compile(r"[\w-]{16,40}", re.ASCII)


class SentBefore(Refused):
    """A form that was sent before, with other words: nobody knows whether these are meant to be another post."""

    field = "text"

    def __init__(self) -> None:
        super().__init__("You’ve already posted from this form, with other words. To post these too, send it again.")


def new_once() -> str:
    """Return the name of a form that is about to be shown."""
    return secrets.token_urlsafe(12)


def named_once(name: str | None) -> str | None:
    """Return what a form is called by its hidden field, if it could be ours; programs may leave it out."""
    return name if name and _ONCE.fullmatch(name) else None


def post_sent_with(
    once: str | None, *, by: User, text: str, warning: str, audience: str, chosen: Sequence[Choice] | None
) -> Post | None:
    """Return the post that was made of a form before, if it says the same; `chosen` is None if nobody can tell."""
    made = select(Post).where(Post.author_id == by.id, Post.once == once, visible_to(by, muted_too=True))
    post = db.session.scalars(made).one_or_none()
    if post is None or post.text != clean(text):
        return None
    if post.warning != (clean_line(warning) or post.warning):  # where there was none a rule may have added one
        return None
    attached = [(image.id, image.alt) for image in images_of(post)]
    is_same = chosen is None or attached == [(choice.id, clean(choice.alt)) for choice in chosen]
    return post if is_same and post.audience == audience else None
