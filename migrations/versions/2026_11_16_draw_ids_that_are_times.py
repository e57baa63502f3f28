"""Draw ids that are times: unique, never backwards, sortable, exact as a double."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None

NEXT_ID = """
CREATE FUNCTION next_id() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    drawn bigint := nextval('id_sequence');
    since_2026 interval := clock_timestamp() - timestamptz '2026-01-01 00:00:00+00';
    present bigint := (extract(epoch FROM since_2026) * 1000)::bigint << 12;
BEGIN
    IF drawn > present - 4096 THEN      -- at most 1 ms behind: good enough, and the usual case under load
        RETURN drawn;
    END IF;
    -- A lock of the session, given back at once: one of the transaction would make every writer wait for our commit.
    PERFORM pg_advisory_lock(20260103);
    IF (SELECT last_value FROM id_sequence) < present THEN
        PERFORM setval('id_sequence', present);
    END IF;
    drawn := nextval('id_sequence');
    PERFORM pg_advisory_unlock(20260103);
    RETURN drawn;
END $$
"""


def upgrade() -> None:
    op.execute("CREATE SEQUENCE id_sequence AS bigint CACHE 1 MAXVALUE 9007199254740991")
    op.execute(NEXT_ID)


def downgrade() -> None:
    op.execute("DROP FUNCTION next_id()")
    op.execute("DROP SEQUENCE id_sequence")
