"""Keep whether a reader wants the conversations of their home in one piece, as most do."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    column = sa.Column("groups_conversations", sa.Boolean, nullable=False, server_default=sa.true())
    op.add_column("users", column)


def downgrade() -> None:
    op.drop_column("users", "groups_conversations")
