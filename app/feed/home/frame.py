"""The first page of a home around its cards: rendered once for all readers who see it alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from flask import current_app
from markupsafe import Markup, escape

from app import addresses
from app.accounts.reader import SessionReader
from app.posts.cards.cards import PostCard
from app.posts.cards.rendering import cards_for_member
from app.web import frame, kept
from app.web.frame import MAX_WAITING_SHOWN, AnyMember, frame_for_any, values_of
from app.web.kept import Kept, slot
from app.web.paging import Page


class Look(NamedTuple):
    """What of the request a page shows."""

    theme: str
    waiting: int  # requests to follow the reader
    token: str


def render_home(page: Page[PostCard], look: Look, *, reader: SessionReader, seen: int | None, since: str) -> bytes:
    """Return a first page that has entries, as `feed/home.html` shows it to a reader."""
    waiting = min(look.waiting, MAX_WAITING_SHOWN)
    around = _around(look.theme, reader.is_admin, reader.is_private, waiting, page.next_url is not None)
    values = values_of(reader, look.token, faces=("s", "m"))
    return around.fill(
        {
            **values,
            "since": since.encode(),
            "next_url": escape(page.next_url or "").encode(),
            "cards": cards_for_member(page.items, values["token"], seen=seen, at_top=True),
        }
    )


@dataclass(frozen=True)
class _AnyPage:
    """Stands for a first page with entries."""

    next_url: Markup | None
    is_first: bool = True
    items: tuple[None, ...] = (None,)


@lru_cache(maxsize=1000)
def _around(theme: str, is_admin: bool, is_private: bool, waiting: int, has_next: bool) -> Kept:
    nothing: dict[str, Any] = {
        "form": None,
        "chosen": (),
        "image_errors": (),
        "error": None,
        "onwards": None,
        "seen": None,
    }
    return kept.render(
        "feed/home.html",
        **nothing,
        plain=False,
        shown=False,
        viewer=AnyMember(is_admin, is_private),
        page=_AnyPage(slot("next_url") if has_next else None),
        since=slot("since"),
        page_frame=lambda: frame_for_any(frame.Look(theme, "home", True, is_admin, waiting)),
        site_name=current_app.config["SITE_NAME"],
        config=current_app.config,
        at=addresses.home(),
        csrf_token=lambda: slot("token"),
        get_flashed_messages=lambda **_: (),
        render_cards=lambda *_, **__: slot("cards"),
    )
