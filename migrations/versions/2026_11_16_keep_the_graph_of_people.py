"""Keep who follows, mutes and blocks whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    _create_relation("follows", "follower_id", "followed_id")
    op.create_index("ix_follows_followed_id_id", "follows", ["followed_id", sa.text("id DESC")])
    op.create_index("ix_follows_follower_id_id", "follows", ["follower_id", sa.text("id DESC")])
    _create_relation("mutes", "muter_id", "muted_id")
    op.create_index("ix_mutes_muter_id_id", "mutes", ["muter_id", sa.text("id DESC")])
    op.create_index("ix_mutes_muted_id", "mutes", ["muted_id"])
    _create_relation("blocks", "blocker_id", "blocked_id")
    op.create_index("ix_blocks_blocker_id_id", "blocks", ["blocker_id", sa.text("id DESC")])
    op.create_index("ix_blocks_blocked_id", "blocks", ["blocked_id", "blocker_id"])


def _create_relation(table: str, who: str, whom: str) -> None:
    op.create_table(
        table,
        sa.Column(who, sa.BigInteger, nullable=False),
        sa.Column(whom, sa.BigInteger, nullable=False),
        sa.Column("id", sa.BigInteger, nullable=False, server_default=sa.text("next_id()")),
        sa.PrimaryKeyConstraint(who, whom, name=f"pk_{table}"),
        sa.ForeignKeyConstraint([who], ["users.id"], name=f"fk_{table}_{who}_users", ondelete="CASCADE"),
        sa.ForeignKeyConstraint([whom], ["users.id"], name=f"fk_{table}_{whom}_users", ondelete="CASCADE"),
        sa.CheckConstraint(f"{who} <> {whom}", name=f"ck_{table}_not_oneself"),
    )


def downgrade() -> None:
    for table in ("blocks", "mutes", "follows"):
        op.drop_table(table)
