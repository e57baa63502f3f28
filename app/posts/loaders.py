"""Load posts for a route; 404 for a viewer who may not see one, 410 for one that was deleted."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import contains_eager
from werkzeug.exceptions import Gone, NotFound

from app.accounts.models import User
from app.accounts.viewer import current_viewer
from app.core.database import read_only
from app.core.errors import NotAllowed
from app.core.ids import MAX_ID
from app.extensions import db
from app.posts import policy
from app.posts.cards.cards import PostCard
from app.posts.cards.reading import cards_for
from app.posts.facts import Facts
from app.posts.lists import Listing
from app.posts.models import Post
from app.posts.visibility import shown_to, visible_to, was_visible
from app.web.paging import Page, read_page

DELETED = "This post was deleted by its author."
NOT_VISIBLE = "This post doesn’t exist or isn’t visible to you."


def load_visible_post(post_id: int) -> Post:
    """Return a post with its author, if the viewer may see it. 410 is for those who might have seen it."""
    shown = (Post.id == post_id, Post.repost_of_id.is_(None), shown_to(current_viewer(), muted_too=True))
    found = select(Post).join(Post.author).options(contains_eager(Post.author)).where(*shown)
    post = db.session.scalars(found).one_or_none()
    if post is None:
        raise NotFound(NOT_VISIBLE)
    if post.deleted_at is not None:
        raise Gone(DELETED)
    return post


def check_visible(post: Facts | None) -> Facts:
    """Return a post if the viewer may see it, as `load_visible_post` does, from facts that were read before."""
    if post is None or post.repost_of_id is not None or not was_visible(post, current_viewer()):
        raise NotFound(NOT_VISIBLE)
    if post.is_deleted:
        raise Gone(DELETED)
    return post


def load_cards(entry_id: int, *others: int) -> list[PostCard]:
    """Return the card of an entry that was just loaded or written, and then those of others that can be seen.

    It may have gone since: then this is a 410, too.
    """
    viewer = current_viewer()
    with read_only():  # what was written is committed, and in a transaction Postgres would plan all of it anew
        cards = cards_for([entry_id, *others], viewer=viewer, muted_too=True)
    if not cards or cards[0].entry_id != entry_id:
        raise Gone(DELETED)
    return cards


def load_list(scope: str, posts: Listing) -> Page[PostCard]:
    """Return the page of a list of posts that the request names, downwards or upwards."""
    viewer = current_viewer()
    return read_page(
        scope,
        lambda before: posts.page(viewer=viewer, before=before),
        viewer_id=viewer.id if viewer else None,
        fetch_above=lambda above: posts.page(viewer=viewer, above=above),
    )


def load_visible_entry(entry_id: int) -> Post:
    """Return an entry of feeds that the viewer may see: a post, or a repost of one that they may see."""
    shown = (Post.id == entry_id, Post.repost_of_id.is_not(None), visible_to(current_viewer(), muted_too=True))
    return db.session.scalars(select(Post).where(*shown)).one_or_none() or load_visible_post(entry_id)


def load_post_of(handle: str, post_id: int) -> Post:
    """Return a post that the viewer may see, if it is by the author that its address names."""
    post = load_visible_post(post_id)
    if post.author.handle.lower() != handle.lower():
        raise NotFound(NOT_VISIBLE)
    return post


def names_id(name: str | None) -> bool:
    """Say whether a field of a form could be the id of something."""
    digits = str(name or "")
    return digits.isascii() and digits.isdigit() and len(digits) <= len(str(MAX_ID)) and int(digits) <= MAX_ID


def load_named_post(name: str | None) -> Post | None:
    """Return the post that a field of a form names by its id; None if it is empty."""
    if not name:
        return None
    if not names_id(name):
        raise NotFound(NOT_VISIBLE)
    return load_visible_post(int(name))


def load_own_post(post_id: int, *, by: User) -> Post:
    """Return a post that the viewer may edit and delete."""
    post = load_visible_post(post_id)
    if not policy.can_delete(by, post):
        raise NotAllowed("Only the author can edit or delete a post.")
    return post
