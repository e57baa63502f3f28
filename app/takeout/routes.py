"""Settings → Your data: take all of it along, also when one is suspended, and bring in lists of people."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, flash, redirect, render_template, request, send_file
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import NotFound

from app import addresses
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.takeout.exporting import archive, operations
from app.takeout.importing.forms import ImportForm
from app.takeout.importing.operations import ask_for_import, import_of
from app.takeout.importing.reading import BadList, read_list
from app.web import limits
from app.web.forms import show_refusal
from app.web.htmx import wants_fragment
from app.web.settings import ACCOUNT, settings_page
from app.web.standing import suspended_too
from app.web.uploads import takes_files

bp = Blueprint("takeout", __name__)

UPLOAD_BYTES = 8 * 1024 * 1024  # what is larger than a list may be still gets an answer at its field


@bp.get("/settings/data")
@suspended_too
@settings_page(ACCOUNT, "Your data", "Download a copy, bring in lists", place=8)
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def data() -> ResponseReturnValue:
    """Show what can be taken and brought; while a job is at work, htmx asks for that part alone."""
    if not wants_fragment():
        return _page(ImportForm())
    if request.args.get("part") == "import":
        return render_template("takeout/_import.html", brought=import_of(current_user))
    return render_template("takeout/_export.html", export=operations.export_of(current_user))


@bp.post("/settings/data")
@takes_files("file", max_bytes=lambda _: UPLOAD_BYTES)
@login_required
@limiter.limit(limits.IMPORT, key_func=limits.account_or_address)
def create_import() -> ResponseReturnValue:
    form = ImportForm()
    try:
        entries = _list_in(form)
        if not form.validate():
            return _page(form), 422
        ask_for_import(form.kind.data or "", entries, by=current_user)
    except Refused as refusal:
        form.validate()
        show_refusal(form, refusal)
        return _page(form), 422
    db.session.commit()
    return redirect(f"{addresses.settings('data')}#import", 303)


def _list_in(form: ImportForm) -> list[dict[str, str]]:
    if not form.file.data or not form.file.data.filename:
        raise BadList("Choose a file first.")
    hosts = {request.host.lower(), urlsplit(current_app.config["SITE_URL"]).netloc.lower()}
    return read_list(form.file.data.stream, hosts=hosts)


@bp.post("/settings/data/export")
@suspended_too
@login_required
@limiter.limit(limits.EXPORT, key_func=limits.account_or_address)
def create_export() -> ResponseReturnValue:
    operations.ask_for_export(by=current_user, origin=request.host_url)  # it ends up in their own file alone
    db.session.commit()
    return redirect(addresses.settings("data"), 303)


@bp.post("/settings/data/export/delete")
@suspended_too
@login_required
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def delete_export() -> ResponseReturnValue:
    operations.discard_export(by=current_user)
    db.session.commit()
    flash("Your copy has been removed.")
    return redirect(addresses.settings("data"), 303)


@bp.get("/export.zip")
@suspended_too
@login_required
@limiter.limit(limits.EXPORT_FILE, key_func=limits.account_or_address)
@reads_only
def export_file() -> Response:
    """Send somebody's own export: its address names no person and no file, the session alone decides whose it is."""
    export = operations.export_of(current_user)
    if export is None or not export.is_ready:
        raise NotFound("There’s no copy of your data here. You can ask for one under Settings → Your data.")
    path = archive.finished(export.file)
    if not path.exists():
        raise NotFound("This copy is no longer here. You can ask for a new one under Settings → Your data.")
    name = f"freshet-{current_user.handle}-{export.created_at:%Y-%m-%d}.zip"
    response = send_file(path, mimetype="application/zip", as_attachment=True, download_name=name)
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _page(form: ImportForm) -> str:
    return render_template(
        "settings/data.html",
        form=form,
        export=operations.export_of(current_user),
        brought=import_of(current_user),
    )
