"""Static files: their one version is a folder in their addresses, so that files that name each other fit together."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from flask import Flask, Response, current_app, send_from_directory
from werkzeug.routing import BaseConverter

from app.web.members import open_to_strangers

A_YEAR = 365 * 24 * 60 * 60
# In the order of the cascade: where two rules are equally strong, the later file wins.
STYLES = tuple(
    "tokens base layout buttons posts links threads composer menus people forms pages overlays writing".split()
)
_IMPORT = re.compile(r'^import (?:[^"]* from )?"\./([^"]+)";$', re.MULTILINE)


class VersionConverter(BaseConverter):
    """A version of the static files, whichever."""

    regex = "v[0-9a-f]{10}"


def register(app: Flask) -> None:
    """Serve static files under the version that they have when the process starts, and without one."""
    app.url_map.converters["version"] = VersionConverter
    app.add_url_rule("/static/<version:version>/<path:filename>", endpoint="static")
    app.endpoint("static")(open_to_strangers(send_static))
    icon = open_to_strangers(lambda: send_static("img/icon.svg"))
    app.add_url_rule("/favicon.ico", endpoint="favicon", view_func=icon)
    _version(_folder(app))  # now, not when the first page is asked for: the files may be others by then


def asset(path: str) -> str:
    """Return the address of a static file with the version of all of them, so that browsers may keep it for ever."""
    return _address(_folder(current_app), path)


def styles() -> list[str]:
    """Return the addresses of the stylesheets."""
    return [asset(f"css/{name}.css") for name in STYLES]


def modules(*entries: str) -> list[str]:
    """Return the addresses of scripts and of all that they import, each once."""
    return [asset(f"js/{name}") for name in _with_imports(_folder(current_app), entries)]


def send_static(filename: str, version: str | None = None) -> Response:
    """Send a file to be kept for ever under the version that it has, and to be asked for again under other addresses.

    A page that was rendered before an upgrade names files by the version before, and gets the ones there are now. If
    they were kept under that address, they would be there still when that version comes back.
    """
    folder = _folder(current_app)
    is_current = version == _version(folder)
    response = send_from_directory(folder, filename, max_age=A_YEAR if is_current else None)
    response.cache_control.public = True
    response.cache_control.immutable = is_current
    return response


def _folder(app: Flask) -> str:
    assert app.static_folder is not None
    return app.static_folder


@cache
def _version(folder: str) -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return f"v{digest.hexdigest()[:10]}"


@cache
def _address(folder: str, path: str) -> str:
    if not (Path(folder) / path).is_file():
        raise FileNotFoundError(path)
    return f"/static/{_version(folder)}/{path}"  # not url_for, which needs a Host that makes sense


@cache
def _with_imports(folder: str, entries: tuple[str, ...]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    to_read = list(reversed(entries))
    while to_read:
        name = to_read.pop()
        if name not in found:
            found[name] = None
            to_read += reversed(_IMPORT.findall((Path(folder) / "js" / name).read_text()))
    return tuple(found)


NAMES: dict[str, Callable[..., object]] = {"asset": asset, "modules": modules, "styles": styles}  # in templates
