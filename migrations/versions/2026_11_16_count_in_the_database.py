"""Count followers, following and posts in the database, in the transaction that changes them.

Statement triggers, so that no path can forget them and a slice of 500 rows costs one update per person. Counter rows
are locked in ascending order: two people who follow each other at once would deadlock otherwise.
"""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"

COUNT_FOLLOWS = """
CREATE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    PERFORM 1 FROM user_counters
      WHERE user_id IN (SELECT follower_id FROM changed UNION SELECT followed_id FROM changed)
      ORDER BY user_id FOR UPDATE;
    UPDATE user_counters c
      SET followers = c.followers + step * d.followers, following = c.following + step * d.following
      FROM (
        SELECT user_id, sum(followers) AS followers, sum(following) AS following
        FROM (SELECT followed_id AS user_id, 1 AS followers, 0 AS following FROM changed
              UNION ALL SELECT follower_id, 0, 1 FROM changed) AS each
        GROUP BY user_id
      ) AS d
      WHERE c.user_id = d.user_id;
    RETURN NULL;
END $$
"""

# The rows of each event, as (author, by how much their count changes). A deleted post is a row that does not count.
POST_STEPS = {
    "insert": "SELECT author_id, 1 AS step FROM new_rows WHERE deleted_at IS NULL",
    "delete": "SELECT author_id, -1 AS step FROM old_rows WHERE deleted_at IS NULL",
    "update": """
        SELECT author_id, 1 AS step FROM new_rows WHERE deleted_at IS NULL
        UNION ALL SELECT author_id, -1 FROM old_rows WHERE deleted_at IS NULL""",
}
TRANSITIONS = {
    "insert": "NEW TABLE AS new_rows",
    "delete": "OLD TABLE AS old_rows",
    "update": "NEW TABLE AS new_rows OLD TABLE AS old_rows",
}


def upgrade() -> None:
    op.execute(COUNT_FOLLOWS)
    for event, rows in (("INSERT", "NEW"), ("DELETE", "OLD")):
        op.execute(
            f"CREATE TRIGGER count_follows_{event.lower()} AFTER {event} ON follows "
            f"REFERENCING {rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_follows()"
        )
    for event, steps in POST_STEPS.items():
        op.execute(_count_posts(event, steps))
        op.execute(
            f"CREATE TRIGGER count_posts_{event} AFTER {event.upper()} ON posts "
            f"REFERENCING {TRANSITIONS[event]} FOR EACH STATEMENT EXECUTE FUNCTION count_posts_{event}()"
        )


def _count_posts(event: str, steps: str) -> str:
    return f"""
CREATE FUNCTION count_posts_{event}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM user_counters
      WHERE user_id IN (SELECT author_id FROM ({steps}) AS s GROUP BY author_id HAVING sum(step) <> 0)
      ORDER BY user_id FOR UPDATE;
    UPDATE user_counters c SET posts = c.posts + d.step
      FROM (SELECT author_id, sum(step) AS step FROM ({steps}) AS s GROUP BY author_id HAVING sum(step) <> 0) AS d
      WHERE c.user_id = d.author_id;
    RETURN NULL;
END $$
"""


def downgrade() -> None:
    for event in ("insert", "delete"):
        op.execute(f"DROP TRIGGER count_follows_{event} ON follows")
    op.execute("DROP FUNCTION count_follows()")
    for event in POST_STEPS:
        op.execute(f"DROP TRIGGER count_posts_{event} ON posts")
        op.execute(f"DROP FUNCTION count_posts_{event}()")
