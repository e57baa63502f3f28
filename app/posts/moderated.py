"""What those who run the site decided about posts and their authors, as clauses of who may see what."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, and_

from app.accounts.models import User
from app.accounts.reader import Reader
from app.accounts.standing import holds_sql
from app.posts.clauses import AuthorRow, Clause, Finding
from app.posts.facts import Facts
from app.posts.models import PostRow, Viewer
from app.social.queries import followed_by


def _is_hidden(post: Facts, viewer: Reader | None) -> bool:
    return post.is_hidden and not post.is_held and (viewer is None or post.author_id != viewer.id)


def _is_hidden_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    hidden = and_(holds_sql(post.hidden_until), post.held_at.is_(None))
    return hidden if viewer is None else and_(hidden, post.author_id != viewer.id)


def _hidden_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.is_held:
        return
    if post.is_hidden and post.author_id == reader.id:
        told = "A moderator has hidden it. Only you can see it."
        yield Finding("hidden", "a moderator hid the post, but not from its author", True, told)
    elif post.is_hidden:
        yield Finding("hidden", "a moderator hid the post", False)


def _is_held(post: Facts, viewer: Reader | None) -> bool:
    return post.is_held and (viewer is None or post.author_id != viewer.id)


def _is_held_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    held = post.held_at.is_not(None)
    return held if viewer is None else and_(held, post.author_id != viewer.id)


def _held_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.is_held and post.author_id == reader.id:
        told = "It waits until someone who runs this site has looked at it. Only you can see it."
        yield Finding("held", "a rule holds the post for review, but not from its author", True, told)
    elif post.is_held:
        yield Finding("held", "a rule holds the post for review", False)


def _is_removed(post: Facts, viewer: Reader | None) -> bool:
    return post.is_removed


def _is_removed_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    return holds_sql(post.removed_until)


def _removed_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.is_removed:
        yield Finding("removed", "a moderator removed the post", False)


def _is_by_suspended(post: Facts, viewer: Reader | None) -> bool:
    return post.author_is_suspended


def _is_by_suspended_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    assert author is not None
    return holds_sql(author.suspended_until)


def _suspended_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.author_is_suspended:
        yield Finding("suspended", f"the account of @{post.handle} is suspended", False)


def _is_by_limited(post: Facts, viewer: Reader | None) -> bool:
    is_own = viewer is not None and post.author_id == viewer.id
    return post.author_is_limited and post.volume is None and not is_own


def _is_by_limited_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    assert author is not None
    limited = holds_sql(author.limited_until)
    if viewer is None:
        return limited
    return and_(limited, post.author_id != viewer.id, ~followed_by(viewer.id, post.author_id))


def _limited_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.author_is_limited and post.author_id != reader.id:
        says = f"the account of @{post.handle} is limited: only for followers"
        told = f"Only followers see what @{post.handle} posts, and you’re one of them."
        yield Finding("limited", says, post.volume is not None, told)


HIDDEN = Clause("hidden", _is_hidden, _is_hidden_sql, _hidden_words)
HELD = Clause("held", _is_held, _is_held_sql, _held_words)  # it is hidden, too, but not by a moderator
REMOVED = Clause("removed", _is_removed, _is_removed_sql, _removed_words)
SUSPENDED = Clause("suspended", _is_by_suspended, _is_by_suspended_sql, _suspended_words, asks_author=True)
LIMITED = Clause("limited", _is_by_limited, _is_by_limited_sql, _limited_words, asks_author=True)
