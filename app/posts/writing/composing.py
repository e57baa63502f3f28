"""The page for writing: with what the text is about, and with what the author had typed when their session ran out."""

from __future__ import annotations

import re
from typing import Any

from flask import flash, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.accounts.forms import LogInForm
from app.accounts.models import User
from app.accounts.viewer import current_viewer
from app.posts.cards.reading import cards_for
from app.posts.loaders import names_id
from app.posts.media.forms import ChosenImages, named_images
from app.posts.writing.forms import PostForm
from app.posts.writing.operations import checked_words
from app.site.settings import the_site
from app.web import standing
from app.web.htmx import wants_fragment

TYPED = ("text", "warning", "audience", "reply_to", "quote_of", "writer", "once")
TOO_LATE = "This page was open too long, so nothing has been posted yet. Your text is still here: send it again."
POSTED = "posted"  # the category of messages that are for drafts.js, not for people


def compose_page(form: PostForm, **images: Any) -> str:
    """Return the page for writing a post, an answer or a quote, with the images that were chosen for it."""
    return render_template("posts/compose.html", form=form, **images, **around(form))


def check_words(form: PostForm, chosen: ChosenImages) -> None:
    """Refuse what is wrong with the words of a form."""
    longest = the_site().post_max_chars
    text, warning = form.text.data or "", form.warning.data or ""
    checked_words(text, warning, longest=longest, may_be_empty=bool(chosen.choices or chosen.errors))


def around(form: PostForm) -> dict[str, Any]:
    """Return the cards of what a form answers and quotes, as far as they can be seen."""
    named = {name: form[name].data for name in ("reply_to", "quote_of") if names_id(form[name].data)}
    cards = cards_for([int(post_id) for post_id in named.values()], viewer=current_viewer(), muted_too=True)
    by_id = {str(card.id): card for card in cards}
    return {"answered": by_id.get(str(named.get("reply_to"))), "quoted": by_id.get(str(named.get("quote_of")))}


def confirm_draft() -> None:
    """Let the next page know that a draft was posted, so that the browser forgets it; htmx knows at once."""
    draft = request.form.get("draft", "")
    if not wants_fragment() and re.fullmatch(r"[0-9a-z]{1,40}", draft):
        flash(draft, POSTED)


# ---- A session that ran out while the author wrote. What they typed, and which images they had uploaded, travels
# through the log-in page and fills the form again; it is stored nowhere, and never posted by itself.


def typed() -> list[tuple[str, str]]:
    """Return the fields of a post that was being sent; none if nothing was written and no image uploaded."""
    fields = [(name, request.form.get(name, "")) for name in TYPED]
    chosen = named_images(request.form)
    for choice in chosen:
        fields += [("images", str(choice.id)), (f"alt-{choice.id}", choice.alt)]
    return fields if chosen or any(request.form.get(name, "").strip() for name in ("text", "warning")) else []


def typed_page(form: PostForm, *, to: User) -> str:
    """Return the page for writing with what was typed, and with those images that still wait and are theirs."""
    return compose_page(form, **ChosenImages(named_images(request.form)).again(to=to))


def is_by_viewer() -> bool:
    """Say whether what was typed is by the person who is logged in now, as far as the form knows."""
    viewer, writer = current_viewer(), request.form.get("writer")
    return viewer is not None and writer in {None, "", viewer.handle}


def go_on(after: str) -> ResponseReturnValue:
    """Lead to the page one wanted; with a post that was being sent when the session ran out, back to its form."""
    viewer = current_viewer()
    if not typed() or viewer is None:
        return redirect(after, 303)
    if not is_by_viewer():
        flash("What was written here belongs to another account, so it isn’t shown.")
        return redirect(after, 303)
    if there := standing.confined_to(viewer):  # the guard knew of nobody: this request logged them in
        return redirect(there, 303)
    flash("You’re logged in again. Here’s what you wrote; it hasn’t been posted yet.")
    return typed_page(PostForm(), to=viewer)


def log_in_page() -> str:
    """Return a log-in page that carries what was typed."""
    return render_template("accounts/log_in.html", form=LogInForm(formdata=None), next="/", typed=typed())


def once_more() -> str | None:
    """Return what follows a composer whose token holds no longer: itself or the log-in page, with what was typed."""
    is_ours = request.endpoint in {"posts.create_post", "accounts.log_in"} and "writer" in request.form
    if wants_fragment() or not is_ours or not typed():
        return None
    viewer = current_viewer()
    if viewer is None:
        return log_in_page()
    if not is_by_viewer():
        return None
    standing.lead_away(viewer)  # the token is checked before the guard asks
    form = PostForm()
    form.text.errors = [TOO_LATE]
    return typed_page(form, to=viewer)
