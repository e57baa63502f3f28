"""Rate limits: whom a request is counted for, and how often is too often."""

from __future__ import annotations

from flask import request
from flask_login import current_user

# Written for a person who is quick, not for a script. One place, so that the numbers can be seen together.
SIGN_UP = "10 per hour"
LOG_IN_PER_ADDRESS = "20 per minute;100 per hour"
LOG_IN_PER_ACCOUNT = "6 per minute;30 per hour"
PASSWORD_CHECK = "6 per minute;30 per hour"  # noqa: S105
POST = "20 per minute;300 per hour"
IMAGE = "40 per minute;400 per hour"
RELATION = "60 per minute;600 per hour"
SETTINGS = "30 per minute"
READ = "300 per minute"
SEARCH = "90 per minute"  # it is the dearest thing to read


def client_address() -> str:
    """Count by the address the request came from (behind a proxy: see TRUSTED_PROXIES)."""
    return f"address:{request.remote_addr}"


def account_or_address() -> str:
    """Count by account where somebody is logged in, so that a shared address is not punished."""
    return f"account:{current_user.id}" if current_user.is_authenticated else client_address()


def named_account() -> str:
    """Count by the account that a log-in names, so that one account cannot be guessed at from many addresses."""
    return f"login:{request.form.get('login', '').strip().removeprefix('@').lower()[:254]}"
