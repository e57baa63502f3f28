"""Count no posts for mentioned people among somebody's posts: the number is public, and these are between a few."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"

STEPS = {"insert": {"new_rows": 1}, "delete": {"old_rows": -1}, "update": {"new_rows": 1, "old_rows": -1}}
BEFORE = "deleted_at IS NULL AND repost_of_id IS NULL"
NOW = f"{BEFORE} AND audience <> 'mentioned'"


def upgrade() -> None:
    _count(NOW, "-")


def downgrade() -> None:
    _count(BEFORE, "+")


def _count(counts: str, sign: str) -> None:
    """Let the triggers count other rows from now on, and correct what was counted; nobody writes in between."""
    op.execute("LOCK TABLE posts IN SHARE ROW EXCLUSIVE MODE")
    for event, steps in STEPS.items():
        op.execute(_count_posts(event, steps, counts))
    op.execute(
        f"UPDATE user_counters c SET posts = c.posts {sign} d.posts "
        f"FROM (SELECT author_id, count(*) AS posts FROM posts WHERE {BEFORE} AND audience = 'mentioned' "
        "GROUP BY author_id) AS d WHERE c.user_id = d.author_id"
    )


def _count_posts(event: str, steps: dict[str, int], counts: str) -> str:
    """Return the function of migration 0010 anew: `counts` says which rows are somebody's posts."""
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
