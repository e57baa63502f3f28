"""Delete posts, bring them back while there is time, and erase them for good. Twice is the same as once."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, exists, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or_ignore

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock
from app.core.errors import NotAllowed
from app.extensions import db
from app.posts import policy
from app.posts.deleting.models import DeletedPost
from app.posts.links import operations as links
from app.posts.media import operations as images
from app.posts.models import Post, PostTag, PostVersion

TIME_TO_RESTORE = timedelta(seconds=15)  # pages offer it for ten, and the way here takes a while
SLICE = 500


def delete_post(post: Post, *, by: User) -> None:
    """Delete a post: it is gone for everyone at once. Its row stays to say "gone"; what it said waits to be erased."""
    if not policy.can_delete(by, post):
        raise NotAllowed("Only the author can delete a post.")
    still_there = select(Post.text, Post.warning).where(Post.id == post.id, Post.deleted_at.is_(None))
    said = db.session.execute(still_there.with_for_update(key_share=True)).one_or_none()
    if said is None:
        return
    # Mentions stay: they know who may be told that it is gone.
    tags = db.session.scalars(delete(PostTag).where(PostTag.post_id == post.id).returning(PostTag.tag)).all()
    values = {"post_id": post.id, "text": said.text, "warning": said.warning, "tags": sorted(tags)}
    now = clock.now()
    db.session.execute(insert(DeletedPost).values(**values, deleted_at=now))
    db.session.execute(update(Post).where(Post.id == post.id).values(deleted_at=now, text="", warning=""))
    activity.record(verbs.POST_DELETED, actor_id=by.id, subject_id=post.id)


def restore_post(post_id: int, *, by: User) -> bool:
    """Bring a post back that its author has just deleted; say whether there was still time.

    It is sent to timelines once more: one that was built meanwhile does not have it.
    """
    is_theirs = exists().where(Post.id == DeletedPost.post_id, Post.author_id == by.id)
    in_time = (DeletedPost.post_id == post_id, DeletedPost.deleted_at > clock.now() - TIME_TO_RESTORE, is_theirs)
    taken = delete(DeletedPost).where(*in_time)
    said = db.session.execute(
        taken.returning(DeletedPost.text, DeletedPost.warning, DeletedPost.tags).execution_options(
            synchronize_session=False
        )
    ).one_or_none()
    if said is None:
        return False
    restored = update(Post).where(Post.id == post_id).values(deleted_at=None, text=said.text, warning=said.warning)
    db.session.execute(restored)
    if said.tags:
        rows = [{"post_id": post_id, "tag": tag} for tag in said.tags]
        db.session.execute(insert_or_ignore(PostTag).on_conflict_do_nothing(), rows)
    activity.record(verbs.POST_RESTORED, actor_id=by.id, subject_id=post_id)
    return True


def erase_deleted() -> None:
    """Erase what deleted posts said and showed, once nobody can bring them back."""
    too_late = DeletedPost.deleted_at <= clock.now() - 2 * TIME_TO_RESTORE
    some = select(DeletedPost.post_id).where(too_late).order_by(DeletedPost.post_id).limit(SLICE)
    gone = delete(DeletedPost).where(DeletedPost.post_id.in_(some)).returning(DeletedPost.post_id)
    for post_id in db.session.scalars(gone.execution_options(synchronize_session=False)).all():
        db.session.execute(delete(PostVersion).where(PostVersion.post_id == post_id))
        images.remove_from(post_id)
        links.detach_link(post_id)
