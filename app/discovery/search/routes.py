"""Search for posts, people and tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from psycopg.errors import QueryCanceled
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import ServiceUnavailable

from app.accounts.viewer import current_viewer, viewer_id
from app.core.database import reads_only
from app.discovery.search.lookup import Lookup, look_up
from app.discovery.search.marking import mark
from app.discovery.search.people import best_people, search_people
from app.discovery.search.posts import latest_found, search_posts
from app.discovery.search.syntax import Query, understand
from app.discovery.search.tags import best_tags, search_tags
from app.extensions import limiter
from app.posts.cards.reading import cards_for
from app.posts.streams.rendering import in_context
from app.web import limits
from app.web.htmx import wants_fragment
from app.web.paging import Page, read_page_at
from app.web.places import shows

bp = Blueprint("search", __name__)

# What a search may be narrowed to, and the partial that goes on with its list.
LISTS = {
    "": "posts/_list.html",
    "posts": "posts/_list.html",
    "latest": "posts/_list.html",
    "people": "social/_people.html",
    "tags": "discovery/_tags.html",
}
FINDERS: dict[str, Callable[..., tuple[Sequence[Any], Sequence[int] | None]]] = {
    "latest": latest_found,
    "people": search_people,
    "tags": search_tags,
}
TOO_SLOW = "That search took too long, so it was stopped. Try adding another word, from:, before: or after:."


@bp.get("/search")
@shows("It matches your search.")
@limiter.limit(limits.SEARCH, key_func=limits.account_or_address)
@reads_only
def search() -> ResponseReturnValue:
    within = request.args.get("in", "")
    within = within if within in LISTS else ""
    query = understand(request.args.get("q", ""))
    try:
        found = _find(query, within)
    except OperationalError as error:
        if not isinstance(error.orig, QueryCanceled):
            raise
        if wants_fragment():
            raise ServiceUnavailable(TOO_SLOW) from error
        return render_template("discovery/search.html", query=query, within=within, remarks=[TOO_SLOW]), 503
    if wants_fragment() and "page" not in found:
        return "", 204  # there is no list that could go on
    template = LISTS[within] if wants_fragment() else "discovery/search.html"
    return render_template(template, within=within, onwards="More", **found)  # what follows need not be older


def _find(query: Query, within: str) -> dict[str, Any]:
    """Return what the page shows: the list asked for and, above posts that are not asked for alone, the best others."""
    if not query.asks:
        return {"query": query, "remarks": query.remarks}
    viewer = current_viewer()
    lookup = look_up(query, viewer=viewer)
    query = lookup.query
    found: dict[str, Any] = {"query": query, "remarks": query.remarks}
    if query.asks:
        found |= {"page": _page(lookup, within), "shows_all": lookup.names_authors}
        if not within and found["page"].is_first:
            found |= {"people": best_people(lookup, viewer=viewer), "tags": best_tags(lookup, viewer=viewer)}
    return found


def _page(lookup: Lookup, within: str) -> Page[Any]:
    """Return the page of one list that the request's cursor names."""
    viewer, typed = current_viewer(), lookup.query.typed
    page: Page[Any] = read_page_at(
        f"search:{within}:{typed}",
        lambda at: FINDERS.get(within, search_posts)(lookup, viewer=viewer, at=at),
        viewer_id=viewer_id(),
        keeping={"q": typed} | ({"in": within} if within else {}),
    )
    if within in {"people", "tags"}:
        return page
    query, named = lookup.query, lookup.names_authors
    cards = page.map(lambda ids: mark(cards_for(ids, viewer=viewer, muted_too=named), query))
    return in_context(cards, viewer=viewer)
