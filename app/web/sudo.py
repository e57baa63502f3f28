"""Which views are dangerous: what they do is done only by somebody who has just shown again who they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


def asks_again(view: View) -> View:
    """Ask for the password or a code before a form is sent to a view; see `app/accounts/sudo/`."""
    view.asks_again = True  # type: ignore[attr-defined]
    return view


def is_dangerous(view: Callable[..., Any]) -> bool:
    """Say whether a view declared itself so."""
    return getattr(view, "asks_again", False) is True
