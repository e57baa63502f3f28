"""Keep the images of posts: four at most, each at its own place."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "post_images",
        sa.Column("id", sa.BigInteger, nullable=False, server_default=sa.text("next_id()")),
        sa.Column("owner_id", sa.BigInteger, nullable=False),
        sa.Column("post_id", sa.BigInteger),
        sa.Column("position", sa.SmallInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("is_moving", sa.Boolean, nullable=False, server_default=sa.text("false")),
        sa.Column("alt", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.PrimaryKeyConstraint("id", name="pk_post_images"),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name="fk_post_images_owner_id_users", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_post_images_post_id_posts", ondelete="CASCADE"),
        sa.CheckConstraint("position BETWEEN 0 AND 3", name="ck_post_images_position"),
    )
    op.create_index("uq_post_images_file", "post_images", ["file"], unique=True)
    op.create_index("uq_post_images_post_id_position", "post_images", ["post_id", "position"], unique=True)
    op.create_index("ix_post_images_owner_id", "post_images", ["owner_id"])
    # For the task that removes those that nobody posted.
    op.create_index("ix_post_images_waiting", "post_images", ["id"], postgresql_where=sa.text("post_id IS NULL"))


def downgrade() -> None:
    op.drop_table("post_images")
