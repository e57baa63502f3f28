"""Flask as this site needs it: what surrounds every request, without what no request of ours uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any
from wsgiref.types import WSGIEnvironment

import flask
from flask import Flask
from flask.ctx import RequestContext
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.routing import MapAdapter, Rule
from werkzeug.sansio.http import parse_cookie
from werkzeug.utils import cached_property
from werkzeug.wsgi import get_host

from app.web import security

LONGEST_KEPT_COOKIES = 1000  # what is longer is not from us alone
KEPT_COOKIES = 2000


class Request(flask.Request):
    """A request whose cookies were often read before: every request of a browser brings the same."""

    @cached_property
    def cookies(self) -> ImmutableMultiDict[str, str]:
        header: str = self.environ.get("HTTP_COOKIE", "")
        return _cookies_in(header) if len(header) <= LONGEST_KEPT_COOKIES else _read_cookies(header)


def _read_cookies(header: str) -> ImmutableMultiDict[str, str]:
    return ImmutableMultiDict(parse_cookie(header))


_cookies_in = lru_cache(maxsize=KEPT_COOKIES)(_read_cookies)


class Response(flask.Response):
    """An answer that carries the headers of every answer, whichever code made it."""

    def get_wsgi_response(self, environ: WSGIEnvironment) -> tuple[Iterable[bytes], str, list[tuple[str, str]]]:
        body, status, headers = super().get_wsgi_response(environ)
        return body, status, security.with_headers(headers, is_secure=environ["wsgi.url_scheme"] == "https")


class _Context(RequestContext):
    """A request in which an address without parameters is found by its text."""

    app: Freshet

    def match_request(self) -> None:
        asked = self.request.method, self.request.path
        rule = self.app.plain_rules.get(asked)
        if rule is None:
            super().match_request()
            rule = self.request.url_rule
            if rule is not None and not self.request.view_args and not rule.arguments:
                self.app.plain_rules[asked] = rule  # at most one for each rule and method
        else:
            self.request.url_rule, self.request.view_args = rule, {}


class Freshet(Flask):
    """Flask, in which nothing is asynchronous and no host has addresses of its own."""

    request_class = Request
    response_class = Response

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.plain_rules: dict[tuple[str, str], Rule] = {}

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func  # Flask would inspect every hook and view of every request

    def request_context(self, environ: WSGIEnvironment) -> RequestContext:
        return _Context(self, environ)

    def create_url_adapter(self, request: flask.Request | None) -> MapAdapter | None:
        """Return what finds and builds addresses for a request; werkzeug would read its environment a second time."""
        if request is None:
            return super().create_url_adapter(None)
        request.host = get_host(request.environ, self.config["TRUSTED_HOSTS"])
        return MapAdapter(
            self.url_map,
            request.host.lower(),
            request.root_path,
            "",
            request.scheme,
            request.path,
            request.method,
            request.query_string.decode(errors="replace"),
        )

    def drop_idle_hooks(self) -> None:
        """Forget the hooks of extensions that have nothing to do here, which at every request find that out anew.

        Flask-WTF's, because `hooks` calls the check of the token at its time; Flask-Limiter's, because limits are
        declared by views, which check them, and no header tells them; Flask-Login's, because sessions last by
        themselves.
        """
        for hooks in (self.before_request_funcs, self.after_request_funcs, self.teardown_request_funcs):
            hooks.pop(None, None)
