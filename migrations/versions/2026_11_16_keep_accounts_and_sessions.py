"""Keep accounts, their counters and their sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

NOW = sa.text("now()")
ZERO = sa.text("0")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("handle", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("bio", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("avatar", sa.Text),
        sa.Column("role", sa.Text, nullable=False, server_default=sa.text("'member'")),
        sa.Column("created_at", MOMENT, nullable=False, server_default=NOW),
        sa.Column("deleted_at", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.CheckConstraint("handle ~ '^[A-Za-z0-9_]{2,30}$'", name="ck_users_handle"),
        sa.CheckConstraint("role IN ('member', 'admin')", name="ck_users_role"),
    )
    op.create_index("uq_users_handle_lower", "users", [sa.text("lower(handle)")], unique=True)
    op.create_index("ix_users_email", "users", ["email"])

    op.create_table(
        "user_counters",
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("followers", sa.BigInteger, nullable=False, server_default=ZERO),
        sa.Column("following", sa.BigInteger, nullable=False, server_default=ZERO),
        sa.Column("posts", sa.BigInteger, nullable=False, server_default=ZERO),
        sa.PrimaryKeyConstraint("user_id", name="pk_user_counters"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_user_counters_user_id_users", ondelete="CASCADE"),
        postgresql_with={"fillfactor": 70},  # rows are updated all the time: room for it on the page
    )

    op.create_table(
        "sessions",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("agent", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("address", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("created_at", MOMENT, nullable=False, server_default=NOW),
        sa.Column("last_seen_at", MOMENT, nullable=False, server_default=NOW),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sessions_user_id_users", ondelete="CASCADE"),
    )
    op.create_index("uq_sessions_token_hash", "sessions", ["token_hash"], unique=True)
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])

    op.create_table(
        "retired_handles",
        sa.Column("handle", sa.Text, nullable=False),
        sa.Column("retired_at", MOMENT, nullable=False, server_default=NOW),
        sa.PrimaryKeyConstraint("handle", name="pk_retired_handles"),
    )


def downgrade() -> None:
    for table in ("retired_handles", "sessions", "user_counters", "users"):
        op.drop_table(table)
