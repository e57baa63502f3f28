"""Write, show and delete posts; profiles and tags, which are lists of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flask import Blueprint, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from flask_wtf.csrf import generate_csrf
from werkzeug.exceptions import NotFound

from app.accounts.models import UserCounters
from app.accounts.viewer import current_viewer, viewer_id
from app.core import limits
from app.core.htmx import own_page, previous_page, respond, wants_fragment
from app.core.paging import Page, read_page
from app.core.text import is_tag, tag_key, to_html
from app.extensions import db, limiter
from app.posts import operations, queries
from app.posts.cards import PostCard, cards_for
from app.posts.forms import PostForm
from app.posts.loaders import load_own_post, load_visible_post
from app.social.loaders import load_visible_person
from app.social.queries import relation_to

bp = Blueprint("posts", __name__)

often = limiter.shared_limit(limits.RELATION, scope="reactions", key_func=limits.account_or_address)


@bp.get("/compose")
@login_required
def compose() -> ResponseReturnValue:
    return render_template("posts/compose.html")


@bp.post("/posts")
@login_required
@limiter.limit(limits.POST, key_func=limits.account_or_address)
def create_post() -> ResponseReturnValue:
    form = PostForm()
    try:
        post_id = operations.publish_post(
            form.text.data or "", by=current_user, longest=current_app.config["POST_MAX_CHARS"]
        )
    except operations.BadText as error:
        form.text.errors = [str(error)]
        template = "posts/_composer.html" if wants_fragment() else "posts/compose.html"
        return render_template(template, form=form), 422
    db.session.commit()
    return respond(
        "posts/create_post.swap.html",
        card=cards_for([post_id], viewer=current_user)[0],
        or_redirect=url_for("feed.home"),
    )


@bp.get("/@<handle:handle>/<id:post_id>")
def show(handle: str, post_id: int) -> ResponseReturnValue:
    post = load_visible_post(post_id)
    if post.author.handle.lower() != handle.lower():
        raise NotFound("There is no such post, or it is not visible to you.")
    if post.author.handle != handle:
        return redirect(url_for("posts.show", handle=post.author.handle, post_id=post_id), 301)
    [card] = cards_for([post_id], viewer=current_viewer(), muted_too=True)
    return render_template("posts/show.html", card=card)


@bp.get("/posts/<id:post_id>/menu")
@login_required
def menu(post_id: int) -> ResponseReturnValue:
    post = load_visible_post(post_id)
    [card] = cards_for([post_id], viewer=current_user, muted_too=True)
    relation = relation_to(post.author, viewer=current_user)
    template = "posts/_menu.html" if wants_fragment() else "posts/menu.html"
    return render_template(template, card=card, relation=relation)


@bp.get("/posts/<id:post_id>/delete")
@login_required
def confirm_delete(post_id: int) -> ResponseReturnValue:
    post = load_own_post(post_id, by=current_user)
    [card] = cards_for([post.id], viewer=current_user)
    return render_template("posts/confirm_delete.html", card=card)


@bp.post("/posts/<id:post_id>/delete")
@login_required
@limiter.limit(limits.RELATION, key_func=limits.account_or_address)
def delete_post(post_id: int) -> ResponseReturnValue:
    post = load_own_post(post_id, by=current_user)
    operations.delete_post(post, by=current_user)
    db.session.commit()
    if not wants_fragment():
        flash("Your post is deleted.")
    return respond(
        "",
        toast="Your post is deleted.",
        events={"post-deleted": post_id},
        or_redirect=own_page(request.form.get("next"), default=url_for("feed.home")),
    )


@bp.post("/posts/<id:post_id>/like")
@login_required
@often
def create_like(post_id: int) -> ResponseReturnValue:
    return _act(operations.like, post_id)


@bp.post("/posts/<id:post_id>/like/delete")
@login_required
@often
def delete_like(post_id: int) -> ResponseReturnValue:
    return _act(operations.unlike, post_id)


@bp.post("/posts/<id:post_id>/bookmark")
@login_required
@often
def create_bookmark(post_id: int) -> ResponseReturnValue:
    return _act(operations.bookmark, post_id)


@bp.post("/posts/<id:post_id>/bookmark/delete")
@login_required
@often
def delete_bookmark(post_id: int) -> ResponseReturnValue:
    return _act(operations.remove_bookmark, post_id)


def _act(operation: Callable[..., None], post_id: int) -> ResponseReturnValue:
    """Do something to a post and show what can be done now; without JavaScript, on the page one came from."""
    post = load_visible_post(post_id)
    operation(post, by=current_user)
    url = f"{post.author.url}/{post_id}"
    db.session.commit()
    [card] = cards_for([post_id], viewer=current_user, muted_too=True)
    came_from = f"{previous_page(default=url)}#post-{post_id}"
    return respond("posts/_actions.html", card=card, has_menu=True, token=generate_csrf(), or_redirect=came_from)


@bp.get("/@<handle:handle>/<id:post_id>/likes")
def likes(handle: str, post_id: int) -> ResponseReturnValue:
    post, viewer = load_visible_post(post_id), current_viewer()
    if post.author.handle.lower() != handle.lower():
        raise NotFound("There is no such post, or it is not visible to you.")
    page = read_page(
        f"likes:{post_id}",
        lambda before: queries.likers_of(post, viewer=viewer, before=before),
        viewer_id=viewer_id(),
    )
    return render_template("social/_people.html" if wants_fragment() else "posts/likes.html", page=page, post=post)


@bp.get("/bookmarks")
@login_required
def bookmarks() -> ResponseReturnValue:
    page = _post_page("bookmarks", lambda before: queries.bookmarked_by(current_user, before=before), muted_too=True)
    return render_template("posts/_list.html" if wants_fragment() else "posts/bookmarks.html", page=page)


@bp.get("/@<handle:handle>")
def profile(handle: str) -> ResponseReturnValue:
    person, relation = load_visible_person(handle)
    if person.handle != handle:
        return redirect(person.url, 301)
    if relation.blocks:
        return render_template("posts/profile_blocked.html", person=person, relation=relation)
    viewer = current_viewer()
    page = _post_page(
        f"profile:{person.id}",
        lambda before: queries.posts_by(person, viewer=viewer, before=before),
        muted_too=True,
    )
    if wants_fragment():
        return render_template("posts/_list.html", page=page)
    counters = db.session.get(UserCounters, person.id)
    bio = to_html(person.bio, frozenset())
    return render_template(
        "posts/profile.html", page=page, person=person, relation=relation, counters=counters, bio=bio
    )


@bp.get("/tags/<tag>")
def tag(tag: str) -> ResponseReturnValue:
    if not is_tag(tag):
        raise NotFound("This cannot be a tag: tags are letters, digits and _.")
    key, viewer = tag_key(tag), current_viewer()
    page = _post_page(f"tag:{key}", lambda before: queries.posts_tagged(key, viewer=viewer, before=before))
    return render_template("posts/_list.html" if wants_fragment() else "posts/tag.html", page=page, tag=tag)


def _post_page(
    scope: str, fetch: Callable[[int | None], tuple[Sequence[int], int | None]], *, muted_too: bool = False
) -> Page[PostCard]:
    page = read_page(scope, fetch, viewer_id=viewer_id())
    return page.map(lambda ids: cards_for(ids, viewer=current_viewer(), muted_too=muted_too))
