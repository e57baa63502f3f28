"""Say who cannot sign up. Accounts that are there already stay."""

from __future__ import annotations

from ipaddress import ip_network

import regex
from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.blocks.matching import ascii_domain
from app.accounts.blocks.models import DOMAIN, HANDLE, NETWORK, SignupBlock
from app.accounts.models import User
from app.core.errors import NotAllowed, Refused
from app.core.locks import advisory_lock
from app.core.statements import rows_changed
from app.core.text import clean_line, too_long_by
from app.extensions import db
from app.moderation.log import actions as log
from app.moderation.log.operations import enter

MAX_BLOCKS = 500
MAX_SENTENCE = 300
LONGEST_DOMAIN = 253
_DOMAIN = regex.compile(r"(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}")
_PATTERN = regex.compile(r"[a-z0-9_*]{2,60}")
WIDEST = {4: 8, 6: 16}  # bits that a range names at least: nobody blocks all by a slip


class BadKind(Refused):
    """Nothing that can be blocked."""

    field = "kind"


class BadValue(Refused):
    """A domain, range or pattern that nothing could match, or everything."""

    field = "value"


class BadBlockSentence(Refused):
    """A sentence that cannot be shown."""

    field = "sentence"


def add_block(kind: str, value: str, *, by: User, sentence: str = "") -> None:
    """Keep people from signing up with some domain, from some range, or under some handles."""
    checks = {DOMAIN: _domain, NETWORK: _network, HANDLE: _pattern}
    if kind not in checks:
        raise BadKind("Choose one.")
    value, sentence = checks[kind](clean_line(value).lower()), clean_line(sentence)
    if too_long_by(sentence, MAX_SENTENCE):
        raise BadBlockSentence(f"At most {MAX_SENTENCE} characters.")
    advisory_lock("signup blocks")  # two at once would both find room for the last one
    if (db.session.scalar(select(func.count()).select_from(SignupBlock)) or 0) >= MAX_BLOCKS:
        raise NotAllowed(f"There are {MAX_BLOCKS} blocks already. Remove one first.")
    new = insert(SignupBlock).values(kind=kind, value=value, sentence=sentence).on_conflict_do_nothing()
    if not rows_changed(new):
        raise BadValue("That’s blocked already.")
    enter(log.BLOCK_ADDED, None, by=by, reason="", before={}, after={kind: value})


def remove_block(block_id: int, *, by: User) -> None:
    """Let people sign up like that again."""
    gone = delete(SignupBlock).where(SignupBlock.id == block_id).returning(SignupBlock.kind, SignupBlock.value)
    if row := db.session.execute(gone).one_or_none():
        enter(log.BLOCK_REMOVED, None, by=by, reason="", before={row[0]: row[1]}, after={})


def _domain(value: str) -> str:
    value = value.rpartition("@")[2].removeprefix("*.")
    value = ascii_domain(value) if len(value) <= LONGEST_DOMAIN else ""
    if len(value) > LONGEST_DOMAIN or not _DOMAIN.fullmatch(value):
        raise BadValue("Write a domain, like spam.example.")
    return value


def _network(value: str) -> str:
    try:
        network = ip_network(value, strict=False)
    except ValueError as error:
        raise BadValue("Write an address or a range, like 203.0.113.0/24 or 2001:db8::/32.") from error
    if network.prefixlen < WIDEST[network.version]:
        raise BadValue(f"That’s too many addresses at once: name at least /{WIDEST[network.version]}.")
    return str(network)


def _pattern(value: str) -> str:
    value = value.removeprefix("@")
    if not _PATTERN.fullmatch(value) or not value.replace("*", ""):
        raise BadValue("Write a handle, with * for anything: like spam* or *_official.")
    return value
