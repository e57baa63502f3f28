"""Keep replies, reposts, quotes, audiences, warnings and earlier versions of posts, and count them.

What a post answers or quotes has no foreign key: it may be erased with its author's account, and the answer must still
know that it is one. A repost is nothing without its post and goes with it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

# Who counts: whatever everybody may see. (what is counted, its column of post_counters)
COUNTED = {"reply_to_id": "replies", "repost_of_id": "reposts", "quote_of_id": "quotes"}
TRANSITIONS = {
    "insert": ({"new_rows": 1}, "NEW TABLE AS new_rows"),
    "delete": ({"old_rows": -1}, "OLD TABLE AS old_rows"),
    "update": ({"new_rows": 1, "old_rows": -1}, "NEW TABLE AS new_rows OLD TABLE AS old_rows"),
}


def upgrade() -> None:
    _widen_posts()
    op.create_table(
        "post_versions",
        sa.Column("post_id", sa.BigInteger, nullable=False),
        sa.Column("id", sa.BigInteger, nullable=False, server_default=sa.text("next_id()")),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("warning", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("post_id", "id", name="pk_post_versions"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_post_versions_post_id_posts", ondelete="CASCADE"),
    )
    for column in COUNTED.values():
        op.add_column("post_counters", sa.Column(column, sa.BigInteger, nullable=False, server_default=sa.text("0")))
    for event, (steps, transition) in TRANSITIONS.items():
        op.execute(_count_answers(event, steps))
        op.execute(
            f"CREATE TRIGGER count_answers_{event} AFTER {event.upper()} ON posts "
            f"REFERENCING {transition} FOR EACH STATEMENT EXECUTE FUNCTION count_answers_{event}()"
        )
        op.execute(_count_posts(event, steps, "deleted_at IS NULL AND repost_of_id IS NULL"))


def _widen_posts() -> None:
    op.drop_constraint(op.f("ck_posts_ck_posts_text_unless_deleted"), "posts")  # the convention named it twice
    for column in ("repost_of_id", "quote_of_id", "reply_to_id", "reply_to_author_id", "thread_id"):
        op.add_column("posts", sa.Column(column, sa.BigInteger))
    op.add_column("posts", sa.Column("audience", sa.Text, nullable=False, server_default=sa.text("'everyone'")))
    op.add_column("posts", sa.Column("warning", sa.Text, nullable=False, server_default=sa.text("''")))
    op.add_column("posts", sa.Column("edited_at", sa.DateTime(timezone=True)))
    op.create_foreign_key("fk_posts_repost_of_id_posts", "posts", "posts", ["repost_of_id"], ["id"], ondelete="CASCADE")
    for name, rule in {
        "audience": "audience IN ('everyone', 'followers', 'mentioned')",
        "nothing_when_deleted": "deleted_at IS NULL OR (text = '' AND warning = '')",
        "repost_is_bare": "repost_of_id IS NULL OR "
        "(text = '' AND quote_of_id IS NULL AND reply_to_id IS NULL AND audience = 'everyone')",
        "reply_is_whole": "(reply_to_id IS NULL) = (thread_id IS NULL)"
        " AND (reply_to_id IS NULL) = (reply_to_author_id IS NULL)",
    }.items():
        op.create_check_constraint(op.f(f"ck_posts_{name}"), "posts", rule)
    for name, columns, where in (
        ("ix_posts_repost_of_id", ["repost_of_id", "id"], "repost_of_id IS NOT NULL"),
        ("ix_posts_quote_of_id", ["quote_of_id", "id"], "quote_of_id IS NOT NULL"),
        ("ix_posts_reply_to_id", ["reply_to_id", "id"], "reply_to_id IS NOT NULL"),
        ("ix_posts_thread_id", ["thread_id", "id"], "thread_id IS NOT NULL"),
    ):
        op.create_index(name, "posts", columns, postgresql_where=sa.text(where))
    op.create_index(
        "uq_posts_author_id_repost_of_id",
        "posts",
        ["author_id", "repost_of_id"],
        unique=True,
        postgresql_where=sa.text("repost_of_id IS NOT NULL"),
    )


def _count_answers(event: str, steps: dict[str, int]) -> str:
    """Return the function that counts replies, reposts and quotes; locks in ascending order, as all counters do."""
    each = " UNION ALL ".join(
        f"SELECT {of} AS post_id, "
        + ", ".join(f"{step if of == one else 0} AS {column}" for one, column in COUNTED.items())
        + f" FROM {rows} WHERE {of} IS NOT NULL AND deleted_at IS NULL AND audience = 'everyone'"
        for rows, step in steps.items()
        for of in COUNTED
    )
    sums = ", ".join(f"sum({column})" for column in COUNTED.values())
    sets = ", ".join(f"{column} = c.{column} + excluded.{column}" for column in COUNTED.values())
    changed = " OR ".join(f"sum({column}) <> 0" for column in COUNTED.values())
    return f"""
CREATE FUNCTION count_answers_{event}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO post_counters AS c (post_id, {", ".join(COUNTED.values())})
      SELECT post_id, {sums} FROM ({each}) AS each
      WHERE EXISTS (SELECT FROM posts WHERE id = post_id)
      GROUP BY post_id HAVING {changed} ORDER BY post_id
      ON CONFLICT (post_id) DO UPDATE SET {sets};
    RETURN NULL;
END $$
"""


def _count_posts(event: str, steps: dict[str, int], counts: str) -> str:
    """Return the function of migration 0006 anew: `counts` says which rows are somebody's posts."""
    each = " UNION ALL ".join(
        f"SELECT author_id, {step} AS step FROM {rows} WHERE {counts}" for rows, step in steps.items()
    )
    return f"""
CREATE OR REPLACE FUNCTION count_posts_{event}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM user_counters
      WHERE user_id IN (SELECT author_id FROM ({each}) AS s GROUP BY author_id HAVING sum(step) <> 0)
      ORDER BY user_id FOR UPDATE;
    UPDATE user_counters c SET posts = c.posts + d.step
      FROM (SELECT author_id, sum(step) AS step FROM ({each}) AS s GROUP BY author_id HAVING sum(step) <> 0) AS d
      WHERE c.user_id = d.author_id;
    RETURN NULL;
END $$
"""


def downgrade() -> None:
    for event, (steps, _) in TRANSITIONS.items():
        op.execute(f"DROP TRIGGER count_answers_{event} ON posts")
        op.execute(f"DROP FUNCTION count_answers_{event}()")
        op.execute(_count_posts(event, steps, "deleted_at IS NULL"))
    for column in COUNTED.values():
        op.drop_column("post_counters", column)
    op.drop_table("post_versions")
    op.execute("DELETE FROM posts WHERE repost_of_id IS NOT NULL")
    for column in ("repost_of_id", "quote_of_id", "reply_to_id", "reply_to_author_id", "thread_id"):
        op.drop_column("posts", column)
    for name in ("audience", "nothing_when_deleted"):
        op.drop_constraint(op.f(f"ck_posts_{name}"), "posts")
    for column in ("audience", "warning", "edited_at"):
        op.drop_column("posts", column)
    op.execute("UPDATE posts SET text = '…' WHERE text = '' AND deleted_at IS NULL")
    op.create_check_constraint("ck_posts_text_unless_deleted", "posts", "(deleted_at IS NULL) = (text <> '')")
