"""Keep when an author wants to be asked for descriptions of images."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("users", sa.Column("descriptions", sa.Text, server_default="remind", nullable=False))
    op.create_check_constraint("ck_users_descriptions", "users", "descriptions IN ('remind', 'require', 'never')")


def downgrade() -> None:
    op.drop_column("users", "descriptions")
