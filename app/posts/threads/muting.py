"""Mute conversations, and list those that are muted."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, exists, select
from sqlalchemy.dialects.postgresql import insert as insert_or_ignore

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import tokens
from app.core.errors import NotAsItWas
from app.core.paging import PAGE_SIZE, cut
from app.core.statements import rows_changed
from app.extensions import db
from app.posts.models import MutedConversation, Post


def mute_conversation(post: Post, *, by: User) -> None:
    """Keep the conversation that a post is part of out of a reader's lists."""
    muted = insert_or_ignore(MutedConversation).values(user_id=by.id, thread_id=post.conversation_id)
    rows_changed(muted.on_conflict_do_nothing())


def unmute_conversation(post: Post, *, by: User) -> None:
    """Let the conversation that a post is part of appear again."""
    unmute_thread(post.conversation_id, by=by)


def unmute_thread(thread_id: int, *, by: User) -> str:
    """Let a conversation, named by its first post, appear again; that post may be gone meanwhile.

    Return what `restore_mute` takes; nothing where it was not muted.
    """
    theirs = (MutedConversation.user_id == by.id, MutedConversation.thread_id == thread_id)
    place = db.session.scalar(delete(MutedConversation).where(*theirs).returning(MutedConversation.id))
    if place is None:
        return ""
    activity.record(verbs.CONVERSATION_UNMUTED, actor_id=by.id, subject_id=thread_id)
    return tokens.sign(_purpose(thread_id, by), [place])


def restore_mute(thread_id: int, token: str, *, by: User) -> None:
    """Mute a conversation as before, at its place among the others, whether its first post can be seen or not."""
    try:
        [place] = tokens.read(_purpose(thread_id, by), token)
    except tokens.BadToken as error:
        raise NotAsItWas from error
    muted = insert_or_ignore(MutedConversation).values(user_id=by.id, thread_id=thread_id, id=place)
    rows_changed(muted.on_conflict_do_nothing())


def _purpose(thread_id: int, by: User) -> str:
    return f"conversation:{by.id}:{thread_id}"


def mutes_conversation(viewer: User, post: Post) -> bool:
    """Say whether a reader has muted the conversation that a post is part of."""
    muted = (MutedConversation.user_id == viewer.id, MutedConversation.thread_id == post.conversation_id)
    return bool(db.session.scalar(select(exists().where(*muted))))


def muted_conversations(viewer: User, *, before: int | None) -> tuple[Sequence[MutedConversation], int | None]:
    """Return the conversations that a reader has muted, the last one first."""
    theirs = select(MutedConversation).where(MutedConversation.user_id == viewer.id)
    if before is not None:
        theirs = theirs.where(MutedConversation.id < before)
    rows = db.session.scalars(theirs.order_by(MutedConversation.id.desc()).limit(PAGE_SIZE + 1)).all()
    return cut(rows, key=lambda row: row.id)
