"""Keep what was just deleted, until it is too late to bring it back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "deleted_posts",
        sa.Column("post_id", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("warning", sa.Text, nullable=False),
        sa.Column("tags", sa.ARRAY(sa.Text), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("post_id", name="pk_deleted_posts"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_deleted_posts_post_id_posts", ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("deleted_posts")
