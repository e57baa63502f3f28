"""A form makes one post, however often it is sent: twice by two clicks, again after a lost answer, from two tabs."""

from __future__ import annotations

import re
import secrets

from sqlalchemy import select

from app.accounts.models import User
from app.core.errors import Refused
from app.core.text import clean, clean_line
from app.extensions import db
from app.posts.models import Post

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


def post_sent_with(once: str | None, *, by: User, text: str, warning: str, audience: str) -> Post | None:
    """Return the post that was made of a form before; refuse if it says something else or was deleted since."""
    if once is None:
        return None
    made = select(Post).where(Post.author_id == by.id, Post.once == once)
    post = db.session.scalars(made).one_or_none()
    if post is None:
        return None
    if post.deleted_at or (post.text, post.warning, post.audience) != (clean(text), clean_line(warning), audience):
        raise SentBefore
    return post
