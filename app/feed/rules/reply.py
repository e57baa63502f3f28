"""Which replies belong into a home: between accounts that the reader follows, to oneself, or with the reader.

And, by accounts that the reader follows, whomever they answer: all at "all replies", and what is only for the people
that it mentions, the reader among them, who would not hear of it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, and_, exists, or_
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.accounts.reader import Reader
from app.core.statements import AnyViewer
from app.extensions import db
from app.posts.clauses import AuthorRow, Clause, Finding
from app.posts.facts import Facts
from app.posts.models import MENTIONED, PostRow, Viewer
from app.social.models import ALL_REPLIES, Follow
from app.social.queries import followed_by, meets

_Follow = aliased(Follow)  # keeps its own rows inside a statement that selects from the same table


def _is_elsewhere(entry: Facts, reader: Reader | None) -> bool:
    if entry.reply_to_id is None:
        return False
    assert reader is not None
    if entry.author_id == reader.id or entry.reply_to_author_id in (entry.author_id, reader.id):
        return False
    is_wanted = entry.follows_answered or entry.volume == ALL_REPLIES or entry.audience == MENTIONED
    return entry.volume is None or not is_wanted


def _is_elsewhere_sql(viewer: Viewer, entry: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    assert isinstance(viewer, AnyViewer)
    follows_both = and_(followed_by(viewer.id, entry.author_id), followed_by(viewer.id, entry.reply_to_author_id))
    at_all_replies = (_Follow.follower_id == viewer.id, _Follow.followed_id == entry.author_id)
    wants_all = exists().where(*at_all_replies, _Follow.volume == ALL_REPLIES).correlate_except(_Follow)
    return ~or_(
        entry.reply_to_id.is_(None),
        entry.author_id == viewer.id,
        entry.reply_to_author_id.in_([entry.author_id, viewer.id]),
        follows_both,
        wants_all,
        and_(entry.audience == MENTIONED, followed_by(viewer.id, entry.author_id)),
    )


def _words(entry: Facts, reader: User) -> Iterator[Finding]:
    if entry.reply_to_id is None or entry.reply_to_author_id is None:
        return
    by, answered = f"@{entry.handle}", db.session.get(User, entry.reply_to_author_id)
    name = f"@{answered.handle}" if answered else "someone who is gone"
    says = f"{by} replied to {name} (post {entry.reply_to_id})"
    is_unmet = answered is None or not meets(reader, answered.id)
    told = "someone" if is_unmet else name
    if entry.author_id == reader.id:
        yield Finding("reply", says, True, None if is_unmet else f"You replied to {told}.")
    elif entry.reply_to_author_id == entry.author_id:
        yield Finding("reply", f"{by} replied to themselves", True, f"{by} is continuing their own thread.")
    elif entry.reply_to_author_id == reader.id:
        yield Finding("reply", says, True, f"{by} replied to you.")
    elif entry.volume and entry.follows_answered:
        tells = f"{by} replied to {told}, and you follow both."
        yield Finding("reply", f"{says}, and the reader follows both", True, tells)
    elif entry.volume and entry.audience == MENTIONED:
        tells = f"{by} replied to {told}, only for the people mentioned."
        yield Finding("reply", f"{says}, only for the people mentioned", True, tells)
    elif entry.volume == ALL_REPLIES:
        tells = f"{by} replied to {told}, who you don’t follow."
        yield Finding("reply", f"{says}, and the reader wants all replies by {by}", True, tells)
    else:
        met = f"{by} replied to {told}, who you don’t follow" if entry.volume else f"You don’t follow {by}, who replied"
        unless = f", unless you choose to see all replies by {by}" if entry.volume else ""
        tells = f"{met}. Replies like that stay out of your home feed{unless}."
        yield Finding("reply", f"{says}, and the reader does not follow both", False, tells)


REPLY = Clause("reply", _is_elsewhere, _is_elsewhere_sql, _words)
