"""Keep what admins and moderators do, and let nobody change that; let there be moderators.

The version before knows no moderators and treats them as members.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0032"
down_revision = "0031"

REFUSE = """
CREATE FUNCTION refuse_to_change_the_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'entries of the log are never changed or removed';
END
$$
"""


def upgrade() -> None:
    op.drop_constraint(op.f("ck_users_ck_users_role"), "users", type_="check")  # the convention named it twice
    op.create_check_constraint(op.f("ck_users_role"), "users", "role IN ('member', 'moderator', 'admin')")
    words = "to_tsvector('simple', plain_words(actor || ' ' || target || ' ' || reason))"
    nothing = {"nullable": False, "server_default": sa.text("'{}'")}
    op.create_table(
        "log_entries",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("actor_id", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("target_id", sa.BigInteger, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("before", postgresql.JSONB, **nothing),
        sa.Column("after", postgresql.JSONB, **nothing),
        sa.Column("words", postgresql.TSVECTOR, sa.Computed(words, persisted=True), nullable=False),
    )
    op.create_index("ix_log_entries_actor_id_id", "log_entries", ["actor_id", "id"])
    op.create_index("ix_log_entries_action_id", "log_entries", ["action", "id"])
    op.create_index(
        "ix_log_entries_words",
        "log_entries",
        ["words"],
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
    op.execute(REFUSE)
    for event, each in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        name = f"refuse_{event.split()[0].lower()}_of_the_log"
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {event} ON log_entries FOR EACH {each} "
            "EXECUTE FUNCTION refuse_to_change_the_log()"
        )


def downgrade() -> None:
    op.drop_table("log_entries")
    op.execute("DROP FUNCTION refuse_to_change_the_log()")
    op.execute("UPDATE users SET role = 'member' WHERE role = 'moderator'")
    op.drop_constraint(op.f("ck_users_role"), "users", type_="check")
    op.create_check_constraint(op.f("ck_users_ck_users_role"), "users", "role IN ('member', 'admin')")
