"""A person and a post as those who run the site see them, and what they may do about both."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from app import addresses
from app.accounts.models import User
from app.accounts.queries import user_by_handle
from app.accounts.reader import zone_of
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.actions import operations, policy, queries
from app.moderation.actions.forms import PersonForm, PostForm
from app.moderation.actions.kinds import ON_PEOPLE, ON_POSTS
from app.moderation.actions.models import ModerationAction
from app.posts.models import Post
from app.web import limits
from app.web.admin import moderators_too
from app.web.forms import show_refusal
from app.web.sudo import asks_again

bp = Blueprint("actions", __name__, url_prefix="/admin")


@bp.get("/people/<handle:handle>")
@moderators_too
@reads_only
def person(handle: str) -> ResponseReturnValue:
    """Show a person: how they stand, what was done to them, and what can be done."""
    return _person_page(_load_person(handle), PersonForm())


@bp.post("/people/<handle:handle>/actions")
@moderators_too
@asks_again
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def act_on_person(handle: str) -> ResponseReturnValue:
    whom, by, form = _load_person(handle), _by(), PersonForm()
    if not form.validate_on_submit():
        return _person_page(whom, form), 422
    try:
        until = form.until_in(zone_of(by))
        taken = operations.act_on_person(whom, form.action.data, by=by, reason=form.reason.data or "", until=until)
    except Refused as refusal:
        show_refusal(form, refusal)
        return _person_page(whom, form), 422
    db.session.commit()
    flash(f"Done: {taken.kind.label.lower()}. @{whom.handle} will be told.")
    return redirect(addresses.admin_person(whom.handle), 303)


@bp.post("/people/<handle:handle>/actions/<id:action_id>/undo")
@moderators_too
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def undo_on_person(handle: str, action_id: int) -> ResponseReturnValue:
    whom = _load_person(handle)
    action = db.session.get(ModerationAction, action_id)
    if action is None or action.person_id != whom.id:
        raise NotFound("Nothing like that was done to this person.")
    return _undo(action, to=addresses.admin_person(whom.handle))


@bp.get("/posts/<id:post_id>")
@moderators_too
@reads_only
def post(post_id: int) -> ResponseReturnValue:
    """Show a post, whatever was decided about it, and what can be done."""
    return _post_page(_load_post(post_id), PostForm())


@bp.post("/posts/<id:post_id>/actions")
@moderators_too
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def act_on_post(post_id: int) -> ResponseReturnValue:
    what, by, form = _load_post(post_id), _by(), PostForm()
    author = what.author
    if not form.validate_on_submit():
        return _post_page(what, form), 422
    try:
        until = form.until_in(zone_of(by))
        said = {"reason": form.reason.data or "", "mark": form.mark.data or ""}
        taken = operations.act_on_post(what, form.action.data, by=by, until=until, **said)
    except Refused as refusal:
        show_refusal(form, refusal)
        return _post_page(what, form), 422
    db.session.commit()
    flash(f"Done: {taken.kind.label.lower()}. @{author.handle} will be told.")
    return redirect(addresses.admin_post(post_id), 303)


@bp.post("/posts/<id:post_id>/actions/<id:action_id>/undo")
@moderators_too
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def undo_on_post(post_id: int, action_id: int) -> ResponseReturnValue:
    action = db.session.get(ModerationAction, action_id)
    if action is None or action.post_id != post_id:
        raise NotFound("Nothing like that was done to this post.")
    return _undo(action, to=addresses.admin_post(post_id))


def _undo(action: ModerationAction, *, to: str) -> ResponseReturnValue:
    is_new = operations.undo_action(action, by=_by())
    db.session.commit()
    flash("Undone. Everything is as it was before." if is_new else "That was undone already.")
    return redirect(to, 303)


def _by() -> User:
    return db.session.get_one(User, current_user.id)


def _load_person(handle: str) -> User:
    found = user_by_handle(handle)
    if found is None:
        raise NotFound("There’s nobody here by that name.")
    return found


def _load_post(post_id: int) -> Post:
    found = queries.post_for_staff(post_id, by=_by())
    if found is None:
        raise NotFound("This post doesn’t exist.")
    return found


def _person_page(whom: User, form: PersonForm) -> str:
    return render_template(
        "moderation/person.html",
        person=whom,
        actions=queries.actions_on(whom.id),
        strikes=queries.strikes(whom.id),
        may_act=policy.may_act_on(whom, by=current_user),
        form=form,
        kinds=ON_PEOPLE,
    )


def _post_page(what: Post, form: PostForm) -> str:
    return render_template(
        "moderation/post.html",
        post=what,
        author=what.author,
        images=queries.descriptions_of(what.id),
        actions=queries.actions_on_post(what.id),
        may_act=policy.may_act_on(what.author, by=current_user) and what.deleted_at is None,
        form=form,
        kinds=ON_POSTS,
    )
