"""Rate limits: which account or address a request is counted for, and how often is too often."""

from __future__ import annotations

import time
from collections import Counter

from flask import current_app, request, session
from flask_login import current_user
from werkzeug.exceptions import TooManyRequests

from app.core.emails import email_key
from app.core.redis import Rider

# Written for a person who is quick, not for a script. One place, so that the numbers can be seen together.
SIGN_UP = "10 per hour;40 per day"
LOG_IN_PER_ADDRESS = "20 per minute;100 per hour"
LOG_IN_PER_ACCOUNT = "6 per minute;30 per hour"
PASSWORD_CHECK = "6 per minute;30 per hour"  # noqa: S105
CODE = "6 per minute;30 per hour"
MAIL_LINK = "30 per minute"
MAIL = "3 per minute;10 per hour"
RESET_PER_ADDRESS = "10 per minute;30 per hour"
RESET_PER_EMAIL = "3 per minute;6 per hour"
POST = "20 per minute;300 per hour"
IMAGE = "40 per minute;400 per hour"
RELATION = "60 per minute;600 per hour"
SETTINGS = "30 per minute"
REPORT = "10 per minute;60 per hour"
MODERATION = "60 per minute"
EXPORT = "6 per day"  # each writes down everything
EXPORT_FILE = "30 per hour"
LOG_EXPORT = "20 per hour"  # however long it is
IMPORT = "20 per hour"  # of lists, however long
READS_PER_MINUTE = 300
READ = f"{READS_PER_MINUTE} per minute"
PICTURE = "60 per minute"  # each is drawn
SEARCH = "90 per minute"  # it is the dearest thing to read

LONGEST_LOGIN = 254


def client_address() -> str:
    """Count by the address the request came from (behind a proxy: see TRUSTED_PROXIES)."""
    return f"address:{request.remote_addr}"


def account_or_address() -> str:
    """Count by account where the viewer is logged in, so that a shared address is not punished."""
    return f"account:{current_user.id}" if current_user.is_authenticated else client_address()


def named_account() -> str:
    """Count by the account that a log-in names, so that one account cannot be guessed at from many addresses."""
    return f"login:{_one_spelling(request.form.get('login', '').strip().removeprefix('@'))}"


def half_way_account() -> str:
    """Count by the account that has given its password and not yet a code, from wherever it is guessed at."""
    return f"code:{session.get('half_way', {}).get('user')}"


def named_email() -> str:
    """Count by the address to which something is to be sent, whether or not it has an account."""
    return f"email:{_one_spelling(request.form.get('email', '').strip())}"


def _one_spelling(name: str) -> str:
    """Return a handle or an e-mail address as it is looked up; what is longer than either never is."""
    looked_up = email_key(name) if "@" in name and len(name) <= LONGEST_LOGIN else name.lower()
    return looked_up[:LONGEST_LOGIN]


class ReadCounter:
    """Counts the pages of the feed that a reader asks for, on a round trip to Redis that is made anyway.

    While Redis is away, or a page needs none of it, this process counts for itself.
    """

    def __init__(self) -> None:
        self._here: Counter[int] = Counter()
        self._minute = 0

    def rider(self, reader_id: int) -> Rider | None:
        """Return what counts a request in Redis and refuses it if it is one too many."""
        if not limiter_is_on():
            return None
        key = f"reads:{_minute()}:{reader_id}"
        return Rider([("INCR", key), ("EXPIRE", key, 120)], lambda answers: _refuse_past_limit(answers[0]))

    def settle(self, rider: Rider | None, reader_id: int) -> None:
        """Count a request here that Redis did not."""
        if rider is None or rider.has_ridden:
            return
        if self._minute != _minute():
            self._minute = _minute()
            self._here.clear()
        self._here[reader_id] += 1
        _refuse_past_limit(self._here[reader_id])


reads = ReadCounter()


def limiter_is_on() -> bool:
    enabled: bool = current_app.extensions["freshet.limiter"].enabled
    return enabled


def _minute() -> int:
    return int(time.time()) // 60


def _refuse_past_limit(count: int) -> None:
    if count > READS_PER_MINUTE:
        raise TooManyRequests(retry_after=60 - int(time.time()) % 60)
