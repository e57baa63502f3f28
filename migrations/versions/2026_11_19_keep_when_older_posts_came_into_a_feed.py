"""Keep when older posts last came into a feed: those of an account that its reader began to follow."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0029"


def upgrade() -> None:
    op.add_column("feed_marks", sa.Column("widened_at", sa.DateTime(timezone=True)))


def downgrade() -> None:
    op.drop_column("feed_marks", "widened_at")
