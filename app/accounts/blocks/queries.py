"""Read who cannot sign up."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from app.accounts.blocks.matching import ascii_domain, is_about
from app.accounts.blocks.models import DOMAIN, HANDLE, NETWORK, SignupBlock
from app.extensions import db

SENTENCES = {
    DOMAIN: "People can’t sign up here with an address at that domain. Use another one.",
    NETWORK: "People can’t sign up here from where you are.",
    HANDLE: "That handle can’t be had here. Choose another.",
}


def all_blocks() -> Sequence[SignupBlock]:
    """Return all blocks, by kind."""
    return db.session.scalars(select(SignupBlock).order_by(SignupBlock.kind, SignupBlock.value)).all()


def why_blocked(kind: str, *, handle: str = "", email: str = "", address: str = "") -> str | None:
    """Return the sentence to somebody whom a block of one kind is about; None where there is none."""
    domain = ascii_domain(email.rpartition("@")[2]) if email else ""
    for block in db.session.scalars(select(SignupBlock).where(SignupBlock.kind == kind).order_by(SignupBlock.id)):
        if is_about(block, handle=handle, domain=domain, address=address):
            return block.sentence or SENTENCES[kind]
    return None
