"""Keep the links that are sent by e-mail, and when an address was confirmed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0032"


def upgrade() -> None:
    op.add_column("users", sa.Column("email_confirmed_at", sa.DateTime(timezone=True)))
    op.create_table(
        "mail_links",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("user_id", sa.BigInteger, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("purpose", sa.Text, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.CheckConstraint("purpose IN ('confirm', 'reset')", name="purpose"),
    )
    op.create_index("ix_mail_links_user_id", "mail_links", ["user_id"])
    op.create_index("ix_mail_links_email_created_at", "mail_links", ["email", "created_at"])
    op.create_index("ix_mail_links_expires_at", "mail_links", ["expires_at"])


def downgrade() -> None:
    op.drop_table("mail_links")
    op.drop_column("users", "email_confirmed_at")
