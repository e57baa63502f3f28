"""Reports as moderators see them: the queue, one report, and what is done with it."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, request, send_from_directory
from flask.typing import ResponseReturnValue
from flask_login import current_user
from flask_wtf import FlaskForm
from werkzeug.exceptions import BadRequest, NotFound

from app import addresses
from app.accounts.models import User
from app.accounts.reader import zone_of
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.actions.forms import ActionForm
from app.moderation.actions.kinds import KINDS, ON_PEOPLE, ON_POSTS
from app.moderation.actions.policy import may_act_on
from app.moderation.answers.queries import all_answers
from app.moderation.queue import acting, operations, queries
from app.moderation.queue.acting import Decision
from app.moderation.queue.details import details_of
from app.moderation.queue.forms import ACTS_ON, ON_QUEUE, ON_REPORT, CloseForm, NoteForm, made
from app.moderation.queue.loaders import load_case
from app.moderation.queue.operations import Handled, Taken
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
from app.web.sudo import asks_again

bp = Blueprint("queue", __name__)

NOTHING_TICKED = "Tick the reports that it’s about."

often = limiter.shared_limit(limits.MODERATION, scope="moderation", key_func=limits.account_or_address)


@bp.get("/admin/reports")
@admin_page("Reports", "What people reported, and what’s to be done about it", place=2, waiting=queries.number_open)
@moderators_too
@reads_only
def reports() -> ResponseReturnValue:
    return _queue()


@bp.post("/admin/reports/close")
@moderators_too
@often
def close_many() -> ResponseReturnValue:
    """Close all reports that were ticked."""
    form, case_ids = CloseForm(), ticked("case")
    if not case_ids:
        return _queue(NOTHING_TICKED, form=form), 422
    decided = {"outcome": form.outcome.data or "", "answer": form.answer_among(all_answers())}
    try:
        closed = operations.close_all(case_ids, by=current_user, **decided)
    except Refused as refusal:
        show_refusal(form, refusal)
        return _queue(form=form), 422
    db.session.commit()
    return _handled(closed, "closed")


@bp.post("/admin/reports/act")
@moderators_too
@asks_again
@often
def act_on_many() -> ResponseReturnValue:
    """Do the same about all reports that were ticked, which stay open."""
    form, case_ids = ON_QUEUE["act_form"](), ticked("case")
    assert isinstance(form, ActionForm)
    if not form.validate() or not case_ids:
        return _queue("" if case_ids else NOTHING_TICKED, act_form=form), 422
    try:
        acted = acting.act_on_all(case_ids, _decision(form), by=_by())
    except Refused as refusal:
        db.session.rollback()
        show_refusal(form, refusal)
        return _queue(act_form=form), 422
    db.session.commit()
    return _handled(acted, "acted on. What you acted on is in Mine, to be closed")


@bp.get("/admin/reports/<id:case_id>")
@moderators_too
@reads_only
def report(case_id: int) -> ResponseReturnValue:
    return _page(load_case(case_id))


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


@bp.post("/admin/reports/<id:case_id>/act")
@moderators_too
@asks_again
@often
def act(case_id: int) -> ResponseReturnValue:
    """Do something about the posts that were ticked, or about the person. The report stays open."""
    case, name = load_case(case_id), ACTS_ON.get(request.form.get("target", ""))
    if name is None:
        raise BadRequest("Choose one of the options on the page.")
    form = ON_REPORT[name]()
    assert isinstance(form, ActionForm)
    if not form.validate():
        return _page(case, **{name: form}), 422
    try:
        if name == "post_form":
            acting.act_on_posts(case, ticked("posts"), _decision(form), by=_by())
        else:
            acting.act_on_reported(case, _decision(form), by=_by())
    except Taken as refusal:
        flash(str(refusal))
        return redirect(addresses.admin_report(case_id), 303)
    except Refused as refusal:
        db.session.rollback()
        show_refusal(form, refusal)
        return _page(load_case(case_id), **{name: form}), 422
    db.session.commit()
    flash(f"Done: {KINDS[form['action'].data].label.lower()}. @{case.handle} will be told.")
    return redirect(addresses.admin_report(case_id), 303)


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
        return _page(case, form=form), 422
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
        return _page(case, note_form=form), 422
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


def _by() -> User:
    return db.session.get_one(User, current_user.id)


def _decision(form: ActionForm) -> Decision:
    """Return what a form decides; a day that is none is refused."""
    mark = form["mark"].data if "mark" in form else ""
    return Decision(form["action"].data, form.reason.data or "", form.until_in(zone_of(current_user)), mark or "")


def _queue(error: str = "", **given: FlaskForm) -> str:
    """Show a tab of the queue; what was ticked stays so."""
    tab, viewer = _tab(), current_user
    page = read_page_at(
        f"cases:{tab}",
        lambda at: queries.page_of_cases(tab, viewer=viewer, at=at),
        viewer_id=viewer.id,
        keeping={"tab": tab},
        path=addresses.admin_reports(),
    )
    shown = {"page": page, "tab": tab, "ticked": ticked("case"), "error": error, "kinds": KINDS, "sent": [*given]}
    template = "moderation/_cases.html" if wants_fragment() else "moderation/reports.html"
    return render_template(template, **shown, **made(ON_QUEUE, given, all_answers()))


def _page(case: Case, **given: FlaskForm) -> str:
    details = details_of(case)
    shown = {"on_posts": ON_POSTS, "on_people": ON_PEOPLE, "ticked": ticked("posts"), "sent": [*given]}
    may_act = details.person is not None and may_act_on(details.person, by=current_user)
    return render_template(
        "moderation/report.html", details=details, may_act=may_act, **shown, **made(ON_REPORT, given, all_answers())
    )


def _handled(handled: Handled, how: str) -> ResponseReturnValue:
    """Say about how many something was decided, and why others are as they were."""
    flash(f"{handled.count} report{' was' if handled.count == 1 else 's were'} {how}.")
    for sentence in handled.left[:5]:
        flash(f"Left as it was, {sentence}")
    return redirect(addresses.admin_reports(_tab()), 303)
