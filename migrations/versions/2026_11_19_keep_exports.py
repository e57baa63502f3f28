"""Keep which data people have asked for, and how far it is made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0046"


def upgrade() -> None:
    op.create_table(
        "exports",
        sa.Column("id", sa.BigInteger(), server_default=sa.text("next_id()"), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("done", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("total", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("size", sa.BigInteger()),
        sa.Column("expires_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exports")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_exports_user_id_users"), ondelete="CASCADE"),
    )
    op.create_index("uq_exports_user_id", "exports", ["user_id"], unique=True)
    op.create_index("uq_exports_file", "exports", ["file"], unique=True)


def downgrade() -> None:
    op.drop_table("exports")
