"""Jobs that have failed: read, done again, given up."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app import addresses
from app.core.database import reads_only
from app.extensions import db, limiter
from app.feed.timelines import generation
from app.moderation.open_jobs import operations, queries
from app.outbox import names
from app.web import limits
from app.web.admin import admin_page
from app.web.htmx import wants_fragment
from app.web.paging import read_page

bp = Blueprint("open_jobs", __name__, url_prefix="/admin")

# What a feed would lack without them is found again when all feeds are built anew.
OF_FEEDS = {names.FAN_OUT_POST, names.BACKFILL_FOLLOW, names.FINISH_DEMOTION}
GONE = "It isn’t waiting any more: it’s done, or being done right now."


@bp.get("/jobs")
@admin_page("Jobs", "Work that failed and is tried again", place=10)
@reads_only
def jobs() -> ResponseReturnValue:
    """Show the jobs that have failed, the newest first."""
    page = read_page("jobs", queries.failed_jobs, viewer_id=current_user.id)
    template = "moderation/_jobs.html" if wants_fragment() else "moderation/jobs.html"
    return render_template(template, page=page)


@bp.post("/jobs/<id:row_id>/retry")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def retry_job(row_id: int) -> ResponseReturnValue:
    """Do a job now instead of later."""
    is_waiting = operations.retry(row_id, by=current_user)
    db.session.commit()
    flash("It’s being tried again now." if is_waiting else GONE)
    return redirect(addresses.admin_jobs(), 303)


@bp.post("/jobs/<id:row_id>/delete")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def drop_job(row_id: int) -> ResponseReturnValue:
    """Never do a job. Feeds lose nothing by it: they are built anew."""
    job = operations.drop(row_id, by=current_user)
    if job in OF_FEEDS:
        generation.draw()
    db.session.commit()
    flash("Dropped. It won’t be done." if job else GONE)
    return redirect(addresses.admin_jobs(), 303)
