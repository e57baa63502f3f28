"""Keep likes and bookmarks, and count the likes of a post in the transaction that changes them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

# A post that nobody likes has no row. Locked in ascending order, as all counters are.
COUNT_LIKES = """
CREATE FUNCTION count_likes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    INSERT INTO post_counters AS c (post_id, likes)
      SELECT post_id, step * count(*) FROM changed
      WHERE EXISTS (SELECT FROM posts WHERE id = post_id)
      GROUP BY post_id ORDER BY post_id
      ON CONFLICT (post_id) DO UPDATE SET likes = c.likes + excluded.likes;
    RETURN NULL;
END $$
"""


def upgrade() -> None:
    op.create_table(
        "post_counters",
        sa.Column("post_id", sa.BigInteger, nullable=False),
        sa.Column("likes", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.PrimaryKeyConstraint("post_id", name="pk_post_counters"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_post_counters_post_id_posts", ondelete="CASCADE"),
    )
    for table in ("likes", "bookmarks"):
        op.create_table(
            table,
            sa.Column("post_id", sa.BigInteger, nullable=False),
            sa.Column("user_id", sa.BigInteger, nullable=False),
            sa.Column("id", sa.BigInteger, nullable=False, server_default=sa.text("next_id()")),
            sa.PrimaryKeyConstraint("post_id", "user_id", name=f"pk_{table}"),
            sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name=f"fk_{table}_post_id_posts", ondelete="CASCADE"),
            sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=f"fk_{table}_user_id_users", ondelete="CASCADE"),
        )
        op.create_index(f"ix_{table}_user_id_id", table, ["user_id", sa.text("id DESC")])
    op.create_index("ix_likes_post_id_id", "likes", ["post_id", sa.text("id DESC")])
    op.execute(COUNT_LIKES)
    for event, rows in (("INSERT", "NEW"), ("DELETE", "OLD")):
        op.execute(
            f"CREATE TRIGGER count_likes_{event.lower()} AFTER {event} ON likes "
            f"REFERENCING {rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_likes()"
        )


def downgrade() -> None:
    op.drop_table("bookmarks")
    op.drop_table("likes")
    op.execute("DROP FUNCTION count_likes()")
    op.drop_table("post_counters")
