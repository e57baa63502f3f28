"""Reports as moderators see them: the queue, one report, and what is done with it."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, request, send_from_directory
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from app import addresses
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.answers.queries import all_answers
from app.moderation.queue import operations, queries
from app.moderation.queue.details import details_of
from app.moderation.queue.forms import CloseForm, NoteForm
from app.moderation.queue.loaders import load_case
from app.moderation.queue.operations import Closed, Taken
from app.moderation.queue.queries import MINE, OPEN, TABS
from app.moderation.reports.forms import ticked
from app.moderation.reports.models import Case
from app.moderation.reports.snapshots import names_image
from app.posts.media import files as image_files
from app.web import limits, security
from app.web.admin import admin_page, moderators_too
from app.web.forms import show_refusal
from app.web.htmx import wants_fragment
from app.web.paging import read_page_at

bp = Blueprint("queue", __name__)

often = limiter.shared_limit(limits.MODERATION, scope="moderation", key_func=limits.account_or_address)


@bp.get("/admin/reports")
@admin_page("Reports", "What people reported, and what’s to be done about it", place=2, waiting=queries.number_open)
@moderators_too
@reads_only
def reports() -> ResponseReturnValue:
    return _queue(CloseForm(formdata=None))


@bp.post("/admin/reports/close")
@moderators_too
@often
def close_many() -> ResponseReturnValue:
    """Close all reports that were ticked."""
    form, answers = CloseForm(), all_answers()
    case_ids = ticked("case")
    if not case_ids:
        return _queue(form, "Tick the reports that you want to close."), 422
    try:
        answer = form.answer_among(answers)
        closed = operations.close_all(case_ids, by=current_user, outcome=form.outcome.data or "", answer=answer)
    except Refused as refusal:
        show_refusal(form, refusal)
        return _queue(form), 422
    db.session.commit()
    _say(closed)
    return redirect(addresses.admin_reports(_tab()), 303)


@bp.get("/admin/reports/<id:case_id>")
@moderators_too
@reads_only
def report(case_id: int) -> ResponseReturnValue:
    return _page(load_case(case_id), CloseForm(formdata=None), NoteForm(formdata=None))


@bp.post("/admin/reports/<id:case_id>/claim")
@moderators_too
@often
def claim(case_id: int) -> ResponseReturnValue:
    case = load_case(case_id)
    try:
        operations.claim(case, by=current_user, take_over="take_over" in request.form)
    except Taken as refusal:
        flash(str(refusal))
    db.session.commit()
    return redirect(addresses.admin_report(case_id), 303)


@bp.post("/admin/reports/<id:case_id>/claim/delete")
@moderators_too
@often
def delete_claim(case_id: int) -> ResponseReturnValue:
    operations.give_back(load_case(case_id), by=current_user)
    db.session.commit()
    flash("Given back. Anyone can take it on now.")
    return redirect(addresses.admin_reports(), 303)


@bp.post("/admin/reports/<id:case_id>/close")
@moderators_too
@often
def close(case_id: int) -> ResponseReturnValue:
    case, form = load_case(case_id), CloseForm()
    try:
        answer = form.answer_among(all_answers())
        operations.close(case, by=current_user, outcome=form.outcome.data or "", answer=answer)
    except Taken as refusal:
        flash(str(refusal))
        return redirect(addresses.admin_report(case_id), 303)
    except Refused as refusal:
        show_refusal(form, refusal)
        return _page(case, form, NoteForm(formdata=None)), 422
    db.session.commit()
    flash("Closed. Whoever reported it will hear.")
    return redirect(addresses.admin_reports(MINE if case.claimed_by_id == current_user.id else ""), 303)


@bp.post("/admin/reports/<id:case_id>/notes")
@moderators_too
@often
def create_note(case_id: int) -> ResponseReturnValue:
    case, form = load_case(case_id), NoteForm()
    try:
        operations.add_note(case, form.text.data or "", by=current_user)
    except Refused as refusal:
        show_refusal(form, refusal)
        return _page(case, CloseForm(formdata=None), form), 422
    db.session.commit()
    return redirect(f"{addresses.admin_report(case_id)}#notes", 303)


@bp.get("/admin/reports/<id:case_id>/images/<image_name>")
@moderators_too
@reads_only
def image(case_id: int, image_name: str) -> Response:
    """Send an image of a reported post, whoever else may see it."""
    file = image_files.file_of(image_name)
    if file is None or not names_image(case_id, file):
        raise NotFound("This image doesn’t exist any more.")
    response = send_from_directory(image_files.folder(), image_name, mimetype="image/webp")
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Content-Security-Policy"] = security.IMAGE_SECURITY_POLICY
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


def _tab() -> str:
    tab = request.values.get("tab", OPEN)
    return tab if tab in TABS else OPEN


def _queue(form: CloseForm, error: str = "") -> str:
    """Show a tab of the queue; what was ticked stays so."""
    tab, viewer = _tab(), current_user
    page = read_page_at(
        f"cases:{tab}",
        lambda at: queries.page_of_cases(tab, viewer=viewer, at=at),
        viewer_id=viewer.id,
        keeping={"tab": tab},
        path=addresses.admin_reports(),
    )
    form.offer(all_answers())
    template = "moderation/_cases.html" if wants_fragment() else "moderation/reports.html"
    return render_template(template, page=page, tab=tab, form=form, ticked=ticked("case"), error=error)


def _page(case: Case, form: CloseForm, note_form: NoteForm) -> str:
    form.offer(all_answers())
    return render_template("moderation/report.html", details=details_of(case), form=form, note_form=note_form)


def _say(closed: Closed) -> None:
    flash(f"{closed.count} report{' was' if closed.count == 1 else 's were'} closed.")
    for sentence in closed.left[:5]:
        flash(f"Left as it was, {sentence}")
