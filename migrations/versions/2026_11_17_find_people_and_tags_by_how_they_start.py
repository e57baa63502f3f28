"""Find people and tags by how they start, for completion while somebody types."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_index(
        "ix_users_handle_prefix",
        "users",
        [sa.text("lower(handle) text_pattern_ops")],
    )
    op.create_index(
        "ix_users_name_words",
        "users",
        [sa.text("to_tsvector('simple'::regconfig, name)")],
        postgresql_using="gin",
    )
    _index_tags(postgresql_ops={"tag": "text_pattern_ops"})


def downgrade() -> None:
    _index_tags()
    op.drop_index("ix_users_name_words")
    op.drop_index("ix_users_handle_prefix")


def _index_tags(**options: object) -> None:
    """Make the one index on tags anew: in this order of characters it finds whole tags just as well."""
    op.drop_index("ix_post_tags_tag")
    op.create_index("ix_post_tags_tag", "post_tags", ["tag", sa.text("post_id DESC")], **options)
