"""Ask a linked page, and the server of its picture, what a card needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urljoin

from flask import current_app

from app.core.fetching import Bounds, Fetched, NotFetched, fetch
from app.core.images import BadImage
from app.posts.links import pictures
from app.posts.links.metadata import read_metadata
from app.posts.links.pictures import Picture

PAGES = ("text/html", "application/xhtml+xml")
PICTURES = ("image/jpeg", "image/png", "image/webp", "image/gif")
PAGE_BOUNDS = Bounds(seconds=10.0, max_bytes=1024 * 1024)  # of longer pages the beginning, where they say what they are
PICTURE_BOUNDS = Bounds(seconds=10.0, max_bytes=5 * 1024 * 1024)


@dataclass(frozen=True)
class Found:
    """What a card shows of a page."""

    title: str
    description: str
    picture: Picture | None
    names_picture: bool  # which perhaps could not be had this time


def ask(url: str) -> Found | None:
    """Return what a page says about itself; None where there is nothing to show."""
    try:
        page = _fetch(url, PAGES, PAGE_BOUNDS)
    except NotFetched:
        return None
    said = read_metadata(page.body, page.charset)
    if not said.title:
        return None
    picture = _picture(said.picture, of=page.url) if said.picture else None
    return Found(said.title, said.description, picture, bool(said.picture))


def _picture(place: str, *, of: str) -> Picture | None:
    """Fetch and store a picture. A card does without one that is broken, too large or not there."""
    try:
        file = _fetch(urljoin(of, place), PICTURES, PICTURE_BOUNDS)
        return pictures.save(file.body) if file.is_whole else None
    except (NotFetched, BadImage, ValueError):  # the last of what is no address
        return None


def _fetch(url: str, kinds: Collection[str], bounds: Bounds) -> Fetched:
    # Not a setting: nothing but a test may say that its own machine is part of the internet.
    allowed: Collection[tuple[str, int]] = current_app.config.get("LINKS_ALSO_FROM", ())
    return fetch(url, kinds=kinds, bounds=bounds, allowed=allowed)
