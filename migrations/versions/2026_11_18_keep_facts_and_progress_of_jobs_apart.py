"""Keep what a job must know of its event apart from how far the job has come."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0016"
down_revision = "0015"

# Progress was always called `after`; everything else in a state was a fact of the event.
SPLIT = """
UPDATE outbox SET details = state - 'after',
                  state = CASE WHEN state ? 'after' THEN jsonb_build_object('after', state -> 'after') ELSE '{}' END
WHERE state <> '{}'
"""

# A process of the version before may open rows until it is stopped: it writes the facts where they used to be. No row
# is opened with progress.
TAKE_FACTS = """
CREATE FUNCTION take_facts_out_of_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.details := NEW.state;
    NEW.state := '{}';
    RETURN NEW;
END $$
"""
TRIGGER = """
CREATE TRIGGER take_facts_out_of_state BEFORE INSERT ON outbox
FOR EACH ROW WHEN (NEW.state <> '{}') EXECUTE FUNCTION take_facts_out_of_state()
"""


def upgrade() -> None:
    op.add_column("outbox", sa.Column("details", JSONB, nullable=False, server_default=sa.text("'{}'::jsonb")))
    op.execute(SPLIT)
    op.execute(TAKE_FACTS)
    op.execute(TRIGGER)


def downgrade() -> None:
    op.execute("DROP TRIGGER take_facts_out_of_state ON outbox")
    op.execute("DROP FUNCTION take_facts_out_of_state()")
    op.execute("UPDATE outbox SET state = details || state")
    op.drop_column("outbox", "details")
