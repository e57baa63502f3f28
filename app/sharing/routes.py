"""Pictures of public pages, for the sites that link to them. What not everybody may see has none."""

from __future__ import annotations

import hashlib

from flask import Blueprint, Response, make_response, request
from werkzeug.exceptions import NotFound

from app.accounts.queries import counters_of
from app.core.database import reads_only
from app.core.numbers import compact
from app.core.text import is_tag
from app.core.times import day, month_and_year
from app.extensions import limiter
from app.posts.cards.reading import cards_for
from app.sharing.drawing import Drawn, DrawnTitle, draw, draw_title
from app.site.settings import the_site
from app.social.loaders import load_person
from app.web import limits

bp = Blueprint("sharing", __name__)

NOT_PUBLIC = "There’s no picture of this page."
MAX_AGE_SECONDS = 300  # for which others may keep it: what is deleted must go there, too


@bp.get("/@<handle:handle>/<id:post_id>/picture.png")
@limiter.limit(limits.PICTURE)
@reads_only
def post_picture(handle: str, post_id: int) -> Response:
    """Send a public post as a picture, the same to everybody: as a stranger sees it."""
    cards = cards_for([post_id], viewer=None)
    if not cards or cards[0].id != post_id or not cards[0].is_public or cards[0].author.handle != handle:
        raise NotFound(NOT_PUBLIC)
    [card] = cards
    author = card.author
    site = the_site().name
    drawn = Drawn(author.id, author.name, handle, author.avatar, card.said, day(card.created_at, None), site)
    return _answer(draw(drawn))


@bp.get("/@<handle:handle>/picture.png")
@limiter.limit(limits.PICTURE)
@reads_only
def profile_picture(handle: str) -> Response:
    """Send the profile of an account that is not private as a picture."""
    person = load_person(handle)
    if person.is_private or person.is_limited or person.handle != handle:
        raise NotFound(NOT_PUBLIC)
    posts = counters_of(person).posts
    below = f"{compact(posts)} post{'' if posts == 1 else 's'} · joined {month_and_year(person.created_at, None)}"
    site = the_site().name
    return _answer(draw(Drawn(person.id, person.name, handle, person.avatar, person.bio, below, site)))


@bp.get("/picture.png")
@limiter.limit(limits.PICTURE)
@reads_only
def site_picture() -> Response:
    """Send a picture of the site itself, for its pages that are nobody's."""
    site = the_site().name
    return _answer(draw_title(DrawnTitle(site, "A social feed that’s complete, fast and honest.", site)))


@bp.get("/tags/<tag>/picture.png")
@limiter.limit(limits.PICTURE)
@reads_only
def tag_picture(tag: str) -> Response:
    """Send a picture of a tag, the same whether there are posts with it or not."""
    if not is_tag(tag):
        raise NotFound(NOT_PUBLIC)
    site = the_site().name
    return _answer(draw_title(DrawnTitle(f"#{tag}", f"Posts with #{tag} on {site}.", site)))


def _answer(picture: bytes) -> Response:
    response = make_response(picture)
    response.mimetype = "image/png"
    who = "private" if the_site().is_for_members else "public"
    response.headers["Cache-Control"] = f"{who}, max-age={MAX_AGE_SECONDS}"
    response.set_etag(hashlib.sha256(picture).hexdigest()[:32])
    return response.make_conditional(request)  # type: ignore[return-value]
