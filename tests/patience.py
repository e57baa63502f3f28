"""How long a test waits for what comes at once on an idle machine: a busy one is slow, not wrong."""

from __future__ import annotations

from typing import Any

SECONDS = 30.0
# For `create_app`. After a fifth of a second a page goes on without Redis, and limits are counted from the start again.
PATIENT: dict[str, Any] = {
    "REDIS_TIMEOUT": SECONDS,
    "RATELIMIT_STORAGE_OPTIONS": {"socket_timeout": SECONDS, "socket_connect_timeout": SECONDS},
}
