"""Write and edit posts. Doing a thing twice is the same as doing it once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import delete, func, insert, select
from sqlalchemy.dialects.postgresql import insert as insert_or_ignore
from werkzeug.exceptions import Gone, NotFound

from app.accounts.models import User
from app.accounts.standing import is_here
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock
from app.core.errors import NotAllowed, Refused, all_of
from app.core.text import clean, clean_line, is_blank, mentioned_handles, tags_in, too_long_by
from app.extensions import db
from app.posts import policy
from app.posts.editing.history import newest_version
from app.posts.links import operations as links
from app.posts.locking import lock_posts
from app.posts.media import operations as images
from app.posts.models import EVERYONE, MENTIONED, Post, PostMention, PostTag, PostVersion
from app.posts.rules import judging
from app.posts.writing.resending import SentBefore

MAX_MENTIONS = 50
LONGEST_WARNING = 100


class BadText(Refused):
    """A text that cannot be posted."""

    field = "text"


class BadWarning(BadText):
    """A content warning that cannot be shown."""

    field = "warning"


class NotQuotable(BadText):
    """A quote of a post that was not written for everyone, or no longer is for everyone."""

    code = 403

    def __init__(self) -> None:
        super().__init__("This post isn’t public, so it can’t be quoted.")


class AboutGone(BadText):
    """A reply to a post, or a quote of one, that went while it was written."""

    def __init__(self) -> None:
        super().__init__("The post you’re replying to or quoting is gone. Your text is still here.")


class NobodyMentioned(BadText):
    """A post for the people it mentions that mentions nobody: the handle may be misspelt, so we ask."""

    def __init__(self) -> None:
        super().__init__(
            "You haven’t mentioned anyone, so nobody could see this. Add an @handle or choose a wider audience."
        )


class TooManyMentioned(BadText):
    """A post for more people than it could be for: some of them would not get it, and nobody would know."""

    def __init__(self) -> None:
        super().__init__(f"You can mention up to {MAX_MENTIONS} people in a post that only they can see.")


class EditedMeanwhile(Exception):
    """Another text was saved since this one was begun, so that there are two now."""

    def __init__(self, version: int) -> None:
        super().__init__("This post was changed somewhere else while you were editing.")
        self.version = version


def checked_text(text: str, *, longest: int, may_be_empty: bool = False) -> str:
    """Return a text as it is stored, or say why it cannot be. Images need no words."""
    text = clean(text)
    if is_blank(text) and may_be_empty:
        return ""
    if is_blank(text):
        raise BadText("Write something first.")
    _refuse_longer(BadText, too_long_by(text, longest), longest)
    return text


def checked_warning(warning: str) -> str:
    """Return a content warning as it is stored, or say why it cannot be."""
    warning = clean_line(warning)
    if is_blank(warning):
        return ""
    _refuse_longer(BadWarning, too_long_by(warning, LONGEST_WARNING), LONGEST_WARNING)
    return warning


def checked_words(text: str, warning: str, *, longest: int, may_be_empty: bool) -> list[str]:
    """Return a text and its warning as they are stored, or say all that is wrong with them."""
    return all_of(
        lambda: checked_text(text, longest=longest, may_be_empty=may_be_empty), lambda: checked_warning(warning)
    )


def _refuse_longer(error: type[BadText], over: int, longest: int) -> None:
    if over > 0:
        raise error(f"This is {over} character{'s' if over > 1 else ''} too long. The limit is {longest}.")


def check_quotable(post: Post, *, by: User) -> None:
    """Refuse to quote a post that was not written for everyone."""
    if not policy.can_hand_on(by, post):
        raise NotQuotable


def publish_post(
    text: str,
    *,
    by: User,
    longest: int,
    reply_to: Post | None = None,
    quote_of: Post | None = None,
    audience: str = EVERYONE,
    warning: str = "",
    chosen: Sequence[images.Choice] = (),
    once: str | None = None,
) -> int:
    """Publish a text, images or both, and return the id of the post; of a form that is called `once` only one."""
    text, warning = checked_words(text, warning, longest=longest, may_be_empty=bool(chosen))
    if quote_of is not None:
        check_quotable(quote_of, by=by)
    values = {"author_id": by.id, "text": text, "warning": warning, "audience": audience, "once": once}
    if quote_of is not None:
        values["quote_of_id"] = quote_of.id
    if reply_to is not None:
        values |= {"reply_to_id": reply_to.id, "reply_to_author_id": reply_to.author_id}
        values |= {"thread_id": reply_to.conversation_id}
    images.check(chosen, by=by)
    if audience == MENTIONED and len(mentioned_handles(text)) > MAX_MENTIONS:
        raise TooManyMentioned
    mentions, tags = _known_people(text), tags_in(text)
    if reply_to is not None and audience == MENTIONED and reply_to.author_id != by.id:
        mentions.add(reply_to.author_id)  # the author who is answered is meant
    if audience == MENTIONED and not mentions - {by.id}:
        raise NobodyMentioned
    judged = judging.judge(text, warning, [choice.alt for choice in chosen], by=by)
    values |= {"warning": judged.warning_over(warning), **judged.columns()}
    if about := [post for post in (reply_to, quote_of) if post is not None]:
        _lock_about(about)
    new_post = insert_or_ignore(Post).values(values)
    new_post = new_post.on_conflict_do_nothing(index_elements=["author_id", "once"], index_where=Post.once.is_not(None))
    post_id = db.session.execute(new_post.returning(Post.id)).scalar_one_or_none()
    if post_id is None:
        raise SentBefore
    judging.note(judged, post_id, by=by)
    _mention(post_id, mentions)
    _tag(post_id, tags)
    images.attach(chosen, to=post_id)
    if quote_of is None and not chosen:
        links.attach_link(text, to=post_id, by=by)
    activity.record(verbs.POST_CREATED, actor_id=by.id, subject_id=post_id)
    return post_id


def _lock_about(posts: Sequence[Post]) -> None:
    """Lock the posts that a new one is about, whose counters are about to be written."""
    try:
        lock_posts(*posts)
    except NotFound as error:
        raise AboutGone from error


def _known_people(text: str) -> set[int]:
    """Return the ids of the people a text mentions who exist."""
    handles = sorted(mentioned_handles(text))[:MAX_MENTIONS]
    if not handles:
        return set()
    known = select(User.id).where(func.lower(User.handle).in_(handles), is_here())
    return set(db.session.scalars(known))


def _mention(post_id: int, user_ids: Iterable[int]) -> None:
    if rows := [{"post_id": post_id, "user_id": user_id} for user_id in sorted(user_ids)]:
        db.session.execute(insert_or_ignore(PostMention).on_conflict_do_nothing(), rows)


def _tag(post_id: int, tags: Iterable[str]) -> None:
    if rows := [{"post_id": post_id, "tag": tag} for tag in sorted(tags)]:
        db.session.execute(insert_or_ignore(PostTag).on_conflict_do_nothing(), rows)


def edit_post(
    post: Post, text: str, *, by: User, longest: int, warning: str = "", made_from: int | None = None
) -> None:
    """Say something else in a post, at the same place of every feed. What it said before can still be read.

    `made_from` is the version that the new text was made from: what was changed meanwhile is not overwritten unseen.
    """
    if not policy.can_edit(by, post):
        raise NotAllowed("Only the author can edit a post.")
    alts = [image.alt for image in images.images_of(post)]
    text, warning = checked_words(text, warning, longest=longest, may_be_empty=bool(alts))
    judged = judging.judge(text, warning, alts, by=by, post_id=post.id)
    warning = judged.warning_over(warning)
    mentions, tags = _known_people(text), tags_in(text)  # before the row is locked
    stored = lock_to_edit(post)
    if (stored.text, stored.warning) == (text, warning):
        return
    newest = newest_version(stored)
    if made_from not in (None, newest):
        raise EditedMeanwhile(newest)
    if stored.held_at is None:  # what nobody read must not be read in its history
        db.session.execute(insert(PostVersion).values(post_id=stored.id, text=stored.text, warning=stored.warning))
    stored.text, stored.warning, stored.edited_at = text, warning, clock.now()
    for column, value in judged.columns().items():
        setattr(stored, column, value)
    judging.note(judged, stored.id, by=by)
    db.session.flush()
    if stored.audience != MENTIONED:  # all who could see it still can, and nobody else gets to read its history
        gone = (PostMention.post_id == stored.id, PostMention.user_id.not_in(mentions))
        db.session.execute(delete(PostMention).where(*gone))
        _mention(stored.id, mentions)
    _retag(stored, tags, by=by)
    if stored.quote_of_id is None and not alts:
        links.change_link(text, of=stored.id, by=by)
    activity.record(verbs.POST_EDITED, actor_id=by.id, subject_id=stored.id)


def lock_to_edit(post: Post) -> Post:
    """Return a post as it is now, which nobody else changes meanwhile."""
    now = select(Post).where(Post.id == post.id, Post.deleted_at.is_(None)).with_for_update(key_share=True)
    stored = db.session.scalars(now.execution_options(populate_existing=True)).one_or_none()
    if stored is None:
        raise Gone("This post was deleted by its author.")
    return stored


def _retag(post: Post, tags: set[str], *, by: User) -> None:
    """Put a post under other tags; where there are new ones it goes into their windows, too."""
    old = set(db.session.scalars(select(PostTag.tag).where(PostTag.post_id == post.id)))
    db.session.execute(delete(PostTag).where(PostTag.post_id == post.id, PostTag.tag.in_(old - tags)))
    _tag(post.id, tags - old)
    if tags - old:
        activity.record(verbs.POST_RETAGGED, actor_id=by.id, subject_id=post.id)
