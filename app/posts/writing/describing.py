"""Say later what the images of a post show; the rules of the site judge it as they judge an edit."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock
from app.extensions import db
from app.posts.media import operations as images
from app.posts.models import Post, PostVersion
from app.posts.rules import judging
from app.posts.writing.operations import lock_to_edit


def describe_images(post: Post, choices: Sequence[images.Choice], *, by: User) -> None:
    """Set what the images of a post show; where a rule says so the post is refused, held or marked."""
    alts = {choice.id: images.checked_alt(choice.alt) for choice in choices}
    if alts == {image.id: image.alt for image in images.images_of(post)}:
        return
    judged = judging.judge(post.text, post.warning, list(alts.values()), by=by, post_id=post.id)
    stored = lock_to_edit(post)
    images.describe(choices, post=stored)
    judging.note(judged, stored.id, by=by)
    _follow(judged, stored, by=by)


def _follow(judged: judging.Judgement, post: Post, *, by: User) -> None:
    """Store what follows for the post; whoever reviews it must not approve what they have not read."""
    warning, was_held = judged.warning_over(post.warning), post.held_at is not None
    if warning != post.warning and not was_held:
        db.session.execute(insert(PostVersion).values(post_id=post.id, text=post.text, warning=post.warning))
    for column, value in judged.columns().items():
        setattr(post, column, value)
    if warning != post.warning or post.held_at is not None:
        post.warning, post.edited_at = warning, clock.now()
        activity.record(verbs.POST_EDITED, actor_id=by.id, subject_id=post.id)
    db.session.flush()
