"""Write and show posts."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import Gone, NotFound

from app import addresses
from app.accounts.models import User
from app.accounts.reader import zone_of
from app.accounts.viewer import current_viewer
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.posts.cards.reading import cards_for
from app.posts.links.operations import has_removed_card
from app.posts.lists import reposter_of
from app.posts.loaders import NOT_VISIBLE, check_visible, load_cards, load_named_post, load_visible_post, names_id
from app.posts.media.forms import ChosenImages, read_images
from app.posts.media.operations import MAX_IMAGES
from app.posts.models import EVERYONE, Post
from app.posts.threads import muting
from app.posts.threads.conversations import Conversation, read_conversation
from app.posts.threads.rendering import render_thread
from app.posts.threads.tree import Place
from app.posts.writing import answering, composing, operations, resending
from app.posts.writing.forms import PostForm
from app.site.settings import the_site
from app.social.queries import relation_to
from app.web import limits
from app.web.csrf import current_token
from app.web.forms import show_refusal
from app.web.htmx import Toast, current_page, previous_page, respond, wants_fragment
from app.web.uploads import takes_files

bp = Blueprint("posts", __name__)

MAX_DRAFTS = 50  # whose subjects are shown in one answer


@bp.get("/compose")
@login_required
@reads_only
def compose() -> ResponseReturnValue:
    """Write a post, an answer (`?reply_to=`) or a quote (`?quote_of=`) on a page of its own."""
    reply_to, quote_of = (load_named_post(request.args.get(name)) for name in ("reply_to", "quote_of"))
    if quote_of is not None:
        operations.check_quotable(quote_of, by=current_user)
    form = _empty_form(reply_to=reply_to, quote_of=quote_of)
    if wants_fragment():  # into the dialog over a page
        return render_template("posts/_writing.html", form=form, **composing.around(form))
    return composing.compose_page(form)


def _empty_form(*, reply_to: Post | None = None, quote_of: Post | None = None) -> PostForm:
    """Return a form to write with. An answer is for those who can see what it answers."""
    text, audience = "", EVERYONE
    if reply_to:
        author = db.session.get_one(User, reply_to.author_id)  # not `reply_to.author`, which a commit forgets
        text = answering.text_for(reply_to.id, reply_to.author_id, reply_to.audience, by=current_user)
        audience = answering.audience_for(reply_to.audience, is_private=author.is_private)
    return PostForm(
        formdata=None,
        text=text,
        reply_to=reply_to.id if reply_to else "",
        quote_of=quote_of.id if quote_of else "",
        audience=audience,
    )


@bp.get("/drafts")
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def drafts() -> ResponseReturnValue:
    """Show the page that scripts fill with drafts, which stay in the browser; or what some of them are about."""
    if not wants_fragment():
        return render_template("posts/drafts.html", at_once=MAX_DRAFTS)
    named = [int(name) for name in request.args.getlist("about")[:MAX_DRAFTS] if names_id(name)]
    return render_template("posts/_drafts_about.html", cards=cards_for(named, viewer=current_user, muted_too=True))


@bp.post("/posts")
@takes_files(
    "image", max_bytes=lambda config: int(MAX_IMAGES * config["IMAGE_MAX_BYTES"] + config["MAX_CONTENT_LENGTH"])
)
@login_required
@limiter.limit(limits.POST, key_func=limits.account_or_address)
def create_post() -> ResponseReturnValue:
    form, chosen = PostForm(), read_images(by=current_user)
    try:
        if not form.validate() or chosen.are_refused:
            composing.check_words(form, chosen)  # so that all that is wrong is said at once
            return _refused(form, chosen)
        post_id, reply_to = _publish(form, chosen)
    except Refused as refusal:
        show_refusal(form, refusal)
        return _refused(form, chosen, refusal.code)
    db.session.commit()
    composing.confirm_draft()
    return _published(post_id, reply_to, chosen)


def _publish(form: PostForm, chosen: ChosenImages) -> tuple[int, Post | None]:
    """Publish what was written; return the post, or the one that this form has made before, and what it answers."""
    text, warning, audience = form.text.data or "", form.warning.data or "", form.audience.data or EVERYONE
    once = resending.named_once(form.once.data)
    try:
        reply_to, quote_of = _load_about(form)
        post_id = operations.publish_post(
            text,
            by=current_user,
            longest=the_site().post_max_chars,
            reply_to=reply_to,
            quote_of=quote_of,
            audience=audience,
            warning=warning,
            chosen=chosen.choices,
            once=once,
        )
        return post_id, reply_to
    except Refused:  # because it is posted already, perhaps: its images are taken, or what it answers went since
        said = {"text": text, "warning": warning, "audience": audience}
        images = None if chosen.came_along else chosen.choices  # those that come along are other ones each time
        post = resending.post_sent_with(once, by=current_user, chosen=images, **said)
        if post is None:
            raise
        return post.id, db.session.get(Post, post.reply_to_id) if post.reply_to_id else None


def _published(post_id: int, reply_to: Post | None, chosen: ChosenImages) -> ResponseReturnValue:
    """Show a new post; images that came along with it, without JavaScript, are described first."""
    if chosen.came_along and not wants_fragment():
        return redirect(url_for("media.describe", post_id=post_id), 303)
    if _is_over():
        return _sent(post_id, reply_to)
    if reply_to:
        return _replied(post_id, reply_to)
    [card] = load_cards(post_id)
    return respond("posts/create_post.swap.html", card=card, or_redirect=url_for("feed.home"))


def _is_over() -> bool:  # sent from the dialog over a page
    return wants_fragment() and "over" in request.form


def _sent(post_id: int, reply_to: Post | None) -> ResponseReturnValue:
    """Hand a new post to the page that it was written over, which knows where it belongs, if anywhere."""
    card, *answered = load_cards(post_id, *([reply_to.id] if reply_to else []))
    toast = Toast("Reply sent" if reply_to else "Posted", view=card.url)
    return respond("posts/create_over.swap.html", card=card, answered=answered, toast=toast, or_redirect=card.url)


def _load_about(form: PostForm) -> tuple[Post | None, Post | None]:
    """Return the posts that a form answers and quotes; what was written about one that is gone is not lost."""
    try:
        return load_named_post(form.reply_to.data), load_named_post(form.quote_of.data)
    except (NotFound, Gone) as error:
        raise operations.AboutGone from error


def _replied(post_id: int, reply_to: Post) -> ResponseReturnValue:
    """Show the answer at its place: on top of the list below the post or, without JavaScript, below it on its own page.

    Among a thousand others it would be on a page far down.
    """
    card, *answered = load_cards(post_id, reply_to.id)
    return respond(
        "posts/create_reply.swap.html",
        card=card,
        answered=answered,
        form=_empty_form(reply_to=reply_to),
        token=current_token(),
        or_redirect=f"{card.url}#post-{post_id}",
    )


def _refused(form: PostForm, chosen: ChosenImages, code: int = 422) -> ResponseReturnValue:
    """Show the form again, with what was typed and chosen and what is wrong with it."""
    db.session.commit()  # images that came along wait here for the next try
    chosen.errors.extend(form.image.errors)
    form.once.data = resending.new_once()  # nothing was made of this one
    images = chosen.again(to=current_user)
    if wants_fragment():
        around = composing.around(form)
        return render_template("posts/_composer.html", form=form, over=_is_over(), **images, **around), code
    return composing.compose_page(form, **images), code


@bp.get("/@<handle:handle>/<id:post_id>")
@reads_only
def show(handle: str, post_id: int) -> ResponseReturnValue:
    conversation = read_conversation(post_id, viewer=current_viewer())
    try:
        post = check_visible(conversation.post)
    except (Gone, NotFound) as error:
        if isinstance(error, NotFound) and conversation.post is not None:
            raise
        return _show_missing(post_id, conversation, error)  # deleted, or erased with its author's account
    if post.handle.lower() != handle.lower():
        raise NotFound(NOT_VISIBLE)
    if post.handle != handle:
        return redirect(url_for("posts.show", handle=post.handle, post_id=post_id), 301)
    html = render_thread(conversation, zone=zone_of(current_viewer()), has_menu=current_user.is_authenticated)
    if wants_fragment():
        return render_template("posts/_replies_page.html", thread=conversation, html=html)
    viewer, card = current_viewer(), conversation.cards[post_id]
    composer = answering.render_answer_form(post, by=viewer, token=current_token()) if viewer else ""
    return render_template("posts/show.html", thread=conversation, html=html, card=card, composer=composer)


@bp.get("/posts/<id:post_id>/thread")
@reads_only
def thread(post_id: int) -> ResponseReturnValue:
    """Lead to a post, or show what hangs below one that cannot be shown: its author may be nobody's to name."""
    conversation = read_conversation(post_id, viewer=current_viewer())
    try:
        post = check_visible(conversation.post)
    except (Gone, NotFound) as error:
        return _show_missing(post_id, conversation, error)
    return redirect(f"{addresses.post(post.handle, post_id)}#post-{post_id}", 303)


def _show_missing(post_id: int, conversation: Conversation, error: Gone | NotFound) -> ResponseReturnValue:
    """Show the conversation around a post that cannot be shown; where nothing hangs below it, only why."""
    missing = Place(post_id, is_gone=conversation.post is None or isinstance(error, Gone), is_shown=False)
    if not conversation.page.items and not conversation.chain and conversation.page.is_first:
        raise error
    html = render_thread(conversation, zone=zone_of(current_viewer()), has_menu=current_user.is_authenticated)
    if wants_fragment():
        return render_template("posts/_replies_page.html", thread=conversation, html=html)
    page = render_template("posts/show_missing.html", thread=conversation, html=html, place=missing)
    return page, 410 if missing.is_gone else 404


@bp.get("/posts/<id:post_id>/menu")
@login_required
@reads_only
def menu(post_id: int) -> ResponseReturnValue:
    post = load_visible_post(post_id)
    [card] = load_cards(post_id)
    relation = relation_to(post.author, viewer=current_user)
    entry_id = request.args.get("entry", default=post_id, type=int)
    return render_template(
        "posts/_menu.html" if wants_fragment() else "posts/menu.html",
        card=card,
        relation=relation,
        entry_id=entry_id,
        link_is_removed=post.author_id == current_user.id and has_removed_card(post_id),
        reposter=reposter_of(entry_id, post, viewer=current_user),
        at=current_page() if wants_fragment() else previous_page(default=card.url),
        mutes_conversation=muting.mutes_conversation(current_user, post),
    )
