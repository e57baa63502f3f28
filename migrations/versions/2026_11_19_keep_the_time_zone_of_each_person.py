"""Keep the time zone of each person; NULL until it is guessed or chosen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.add_column("users", sa.Column("time_zone", sa.Text))


def downgrade() -> None:
    op.drop_column("users", "time_zone")
