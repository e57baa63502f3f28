"""What a file may do follows from its role, which its name says: every file of the application is checked.

Roles that face the web know the request; routes and commands commit. Everything else takes who acts as an argument.
A file that does what its role does not allow is named below, with the reason; one that no longer does it must go.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import ROOT

APP = ROOT / "app"
PYTHON = sorted(APP.rglob("*.py"))

COMMIT = "commits"
REQUEST = "knows the request, the session or the answer"
VIEWER = "knows the viewer without being told"
WEB = "uses what surrounds pages"
EVERYTHING = frozenset({COMMIT, REQUEST, VIEWER, WEB})

# By the name of the file; a file with another name may do nothing of it.
ROLES: dict[str, frozenset[str]] = {
    "routes": EVERYTHING,
    "forms": frozenset({REQUEST}),
    "loaders": frozenset({VIEWER, WEB}),
    "commands": frozenset({COMMIT}),
}
# By the folder: what surrounds every page never commits; programs of their own may do what they like.
FOLDERS: dict[str, frozenset[str]] = {
    "web": frozenset({REQUEST, VIEWER, WEB}),
    "demo": EVERYTHING,
    "runtime": EVERYTHING,
}
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("__init__.py", WEB): "create_app binds the parts of a page to the application",
    ("extensions.py", REQUEST): "makes the instances of Flask's extensions",
    ("extensions.py", WEB): "the limiter counts by the address of the client",
    ("accounts/viewer.py", REQUEST): "the one place that turns Flask-Login's user into a viewer",
    ("accounts/sessions.py", REQUEST): "a log-in session lives in the cookie",
    ("accounts/entering.py", REQUEST): "begins a session, for every way in; used by routes",
    ("accounts/passkeys/challenges.py", REQUEST): "what a passkey is to sign belongs to one browser, by its cookie",
    ("outbox/running.py", COMMIT): "the engine commits each job with its row",
    ("outbox/schedule.py", COMMIT): "the engine commits each recurring task",
    ("outbox/errands.py", COMMIT): "the engine ends its look for work",
    ("outbox/sweeper.py", COMMIT): "the engine commits the leases that it takes",
    ("posts/reactions/counters.py", COMMIT): "a recount of everything commits in batches",
    ("posts/cards/rendering.py", WEB): "cards are kept as HTML, and carry the form token of the request",
    ("posts/streams/rendering.py", WEB): "a page of cards, kept as HTML with the form token of the request",
    ("feed/home/layout.py", WEB): "lays out a page and its way onwards",
    ("feed/home/frame.py", WEB): "the page around the cards is kept as HTML",
    ("posts/threads/rendering.py", WEB): "places are kept as HTML, and their cards carry the form token of the request",
    ("posts/writing/answering.py", WEB): "the form below a post is kept as HTML",
    ("posts/threads/conversations.py", WEB): "the replies of a post are a page that its cursor names",
    ("posts/writing/composing.py", REQUEST): "carries what was typed through the log-in page; used by routes and hooks",
    ("posts/writing/composing.py", VIEWER): "the same",
    ("posts/writing/composing.py", WEB): "the same",
}

# What anybody may take from Flask: the settings, and the type of the application.
HARMLESS = {"Flask", "current_app"}
FACING_THE_WEB = {"flask_login", "flask_wtf", "wtforms"}


def name(path: Path) -> str:
    return str(path.relative_to(APP))


def allowed(path: Path) -> frozenset[str]:
    return ROLES.get(path.stem, frozenset()) | FOLDERS.get(path.relative_to(APP).parts[0], frozenset())


def doings(source: str) -> set[str]:
    """Return what a file does of what not every file may do."""
    return {what for node in ast.walk(ast.parse(source)) for what in _doings(node)}


def _doings(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and node.attr == "commit":
        yield COMMIT
    if isinstance(node, ast.Import):
        yield from (what for alias in node.names for what in _importing(alias.name, "*"))
    if isinstance(node, ast.ImportFrom) and node.module:
        yield from (what for alias in node.names for what in _importing(node.module, alias.name))


def _importing(module: str, what: str) -> Iterator[str]:
    package = module.split(".")[0]
    if package in FACING_THE_WEB and (module, what) != ("flask_login", "UserMixin"):
        yield REQUEST
    if package == "flask" and what not in HARMLESS and not module.startswith("flask.cli"):
        yield REQUEST
    if module == "app.accounts.viewer":
        yield VIEWER
    if f"{module}.{what}".startswith("app.web."):
        yield WEB


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_a_file_does_only_what_its_role_allows(path: Path) -> None:
    excepted = {what for file, what in EXCEPTIONS if file == name(path)}
    assert doings(path.read_text()) - allowed(path) - excepted == set()


@pytest.mark.parametrize(("file", "what"), EXCEPTIONS, ids=str)
def test_every_exception_is_still_needed(file: str, what: str) -> None:
    assert what in doings((APP / file).read_text()) - allowed(APP / file)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("db.session.commit()", COMMIT),
        ("with connection:\n    connection.commit()", COMMIT),
        ("from flask import request", REQUEST),
        ("from flask import render_template, current_app", REQUEST),
        ("from flask import g", REQUEST),
        ("import flask", REQUEST),
        ("from flask_login import current_user", REQUEST),
        ("from app.accounts.viewer import current_viewer", VIEWER),
        ("from app.web.htmx import respond", WEB),
        ("from app.web import htmx", WEB),
        ("import app.web.htmx", WEB),
    ],
)
def test_what_a_file_does_is_seen(source: str, what: str) -> None:
    assert doings(source) == {what}


def test_the_settings_are_for_every_file() -> None:
    assert doings("from flask import current_app\nfrom app.website import x") == set()


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_no_import_hides_in_a_function(path: Path) -> None:
    for function in ast.walk(ast.parse(path.read_text())):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            hidden = [node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)]
            assert not hidden, f"{function.name} imports in line {hidden[0].lineno}"


@pytest.mark.parametrize("path", [path for path in PYTHON if path.stem == "routes"], ids=name)
def test_no_handler_outgrows_what_it_is_for(path: Path) -> None:
    """Parse, load, one operation or query, one commit, respond: more is a rule, and belongs elsewhere."""
    functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    lengths = {function.name: (function.end_lineno or 0) - function.lineno + 1 for function in functions}
    assert {handler: lines for handler, lines in lengths.items() if lines > 26} == {}


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_no_file_outgrows_what_one_can_read_at_once(path: Path) -> None:
    """One is a table, a line for each address of the site: it is looked up, not read."""
    assert len(path.read_text().splitlines()) <= (700 if name(path) == "addresses.py" else 260)
