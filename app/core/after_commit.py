"""Run something after the transaction has committed, and only then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import event
from sqlalchemy.orm import Session, SessionTransaction

_KEY = "freshet.after_commit"


def after_commit(session: Session, call: Callable[[], None]) -> None:
    """Call `call` once the session's transaction is in the database; forget it if the transaction is rolled back."""
    session.info.setdefault(_KEY, []).append(call)


@event.listens_for(Session, "after_commit")
def _run(session: Session) -> None:
    if session.in_nested_transaction():  # the release of a savepoint is not a commit
        return
    for call in session.info.pop(_KEY, []):
        call()


@event.listens_for(Session, "after_soft_rollback")
def _forget(session: Session, previous: SessionTransaction) -> Any:
    if not previous.nested:
        session.info.pop(_KEY, None)
