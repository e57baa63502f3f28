"""What those who run the site can do, by the names under which the record keeps it. Names never change."""

from __future__ import annotations

ROLE_CHANGED = "role.changed"

# What the pages call them.
WORDS = {
    ROLE_CHANGED: "Changed role",
}
