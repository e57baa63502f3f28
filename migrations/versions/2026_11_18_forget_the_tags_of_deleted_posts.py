"""Forget the tags of posts that were deleted: they are part of what was said."""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.execute("DELETE FROM post_tags USING posts WHERE posts.id = post_tags.post_id AND posts.deleted_at IS NOT NULL")


def downgrade() -> None:
    """Nothing brings them back, and nobody misses them."""
