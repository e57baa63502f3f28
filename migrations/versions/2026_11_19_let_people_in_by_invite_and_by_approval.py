"""Keep invites, and those who ask to join; the version before offers neither."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    now = {"nullable": False, "server_default": sa.func.now()}
    inviter = sa.ForeignKey("users.id", ondelete="CASCADE")
    op.create_table(
        "invites",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("inviter_id", sa.BigInteger, inviter, nullable=False),
        sa.Column("created_at", MOMENT, **now),
        sa.Column("max_uses", sa.Integer, nullable=False),
        sa.Column("uses", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("expires_at", MOMENT),
        sa.Column("follows", sa.Boolean, nullable=False, server_default=sa.text("true")),
        sa.Column("revoked_at", MOMENT),
        sa.CheckConstraint("uses BETWEEN 0 AND max_uses", name="uses"),
    )
    op.create_index("uq_invites_code", "invites", ["code"], unique=True)
    op.create_index("ix_invites_inviter_id", "invites", ["inviter_id", "id"])
    op.create_table(
        "signup_requests",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("handle", "name", "email", "password_hash")),
        sa.Column("note", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("state", sa.Text, nullable=False, server_default=sa.text("'waiting'")),
        sa.Column("asked_at", MOMENT, **now),
        sa.Column("decided_at", MOMENT),
        sa.Column("reason", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.CheckConstraint("state IN ('waiting', 'declined')", name="state"),
    )
    op.create_index(
        "uq_signup_requests_handle_lower",
        "signup_requests",
        [sa.text("lower(handle)")],
        unique=True,
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index("ix_signup_requests_email", "signup_requests", ["email"])
    op.create_index("ix_signup_requests_state_id", "signup_requests", ["state", "id"])


def downgrade() -> None:
    op.drop_table("signup_requests")
    op.drop_table("invites")
