"""What is said in the place of a post that is not shown; of what leaves a page, `app/static/js/removal.js` says it."""

from __future__ import annotations


def why_missing(*, is_gone: bool, is_unwanted: bool) -> str:
    """Return why a post is not shown, in words."""
    if is_gone:
        return "This post was deleted."
    return "You chose to hide this post." if is_unwanted else "This post isn’t visible to you."
