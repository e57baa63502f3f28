"""Keep what those who run the site decide about posts and people, and how both stand after it.

A state is a column of posts or users, which pages read anyway, and holds until a moment. Counters leave out what is
hidden, what a limited account wrote, and a suspended account with all that it did; they change with the columns. The
version before knows no states and never sets one.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"

STATES = {
    "users": ("limited_until", "frozen_until", "suspended_until", "erased_from"),
    "posts": ("hidden_until", "removed_until", "marked_until"),
}
COUNTED = {"reply_to_id": "replies", "repost_of_id": "reposts", "quote_of_id": "quotes"}
COLUMNS = (*COUNTED.values(), "all_reposts")
STEPS = {"insert": {"new_rows": 1}, "delete": {"old_rows": -1}, "update": {"new_rows": 1, "old_rows": -1}}
# Which rows count, before and now.
WAS_THERE = "deleted_at IS NULL"
IS_THERE = f"{WAS_THERE} AND hidden_until IS NULL AND removed_until IS NULL"
WAS_CLOSED = "users.is_private"
IS_CLOSED = f"({WAS_CLOSED} OR users.limited_until IS NOT NULL OR users.suspended_until IS NOT NULL)"
SHARE = """    PERFORM 1 FROM users WHERE id IN (
      SELECT author_id FROM {rows} WHERE coalesce(reply_to_id, repost_of_id, quote_of_id) IS NOT NULL
    ) ORDER BY id FOR SHARE;
"""
SHARE_CHANGED = "    PERFORM 1 FROM users WHERE id IN ({ids}) ORDER BY id FOR SHARE;\n"
IS_SUSPENDED = "EXISTS (SELECT FROM users WHERE users.id = {id} AND users.suspended_until IS NOT NULL)"


def upgrade() -> None:
    op.execute("LOCK TABLE users, posts, follows, likes IN SHARE ROW EXCLUSIVE MODE")
    for table, columns in STATES.items():
        for column in columns:
            op.add_column(table, sa.Column(column, sa.DateTime(timezone=True)))
    op.add_column("posts", sa.Column("mark", sa.Text, nullable=False, server_default=sa.text("''")))
    op.add_column("users", sa.Column("notice_id", sa.BigInteger))
    op.add_column("users", sa.Column("must_acknowledge", sa.Boolean, nullable=False, server_default=sa.false()))
    _keep_actions()
    for event, steps in STEPS.items():
        op.execute(_count_posts(event, steps, IS_THERE))
        op.execute(_count_answers(event, steps, IS_THERE, IS_CLOSED))
    op.execute(
        _count_follows(
            SHARE_CHANGED.format(ids="SELECT follower_id FROM changed UNION SELECT followed_id FROM changed"),
            _but_suspended,
        )
    )
    op.execute(
        _count_likes(
            SHARE_CHANGED.format(ids="SELECT user_id FROM changed"), " AND NOT " + IS_SUSPENDED.format(id="user_id")
        )
    )
    op.execute("DROP TRIGGER count_answers_of_account ON users")
    op.execute(COUNT_ACCOUNT)
    op.execute(
        "CREATE TRIGGER count_answers_of_account AFTER UPDATE OF is_private, limited_until, suspended_until ON users "
        "FOR EACH ROW EXECUTE FUNCTION count_answers_of_account()"
    )


def _keep_actions() -> None:
    op.create_table(
        "moderation_actions",
        sa.Column("id", sa.BigInteger, primary_key=True, server_default=sa.text("next_id()")),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("person_id", sa.BigInteger, nullable=False),
        sa.Column("post_id", sa.BigInteger),
        sa.Column("post_text", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("mark", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("actor_id", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("until", sa.DateTime(timezone=True)),
        sa.Column("told_at", sa.DateTime(timezone=True)),
        sa.Column("over_at", sa.DateTime(timezone=True)),
        sa.Column("undone_at", sa.DateTime(timezone=True)),
        sa.Column("undone_by", sa.Text),
        sa.ForeignKeyConstraint(
            ["person_id"], ["users.id"], name="fk_moderation_actions_person_id_users", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_moderation_actions_person_id_id", "moderation_actions", ["person_id", sa.text("id DESC")])
    op.create_index(
        "ix_moderation_actions_post_id",
        "moderation_actions",
        ["post_id", "id"],
        postgresql_where=sa.text("post_id IS NOT NULL"),
    )
    op.create_index(
        "ix_moderation_actions_until",
        "moderation_actions",
        ["until"],
        postgresql_where=sa.text("over_at IS NULL AND until IS NOT NULL"),
    )
    op.create_table(
        "appeals",
        sa.Column("action_id", sa.BigInteger, primary_key=True),
        sa.Column("id", sa.BigInteger, nullable=False, server_default=sa.text("next_id()")),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True)),
        sa.Column("decided_by", sa.Text),
        sa.Column("is_accepted", sa.Boolean),
        sa.Column("answer", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.ForeignKeyConstraint(
            ["action_id"], ["moderation_actions.id"], name="fk_appeals_action_id_moderation_actions", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_appeals_id", "appeals", ["id"], unique=True)


def downgrade() -> None:
    op.execute("LOCK TABLE users, posts, follows, likes IN SHARE ROW EXCLUSIVE MODE")
    # As if all states were undone: the triggers count again what they left out.
    for table, one, other in (
        ("posts", "hidden_until", "removed_until"),
        ("users", "limited_until", "suspended_until"),
    ):
        op.execute(f"UPDATE {table} SET {one} = NULL, {other} = NULL WHERE coalesce({one}, {other}) IS NOT NULL")
    op.execute("DROP TRIGGER count_answers_of_account ON users")
    op.execute(COUNT_ACCOUNT_BEFORE)
    op.execute(
        "CREATE TRIGGER count_answers_of_account AFTER UPDATE OF is_private ON users FOR EACH ROW "
        "WHEN (OLD.is_private IS DISTINCT FROM NEW.is_private) EXECUTE FUNCTION count_answers_of_account()"
    )
    op.execute(_count_follows("", lambda account_id: "1"))
    op.execute(_count_likes("", ""))
    for event, steps in STEPS.items():
        op.execute(_count_posts(event, steps, WAS_THERE))
        op.execute(_count_answers(event, steps, WAS_THERE, WAS_CLOSED))
    op.drop_table("appeals")
    op.drop_table("moderation_actions")
    for table, columns in STATES.items():
        for column in columns:
            op.drop_column(table, column)
    op.drop_column("posts", "mark")
    op.drop_column("users", "notice_id")
    op.drop_column("users", "must_acknowledge")


# ---- The functions of migrations 0006, 0008, 0014 and 0022 anew: which rows count is an argument


def _count_posts(event: str, steps: dict[str, int], is_there: str) -> str:
    counts = f"{is_there} AND repost_of_id IS NULL AND audience <> 'mentioned'"
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


def _count_answers(event: str, steps: dict[str, int], is_there: str, is_closed: str) -> str:
    is_open = f"NOT EXISTS (SELECT FROM users WHERE users.id = author_id AND {is_closed})"
    each = " UNION ALL ".join(_answers_in(rows, str(step), is_there, is_open) for rows, step in steps.items())
    share = "".join(SHARE.format(rows=rows) for rows in steps)
    return f"""
CREATE OR REPLACE FUNCTION count_answers_{event}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
{share}    {_add(each, COLUMNS)};
    RETURN NULL;
END $$
"""


def _answers_in(rows: str, step: str, is_there: str, is_open: str, which: str = "") -> str:
    """Select by how much the rows change the counters of what they answer, repost and quote."""
    counts = f"{is_there} AND audience = 'everyone'"
    return " UNION ALL ".join(
        f"SELECT {of} AS post_id, "
        + ", ".join(f"{_step(step, of, column, is_open)} AS {column}" for column in COLUMNS)
        + f" FROM {rows} WHERE {of} IS NOT NULL AND {counts}{which}"
        for of in COUNTED
    )


def _step(step: str, of: str, column: str, is_open: str) -> str:
    if column == "all_reposts":
        return step if of == "repost_of_id" and is_open != "TRUE" else "0"
    return f"CASE WHEN {is_open} THEN {step} ELSE 0 END" if COUNTED[of] == column else "0"


def _add(each: str, columns: tuple[str, ...]) -> str:
    """Add to the counters of posts, which are locked in ascending order."""
    sums = ", ".join(f"sum({column})" for column in columns)
    sets = ", ".join(f"{column} = c.{column} + excluded.{column}" for column in columns)
    changed = " OR ".join(f"sum({column}) <> 0" for column in columns)
    return (
        f"INSERT INTO post_counters AS c (post_id, {', '.join(columns)}) "
        f"SELECT post_id, {sums} FROM ({each}) AS each WHERE EXISTS (SELECT FROM posts WHERE id = post_id) "
        f"GROUP BY post_id HAVING {changed} ORDER BY post_id "
        f"ON CONFLICT (post_id) DO UPDATE SET {sets}"
    )


def _but_suspended(account_id: str) -> str:
    return f"CASE WHEN {IS_SUSPENDED.format(id=account_id)} THEN 0 ELSE 1 END"


def _count_follows(share: str, step_for: Callable[[str], str]) -> str:
    return f"""
CREATE OR REPLACE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
{share}    PERFORM 1 FROM user_counters
      WHERE user_id IN (SELECT follower_id FROM changed UNION SELECT followed_id FROM changed)
      ORDER BY user_id FOR UPDATE;
    UPDATE user_counters c
      SET followers = c.followers + step * d.followers, following = c.following + step * d.following
      FROM (
        SELECT user_id, sum(followers) AS followers, sum(following) AS following
        FROM (SELECT followed_id AS user_id, {step_for("follower_id")} AS followers, 0 AS following FROM changed
              UNION ALL SELECT follower_id, 0, {step_for("followed_id")} FROM changed) AS each
        GROUP BY user_id
      ) AS d
      WHERE c.user_id = d.user_id;
    RETURN NULL;
END $$
"""


def _count_likes(share: str, which: str) -> str:
    return f"""
CREATE OR REPLACE FUNCTION count_likes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
{share}    INSERT INTO post_counters AS c (post_id, likes)
      SELECT post_id, step * count(*) FROM changed
      WHERE EXISTS (SELECT FROM posts WHERE id = post_id){which}
      GROUP BY post_id ORDER BY post_id
      ON CONFLICT (post_id) DO UPDATE SET likes = c.likes + excluded.likes;
    RETURN NULL;
END $$
"""


# ---- An account is closed, limited or suspended, or that is over


def _of_account(is_there: str) -> str:
    return _answers_in("posts", "step", is_there, "TRUE", " AND author_id = NEW.id")


# What it wrote counts while it is open, and what else it did while it is here; all posts in one statement, in order.
COUNT_ACCOUNT = f"""
CREATE OR REPLACE FUNCTION count_answers_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was_open int := (NOT OLD.is_private AND OLD.limited_until IS NULL AND OLD.suspended_until IS NULL)::int;
    is_open int := (NOT NEW.is_private AND NEW.limited_until IS NULL AND NEW.suspended_until IS NULL)::int;
    step int := is_open - was_open;
    here int := (NEW.suspended_until IS NULL)::int - (OLD.suspended_until IS NULL)::int;
BEGIN
    IF step <> 0 OR here <> 0 THEN
        {
    _add(
        "SELECT *, 0 AS likes FROM (" + _of_account(IS_THERE) + ") AS answers UNION ALL "
        "SELECT post_id, 0, 0, 0, 0, here FROM likes WHERE user_id = NEW.id AND here <> 0",
        (*COLUMNS, "likes"),
    )
};
    END IF;
    IF here <> 0 THEN
        PERFORM 1 FROM user_counters WHERE user_id IN (
            SELECT followed_id FROM follows WHERE follower_id = NEW.id
            UNION SELECT follower_id FROM follows WHERE followed_id = NEW.id
          ) ORDER BY user_id FOR UPDATE;
        UPDATE user_counters c SET followers = c.followers + d.followers, following = c.following + d.following
          FROM (
            SELECT user_id, sum(followers) AS followers, sum(following) AS following
            FROM (SELECT followed_id AS user_id, here AS followers, 0 AS following FROM follows
                    WHERE follower_id = NEW.id
                  UNION ALL SELECT follower_id, 0, here FROM follows WHERE followed_id = NEW.id) AS each
            GROUP BY user_id
          ) AS d
          WHERE c.user_id = d.user_id;
    END IF;
    RETURN NULL;
END $$
"""

COUNT_ACCOUNT_BEFORE = f"""
CREATE OR REPLACE FUNCTION count_answers_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step int := CASE WHEN NEW.is_private THEN -1 ELSE 1 END;
BEGIN
    {_add(_of_account(WAS_THERE), COLUMNS)};
    RETURN NULL;
END $$
"""
