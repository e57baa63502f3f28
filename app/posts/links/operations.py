"""Links of posts: which page a post links to, what was found there, and the author's word on the card."""

from __future__ import annotations

from datetime import datetime, timedelta

from flask import current_app
from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock, ids
from app.core.after_commit import after_commit
from app.core.fetching import normal_url
from app.core.statements import rows_changed
from app.core.text import first_link
from app.extensions import db
from app.posts.links import pictures
from app.posts.links.asking import Found
from app.posts.links.models import LinkedPage, PostLink

REFRESH_AFTER = timedelta(days=7)
RETRY_AFTER = timedelta(minutes=5)  # where nothing was found, and then four times as long as it has been tried
LONGEST_WAIT = timedelta(hours=1)  # of a post that links to a page where nothing was found


def attach_link(text: str, *, to: int, by: User) -> None:
    """Remember the first link of a post, and have its page asked if that was not done lately."""
    url = _link_in(text)
    if url is None or not current_app.config["LINK_CARDS"]:
        return
    page = insert(LinkedPage).values(url=url)
    # Not DO NOTHING: it must be there until we have committed, though another process is about to remove it.
    page = page.on_conflict_do_update(index_elements=["url"], set_={"url": url})
    found = db.session.execute(page.returning(LinkedPage.id, LinkedPage.title, LinkedPage.asked_at)).one()
    db.session.execute(insert(PostLink).values(post_id=to, page_id=found.id))
    if is_due(found.id, found.title, found.asked_at):
        activity.record(verbs.LINK_POSTED, actor_id=by.id, subject_id=found.id)


def change_link(text: str, *, of: int, by: User) -> None:
    """Follow an edited text. The card of a link that stays is left as it is: one that was removed stays removed."""
    before = select(LinkedPage.url).join(PostLink, PostLink.page_id == LinkedPage.id).where(PostLink.post_id == of)
    if db.session.scalar(before) != _link_in(text):
        detach_link(of)
        attach_link(text, to=of, by=by)


def detach_link(post_id: int) -> None:
    """Forget the link of a post; its page goes with the last post that has it."""
    db.session.execute(delete(PostLink).where(PostLink.post_id == post_id))


def _link_in(text: str) -> str | None:
    link = first_link(text)
    return normal_url(link) if link else None


def remove_card(post_id: int) -> bool:
    """Show no card below a post; say whether there was a link. The link in its text stays."""
    return _set_removed(post_id, is_removed=True)


def restore_card(post_id: int) -> bool:
    """Show the card of a post again."""
    return _set_removed(post_id, is_removed=False)


def _set_removed(post_id: int, *, is_removed: bool) -> bool:
    return bool(rows_changed(update(PostLink).where(PostLink.post_id == post_id).values(is_removed=is_removed)))


def has_removed_card(post_id: int) -> bool:
    """Say whether the author has removed the card of a post."""
    return bool(db.session.scalar(select(PostLink.is_removed).where(PostLink.post_id == post_id)))


def is_due(page_id: int, title: str, asked_at: datetime | None) -> bool:
    """Say whether a page is to be asked: rarely, and sooner where nothing was found."""
    if asked_at is None:
        return True
    wait = min(LONGEST_WAIT, max(RETRY_AFTER, 4 * (asked_at - ids.time_of(page_id))))
    return asked_at < clock.now() - (REFRESH_AFTER if title else wait)


def store(page_id: int, found: Found | None) -> None:
    """Keep what was found at a page. If nothing was, or its picture cannot be had now, that of before stays."""
    # Posts can refer to the row meanwhile: it is their key that must not change.
    stored = select(LinkedPage).where(LinkedPage.id == page_id).with_for_update(key_share=True)
    page = db.session.scalars(stored.execution_options(populate_existing=True)).one_or_none()
    if page is not None:
        page.asked_at = clock.now()
    if found is None:
        return
    unused = found.picture and found.picture.file
    if page is not None:
        page.title, page.description = found.title, found.description
    if page is not None and (found.picture or not found.names_picture):
        unused, picture = page.picture, found.picture
        page.picture, page.picture_width, page.picture_height = (
            (picture.file, picture.width, picture.height) if picture else (None, None, None)
        )
    db.session.flush()
    if unused:
        after_commit(db.session(), lambda: pictures.remove(unused))
