"""Keep what readers have seen above the place where they left off.

The version before goes on writing `seen_id` alone, and what it writes stays true.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    numbers = {"type_": sa.ARRAY(sa.BigInteger), "nullable": False, "server_default": sa.text("'{}'")}
    op.add_column("feed_marks", sa.Column("seen", **numbers))
    op.add_column("feed_marks", sa.Column("opened", **numbers))
    op.add_column("feed_marks", sa.Column("opened_by", sa.BigInteger))
    op.alter_column("feed_marks", "seen_at", nullable=True)


def downgrade() -> None:
    op.execute("UPDATE feed_marks SET seen_at = now() WHERE seen_at IS NULL")
    op.alter_column("feed_marks", "seen_at", nullable=False)
    op.drop_column("feed_marks", "opened_by")
    op.drop_column("feed_marks", "opened")
    op.drop_column("feed_marks", "seen")
