"""Keep the settings of the site, which the environment said alone before.

Without the row everything is as the environment says, so the version before goes on as it was.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0043"
down_revision = "0042"


def upgrade() -> None:
    nothing = {"nullable": False, "server_default": sa.text("''")}
    op.create_table(
        "site_settings",
        sa.Column("id", sa.SmallInteger, primary_key=True, autoincrement=False, server_default=sa.text("1")),
        sa.Column("version", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("name", sa.Text),
        sa.Column("description", sa.Text, **nothing),
        sa.Column("icon", sa.Text),
        sa.Column("colour", sa.Text),
        *(sa.Column(name, sa.Text, **nothing) for name in ("about", "rules", "privacy", "contact")),
        sa.Column("links", postgresql.JSONB, nullable=False, server_default=sa.text("'[]'")),
        sa.Column("signups", sa.Text),
        sa.Column("inviters", sa.Text, nullable=False, server_default=sa.text("'staff'")),
        sa.Column("audience", sa.Text, nullable=False, server_default=sa.text("'everyone'")),
        sa.Column("post_max_chars", sa.Integer),
        sa.Column("celebrity_followers", sa.Integer),
        sa.CheckConstraint("id = 1", name="one_row"),
        sa.CheckConstraint("colour ~ '^#[0-9a-f]{6}$'", name="colour"),
        sa.CheckConstraint("signups IN ('open', 'invite', 'approval', 'closed')", name="signups"),
        sa.CheckConstraint("inviters IN ('staff', 'members')", name="inviters"),
        sa.CheckConstraint("audience IN ('everyone', 'members')", name="audience"),
        sa.CheckConstraint("post_max_chars BETWEEN 1 AND 10000", name="post_max_chars"),
        sa.CheckConstraint("celebrity_followers >= 0", name="celebrity_followers"),
    )


def downgrade() -> None:
    op.drop_table("site_settings")
