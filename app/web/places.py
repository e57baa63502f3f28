"""What a page shows, in a sentence beside its route: for "Why am I seeing this?"."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from flask import current_app
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

View = TypeVar("View", bound=Callable[..., object])
OPENED = "You opened this post or its conversation."


def shows(sentence: str | None) -> Callable[[View], View]:
    """Say of a page with posts why a post may be on it; None is for the home feed, which explains itself."""

    def declare(view: View) -> View:
        view.place = sentence  # type: ignore[attr-defined]
        return view

    return declare


def place_of(address: str) -> str | None:
    """Return what the page at an address of this site shows; None is the home feed."""
    try:
        endpoint, _ = current_app.url_map.bind("").match(urlsplit(address).path)
    except (HTTPException, RequestRedirect):
        return OPENED
    place: str | None = getattr(current_app.view_functions[endpoint], "place", OPENED)
    return place
