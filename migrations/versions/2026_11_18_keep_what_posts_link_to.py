"""Keep what posts link to, and what is shown of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "linked_pages",
        sa.Column("id", sa.BigInteger, primary_key=True, server_default=sa.text("next_id()")),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("description", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("picture", sa.Text),
        sa.Column("picture_width", sa.Integer),
        sa.Column("picture_height", sa.Integer),
        sa.Column("asked_at", sa.DateTime(timezone=True)),
        sa.CheckConstraint(
            "(picture IS NULL) = (picture_width IS NULL) AND (picture IS NULL) = (picture_height IS NULL)",
            name="ck_linked_pages_picture_is_whole",
        ),
    )
    op.create_index("uq_linked_pages_url", "linked_pages", ["url"], unique=True)
    op.create_index("uq_linked_pages_picture", "linked_pages", ["picture"], unique=True)
    op.create_table(
        "post_links",
        sa.Column("post_id", sa.BigInteger, sa.ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("page_id", sa.BigInteger, sa.ForeignKey("linked_pages.id"), nullable=False),
        sa.Column("is_removed", sa.Boolean, nullable=False, server_default=sa.text("false")),
    )
    op.create_index("ix_post_links_page_id", "post_links", ["page_id"])


def downgrade() -> None:
    op.drop_table("post_links")
    op.drop_table("linked_pages")
