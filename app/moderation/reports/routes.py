"""Report posts and people, and read what became of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Blueprint, flash, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app import addresses
from app.accounts.models import User
from app.core.database import on_primary, reads_only
from app.core.errors import NotAllowed, Refused
from app.extensions import db, limiter
from app.moderation.reports import operations, queries
from app.moderation.reports.forms import ReportForm, ticked
from app.posts.loaders import load_visible_post
from app.posts.models import Post
from app.social import operations as social
from app.social.loaders import load_visible_person
from app.web import limits
from app.web.forms import show_refusal
from app.web.htmx import own_page, respond, wants_fragment
from app.web.paging import read_page
from app.web.settings import WHAT_YOU_SEE, settings_page

bp = Blueprint("reports", __name__)

seldom = limiter.shared_limit(limits.REPORT, scope="reports", key_func=limits.account_or_address)
THANKS = "Thanks, the moderators will look at it. Settings → Reports you made says what comes of it."


@bp.get("/posts/<id:post_id>/report")
@login_required
@reads_only
def post(post_id: int) -> ResponseReturnValue:
    found = load_visible_post(post_id)
    return _form(ReportForm(formdata=None), found.author, found)


@bp.post("/posts/<id:post_id>/report")
@login_required
@seldom
def report_post(post_id: int) -> ResponseReturnValue:
    found = load_visible_post(post_id)
    return _report(partial(operations.report_post, found), found.author, found)


@bp.get("/@<handle:handle>/report")
@login_required
@reads_only
def person(handle: str) -> ResponseReturnValue:
    found, _ = load_visible_person(handle)
    return _form(ReportForm(formdata=None), found)


@bp.post("/@<handle:handle>/report")
@login_required
@seldom
def report_person(handle: str) -> ResponseReturnValue:
    found, _ = load_visible_person(handle)
    return _report(partial(operations.report_person, found), found)


@bp.get("/settings/reports")
@settings_page(WHAT_YOU_SEE, "Reports you made", "What came of them", place=7)
@login_required
@reads_only
def made() -> ResponseReturnValue:
    """Show what the viewer reported and what came of it; from now on they know."""
    viewer = current_user
    page = read_page("reports", lambda before: queries.reports_by(viewer, before=before), viewer_id=viewer.id)
    if viewer.has_report_news:
        with on_primary():
            operations.hear_news(by=viewer)
            db.session.commit()
    return render_template("settings/_reports.html" if wants_fragment() else "settings/reports.html", page=page)


def _report(operation: Callable[..., None], author: User, found: Post | None = None) -> ResponseReturnValue:
    """Report what a form says, or show it again with what is wrong."""
    form = ReportForm()
    if form.validate():
        try:
            operation(by=current_user, reason=form.reason.data, note=form.note.data or "", further=ticked("posts"))
        except Refused as refusal:
            if refusal.field not in form:
                raise
            show_refusal(form, refusal)
        else:
            return _reported(form, author)
    return _form(form, author, found), 422


def _reported(form: ReportForm, author: User) -> ResponseReturnValue:
    """Hide the person, if that was asked for, and lead back."""
    is_hidden = form.blocks.data or form.mutes.data
    if form.blocks.data:
        social.block(author, by=current_user)
    elif form.mutes.data:
        social.mute(author, by=current_user)
    db.session.commit()
    if not wants_fragment():
        flash(THANKS)
    hidden = {"author-hidden": {"author": author.id, "closes": bool(form.blocks.data)}}
    back = own_page(request.form.get("next"), default=author.url)
    back = author.url if form.blocks.data else back  # a page of theirs may not be there any more
    return respond("", or_redirect=back, toast=THANKS, events=hidden if is_hidden else None)


def _form(form: ReportForm, author: User, found: Post | None = None) -> str:
    """Show the form: on a page of its own, or in the dialog that htmx puts it into."""
    if author.id == current_user.id:
        raise NotAllowed("You can’t report yourself.")
    own = addresses.post(author.handle, found.id) if found else author.url
    return render_template(
        "moderation/_report_form.html" if wants_fragment() else "moderation/report_form.html",
        form=form,
        person=author,
        path=addresses.report_post(found.id) if found else addresses.report_person(author.handle),
        is_post=found is not None,
        further=queries.further_posts(author, viewer=current_user, but=found.id if found else None),
        ticked=ticked("posts"),
        back=own_page(request.values.get("next"), default=own),
    )
