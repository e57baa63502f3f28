"""E-mail addresses, as they are looked up."""

from __future__ import annotations

from email_validator import EmailNotValidError, validate_email


def email_key(email: str) -> str:
    """Return the spelling under which an address would be stored."""
    try:
        return validate_email(email.strip(), check_deliverability=False).normalized.lower()
    except EmailNotValidError:
        return email.strip().lower()
