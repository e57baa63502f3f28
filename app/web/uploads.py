"""Forms with files in them: a view declares which field takes files, and how large the form may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from flask import Config, current_app, request
from werkzeug.exceptions import BadRequest

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Upload:
    """The field of a form that takes files, and the bytes that all of the form may have."""

    field: str
    max_bytes: Callable[[Config], int]


def takes_files(field: str, *, max_bytes: Callable[[Config], int]) -> Callable[[View], View]:
    """Let the form of a view be as large as its files need, and refuse files in any other field."""
    upload = Upload(field, max_bytes)

    def declare(view: View) -> View:
        view.upload = upload  # type: ignore[attr-defined]
        return view

    return declare


def _declared() -> Upload | None:
    upload: Upload | None = getattr(current_app.view_functions.get(request.endpoint or ""), "upload", None)
    return upload


def make_room() -> None:
    """Raise the limit of a form that takes files, before anything reads its body."""
    upload = _declared()
    if upload is not None and request.mimetype == "multipart/form-data":
        request.max_content_length = upload.max_bytes(current_app.config)


def refuse_misplaced_files() -> None:
    """Refuse a file in the place of a text: forms would take it for the text."""
    upload = _declared()
    if request.mimetype == "multipart/form-data" and set(request.files) - {upload.field if upload else None}:
        raise BadRequest("There’s a file where text should be. Nothing was changed.")
