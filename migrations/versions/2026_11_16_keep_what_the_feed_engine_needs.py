"""Keep the generation of the timelines, the modes of authors, and who an open job is for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "feed_state",
        sa.Column("id", sa.SmallInteger, nullable=False),
        sa.Column("generation", sa.Text, nullable=False),
        sa.Column("redis_run_id", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_feed_state"),
        sa.CheckConstraint("id = 1", name="ck_feed_state_only_one"),
    )
    # Random, never a counter: a restored database must not bring back a value that Redis knows.
    op.execute("INSERT INTO feed_state (id, generation) VALUES (1, substr(md5(gen_random_uuid()::text), 1, 12))")

    op.create_table(
        "author_modes",
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("change", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_author_modes"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_author_modes_user_id_users", ondelete="CASCADE"),
        sa.CheckConstraint("mode IN ('push', 'both', 'pull')", name="ck_author_modes_mode"),
    )
    op.create_index(
        "ix_author_modes_merged", "author_modes", ["user_id"], postgresql_where=sa.text("mode IN ('both', 'pull')")
    )

    op.create_table(
        "feed_marks",
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("seen_id", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("now()")),
        sa.PrimaryKeyConstraint("user_id", name="pk_feed_marks"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_feed_marks_user_id_users", ondelete="CASCADE"),
    )

    op.create_table(
        "fanout_lags",
        sa.Column("minute", sa.DateTime(timezone=True), nullable=False),
        sa.Column("posts", sa.BigInteger, nullable=False),
        sa.Column("total_ms", sa.BigInteger, nullable=False),
        sa.Column("worst_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("minute", name="pk_fanout_lags"),
    )

    op.add_column("outbox", sa.Column("actor_id", sa.BigInteger))
    op.create_index("ix_outbox_job", "outbox", ["job", "id"])


def downgrade() -> None:
    op.drop_index("ix_outbox_job", "outbox")
    op.drop_column("outbox", "actor_id")
    op.drop_table("fanout_lags")
    op.drop_table("feed_marks")
    op.drop_table("author_modes")
    op.drop_table("feed_state")
