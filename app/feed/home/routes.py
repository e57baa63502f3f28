"""The home feed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flask import Blueprint, Response, current_app, redirect, render_template, request, session
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import BadRequest

from app import addresses
from app.accounts.models import User
from app.accounts.reader import Reader
from app.accounts.viewer import log_in_for_reading, session_token
from app.core.database import on_primary, reads_only
from app.core.ids import MAX_ID
from app.core.redis import Rider
from app.discovery.explore.queries import people_to_follow
from app.extensions import db, limiter
from app.feed.home import marks, new_posts
from app.feed.home.frame import Look, render_announcement, render_home, render_left_off
from app.feed.home.layout import lay_out
from app.feed.home.left_off import LeftOff, Place, gaps_on, place_in, place_on, rest_of, settled_now, stretches_on
from app.feed.home.marks import Mark
from app.feed.home.new_posts import Since
from app.feed.home.page import follows_anyone, home_page
from app.feed.home.seen import read_stretches
from app.feed.home.sources import Opened, open_home
from app.feed.home.upwards import home_page_above
from app.posts.lists import latest_posts
from app.posts.streams.rendering import Stream
from app.site.settings import the_site
from app.web import limits, standing
from app.web.appearance import current_appearance
from app.web.csrf import current_token
from app.web.hooks import requests_waiting
from app.web.htmx import go_to, wants_fragment
from app.web.members import open_to_strangers
from app.web.paging import Page, read_page
from app.web.places import shows
from app.web.security import ASKED_ANEW

bp = Blueprint("feed", __name__)


@bp.get("/")
@standing.checks_standing
@shows(None)
@open_to_strangers  # it asks them to log in itself, in its own first statement
@reads_only
def home() -> ResponseReturnValue:
    if opened := _open():
        return _home_page(opened)
    if the_site().is_for_members:
        return redirect(addresses.log_in(), 303)
    return render_template("feed/welcome.html", cards=latest_posts().page(viewer=None)[0][:5])


@bp.get("/feed")
@standing.checks_standing
@shows(None)
@open_to_strangers  # it asks them to log in itself, in its own first statement
@reads_only
def feed() -> ResponseReturnValue:
    """Show a page of the feed: a fragment for infinite scroll, a whole page for the plain link underneath."""
    opened = _open(limits.reads.rider)
    if opened is None:
        return current_app.login_manager.unauthorized()  # type: ignore[attr-defined, no-any-return]
    if not wants_fragment():
        return _home_page(opened)
    page, place = _read(opened)
    if not page.is_upwards:
        return render_template("posts/_list.html", page=page, line=place.line)
    since, at_top = _since(page, opened.reader), opened.reader.starts_at_top
    return render_template("feed/above.swap.html", page=page, since=since, starts_at_top=at_top)


@bp.get("/feed/new")
@standing.checks_standing
@shows(None)
@open_to_strangers  # it asks them to log in itself, in its own first statement
@reads_only
def new() -> ResponseReturnValue:
    """Say how many posts are new since a page was shown, or show them. Nothing new is a 204."""
    opened = _open(limits.reads.rider)
    if opened is None:
        return current_app.login_manager.unauthorized()  # type: ignore[attr-defined, no-any-return]
    reader, token = opened.reader, request.args.get("since")
    # The pill counts what is new on its page, other pages what nobody has seen of the whole feed.
    last_visit = Since.left_off(opened.mark.seen) if opened.mark else Since(MAX_ID, ())
    since = _shown_on_page(token, reader) if token else last_visit
    if not wants_fragment():
        return redirect(addresses.home(), 303)
    if "show" in request.args:
        return _show_new(opened, since)
    unread = len(new_posts.new_ids(reader, since, opened))
    limits.reads.settle(opened.sources.rider, reader.id)
    return _with_unread("feed/_pill.html", unread, since=token)


def _shown_on_page(token: str, reader: Reader) -> Since:
    """Read what the page that asks has shown, and which posts were written on it."""
    try:
        return new_posts.read(token, viewer=reader).and_sent(new_posts.read_sent(request.args.get("sent", "")))
    except ValueError as error:
        raise BadRequest("That isn’t what a page has sent.") from error


def _show_new(opened: Opened, since: Since) -> ResponseReturnValue:
    reader = opened.reader
    cards = new_posts.new_cards(reader, since, opened)
    limits.reads.settle(opened.sources.rider, reader.id)
    if len(cards) == new_posts.MAX_NEW_POSTS:  # there may be more, which would be missing below these
        return go_to(addresses.home())
    token = new_posts.sign(since.and_also([card.entry_id for card in cards]), viewer=reader)
    page = lay_out(Page(cards, None, is_first=True), reader=reader)
    return _with_unread("feed/new.swap.html", 0, page=page, since=token, starts_at_top=reader.starts_at_top)


@bp.post("/feed/seen")
@standing.frozen_too
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
def create_seen() -> ResponseReturnValue:
    """Note what was on the screen, as the page reports it while it is read and when it is left."""
    try:
        stretches = read_stretches(request.form.get("seen", ""))
    except ValueError as error:
        raise BadRequest("That isn’t what a page has shown.") from error
    marks.see(current_user.id, stretches, session_id=current_user.session_id)
    db.session.commit()
    return "", 204


@bp.get("/feed/left-off")
@standing.checks_standing
@shows(None)
@open_to_strangers  # it asks them to log in itself, in its own first statement
@reads_only
def left_off() -> ResponseReturnValue:
    """Lead to where the viewer left off, or say how many posts are new since then."""
    opened = _open(limits.reads.rider)
    if opened is None:
        return current_app.login_manager.unauthorized()  # type: ignore[attr-defined, no-any-return]
    if opened.mark is None:
        return redirect(addresses.home(), 303)
    if not wants_fragment():
        return redirect(f"{addresses.around(addresses.feed())}{_near(opened.mark)}#left-off", 303)
    count = len(new_posts.new_ids(opened.reader, Since.left_off(opened.mark.seen), opened))
    limits.reads.settle(opened.sources.rider, opened.reader.id)
    if count == 0:  # the mark waits below something that is not in this feed any more
        with on_primary():
            marks.join(opened.reader.id, rest_of(opened.mark.seen))
            db.session.commit()
    return render_left_off(LeftOff(count, False, opened.mark.moved_at) if count else None, reader=opened.reader)


def _near(mark: Mark) -> str:
    return str(max(mark.seen.mark, 1))


def _open(ride: Callable[[int], Rider | None] = lambda reader_id: None) -> Opened | None:
    """Read who asks and what their home is merged from, in one statement; None if they are not logged in."""
    token = session_token()
    opened = open_home(token, ride) if token else None
    if opened:
        log_in_for_reading(opened.reader)
        standing.check(opened.reader)
    return opened


def _with_unread(template: str, unread: int, **context: object) -> ResponseReturnValue:
    """Answer with a partial and the number for title and Home link; nothing to show is a 204."""
    headers = [("HX-Trigger", f'{{"unread": {unread}}}'), ("X-Settled", str(settled_now())), ASKED_ANEW]
    if not unread and "page" not in context:
        return "", 204, headers
    return render_template(template, count=unread, **context), headers


def _home_page(opened: Opened) -> ResponseReturnValue:
    reader = opened.reader
    page, place = _read(opened)
    is_empty = page.is_first and not page.items
    _note_page(opened, page)
    since = _since(page, reader)
    if page.is_first and not is_empty and "_flashes" not in session and not reader.has_notice:
        look = Look(current_appearance(), requests_waiting(), current_token())
        return Response(render_home(page, look, reader=reader, place=place, since=since), mimetype="text/html")
    return render_template(
        "feed/home.html",
        page=page,
        place=place,
        line=place.line,
        left_off=render_left_off(place.left_off, reader=reader),
        announcement=render_announcement(reader.dismissed, current_token()) if page.is_first else "",
        reader_id=reader.id,
        starts_at_top=reader.starts_at_top,
        since=since,
        suggestions=people_to_follow(db.session.get_one(User, reader.id)) if is_empty else [],
        follows_anyone=is_empty and follows_anyone(reader),
    )


def _since(page: Stream, reader: Reader) -> str:
    """Return what asks for what is new since a page was shown: the top of the feed."""
    shown = Since.shown([card.entry_id for card in page.items], is_all=page.next_url is None)
    return new_posts.sign(shown, viewer=reader)


def _read(opened: Opened) -> tuple[Stream, Place]:
    """Read the page that the request asks for, and where the viewer left off on it. While that is further down, the
    way onwards says so, and the line is drawn on the page where it belongs."""
    reader = opened.reader
    page = read_page(
        "home",
        lambda before: home_page(viewer=reader, before=before, opened=opened),
        viewer_id=reader.id,
        path=addresses.feed(),
        fetch_above=lambda above: home_page_above(viewer=reader, above=above, opened=opened),
    )
    limits.reads.settle(opened.sources.rider, reader.id)
    is_near = "near" in request.args
    is_end, is_sought = page.next_url is None, page.is_first or is_near or request.args.get("line") == "below"
    place = place_on(page.items, opened.mark, reader, is_first=page.is_first, is_end=is_end, is_sought=is_sought)
    if opened.mark and request.args.get("near") == _near(opened.mark):  # there the reader is already
        place = replace(place, left_off=None)
    stream = lay_out(page, reader=reader, shown_before=request.args.get("talks", ""))
    place = place_in(stream.layout, place, is_end=is_end)
    return (replace(stream, next_url=f"{stream.next_url}&line=below") if place.is_below else stream), place


def _note_page(opened: Opened, page: Stream) -> None:
    """Note what a page tells about where its reader left off. Most pages tell nothing new, and write nothing."""
    reader, mark = opened.reader, opened.mark
    gaps = gaps_on(page.items, mark.seen, reader) if mark and page.is_first else []
    stretches = [] if "scripts" in request.cookies else stretches_on(page.items, page.below, is_end=not page.next_url)
    if not page.items or (mark and not gaps and mark.seen.has(stretches)):
        return
    with on_primary():
        if mark is None and page.is_first:
            lowest = min(card.entry_id for card in page.items)
            marks.begin(reader.id, below=lowest - 1, is_end=page.next_url is None)
        if gaps:
            marks.join(reader.id, gaps)
        if stretches:
            marks.open_page(reader.id, stretches, session_id=reader.session_id)
        db.session.commit()
