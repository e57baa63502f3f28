"""Who cannot sign up."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model

DOMAIN, NETWORK, HANDLE = "domain", "network", "handle"


class SignupBlock(Model):
    """An e-mail domain, a range of addresses or a pattern of handles with which nobody can sign up."""

    __tablename__ = "signup_blocks"
    __table_args__ = (
        CheckConstraint("kind IN ('domain', 'network', 'handle')", name="kind"),
        UniqueConstraint("kind", "value"),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    kind: Mapped[str] = mapped_column(Text)
    value: Mapped[str] = mapped_column(Text)
    sentence: Mapped[str] = mapped_column(Text, server_default=text("''"))  # to the person
