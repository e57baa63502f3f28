"""Like, bookmark and repost posts, and undo it; bookmarks; who likes, reposted and quotes a post."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, TypeVar

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import Gone, NotFound

from app import addresses
from app.accounts.viewer import current_viewer, viewer_id
from app.core import tokens
from app.core.database import reads_only
from app.core.errors import NotAsItWas
from app.extensions import db, limiter
from app.posts import lists
from app.posts.cards.reading import cards_for
from app.posts.loaders import load_cards, load_list, load_post_of, load_visible_post, names_id
from app.posts.models import PostCounters
from app.posts.reactions import operations as reactions
from app.posts.streams.contexts import missing_among
from app.posts.streams.rendering import in_context
from app.web import limits
from app.web.csrf import current_token
from app.web.htmx import Toast, Undo, current_page, previous_page, respond, wants_fragment
from app.web.paging import Page, counted, read_page
from app.web.places import shows
from app.web.security import ASKED_ANEW

T = TypeVar("T")

bp = Blueprint("reactions", __name__)

MAX_ENTRIES = 100  # whose actions are asked for at once

often = limiter.shared_limit(limits.RELATION, scope="reactions", key_func=limits.account_or_address)


@bp.post("/posts/<id:post_id>/like")
@login_required
@often
def create_like(post_id: int) -> ResponseReturnValue:
    reactions.like(load_visible_post(post_id), by=current_user)
    return _answer(post_id)


@bp.post("/posts/<id:post_id>/like/delete")
@login_required
@often
def delete_like(post_id: int) -> ResponseReturnValue:
    reactions.unlike(post_id, by=current_user)
    return _taken_back(post_id)


@bp.post("/posts/<id:post_id>/bookmark")
@login_required
@often
def create_bookmark(post_id: int) -> ResponseReturnValue:
    place = request.form.get("place")  # of an undo
    place_id = _read_place(post_id, place) if place else None
    reactions.bookmark(load_visible_post(post_id), by=current_user, place=place_id)
    return _answer(post_id)


@bp.post("/posts/<id:post_id>/bookmark/delete")
@login_required
@often
def delete_bookmark(post_id: int) -> ResponseReturnValue:
    place = reactions.remove_bookmark(post_id, by=current_user)
    fields = {"place": tokens.sign(_place(post_id), [place])} if place else {}
    undo = Undo(addresses.bookmark(post_id), fields=fields)
    return _taken_back(post_id, Toast("Bookmark removed.", undo=undo), {"bookmark-removed": post_id})


def _read_place(post_id: int, token: str) -> int:
    try:
        [place] = tokens.read(_place(post_id), token)
    except ValueError as error:
        raise NotAsItWas from error
    return place


def _place(post_id: int) -> str:
    """Return the purpose of the token that says where a post was among the viewer's bookmarks."""
    return f"bookmark:{current_user.id}:{post_id}"


@bp.post("/posts/<id:post_id>/repost")
@login_required
@often
def create_repost(post_id: int) -> ResponseReturnValue:
    reactions.repost(load_visible_post(post_id), by=current_user)
    return _answer(post_id, Toast("Reposted.", undo=Undo(addresses.repost(post_id, undo=True))))


@bp.post("/posts/<id:post_id>/repost/delete")
@login_required
@often
def delete_repost(post_id: int) -> ResponseReturnValue:
    """Undo a repost, whether the viewer can still see the post or not."""
    gone = reactions.undo_repost(post_id, by=current_user)
    undone = Toast("Repost undone.", undo=Undo(addresses.repost(post_id)))
    return _taken_back(post_id, undone if gone else None, {"entry-gone": gone} if gone else None)


def _answer(post_id: int, toast: Toast | None = None, events: dict[str, Any] | None = None) -> ResponseReturnValue:
    """Commit, and show what can be done with the post now; without JavaScript, on the page one came from."""
    db.session.commit()
    url = f"{load_visible_post(post_id).author.url}/{post_id}"
    [card] = load_cards(post_id)
    entry = request.form.get("entry")
    if entry and names_id(entry):
        card = replace(card, entry_id=int(entry))  # pressed on a repost's card, whose place it keeps
    if toast and toast.undo:
        fields = {**toast.undo.fields, "entry": str(card.entry_id)}
        toast = replace(toast, undo=replace(toast.undo, into=f"#actions-{card.entry_id}", fields=fields))
    came_from = f"{previous_page(default=url)}#post-{card.entry_id}"
    return respond(
        "posts/react.swap.html",
        card=card,
        has_menu=True,
        token=current_token(),
        counters=db.session.get(PostCounters, post_id) if current_page() == url else None,
        toast=toast,
        events=events,
        or_redirect=came_from,
    )


def _taken_back(post_id: int, toast: Toast | None = None, events: dict[str, Any] | None = None) -> ResponseReturnValue:
    """Answer in the same way also where the post cannot be seen any more: it leaves the page, without an undo."""
    try:
        return _answer(post_id, toast, events)
    except (NotFound, Gone):
        entry = request.form.get("entry")
        gone = {"entries-gone": [int(entry) if entry and names_id(entry) else post_id]}
        said = replace(toast, undo=None) if toast else None
        return respond("", toast=said, events={**(events or {}), **gone}, or_redirect=previous_page(default="/"))


@bp.get("/posts/actions")
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def actions() -> ResponseReturnValue:
    """Show what stands below some entries by now, and say which are gone: of a page that was left, and come back to.

    So it is with what stands above replies (`contexts`), and with the numbers below the post of a page (`counts`).
    """
    viewer, counted = current_viewer(), _ids("counts")[:1]
    ids = list(dict.fromkeys([*_ids("entries"), *counted]))
    cards = cards_for(ids, viewer=viewer, muted_too="named" in request.args)
    gone = sorted(set(ids) - {card.entry_id for card in cards})
    events = {"entries-gone": gone, "contexts-gone": missing_among(_ids("contexts"), viewer=viewer)}
    told = {name: about for name, about in events.items() if about}
    page = render_template(
        "posts/actions.swap.html",
        cards=cards,
        has_menu=viewer is not None,
        token=current_token() if viewer else "",
        counters=db.session.get(PostCounters, counted[0]) if counted else None,
    )
    return page, [ASKED_ANEW, *([("HX-Trigger", json.dumps(told))] if told else [])]


def _ids(name: str) -> list[int]:
    words = request.args.get(name, "").split(".")[:MAX_ENTRIES]
    return [int(word) for word in words if word and names_id(word)]


@bp.get("/bookmarks")
@shows("You bookmarked it.")
@login_required
@reads_only
def bookmarks() -> ResponseReturnValue:
    page = read_page(
        "bookmarks",
        lambda before: lists.bookmarked_by(current_user, before=before),
        viewer_id=current_user.id,
        fetch_above=lambda above: lists.bookmarked_by(current_user, above=above),
        place_of=lambda post_id: lists.place_in_bookmarks(current_user, post_id),
    )
    page = in_context(page, viewer=current_user)
    return render_template("posts/_list.html" if wants_fragment() else "posts/bookmarks.html", page=page)


@bp.get("/@<handle:handle>/<id:post_id>/likes")
@reads_only
def likes(handle: str, post_id: int) -> ResponseReturnValue:
    post, viewer = load_post_of(handle, post_id), current_viewer()
    page = read_page(
        f"likes:{post_id}",
        lambda before: lists.likers_of(post, viewer=viewer, before=before),
        viewer_id=viewer_id(),
    )
    page, unlisted = _with_rest(page, len(page.items), post_id, "likes")
    template = "social/_people.html" if wants_fragment() else "posts/likes.html"
    return render_template(template, page=page, post=post, unlisted=unlisted)


@bp.get("/@<handle:handle>/<id:post_id>/reposts")
@reads_only
def reposts(handle: str, post_id: int) -> ResponseReturnValue:
    post, viewer = load_post_of(handle, post_id), current_viewer()
    page = read_page(
        f"reposts:{post_id}",
        lambda before: lists.reposters_of(post, viewer=viewer, before=before),
        viewer_id=viewer_id(),
    )
    page, unlisted = _with_rest(page, sum(not person.user.is_private for person in page.items), post_id, "reposts")
    template = "social/_people.html" if wants_fragment() else "posts/reposts.html"
    return render_template(template, page=page, post=post, unlisted=unlisted)


@bp.get("/@<handle:handle>/<id:post_id>/quotes")
@shows("It quotes the post that you opened.")
@reads_only
def quotes(handle: str, post_id: int) -> ResponseReturnValue:
    post = load_post_of(handle, post_id)
    page = load_list(f"quotes:{post_id}", lists.quotes_of(post))
    page, unlisted = _with_rest(page, sum(card.is_public for card in page.items), post_id, "quotes")
    template = "posts/_list.html" if wants_fragment() else "posts/quotes.html"
    return render_template(template, page=page, post=post, unlisted=unlisted)


def _with_rest(page: Page[T], listed: int, post_id: int, counter: str) -> tuple[Page[T], int]:
    """Return a page of a list and, if it is the last one, how many were counted and are on none: the number said more.

    `listed` are those on this page that are counted.
    """
    page, in_all = counted(page, listed)
    counters = db.session.get(PostCounters, post_id) if in_all is not None else None
    return page, max(0, getattr(counters, counter) - (in_all or 0)) if counters else 0
