"""Keep the lists of people that their owners bring along, and what became of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    nothing = {"nullable": False, "server_default": sa.text("'{}'::jsonb")}
    op.create_table(
        "imports",
        sa.Column("id", sa.BigInteger(), server_default=sa.text("next_id()"), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("entries", postgresql.JSONB(), nullable=False),
        sa.Column("done", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("counts", postgresql.JSONB(), **nothing),
        sa.Column("skipped", postgresql.JSONB(), **nothing),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        sa.CheckConstraint("kind IN ('follows', 'mutes', 'blocks')", name=op.f("ck_imports_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imports")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_imports_user_id_users"), ondelete="CASCADE"),
    )
    op.create_index("uq_imports_user_id", "imports", ["user_id"], unique=True)


def downgrade() -> None:
    op.drop_table("imports")
