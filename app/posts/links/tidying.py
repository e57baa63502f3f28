"""Remove the pages that no post links to any more, and the pictures that no page has."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from sqlalchemy import delete, exists, select

from app.core import clock
from app.core.after_commit import after_commit
from app.core.statements import is_one_of
from app.extensions import db
from app.posts.links import pictures
from app.posts.links.models import LinkedPage, PostLink

SLICE = 1000
PATIENCE = timedelta(days=1)  # for a file whose page is about to be committed


def forget_unused() -> None:
    """Remove what nobody uses: pages first, and then the files that no row names."""
    is_used = exists().where(PostLink.page_id == LinkedPage.id)
    unused = select(LinkedPage.id).where(~is_used).limit(SLICE).with_for_update(skip_locked=True)
    # Looked at again once they are locked: a post may have come to one in between.
    locked = db.session.scalars(unused).all()
    gone = delete(LinkedPage).where(is_one_of(LinkedPage.id, locked), ~is_used).returning(LinkedPage.picture)
    for file in db.session.scalars(gone).all():
        if file:
            after_commit(db.session(), partial(pictures.remove, file))
    files = list(pictures.stored_before(clock.now() - PATIENCE))
    for start in range(0, len(files), SLICE):
        some = files[start : start + SLICE]
        named = set(db.session.scalars(select(LinkedPage.picture).where(LinkedPage.picture.in_(some))))
        for file in set(some) - named:
            pictures.remove(file)
