"""The pages that say what went wrong."""

from __future__ import annotations

import logging
import math
import time

from flask import Flask, Response, current_app, g, make_response, render_template, request
from flask.typing import ResponseReturnValue
from flask_limiter import RequestLimit
from flask_limiter.errors import RateLimitExceeded
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import (
    BadRequest,
    HTTPException,
    InternalServerError,
    RequestEntityTooLarge,
    ServiceUnavailable,
    default_exceptions,
)

from app.core.errors import Refused
from app.extensions import db
from app.web.htmx import wants_fragment

log = logging.getLogger(__name__)


# Title and sentence of each page; a description that the code gave an exception wins over the sentence.
WORDS: dict[int, tuple[str, str]] = {
    400: (
        "That didn’t work",
        "Something in the request was missing or damaged. Go back, reload the page and try again.",
    ),
    403: ("Not allowed", "You’re not allowed to do that."),
    404: ("Nothing here", "This page doesn’t exist or isn’t visible to you."),
    405: ("Wrong turn", "This address doesn’t accept that kind of request."),
    410: ("Gone", "This used to be here, but its author deleted it."),
    413: (
        "Too large",
        "That’s larger than Freshet accepts. Nothing was saved; go back and what you typed will still be there.",
    ),
    415: ("Wrong format", "Freshet can’t read the format of what you sent."),
    422: ("Not quite right", "Some of what you entered can’t be used. Go back and fix it; nothing was saved."),
    429: ("Slow down a little", "You’ve done that a lot in a short time. Wait a moment, then try again."),
    500: (
        "Our mistake",
        "Something broke on our side, and it’s been logged. What you typed wasn’t saved. Please try again.",
    ),
    503: ("Back in a moment", "The database isn’t responding right now. Nothing was lost; please try again shortly."),
}


# What is read and thrown away of a body that is too large, so that its sender gets to read the answer.
MAX_DRAINED_BYTES = 128 * 1024 * 1024


def register_error_pages(app: Flask) -> None:
    """Answer every error in the site's own words and design."""
    app.register_error_handler(RequestEntityTooLarge, _too_large)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(CSRFError, _csrf_error)
    app.register_error_handler(RateLimitExceeded, _too_fast)
    app.register_error_handler(OperationalError, _database_away)
    app.register_error_handler(Exception, _crash)


def _http_error(error: HTTPException) -> ResponseReturnValue:
    if error.response is not None or (error.code or 500) < 400:
        return error  # a redirect or a ready-made response
    return error_page(error)


def _too_large(error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Take the rest of the body before answering: a browser that still sends would only see a broken connection."""
    response = error_page(error)
    body, left = request.environ["wsgi.input"], min(request.content_length or 0, MAX_DRAINED_BYTES)
    while left > 0 and (part := body.read(min(65_536, left))):
        left -= len(part)
    return response


def _refused(error: Refused) -> ResponseReturnValue:
    """Say why input was refused that no form shows again."""
    return error_page(default_exceptions[error.code](str(error)))


def _csrf_error(error: CSRFError) -> ResponseReturnValue:
    sentence = (
        "This page was open too long, or the form came from somewhere else. Go back, reload the page and send it again."
    )
    return error_page(BadRequest(sentence))


def _too_fast(error: RateLimitExceeded) -> ResponseReturnValue:
    response = error_page(error, sentence=WORDS[429][1])
    response.headers["Retry-After"] = str(_seconds_to_wait(error))
    return response


def _seconds_to_wait(error: RateLimitExceeded) -> int:
    """Return when the limit that was hit lets the next request through."""
    hit: RequestLimit | None = current_app.extensions["freshet.limiter"].current_limit
    return max(1, math.ceil(hit.reset_at - time.time())) if hit else 60


def _database_away(error: OperationalError) -> ResponseReturnValue:
    log.error("database error: %s", error.orig)
    db.session.rollback()
    g.database_away = True
    return error_page(ServiceUnavailable())


def _crash(error: Exception) -> ResponseReturnValue:
    log.exception("unhandled error on %s %s", request.method, request.path, exc_info=error)
    if current_app.config.get("PROPAGATE_EXCEPTIONS"):
        raise error
    db.session.rollback()
    return error_page(InternalServerError())


def error_page(error: HTTPException, *, sentence: str | None = None) -> Response:
    """Render an error: a page for people, one plain sentence for htmx, which shows it as a toast."""
    code = error.code or 500
    title, default = WORDS.get(code, (error.name, "That didn’t work."))
    if sentence is None:
        stock = default_exceptions[code].description if code in default_exceptions else None
        sentence = error.description if error.description and error.description != stock else default
    if wants_fragment():
        response = make_response(sentence, code)
        response.mimetype = "text/plain"
    else:
        response = make_response(render_template("error.html", code=code, title=title, sentence=sentence), code)
    response.headers.extend([(name, value) for name, value in error.get_headers() if name in {"Allow", "Retry-After"}])
    return response
