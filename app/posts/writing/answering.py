"""The form to answer a post with, on the page of the post: rendered once for all who write with it alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from flask import current_app
from markupsafe import Markup, escape
from sqlalchemy import exists, or_, select

from app.accounts.models import User
from app.extensions import db
from app.posts.facts import Facts
from app.posts.models import EVERYONE, FOLLOWERS, MENTIONED, PostMention
from app.posts.writing.forms import PostForm
from app.posts.writing.resending import new_once
from app.site.settings import Site, the_site
from app.social.queries import is_met_by
from app.web import kept
from app.web.kept import Kept, slot


def render_answer_form(post: Facts, *, by: User, token: str) -> Markup:
    """Return the empty composer below a post, as `posts/_composer.html` shows it."""
    text = text_for(post.id, post.author_id, post.audience, by=by)
    frame = _frame(the_site(), audience_for(post.audience, is_private=post.is_private), by.is_private, bool(text))
    face: Markup = kept.environment().globals["ui"].avatar(by)  # type: ignore[attr-defined]
    values = {"token": token, "handle": by.handle, "face": face, "reply_to": str(post.id), "text": escape(text)}
    values |= {"once": new_once()}
    return Markup(frame.fill({name: value.encode() for name, value in values.items()}).decode())  # noqa: S704


def audience_for(audience: str, *, is_private: bool) -> str:
    """Return who can see a post, as a suggestion for its answers."""
    return FOLLOWERS if audience == EVERYONE and is_private else audience


def text_for(post_id: int, author_id: int, audience: str, *, by: User) -> str:
    """Return what an answer starts with: among mentioned people, the handles of those it is for."""
    among = _addressed_by(post_id, author_id, by) if audience == MENTIONED else ()
    return "".join(f"@{handle} " for handle in among)


def _addressed_by(post_id: int, author_id: int, viewer: User) -> Sequence[str]:
    """Return the handles of those that an answer among mentioned people is for; the author of the post first."""
    mentioned = exists().where(PostMention.post_id == post_id, PostMention.user_id == User.id)
    others = (User.id != viewer.id, is_met_by(viewer))
    people = select(User.handle).where(or_(User.id == author_id, mentioned), *others)
    return db.session.scalars(people.order_by((User.id == author_id).desc(), User.id)).all()


@dataclass(frozen=True)
class _AnyWriter:
    """Stands for the one who writes."""

    is_private: bool
    handle: ClassVar[Markup] = slot("handle")

    def face(self, size: str) -> Markup:
        return slot("face")


@lru_cache(maxsize=100)
def _frame(site: Site, audience: str, is_private: bool, has_text: bool) -> Kept:
    text = slot("text") if has_text else ""
    form = PostForm(
        formdata=None, text=text, reply_to=slot("reply_to"), quote_of="", audience=audience, once=slot("once")
    )
    return kept.render(
        "posts/_composer.html",
        form=form,
        viewer=_AnyWriter(is_private),
        plain=False,
        over=False,
        chosen=(),
        image_errors=(),
        asks_for_words=False,
        site=site,
        config=current_app.config,
        csrf_token=lambda: slot("token"),
    )
