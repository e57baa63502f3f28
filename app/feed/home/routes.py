"""The home feed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flask import Blueprint, Response, current_app, redirect, render_template, request, session
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app import addresses
from app.accounts.models import User
from app.accounts.reader import Reader
from app.accounts.viewer import log_in_for_reading, session_token
from app.core.database import on_primary, reads_only
from app.core.days import BadDay, read_day
from app.core.ids import MAX_ID
from app.core.redis import Rider
from app.discovery.explore.queries import people_to_follow
from app.extensions import db, limiter
from app.feed.explain.why import answer as why_seen
from app.feed.home import marks, new_posts
from app.feed.home.frame import Look, render_home
from app.feed.home.marks import Mark
from app.feed.home.new_posts import Since
from app.feed.home.page import follows_anyone, home_page
from app.feed.home.sources import Opened, open_home
from app.posts.cards.cards import PostCard
from app.posts.cards.reading import cards_for
from app.posts.lists import latest_posts
from app.posts.loaders import load_cards, load_visible_entry
from app.web import limits
from app.web.csrf import current_token
from app.web.hooks import current_theme, requests_waiting
from app.web.htmx import go_to, own_page, wants_fragment
from app.web.paging import Page, at_day, read_page
from app.web.places import place_of, shows

bp = Blueprint("feed", __name__)


@bp.get("/")
@shows(None)
@reads_only
def home() -> ResponseReturnValue:
    opened = _open()
    if opened is None:
        ids, _ = latest_posts(viewer=None, before=None)
        return render_template("feed/welcome.html", cards=cards_for(ids[:5], viewer=None))
    return _home_page(opened)


@bp.get("/feed")
@shows(None)
@reads_only
def feed() -> ResponseReturnValue:
    """Show a page of the feed: a fragment for infinite scroll, a whole page for the plain link underneath."""
    opened = _open(limits.reads.rider)
    if opened is None:
        return current_app.login_manager.unauthorized()  # type: ignore[attr-defined, no-any-return]
    if wants_fragment():
        seen = request.args.get("seen", type=int)
        return render_template("posts/_list.html", page=_read(opened, seen), seen=seen)
    return _home_page(opened)


@bp.get("/feed/jump")
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def jump() -> ResponseReturnValue:
    """Lead to what was newest in the feed on a day."""
    try:
        day = read_day(request.args["date"]) if "date" in request.args else None
    except BadDay as error:
        return render_template("feed/jump.html", error=error), 422
    if day is None:
        return render_template("feed/jump.html")
    top = addresses.home()
    return redirect(at_day("home", day, viewer_id=current_user.id, path=addresses.feed(), top=top), 303)


@bp.get("/feed/new")
@shows(None)
@reads_only
def new() -> ResponseReturnValue:
    """Say how many posts are new since a page was shown, or show them. Nothing new is a 204."""
    opened = _open(limits.reads.rider)
    if opened is None:
        return current_app.login_manager.unauthorized()  # type: ignore[attr-defined, no-any-return]
    reader, token = opened.reader, request.args.get("since")
    since = new_posts.read(token, viewer=reader) if token else _since_last_visit(opened.mark)
    if not wants_fragment():
        return redirect(addresses.home(), 303)
    if "show" in request.args:
        return _show_new(opened, since)
    unread = len(new_posts.new_ids(reader, since, opened))
    limits.reads.settle(opened.sources.rider, reader.id)
    return _with_unread("feed/_pill.html", unread, since=token)


def _show_new(opened: Opened, since: Since) -> ResponseReturnValue:
    reader = opened.reader
    cards = new_posts.new_cards(reader, since, opened)
    limits.reads.settle(opened.sources.rider, reader.id)
    if len(cards) == new_posts.MAX_NEW_POSTS:  # there may be more, which would be missing below these
        return go_to(addresses.home())
    since = since.and_also([card.entry_id for card in cards])
    if cards:
        _remember(reader, opened.mark, cards[0].entry_id)
    return _with_unread("feed/new.swap.html", 0, cards=cards, since=new_posts.sign(since, viewer=reader))


@bp.get("/posts/<id:post_id>/why")
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def why(post_id: int) -> ResponseReturnValue:
    """Say why an entry is on the page (`?at=`) on which the viewer met it."""
    load_visible_entry(post_id)
    at = own_page(request.args.get("at"), default=addresses.home())
    [card] = load_cards(post_id)
    answer = why_seen(current_user, card, place=place_of(at))
    return render_template("feed/_why.html" if wants_fragment() else "feed/why.html", answer=answer, at=at)


def _open(ride: Callable[[int], Rider | None] = lambda reader_id: None) -> Opened | None:
    """Read who asks and what their home is merged from, in one statement; None if they are not logged in."""
    token = session_token()
    opened = open_home(token, ride) if token else None
    if opened:
        log_in_for_reading(opened.reader)
    return opened


def _since_last_visit(mark: Mark | None) -> Since:
    """Begin where the viewer left off. The cookie knows it to the second, the mark in Postgres to the minute."""
    return Since(max(mark.seen_id, session.get("seen", 0)) if mark else MAX_ID, ())


def _with_unread(template: str, unread: int, **context: object) -> ResponseReturnValue:
    """Answer with a partial and the number for title and Home link; nothing to show is a 204."""
    headers = [("HX-Trigger", f'{{"unread": {unread}}}')]
    if not unread and "cards" not in context:
        return "", 204, headers
    return render_template(template, count=unread, **context), headers


def _home_page(opened: Opened) -> ResponseReturnValue:
    reader = opened.reader
    is_first = "cursor" not in request.args
    mark = opened.mark if is_first else None
    seen = mark.seen_id if mark else request.args.get("seen", type=int)
    page = _read(opened, seen)
    is_empty = is_first and not page.items
    if is_first and page.items:
        _remember(reader, mark, page.items[0].entry_id)
    shown = Since.shown([card.entry_id for card in page.items], is_all=page.next_url is None)
    since = new_posts.sign(shown, viewer=reader)
    if is_first and not is_empty and "_flashes" not in session:
        look = Look(current_theme(), requests_waiting(), current_token())
        return Response(render_home(page, look, reader=reader, seen=seen, since=since), mimetype="text/html")
    return render_template(
        "feed/home.html",
        page=page,
        seen=seen,
        since=since,
        suggestions=people_to_follow(db.session.get_one(User, reader.id)) if is_empty else [],
        follows_anyone=is_empty and follows_anyone(reader),
    )


def _read(opened: Opened, seen: int | None) -> Page[PostCard]:
    """Read the page that the request asks for. While the place where the viewer left off is further down, the way
    onwards names it, so that the line is drawn on the page where it belongs."""
    reader = opened.reader
    page = read_page(
        "home",
        lambda before: home_page(viewer=reader, before=before, opened=opened),
        viewer_id=reader.id,
        path=addresses.feed(),
    )
    limits.reads.settle(opened.sources.rider, reader.id)
    if page.next_url and seen and page.items[-1].entry_id > seen:
        return replace(page, next_url=f"{page.next_url}&seen={seen}")
    return page


def _remember(reader: Reader, mark: Mark | None, seen_id: int) -> None:
    """Note what the viewer sees: in the cookie at once, in Postgres once a minute."""
    if session.get("seen", 0) < seen_id:
        session["seen"] = seen_id
    if marks.is_due(mark, seen_id):
        with on_primary():
            marks.remember(reader, seen_id)
            db.session.commit()
