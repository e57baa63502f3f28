"""Handles: what may be one, and what is kept back."""

from __future__ import annotations

RESERVED = frozenset(
    """
    about abuse account accounts activity admin administrator announcements api app auth block bookmarks complete
    compose confirm contact decisions demo drafts
    everyone explore feed followers following freshet healthz help here home images info legal like likes login logout
    mail media metrics mod moderator moderators mute news nobody notifications null official post posts postmaster
    privacy readyz requests reset root rules search security settings setup signup site staff static status support
    system tag tags team terms undefined webmaster www
    """.split()
)


def is_reserved(handle: str) -> bool:
    """Say whether a handle would pass for the site itself."""
    return handle.lower().strip("_") in RESERVED or handle.strip("_") == ""
