"""Settings: read from the environment once, with a default that works on a fresh clone."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import tempfile
from collections.abc import Mapping
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, quote, urlsplit

ROOT = Path(__file__).resolve().parent

# Linux allows 107 bytes for the path of a Unix socket; ".s.PGSQL.5432" needs 14 of them.
LONGEST_SOCKET_FOLDER = 90


class BadSetting(ValueError):
    """A setting in the environment that the site cannot run with."""


def data_folder(env: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that holds everything the site keeps: servers, uploads, secret key."""
    return Path(env.get("FRESHET_DATA") or ROOT / "var").resolve()


def socket_folder(data: Path) -> Path:
    """Return where the embedded servers put their sockets: in the data folder, if its path is short enough."""
    folder = data / "run"
    if len(os.fsencode(folder)) <= LONGEST_SOCKET_FOLDER:
        return folder
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"freshet-{digest}"


def embedded_database_url(data: Path) -> str:
    """Return the address of the Postgres that the site starts for itself."""
    return f"postgresql+psycopg://freshet@/freshet?host={quote(str(socket_folder(data)))}"


def embedded_redis_url(data: Path) -> str:
    """Return the address of the Valkey that the site starts for itself."""
    return f"unix://{quote(str(socket_folder(data) / 'valkey.sock'))}?db=0"


def load_config(env: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Turn the environment into Flask's configuration."""
    data = data_folder(env)
    return {
        "DATA_FOLDER": data,
        "SECRET_KEY": env.get("SECRET_KEY") or _kept_secret_key(data),
        "SQLALCHEMY_DATABASE_URI": _psycopg_url(env.get("DATABASE_URL") or embedded_database_url(data)),
        "SQLALCHEMY_ENGINE_OPTIONS": {
            # A web process has four threads, and each may need a second connection for a moment.
            "pool_size": 5,
            "max_overflow": 8,
            "pool_use_lifo": True,  # few connections that know their statements, rather than many
            "connect_args": {
                "connect_timeout": 5,
                "options": f"-c statement_timeout={_number(env, 'DATABASE_TIMEOUT_MS', 15_000)} -c timezone=UTC",
            },
        },
        "REDIS_URL": env.get("REDIS_URL") or embedded_redis_url(data),
        "REDIS_TIMEOUT": 0.2,  # seconds that a page waits for Redis, once; then it goes on without. Workers wait longer
        "HOST": env.get("HOST") or "127.0.0.1",
        "PORT": _number(env, "PORT", 8000, most=65_535),
        "WEB_WORKERS": _number(env, "WEB_WORKERS", 2, most=64),
        "JOB_WORKERS": _number(env, "JOB_WORKERS", 1, most=64),
        # These four are what a site begins with: what is saved on its page of settings comes before them.
        "SITE_NAME": env.get("SITE_NAME") or "Freshet",
        "SMTP_URL": _smtp_url(env),
        "SITE_URL": _site_url(env),
        "MAIL_FROM": _mail_from(env),
        "SIGNUPS_OPEN": _switch(env, "SIGNUPS", default=True),
        "REQUIRE_STAFF_FACTOR": _switch(env, "REQUIRE_STAFF_FACTOR", default=False),
        "POST_MAX_CHARS": _number(env, "POST_MAX_CHARS", 500, least=1, most=10_000),
        "FEED_WINDOW": _number(env, "FEED_WINDOW", 500, least=1, most=10_000),
        # Followers above which an author is merged at read. Not set: what pushing them costs decides (PULL_COST).
        "CELEBRITY_FOLLOWERS": _number(env, "CELEBRITY_FOLLOWERS", 0, least=0),
        "PULL_COST": _number(env, "PULL_COST", 1_000_000),  # timeline writes a day by one author
        # After so many a process asks for the settings of the site again; 0 asks for each page.
        "SITE_SETTINGS_SECONDS": _number(env, "SITE_SETTINGS_SECONDS", 1, least=0, most=60),
        "TRUSTED_PROXIES": _number(env, "TRUSTED_PROXIES", 0, least=0, most=10),
        "OUTBOX_LEASE_SECONDS": _number(env, "OUTBOX_LEASE_SECONDS", 30),
        "RATELIMIT_ENABLED": _switch(env, "FRESHET_RATE_LIMITS", default=True),
        # Forms are small; the routes that take images have more room: see `app/web/uploads.py`.
        "MAX_CONTENT_LENGTH": 1024 * 1024,
        "MAX_FORM_MEMORY_SIZE": 1024 * 1024,
        "AVATAR_MAX_BYTES": 8 * 1024 * 1024,
        "IMAGE_MAX_BYTES": _number(env, "IMAGE_MAX_MB", 8, most=100) * 1024 * 1024,
        "LINK_CARDS": _switch(env, "LINK_CARDS", default=True),  # whether a job asks the pages that posts link to
        "PERMANENT_SESSION_LIFETIME": 60 * 60 * 24 * 60,
        "SESSION_REFRESH_EACH_REQUEST": False,  # `accounts.sessions` renews it when it notes that it is in use
        "SESSION_COOKIE_NAME": "freshet",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        # The token lives as long as the session: a tab left open over night must still be able to post.
        "WTF_CSRF_TIME_LIMIT": None,
        "WTF_CSRF_SSL_STRICT": False,
    }


def _kept_secret_key(data: Path) -> str:
    """Read the secret key from the data folder; the first start writes it."""
    path = data / "secret_key"
    if not path.exists():
        data.mkdir(parents=True, exist_ok=True)
        # Written aside and linked into place, so that two first starts at once agree on one key.
        fresh = path.with_name(f"secret_key.{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(48))
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_text().strip()


def _psycopg_url(url: str) -> str:
    for scheme in ("postgres://", "postgresql://"):
        if url.startswith(scheme):
            return "postgresql+psycopg://" + url.removeprefix(scheme)
    if not url.startswith("postgresql+psycopg://"):
        raise BadSetting(
            "DATABASE_URL must be the address of a Postgres database: postgresql://user:password@host/name"
        )
    return url


def _site_url(env: Mapping[str, str]) -> str:
    """Return how links in e-mails begin. They are never made of what a request says: anybody can say anything there."""
    raw = (env.get("SITE_URL") or "").rstrip("/")
    if not raw:
        if env.get("SMTP_URL"):
            raise BadSetting(
                "SMTP_URL needs SITE_URL, the address of the site for links in e-mails: https://example.org"
            )
        return f"http://{_own_host(env)}:{_number(env, 'PORT', 8000, most=65_535)}"
    parts = _parts(raw)
    if (
        parts is None
        or parts.scheme not in {"http", "https"}
        or raw != f"{parts.scheme}://{parts.netloc}"
        or "@" in raw
    ):
        raise BadSetting(f"SITE_URL must be the address of the site, like https://feed.example.org, not {raw!r}")
    return raw


def _own_host(env: Mapping[str, str]) -> str:
    host = env.get("HOST") or "127.0.0.1"
    if host in {"0.0.0.0", "::"}:  # noqa: S104  # on all of the machine's addresses: this one is of the machine itself
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _smtp_url(env: Mapping[str, str]) -> str:
    raw = env.get("SMTP_URL") or ""
    parts = _parts(raw)
    if raw and (parts is None or parts.scheme not in {"smtp", "smtps"} or parts.path.strip("/") or parts.query):
        raise BadSetting("SMTP_URL must be the address of a mail server: smtp://user:password@host:587 or smtps://…")
    return raw


def _mail_from(env: Mapping[str, str]) -> str:
    """Return the sender of e-mails."""
    raw = env.get("MAIL_FROM") or ""
    if raw and (not re.fullmatch(r"[^\s@<>]+@[^\s@<>]+", parseaddr(raw)[1]) or len(raw.splitlines()) > 1):
        raise BadSetting(
            f"MAIL_FROM must be an e-mail address, or a name with one: Freshet <feed@example.org>, not {raw!r}"
        )
    if env.get("SMTP_URL") and not raw:
        raise BadSetting("SMTP_URL needs MAIL_FROM, the sender of e-mails: Freshet <feed@example.org>")
    return raw or "freshet@localhost"


def _parts(url: str) -> SplitResult | None:
    """Return the parts of an address; None if it has no host, or cannot be read."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.hostname and not re.search(r"\s", url) else None


def _number(env: Mapping[str, str], name: str, default: int, *, least: int = 1, most: int = 1_000_000_000) -> int:
    raw = env.get(name) or str(default)
    if not raw.isascii() or not raw.isdigit() or not least <= int(raw) <= most:
        raise BadSetting(f"{name} must be a whole number from {least} to {most}, not {raw!r}")
    return int(raw)


def _switch(env: Mapping[str, str], name: str, *, default: bool) -> bool:
    raw = (env.get(name) or ("on" if default else "off")).lower()
    if raw not in {"on", "off"}:
        raise BadSetting(f"{name} must be 'on' or 'off', not {raw!r}")
    return raw == "on"
