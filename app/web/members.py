"""A site that only its members may see: to strangers, all is closed but what says that it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask import current_app, request
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app.site.settings import the_site

View = TypeVar("View", bound=Callable[..., Any])


def open_to_strangers(view: View) -> View:
    """Let strangers at a view also where only members see the site: a way in, or it asks for a log-in itself."""
    view.admits_strangers = True  # type: ignore[attr-defined]
    return view


def guard() -> ResponseReturnValue | None:
    """Let strangers at nothing of a site for members but what is declared. It is asked of every request."""
    if request.endpoint is None or not the_site().is_for_members:
        return None
    if getattr(current_app.view_functions[request.endpoint], "admits_strangers", False):
        return None
    if current_user.is_authenticated:
        return None
    return current_app.login_manager.unauthorized()  # type: ignore[attr-defined, no-any-return]
