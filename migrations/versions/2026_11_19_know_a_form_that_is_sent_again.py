"""Know a form that is sent again: a post remembers which form it was made of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0026"


def upgrade() -> None:
    op.add_column("posts", sa.Column("once", sa.Text))
    op.create_index(
        "uq_posts_author_id_once",
        "posts",
        ["author_id", "once"],
        unique=True,
        postgresql_where=sa.text("once IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("uq_posts_author_id_once", "posts")
    op.drop_column("posts", "once")
