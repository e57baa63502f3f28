"""Who may see which post: the only place that knows. Every list of posts starts from `visible_to`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, false, func, or_
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.accounts.reader import Reader, zone_of
from app.core import times
from app.extensions import db
from app.posts.clauses import AuthorRow, Clause, Finding, any_hides, any_hides_sql
from app.posts.facts import Facts
from app.posts.filters.matching import is_filtered_by
from app.posts.models import EVERYONE, FOLLOWERS, HIDE, MENTIONED, MutedConversation, Post, PostMention, PostRow, Viewer
from app.posts.moderated import HELD, HIDDEN, LIMITED, REMOVED, SUSPENDED
from app.social.models import EVERYTHING, Mute
from app.social.queries import blocks_between, followed_by, muted_by, relation_to

# Aliases, so that a predicate keeps its own rows inside a statement that selects from the same table.
_Author, _Target, _Mention, _Muted = aliased(User), aliased(Post), aliased(PostMention), aliased(MutedConversation)


# ---- The clauses: what each one decides over facts, selects, and says


def _is_deleted(post: Facts, viewer: Reader | None) -> bool:
    return post.is_deleted


def _is_deleted_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    return post.deleted_at.is_not(None)


def _deleted_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.is_deleted:
        yield Finding("deleted", "the post was deleted", False)


def _is_erased(post: Facts, viewer: Reader | None) -> bool:
    return post.author_is_deleted


def _is_erased_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    assert author is not None
    return author.deleted_at.is_not(None)


def _erased_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.author_is_deleted:
        yield Finding("account", f"the account of @{post.handle} was deleted", False)


def _is_for_others(post: Facts, viewer: Reader | None) -> bool:
    if post.audience == EVERYONE or (viewer and post.author_id == viewer.id):
        return False
    return not post.is_mentioned if post.audience == MENTIONED else post.volume is None


def _is_for_others_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    if viewer is None:
        return post.audience != EVERYONE
    # About the post outside of both: left alone, SQLAlchemy would ask for a mention in any post at all.
    mentioned = exists().where(_Mention.post_id == post.id, _Mention.user_id == viewer.id).correlate_except(_Mention)
    return and_(
        post.audience != EVERYONE,
        post.author_id != viewer.id,
        or_(post.audience == FOLLOWERS, ~mentioned),
        or_(post.audience == MENTIONED, ~followed_by(viewer.id, post.author_id)),
    )


def _audience_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.author_id == reader.id:
        return
    if post.audience == MENTIONED:
        told = "It’s only for people it mentions, and you’re one of them."
        yield Finding("audience", "only for the people mentioned", post.is_mentioned, told)
    elif post.audience == FOLLOWERS and not post.is_private:
        told = f"It’s only for followers of @{post.handle}, and you’re one of them."
        yield Finding("audience", "only for followers", post.volume is not None, told)


def _is_private(post: Facts, viewer: Reader | None) -> bool:
    if not post.is_private or post.audience == MENTIONED or (viewer and post.author_id == viewer.id):
        return False
    return post.volume is None


def _is_private_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    assert author is not None
    if viewer is None:
        return and_(author.is_private, post.audience != MENTIONED)
    others = (post.audience != MENTIONED, post.author_id != viewer.id)
    return and_(author.is_private, *others, ~followed_by(viewer.id, post.author_id))


def _private_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.is_private and post.audience != MENTIONED and post.author_id != reader.id:
        says = f"the account of @{post.handle} is private: only for followers"
        told = f"@{post.handle} has a private account, and you’re a follower."
        yield Finding("private", says, post.volume is not None, told)


def _is_blocked(post: Facts, viewer: Reader | None) -> bool:
    return post.is_blocked


def _is_blocked_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    return false() if viewer is None else blocks_between(viewer.id, post.author_id)


def _block_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.is_blocked:
        relation = relation_to(db.session.get_one(User, post.author_id), viewer=reader)
        if relation.blocks:
            yield Finding("block", f"@{reader.handle} blocks @{post.handle}", False)
        if relation.blocked_by:  # for the admin alone
            yield Finding("block", f"@{post.handle} blocks @{reader.handle}", False)


def _is_muted(post: Facts, viewer: Reader | None) -> bool:
    return post.mute == EVERYTHING


def _is_muted_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    return false() if viewer is None else muted_by(viewer.id, post.author_id)


def _mute_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.mute == EVERYTHING:
        until = muted_until(reader, post.author_id)
        says = f"@{reader.handle} muted @{post.handle}{times.ending(until, None)}"
        yield Finding("mute", says, False, f"You’ve muted @{post.handle}{times.ending(until, zone_of(reader))}.")


def muted_until(reader: User, author_id: int) -> datetime | None:
    """Return when a reader's mute of an author ends; None where it is for ever."""
    mute = db.session.get(Mute, (reader.id, author_id))  # it may have ended since
    return mute.until if mute else None


def _is_in_muted_conversation(post: Facts, viewer: Reader | None) -> bool:
    return post.conversation_muted and viewer is not None and post.author_id != viewer.id


def _is_in_muted_conversation_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    if viewer is None:
        return false()
    this = (_Muted.user_id == viewer.id, _Muted.thread_id == func.coalesce(post.thread_id, post.id))
    return and_(post.author_id != viewer.id, exists().where(*this).correlate_except(_Muted))


def _conversation_words(post: Facts, reader: User) -> Iterator[Finding]:
    if _is_in_muted_conversation(post, reader):
        says = f"@{reader.handle} muted conversation {post.thread_id or post.id}"
        yield Finding("conversation", says, False, "You’ve muted this conversation.")


def _is_filtered(post: Facts, viewer: Reader | None) -> bool:
    return post.hiding_phrase is not None


def _is_filtered_sql(viewer: Viewer, post: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    if viewer is None:
        return false()
    return and_(post.author_id != viewer.id, is_filtered_by(viewer, post, HIDE))


def _filter_words(post: Facts, reader: User) -> Iterator[Finding]:
    if post.hiding_phrase is not None:
        says = f"a word filter of @{reader.handle} hides it"  # which words is nobody else's business
        yield Finding("filter", says, False, f"Your filter “{post.hiding_phrase}” hides it.")


DELETED = Clause("deleted", _is_deleted, _is_deleted_sql, _deleted_words)
ACCOUNT = Clause("account", _is_erased, _is_erased_sql, _erased_words, asks_author=True)
AUDIENCE = Clause("audience", _is_for_others, _is_for_others_sql, _audience_words)
PRIVATE = Clause("private", _is_private, _is_private_sql, _private_words, asks_author=True)
BLOCK = Clause("block", _is_blocked, _is_blocked_sql, _block_words)
MUTE = Clause("mute", _is_muted, _is_muted_sql, _mute_words, is_choice=True)
CONVERSATION = Clause(
    "conversation", _is_in_muted_conversation, _is_in_muted_conversation_sql, _conversation_words, is_choice=True
)
FILTER = Clause("filter", _is_filtered, _is_filtered_sql, _filter_words, is_choice=True)

# THE list. Another reason to hide a post is another entry here, and holds everywhere.
CLAUSES = (
    *(DELETED, ACCOUNT, HIDDEN, HELD, REMOVED, SUSPENDED, LIMITED),
    *(AUDIENCE, PRIVATE, BLOCK, MUTE, CONVERSATION, FILTER),
)
NO_CHOICES = tuple(clause for clause in CLAUSES if not clause.is_choice)
IN_THREAD = tuple(clause for clause in CLAUSES if clause is not CONVERSATION)
BUT_DELETED = tuple(clause for clause in CLAUSES if clause is not DELETED)
NO_CHOICES_BUT_DELETED = tuple(clause for clause in BUT_DELETED if not clause.is_choice)


# ---- Over facts


def is_visible(post: Facts, viewer: Reader | None, *, muted_too: bool = False) -> bool:
    """Decide what `one_visible_to` selects: one post, which is no repost or is asked about apart from its post."""
    return not any_hides(NO_CHOICES if muted_too else CLAUSES, post, viewer)


def is_visible_in_thread(post: Facts, viewer: Reader | None) -> bool:
    """Decide what `visible_in_thread` selects."""
    return not any_hides(IN_THREAD, post, viewer)


def was_visible(post: Facts, viewer: Reader | None) -> bool:
    """Decide what `shown_to` selects with `muted_too`: a viewer may see it or, if it is deleted, might have seen it."""
    return not any_hides(NO_CHOICES_BUT_DELETED, post, viewer)


# ---- As SQL


def visible_to(viewer: Viewer, post: PostRow = Post, *, muted_too: bool = False) -> ColumnElement[bool]:
    """Hold for the posts that a viewer may see: the only place that knows. A repost is seen where its post is seen.

    `muted_too` is for pages that name the author (profile, permalink): the viewer asked for that person. There a repost
    of one's own is seen although one mutes or filters its post: others see it there, and it can be taken back.
    """
    reposted: ColumnElement[bool] = exists().where(_Target.id == post.repost_of_id, one_visible_to(viewer, _Target))
    if muted_too and viewer is not None:
        unwanted_too = exists().where(_Target.id == post.repost_of_id, one_visible_to(viewer, _Target, muted_too=True))
        reposted = or_(reposted, and_(post.author_id == viewer.id, unwanted_too))
    return and_(
        one_visible_to(viewer, post, muted_too=muted_too),
        or_(post.repost_of_id.is_(None), reposted),
    )


def one_visible_to(viewer: Viewer, post: PostRow, *, muted_too: bool = False) -> ColumnElement[bool]:
    """Hold for the posts that a viewer may see, of rows that are no reposts."""
    return none_hides(NO_CHOICES if muted_too else CLAUSES, viewer, post)


def shown_to(viewer: Viewer, post: PostRow = Post, *, muted_too: bool = False) -> ColumnElement[bool]:
    """Hold for the posts that a viewer may see or, if they are deleted, might have seen."""
    return none_hides(NO_CHOICES_BUT_DELETED if muted_too else BUT_DELETED, viewer, post)


def visible_in_thread(viewer: Viewer, post: PostRow) -> ColumnElement[bool]:
    """Hold for what a viewer sees of a conversation that they opened, and may have muted as a whole."""
    return none_hides(IN_THREAD, viewer, post)


def none_hides(
    clauses: tuple[Clause[Facts], ...] | list[Clause[Facts]], viewer: Viewer, post: PostRow
) -> ColumnElement[bool]:
    """Hold where no clause hides a post; those that need the author's row share one look at it."""
    asking = [clause for clause in clauses if clause.asks_author]
    others = [clause for clause in clauses if not clause.asks_author]
    author = exists().where(_Author.id == post.author_id, ~any_hides_sql(asking, viewer, post, _Author))
    return and_(author, *(~clause.sql(viewer, post, None) for clause in others))
