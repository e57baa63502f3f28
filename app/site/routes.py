"""What everybody may know of the site: what it is, its rules, its colour."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, send_from_directory
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from app.core.database import reads_only
from app.site import colours, icons
from app.site.colours import BadColour
from app.site.markup import to_html
from app.site.settings import the_site
from app.web import security
from app.web.assets import A_YEAR
from app.web.members import open_to_strangers

bp = Blueprint("site", __name__)


@bp.get("/about")
@open_to_strangers
@reads_only
def about() -> ResponseReturnValue:
    site = the_site()
    return render_template("site/about.html", text=to_html(site.about))


@bp.get("/rules")
@open_to_strangers
@reads_only
def rules() -> ResponseReturnValue:
    return render_template("site/page.html", title="Rules", text=to_html(the_site().rules))


@bp.get("/privacy")
@open_to_strangers
@reads_only
def privacy() -> ResponseReturnValue:
    return render_template("site/page.html", title="Privacy", text=to_html(the_site().privacy))


@bp.get("/site/<digits>.css")
@open_to_strangers
@reads_only
def colour(digits: str) -> Response:
    """Send what a colour makes of the pages. It follows from the address, so browsers may keep it for ever."""
    try:
        rules = colours.stylesheet(colours.read(colours.checked(digits)))
    except BadColour as error:
        raise NotFound from error
    return _for_ever(Response(rules, mimetype="text/css"))


@bp.get("/media/site/<file>")
@open_to_strangers
@reads_only
def icon(file: str) -> Response:
    """Send an icon of the site. Its name is never used twice."""
    response = _for_ever(send_from_directory(icons.folder(), file, mimetype="image/png"))
    response.headers["Content-Security-Policy"] = security.IMAGE_SECURITY_POLICY
    return response


def _for_ever(response: Response) -> Response:
    response.headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
    return response
