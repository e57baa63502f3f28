"""The first page of a home around its cards: rendered once for all readers who see it alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from flask import current_app
from markupsafe import Markup, escape

from app import addresses
from app.accounts.reader import SessionReader, zone_of
from app.core.times import part_of_day
from app.feed.home.left_off import LeftOff, Place
from app.feed.home.new_posts import MAX_NEW_POSTS
from app.posts.streams.rendering import Stream, stream_for
from app.posts.writing.resending import new_once
from app.site.announcements import Announcement
from app.site.markup import to_html
from app.site.settings import Site, announcement_for, the_site
from app.web import frame, kept
from app.web.appearance import Appearance
from app.web.frame import MAX_WAITING_SHOWN, AnyMember, frame_for_any, values_of
from app.web.kept import Kept, slot


class Look(NamedTuple):
    """What of the request a page shows."""

    appearance: Appearance
    waiting: int  # requests to follow the reader
    token: str


def render_home(page: Stream, look: Look, *, reader: SessionReader, place: Place, since: str) -> bytes:
    """Return a first page that has entries, as `feed/home.html` shows it to a reader."""
    waiting = min(look.waiting, MAX_WAITING_SHOWN)
    has_next = page.next_url is not None
    around = _around(
        the_site(), look.appearance, reader.is_staff, reader.is_private, reader.starts_at_top, waiting, has_next
    )
    values = values_of(reader, look.token, faces=("s", "m"))
    return around.fill(
        {
            **values,
            "since": since.encode(),
            "once": new_once().encode(),
            "next_url": escape(page.next_url or "").encode(),
            "cards": stream_for(page, values["token"], zone=zone_of(reader), has_menu=True, line=place.line),
            "left_off": render_left_off(place.left_off, reader=reader).encode(),
            "reader_id": b"%d" % reader.id,
            "mark": b"%d" % place.mark,
            "announcement": render_announcement(reader.dismissed, look.token).encode(),
        }
    )


def render_announcement(dismissed: Sequence[int], token: str) -> Markup:
    """Return what is announced now to a reader who has dismissed these."""
    announcement = announcement_for(dismissed)
    if announcement is None:
        return Markup()
    return Markup(_announcement(announcement).fill({"token": escape(token).encode()}).decode())  # noqa: S704


@lru_cache(maxsize=50)
def _announcement(announcement: Announcement) -> Kept:
    text = to_html(announcement.text)
    return kept.render("feed/_announcement.html", announcement=announcement, text=text, token=slot("token"))


@lru_cache(maxsize=1000)
def _left_off(count: str, since: datetime | None, words: str, is_more: bool) -> Markup:
    html = kept.render("feed/_left_off.html", count=count, since=since, words=words, is_more=is_more)
    return Markup(html.fill({}).decode())  # noqa: S704


def render_left_off(left_off: LeftOff | None, *, reader: SessionReader) -> Markup:
    """Return the way to where a reader left off, and how many entries are new above it."""
    if left_off is None:
        return Markup()
    is_rough = left_off.is_more or left_off.count >= MAX_NEW_POSTS
    count = f"{min(left_off.count, MAX_NEW_POSTS - 1)}{'+' if is_rough else ''}" if left_off.count else ""
    words = part_of_day(left_off.since, zone_of(reader)) if left_off.since else ""
    return _left_off(count, left_off.since, words, left_off.is_more)


@dataclass(frozen=True)
class _AnyPage:
    """Stands for a first page with entries."""

    next_url: Markup | None
    around: str
    prev_url: None = None
    is_first: bool = True
    items: tuple[None, ...] = (None,)


@dataclass(frozen=True)
class _AnyPlace:
    """Stands for where a reader left off."""

    mark: Markup


@lru_cache(maxsize=1000)
def _around(
    site: Site,
    appearance: Appearance,
    is_staff: bool,
    is_private: bool,
    starts_at_top: bool,
    waiting: int,
    has_next: bool,
) -> Kept:
    nothing: dict[str, Any] = {
        "form": None,
        "chosen": (),
        "image_errors": (),
        "asks_for_words": False,
        "error": None,
        "onwards": None,
        "line": None,
    }
    return kept.render(
        "feed/home.html",
        **nothing,
        plain=False,
        over=False,
        shown=False,
        viewer=AnyMember(is_staff, is_private),
        page=_AnyPage(slot("next_url") if has_next else None, addresses.around(addresses.feed())),
        since=slot("since"),
        starts_at_top=starts_at_top,
        left_off=slot("left_off"),
        announcement=slot("announcement"),
        reader_id=slot("reader_id"),
        place=_AnyPlace(slot("mark")),
        page_frame=lambda: frame_for_any(frame.Look(appearance, "home", True, is_staff, waiting)),
        site=site,
        config=current_app.config,
        at=addresses.home(),
        csrf_token=lambda: slot("token"),
        new_once=lambda: slot("once"),
        get_flashed_messages=lambda **_: (),
        render_stream=lambda *_, **__: slot("cards"),
    )
