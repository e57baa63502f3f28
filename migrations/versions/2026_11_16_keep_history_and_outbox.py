"""Keep history by the month, and the outbox of what must follow."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0003"
down_revision = "0002"

MOMENT = sa.DateTime(timezone=True)
EMPTY = sa.text("'{}'::jsonb")

MAKE_PARTITIONS = """
CREATE FUNCTION make_activity_partitions(months_ahead int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    month date;
BEGIN
    FOR month IN
        SELECT generate_series(date_trunc('month', now() AT TIME ZONE 'UTC'),
                               date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => months_ahead),
                               interval '1 month')
    LOOP
        EXECUTE format(
            'CREATE TABLE IF NOT EXISTS activity_%s PARTITION OF activity FOR VALUES FROM (%s) TO (%s)',
            to_char(month, 'YYYY_MM'), first_id_of(month), first_id_of((month + interval '1 month')::date)
        );
    END LOOP;
END $$
"""

FIRST_ID_OF = """
CREATE FUNCTION first_id_of(day date) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT ((day - date '2026-01-01')::bigint * 86400000) << 12
$$
"""


def upgrade() -> None:
    op.create_table(
        "activity",
        sa.Column("id", sa.BigInteger, nullable=False, server_default=sa.text("next_id()")),
        sa.Column("verb", sa.Text, nullable=False),
        sa.Column("actor_id", sa.BigInteger),
        sa.Column("subject_id", sa.BigInteger, nullable=False),
        sa.Column("details", JSONB, nullable=False, server_default=EMPTY),
        sa.PrimaryKeyConstraint("id", name="pk_activity"),
        postgresql_partition_by="RANGE (id)",
    )
    op.create_index("ix_activity_actor_id", "activity", ["actor_id", "id"])
    op.execute("CREATE TABLE activity_default PARTITION OF activity DEFAULT")
    op.execute(FIRST_ID_OF)
    op.execute(MAKE_PARTITIONS)
    op.execute("SELECT make_activity_partitions(3)")

    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("job", sa.Text, nullable=False),
        sa.Column("subject_id", sa.BigInteger, nullable=False),
        sa.Column("state", JSONB, nullable=False, server_default=EMPTY),
        sa.Column("created_at", MOMENT, nullable=False, server_default=sa.text("now()")),
        sa.Column("lease_until", MOMENT, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("last_error", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
    )
    op.create_index("ix_outbox_lease_until", "outbox", ["lease_until"])

    op.create_table(
        "scheduled_tasks",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("ran_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_scheduled_tasks"),
    )


def downgrade() -> None:
    for table in ("scheduled_tasks", "outbox", "activity"):
        op.drop_table(table)
    op.execute("DROP FUNCTION make_activity_partitions(int)")
    op.execute("DROP FUNCTION first_id_of(date)")
