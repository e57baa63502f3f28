"""Fragments and pages: the same address answers htmx with a partial and a browser with the whole page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlsplit

from flask import Response, flash, make_response, redirect, render_template, request


def wants_fragment() -> bool:
    """Say whether this request wants a partial: from htmx, neither boosted nor restoring history."""
    asked = request.environ  # not its headers: to find that one is missing costs them an exception
    return (
        "HTTP_HX_REQUEST" in asked and "HTTP_HX_BOOSTED" not in asked and "HTTP_HX_HISTORY_RESTORE_REQUEST" not in asked
    )


@dataclass(frozen=True)
class Undo:
    """How to take back what was just done: what to send where, and which part of the page the answer replaces."""

    path: str
    into: str = ""  # none of it
    fields: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)  # fields that ask for that part, where the page has it
    swap: str = "outerHTML"  # or "innerHTML": what is in that part


@dataclass(frozen=True)
class Toast:
    """A sentence about what was just done, where it can be seen, and how to take it back."""

    sentence: str
    view: str | None = None
    undo: Undo | None = None


def respond(
    fragment: str,
    *,
    or_redirect: str,
    toast: str | Toast | None = None,
    events: dict[str, Any] | None = None,
    **context: Any,
) -> Response:
    """Answer a mutation: htmx gets the partial that the page itself uses, a plain form gets a redirect."""
    if not wants_fragment():
        return redirect(or_redirect, 303)  # type: ignore[return-value]
    response = make_response(render_template(fragment, **context) if fragment else "")
    # The toast first: an event after it may remove the element that events are sent to.
    said = asdict(toast) if isinstance(toast, Toast) else toast
    triggers = {**({"toast": said} if said else {}), **(events or {})}
    if triggers:
        response.headers["HX-Trigger"] = json.dumps(triggers)
    return response


def flash_undo(undo: Undo) -> None:
    """Let the next page offer to take back what was just done."""
    flash({"path": undo.path, "fields": dict(undo.fields)}, "undo")  # type: ignore[arg-type]  # whatever JSON holds


def go_to(address: str) -> Response:
    """Send the browser to another page; htmx ignores its headers on redirects, so it gets a 204."""
    if not wants_fragment():
        return redirect(address, 303)  # type: ignore[return-value]
    response = make_response("", 204)
    response.headers["HX-Redirect"] = address
    return response


def previous_page(*, default: str) -> str:
    """Return the page of this site that a plain form was sent from, without what only htmx may ask for."""
    referrer = urlsplit(request.referrer or "")
    if referrer.netloc != request.host:
        return default
    return own_page(referrer.path + (f"?{referrer.query}" if referrer.query else ""), default=default)


def current_page() -> str:
    """Return the page of this site from which htmx asks."""
    address = urlsplit(request.headers.get("HX-Current-URL", ""))
    return own_page(address.path if address.netloc == request.host else None, default="/")


def own_page(address: str | None, *, default: str) -> str:
    """Return `address` if it is a page of this site, else `default`: `next=` must not lead elsewhere."""
    if not address or len(address) > 2000 or not address.startswith("/") or address.startswith(("//", "/\\")):
        return default
    if any(character < " " or character == "\\" for character in address):
        return default
    try:
        parts = urlsplit(address)
    except ValueError:
        return default
    return default if parts.scheme or parts.netloc else address
