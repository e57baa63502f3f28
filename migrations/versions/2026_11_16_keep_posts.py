"""Keep posts, whom they mention and their tags."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "posts",
        sa.Column("id", sa.BigInteger, nullable=False, server_default=sa.text("next_id()")),
        sa.Column("author_id", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_posts"),
        sa.ForeignKeyConstraint(["author_id"], ["users.id"], name="fk_posts_author_id_users", ondelete="CASCADE"),
        sa.CheckConstraint("(deleted_at IS NULL) = (text <> '')", name="ck_posts_text_unless_deleted"),
    )
    # Deleted posts are left out: the feed reads the newest of each author from this index alone.
    op.create_index(
        "ix_posts_author_id_id",
        "posts",
        ["author_id", sa.text("id DESC")],
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    _create_mark("post_mentions", "user_id", sa.BigInteger)
    op.create_foreign_key(
        "fk_post_mentions_user_id_users", "post_mentions", "users", ["user_id"], ["id"], ondelete="CASCADE"
    )
    op.create_index("ix_post_mentions_user_id", "post_mentions", ["user_id", sa.text("post_id DESC")])
    _create_mark("post_tags", "tag", sa.Text)
    op.create_index("ix_post_tags_tag", "post_tags", ["tag", sa.text("post_id DESC")])


def _create_mark(table: str, column: str, kind: type[sa.types.TypeEngine[object]]) -> None:
    op.create_table(
        table,
        sa.Column("post_id", sa.BigInteger, nullable=False),
        sa.Column(column, kind, nullable=False),
        sa.PrimaryKeyConstraint("post_id", column, name=f"pk_{table}"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name=f"fk_{table}_post_id_posts", ondelete="CASCADE"),
    )


def downgrade() -> None:
    for table in ("post_tags", "post_mentions", "posts"):
        op.drop_table(table)
