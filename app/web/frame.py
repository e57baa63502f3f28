"""What is around `main` on every page: rendered once for all viewers who see it alike, and filled for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Protocol

from markupsafe import Markup, escape

from app import addresses
from app.site.settings import Site, the_site
from app.web import kept
from app.web.appearance import Appearance
from app.web.kept import Kept, slot

# Where a page says its own; the rest of the slots are of its viewer.
PLACES = frozenset({"title", "description", "head", "body_class", "posted", "rail", "main", "aside", "toasts"})
_SLOTS = ("token", "handle", "name", "time_zone", "face_s")  # of the viewer
MAX_WAITING_SHOWN = 100  # of requests that wait: it is written as 99+
_SECTIONS = {
    addresses.home(): "home",
    addresses.feed(): "home",
    addresses.search(): "search",
    addresses.compose(): "compose",
    addresses.bookmarks(): "bookmarks",
    addresses.drafts(): "drafts",
    addresses.follow_requests(): "requests",
    addresses.posts_for_you(): "requests",
}
_BEGINNINGS = {addresses.explore(): "explore", addresses.settings(): "settings", addresses.admin(): "admin"}


class Viewer(Protocol):
    """What a frame shows of a viewer who is logged in."""

    @property
    def handle(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    @property
    def url(self) -> str: ...
    @property
    def is_staff(self) -> bool: ...
    @property
    def time_zone(self) -> Any: ...


class Look(NamedTuple):
    """What decides how a frame looks, whoever sees it."""

    appearance: Appearance
    section: str  # whose tab is the current one
    is_member: bool
    is_staff: bool = False
    waiting: int = 0  # requests to follow the viewer


@dataclass(frozen=True)
class AnyMember:
    """Stands for a viewer who is logged in, in what is kept."""

    is_staff: bool
    is_private: bool = False
    has_report_news: ClassVar[bool] = False  # who has some gets a page that is not kept
    handle: ClassVar[Markup] = slot("handle")
    name: ClassVar[Markup] = slot("name")
    url: ClassVar[Markup] = Markup("/@") + slot("handle")
    time_zone: ClassVar[Markup] = slot("time_zone")
    notice_id: ClassVar[None] = None  # whoever has one gets a page of their own

    def face(self, size: str) -> Markup:
        return slot(f"face_{size}")


Pieces = Mapping[str, Kept | Markup]  # those without slots are ready


@dataclass(frozen=True)
class Frame:
    """The pieces of a frame and what fills them, for `base.html`."""

    _pieces: Pieces
    _values: Mapping[str, bytes]

    def before(self, place: str) -> Markup:
        """Return what stands before a place, from the place before it on."""
        piece = self._pieces[place]
        return piece if isinstance(piece, Markup) else _text(piece.fill(self._values))

    @property
    def end(self) -> Markup:
        """Return what stands after the last place."""
        return self.before("")


def frame_for(viewer: Viewer | None, *, appearance: Appearance, path: str, waiting: int, token: str) -> Frame:
    """Return the frame of a page as one viewer sees it."""
    section = section_of(path, viewer)
    look = Look(
        appearance, section, viewer is not None, bool(viewer and viewer.is_staff), min(waiting, MAX_WAITING_SHOWN)
    )
    return Frame(_pieces(look, the_site()), values_of(viewer, token))


def frame_for_any(look: Look) -> Frame:
    """Return the frame of a page that is kept itself: its slots are still to be filled, by `values_of`."""
    return Frame(_pieces(look, the_site()), {name: slot(name).encode() for name in _SLOTS})


def values_of(viewer: Viewer | None, token: str, *, faces: tuple[str, ...] = ("s",)) -> dict[str, bytes]:
    """Return what fills the slots of a viewer, escaped."""
    values = {"token": escape(token).encode()}
    if viewer is not None:
        ui: Any = kept.environment().globals["ui"]
        values |= {"handle": escape(viewer.handle).encode(), "name": escape(viewer.name).encode()}
        values["time_zone"] = escape(viewer.time_zone or "").encode()
        values |= {f"face_{size}": ui.avatar(viewer, size).encode() for size in faces}
    return values


def section_of(path: str, viewer: Viewer | None) -> str:
    """Return which tab a page belongs to, if any."""
    if path in _SECTIONS:
        return _SECTIONS[path]
    if viewer is not None and path.lower() == viewer.url.lower():
        return "profile"
    return next((section for beginning, section in _BEGINNINGS.items() if path.startswith(beginning)), "")


@lru_cache(maxsize=1000)
def _pieces(look: Look, site: Site) -> Pieces:
    frame = kept.render(
        "components/_frame.html",
        slot=slot,
        theme=look.appearance.theme,
        density=look.appearance.density,
        section=look.section,
        viewer=AnyMember(look.is_staff) if look.is_member else None,
        waiting=look.waiting,
        site=site,
        token=slot("token"),
    )
    pieces = frame.cut(PLACES)
    return {place: piece if piece.slots else _text(piece.fill({})) for place, piece in pieces.items()}


def _text(html: bytes) -> Markup:
    return Markup(html.decode())  # noqa: S704
