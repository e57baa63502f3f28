"""The first page of a home around its cards: rendered once for all readers who see it alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from flask import current_app
from markupsafe import Markup, escape

from app.accounts.reader import SessionReader
from app.posts.cards.cards import PostCard
from app.posts.cards.rendering import cards_for_member
from app.web import kept
from app.web.kept import Kept, slot
from app.web.paging import Page


class Look(NamedTuple):
    """What of the request a page shows."""

    theme: str
    waiting: int  # requests to follow the reader
    token: str


def render_home(page: Page[PostCard], look: Look, *, reader: SessionReader, seen: int | None, since: str) -> bytes:
    """Return a first page that has entries, as `feed/home.html` shows it to a reader."""
    frame = _frame(look.theme, reader.is_admin, reader.is_private, look.waiting, page.next_url is not None)
    token_bytes = look.token.encode()
    return frame.fill(
        {
            "token": token_bytes,
            "handle": reader.handle.encode(),
            "name": escape(reader.name).encode(),
            "face_s": _face(reader, "s"),
            "face_m": _face(reader, "m"),
            "since": since.encode(),
            "next_url": escape(page.next_url or "").encode(),
            "cards": cards_for_member(page.items, token_bytes, seen=seen, at_top=True),
        }
    )


def _face(reader: SessionReader, size: str) -> bytes:
    face: Markup = kept.environment().globals["ui"].avatar(reader, size)  # type: ignore[attr-defined]
    return face.encode()


@dataclass(frozen=True)
class _AnyReader:
    """Stands for the reader."""

    is_admin: bool
    is_private: bool
    handle: ClassVar[Markup] = slot("handle")
    name: ClassVar[Markup] = slot("name")
    url: ClassVar[Markup] = Markup("/@") + slot("handle")

    def face(self, size: str) -> Markup:
        return slot(f"face_{size}")


@dataclass(frozen=True)
class _AnyPage:
    """Stands for a first page with entries."""

    next_url: Markup | None
    is_first: bool = True
    items: tuple[None, ...] = (None,)


@lru_cache(maxsize=1000)
def _frame(theme: str, is_admin: bool, is_private: bool, waiting: int, has_next: bool) -> Kept:
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
        viewer=_AnyReader(is_admin, is_private),
        page=_AnyPage(slot("next_url") if has_next else None),
        since=slot("since"),
        theme=theme,
        site_name=current_app.config["SITE_NAME"],
        config=current_app.config,
        at="/",
        requests_waiting=lambda: waiting,
        csrf_token=lambda: slot("token"),
        get_flashed_messages=lambda **_: (),
        render_cards=lambda *_, **__: slot("cards"),
    )
