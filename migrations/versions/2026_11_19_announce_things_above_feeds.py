"""Keep announcements, and which ones a person has dismissed; the version before shows none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    op.create_table(
        "announcements",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True)),
    )
    op.add_column(
        "users",
        sa.Column("dismissed", postgresql.ARRAY(sa.BigInteger), nullable=False, server_default=sa.text("'{}'")),
    )


def downgrade() -> None:
    op.drop_column("users", "dismissed")
    op.drop_table("announcements")
