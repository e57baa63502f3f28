"""Rules that work by themselves: moderators read them and what they matched, admins write them."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import BadRequest, NotFound

from app import addresses
from app.accounts.blocks import queries as blocks
from app.accounts.models import User
from app.accounts.reader import zone_of
from app.accounts.viewer import current_viewer
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.actions.queries import posts_for_staff
from app.moderation.rules import operations, queries
from app.moderation.rules.forms import ACTIONS, RuleForm, form_for
from app.moderation.signups.forms import BlockForm
from app.moderation.signups.operations import add_block, remove_block
from app.posts.cards.reading import cards_for
from app.posts.cards.rendering import render_cards
from app.posts.rules.models import FLAG, Rule
from app.web import limits
from app.web.admin import admin_page, moderators_too
from app.web.forms import show_refusal

bp = Blueprint("rules", __name__, url_prefix="/admin/rules")


@bp.get("")
@admin_page("Rules", "What happens by itself to posts and sign-ups", place=5)
@moderators_too
@reads_only
def rules() -> ResponseReturnValue:
    """Show all rules, and who cannot sign up."""
    return _list(BlockForm(formdata=None, kind="domain"))


@bp.get("/new")
@reads_only
def new() -> ResponseReturnValue:
    return _editor(RuleForm(formdata=None, action=FLAG))


@bp.post("")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def create_rule() -> ResponseReturnValue:
    form = RuleForm()
    try:
        rule = operations.add_rule(form.draft(), by=_by())
    except Refused as refusal:
        db.session.rollback()
        show_refusal(form, refusal)
        return _editor(form), 422
    db.session.commit()
    flash("Saved. It’s off: look at what it would have matched, then switch it on.")
    return redirect(addresses.admin_rule(rule.id), 303)


@bp.get("/<id:rule_id>")
@moderators_too
@reads_only
def rule(rule_id: int) -> ResponseReturnValue:
    """Show a rule: what it asks, what it would have matched, and what it did match."""
    shown = _load(rule_id)
    matched = queries.matches_of(shown)
    viewer = current_viewer()
    cards = cards_for(shown.run_newest, viewer=viewer, muted_too=True)
    would = render_cards(cards, zone=zone_of(viewer), has_menu=True)
    readable = posts_for_staff([match.post_id for match in matched if match.post_id], by=_by())
    return render_template(
        "moderation/rule.html", rule=shown, would=would, matched=matched, readable=readable, actions=ACTIONS
    )


@bp.get("/<id:rule_id>/edit")
@reads_only
def edit(rule_id: int) -> ResponseReturnValue:
    shown = _load(rule_id)
    return _editor(form_for(shown), shown)


@bp.post("/<id:rule_id>/edit")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def update_rule(rule_id: int) -> ResponseReturnValue:
    shown, form = _load(rule_id), RuleForm()
    try:
        operations.change_rule(shown, form.draft(), by=_by())
    except Refused as refusal:
        db.session.rollback()
        show_refusal(form, refusal)
        return _editor(form, _load(rule_id)), 422
    db.session.commit()
    flash("Saved. It’s off: look at what it would have matched, then switch it on.")
    return redirect(addresses.admin_rule(rule_id), 303)


@bp.post("/<id:rule_id>/switch")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def switch(rule_id: int) -> ResponseReturnValue:
    """Switch a rule on or off."""
    if (asked := request.form.get("on")) not in ("yes", "no"):
        raise BadRequest("Choose whether the rule is on.")
    on = asked == "yes"
    operations.switch_rule(_load(rule_id), on=on, by=_by())
    db.session.commit()
    flash("The rule is on." if on else "The rule is paused.")
    return redirect(addresses.admin_rule(rule_id), 303)


@bp.post("/<id:rule_id>/run")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def run(rule_id: int) -> ResponseReturnValue:
    """Try a rule on the posts of the last days once more."""
    operations.start_run(_load(rule_id))
    db.session.commit()
    return redirect(f"{addresses.admin_rule(rule_id)}#run", 303)


@bp.post("/<id:rule_id>/delete")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def delete_rule(rule_id: int) -> ResponseReturnValue:
    operations.delete_rule(_load(rule_id), by=_by())
    db.session.commit()
    flash("The rule is gone. Posts that it held still wait for one of you.")
    return redirect(addresses.admin_rules(), 303)


@bp.post("/blocks")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def create_block() -> ResponseReturnValue:
    form = BlockForm()
    try:
        add_block(form.kind.data or "", form.value.data or "", by=_by(), sentence=form.sentence.data or "")
    except Refused as refusal:
        db.session.rollback()
        show_refusal(form, refusal)
        return _list(form), 422
    db.session.commit()
    flash("Nobody can sign up like that any more.")
    return redirect(f"{addresses.admin_rules()}#signups", 303)


@bp.post("/blocks/<id:block_id>/delete")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def delete_block(block_id: int) -> ResponseReturnValue:
    remove_block(block_id, by=_by())
    db.session.commit()
    flash("The block is gone.")
    return redirect(f"{addresses.admin_rules()}#signups", 303)


def _by() -> User:
    return db.session.get_one(User, current_user.id)


def _load(rule_id: int) -> Rule:
    found = db.session.get(Rule, rule_id)
    if found is None:
        raise NotFound("There’s no such rule.")
    return found


def _list(form: BlockForm) -> str:
    listed, most = queries.all_rules(), queries.MAX_COUNTED
    return render_template(
        "moderation/rules.html", listed=listed, most=most, blocks=blocks.all_blocks(), form=form, actions=ACTIONS
    )


def _editor(form: RuleForm, shown: Rule | None = None) -> str:
    return render_template("moderation/rule_form.html", form=form, rule=shown, actions=ACTIONS)
