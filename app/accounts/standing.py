"""How an account stands with those who run the site: limited, frozen or suspended, until a moment.

A state ends by itself when its moment has come: it is compared with the clock wherever it is asked for.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import ColumnElement, and_
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.orm.util import AliasedClass

from app.accounts.models import User
from app.core.statements import present

FOREVER = datetime(9999, 12, 31, tzinfo=UTC)

Account = type[User] | AliasedClass[User]


def holds_sql(until: InstrumentedAttribute[datetime | None]) -> ColumnElement[bool]:
    """Hold, and never be NULL, where a state holds now."""
    return and_(until.is_not(None), until > present())


def is_here(account: Account = User) -> ColumnElement[bool]:
    """Hold for the accounts that exist for others: neither deleted nor suspended."""
    return and_(account.deleted_at.is_(None), ~holds_sql(account.suspended_until))
