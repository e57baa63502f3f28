"""Keep what the dashboard shows of each day, and find the jobs that have failed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    op.create_table(
        "site_days",
        sa.Column("day", sa.Date, primary_key=True),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in ("people", "joined", "active", "active_month", "posts")
        ),
        sa.Column("measured_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    )
    op.create_index("ix_outbox_failed", "outbox", ["id"], postgresql_where=sa.text("attempts > 0"))


def downgrade() -> None:
    op.drop_index("ix_outbox_failed", "outbox")
    op.drop_table("site_days")
