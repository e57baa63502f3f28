"""Keep second factors, and when a session last showed whose it is.

Sessions that are open already have not shown it: they are asked at the next dangerous thing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    user_id = sa.ForeignKey("users.id", ondelete="CASCADE")
    op.create_table(
        "authenticator_apps",
        sa.Column("user_id", sa.BigInteger, user_id, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("last_step", sa.BigInteger, nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    )
    user_id = sa.ForeignKey("users.id", ondelete="CASCADE")
    op.create_table(
        "recovery_codes",
        sa.Column("user_id", sa.BigInteger, user_id, primary_key=True),
        sa.Column("code_hash", sa.LargeBinary, primary_key=True),
    )
    op.add_column("sessions", sa.Column("proven_at", sa.DateTime(timezone=True)))
    op.alter_column("sessions", "proven_at", server_default=sa.func.now())  # of those to come


def downgrade() -> None:
    op.drop_column("sessions", "proven_at")
    op.drop_table("recovery_codes")
    op.drop_table("authenticator_apps")
