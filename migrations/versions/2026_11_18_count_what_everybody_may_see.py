"""Count no replies, reposts and quotes by private accounts: everybody reads the numbers, and few what is counted.

All reposts are counted beside that: nobody's are looked for where there are none.

An account that is closed or opened is counted anew in the same transaction. What it writes meanwhile waits for that, by
a share lock on its row: it is counted under the privacy that holds afterwards.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

COUNTED = {"reply_to_id": "replies", "repost_of_id": "reposts", "quote_of_id": "quotes"}
COLUMNS = (*COUNTED.values(), "all_reposts")
STEPS = {"insert": {"new_rows": 1}, "delete": {"old_rows": -1}, "update": {"new_rows": 1, "old_rows": -1}}
COUNTS = "deleted_at IS NULL AND audience = 'everyone'"
IS_OPEN = "NOT EXISTS (SELECT FROM users WHERE users.id = author_id AND users.is_private)"
OF_PRIVATE = " AND author_id IN (SELECT id FROM users WHERE is_private)"
SHARE = """    PERFORM 1 FROM users WHERE id IN (
      SELECT author_id FROM {rows} WHERE coalesce(reply_to_id, repost_of_id, quote_of_id) IS NOT NULL
    ) ORDER BY id FOR SHARE;
"""

COUNT_ACCOUNT = """
CREATE FUNCTION count_answers_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step int := CASE WHEN NEW.is_private THEN -1 ELSE 1 END;
BEGIN
    {insert};
    RETURN NULL;
END $$
"""


def upgrade() -> None:
    op.execute("LOCK TABLE users, posts IN SHARE ROW EXCLUSIVE MODE")
    op.add_column("post_counters", sa.Column("all_reposts", sa.BigInteger, nullable=False, server_default=sa.text("0")))
    op.execute("UPDATE post_counters SET all_reposts = reposts WHERE reposts > 0")
    for event, steps in STEPS.items():
        share = "".join(SHARE.format(rows=rows) for rows in steps)
        op.execute(_count_answers(event, steps, share, IS_OPEN, COLUMNS))
    of_one = _add({"posts": "step"}, "TRUE", tuple(COUNTED.values()), " AND author_id = NEW.id")
    op.execute(COUNT_ACCOUNT.format(insert=of_one))
    op.execute(
        "CREATE TRIGGER count_answers_of_account AFTER UPDATE OF is_private ON users FOR EACH ROW "
        "WHEN (OLD.is_private IS DISTINCT FROM NEW.is_private) EXECUTE FUNCTION count_answers_of_account()"
    )
    op.execute(_add({"posts": "-1"}, "TRUE", tuple(COUNTED.values()), OF_PRIVATE))


def downgrade() -> None:
    op.execute("LOCK TABLE users, posts IN SHARE ROW EXCLUSIVE MODE")
    op.execute("DROP TRIGGER count_answers_of_account ON users")
    op.execute("DROP FUNCTION count_answers_of_account()")
    for event, steps in STEPS.items():
        op.execute(_count_answers(event, steps, "", "TRUE", tuple(COUNTED.values())))
    op.execute(_add({"posts": "1"}, "TRUE", tuple(COUNTED.values()), OF_PRIVATE))
    op.drop_column("post_counters", "all_reposts")


def _count_answers(event: str, steps: dict[str, int], first: str, is_open: str, columns: tuple[str, ...]) -> str:
    """Return the function of migration 0010 anew: what is not open counts among all reposts alone."""
    insert = _add({rows: str(step) for rows, step in steps.items()}, is_open, columns)
    return f"""
CREATE OR REPLACE FUNCTION count_answers_{event}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
{first}    {insert};
    RETURN NULL;
END $$
"""


def _add(steps: dict[str, str], is_open: str, columns: tuple[str, ...], which: str = "") -> str:
    """Add what is answered, reposted and quoted in some tables to the counters, which are locked in ascending order."""
    each = " UNION ALL ".join(
        f"SELECT {of} AS post_id, "
        + ", ".join(f"{_step(step, of, column, is_open)} AS {column}" for column in columns)
        + f" FROM {rows} WHERE {of} IS NOT NULL AND {COUNTS}{which}"
        for rows, step in steps.items()
        for of in COUNTED
    )
    sums = ", ".join(f"sum({column})" for column in columns)
    sets = ", ".join(f"{column} = c.{column} + excluded.{column}" for column in columns)
    changed = " OR ".join(f"sum({column}) <> 0" for column in columns)
    return (
        f"INSERT INTO post_counters AS c (post_id, {', '.join(columns)}) "
        f"SELECT post_id, {sums} FROM ({each}) AS each WHERE EXISTS (SELECT FROM posts WHERE id = post_id) "
        f"GROUP BY post_id HAVING {changed} ORDER BY post_id "
        f"ON CONFLICT (post_id) DO UPDATE SET {sets}"
    )


def _step(step: str, of: str, column: str, is_open: str) -> str:
    """Return by how much a row that leads to a post by the column `of` changes one of its counters."""
    if column == "all_reposts":
        return step if of == "repost_of_id" else "0"
    return f"CASE WHEN {is_open} THEN {step} ELSE 0 END" if COUNTED[of] == column else "0"
