"""Edit a post, and show what it said before."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import Gone

from app.accounts.viewer import viewer_id
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.posts.editing import history
from app.posts.loaders import load_cards, load_own_post, load_post_of
from app.posts.models import Post
from app.posts.writing import composing, operations
from app.posts.writing.forms import EditForm
from app.site.settings import the_site
from app.web import limits
from app.web.forms import show_refusal
from app.web.paging import read_page

bp = Blueprint("editing", __name__)


@bp.get("/posts/<id:post_id>/edit")
@login_required
@reads_only
def edit(post_id: int) -> ResponseReturnValue:
    post = load_own_post(post_id, by=current_user)
    version = history.newest_version(post)
    return _editor(EditForm(formdata=None, text=post.text, warning=post.warning, version=version), post)


@bp.post("/posts/<id:post_id>/edit")
@login_required
@limiter.limit(limits.POST, key_func=limits.account_or_address)
def update_post(post_id: int) -> ResponseReturnValue:
    form = EditForm()
    try:
        return _save(post_id, form)
    except Gone:
        return _gone(form)


def _save(post_id: int, form: EditForm) -> ResponseReturnValue:
    post = load_own_post(post_id, by=current_user)
    try:
        operations.edit_post(
            post,
            form.text.data or "",
            by=current_user,
            longest=the_site().post_max_chars,
            warning=form.warning.data or "",
            made_from=form.made_from,
        )
    except operations.EditedMeanwhile as error:
        db.session.rollback()
        post = load_own_post(post_id, by=current_user)
        form.version.data = str(error.version)
        return _editor(form, post, changed=True), 409
    except Refused as refusal:
        db.session.commit()  # what a rule refused is kept for those who look after the rules
        show_refusal(form, refusal)
        return _editor(form, post), refusal.code
    db.session.commit()
    composing.confirm_draft()
    flash("Post updated.")
    return redirect(url_for("posts.show", handle=current_user.handle, post_id=post_id), 303)


def _editor(form: EditForm, post: Post, *, changed: bool = False) -> str:
    [card] = load_cards(post.id)
    return render_template("posts/edit.html", form=form, card=card, now=post if changed else None)


def _gone(form: EditForm) -> ResponseReturnValue:
    """Say that there is nothing to edit any more, and give back what was typed."""
    return render_template("posts/edit_gone.html", form=form), 410


@bp.get("/@<handle:handle>/<id:post_id>/history")
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def show_history(handle: str, post_id: int) -> ResponseReturnValue:
    post = load_post_of(handle, post_id)
    page = read_page(
        f"history:{post_id}", lambda before: history.versions_of(post, before=before), viewer_id=viewer_id()
    )
    [card] = load_cards(post_id)
    return render_template("posts/history.html", page=page, card=card)
