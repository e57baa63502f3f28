"""Keep private accounts and requests, timed mutes, volumes, word filters, muted conversations and followed tags."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("users", sa.Column("is_private", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("users", sa.Column("repeat_hours", sa.Integer, nullable=False, server_default=sa.text("72")))
    op.add_column("users", sa.Column("hides_own_reposts", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_check_constraint(op.f("ck_users_repeat_hours"), "users", "repeat_hours >= 0")
    op.add_column("follows", sa.Column("volume", sa.Text, nullable=False, server_default=sa.text("'all'")))
    op.create_check_constraint(
        op.f("ck_follows_volume"), "follows", "volume IN ('all', 'no_replies', 'no_reposts', 'few')"
    )
    op.add_column("mutes", sa.Column("scope", sa.Text, nullable=False, server_default=sa.text("'all'")))
    op.add_column("mutes", sa.Column("until", sa.DateTime(timezone=True)))
    op.create_check_constraint(op.f("ck_mutes_scope"), "mutes", "scope IN ('all', 'reposts')")
    _create_follow_requests()
    op.create_table(
        "word_filters",
        sa.Column("id", sa.BigInteger, nullable=False, server_default=sa.text("next_id()")),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("phrase", sa.Text, nullable=False),
        sa.Column("pattern", sa.Text, nullable=False),
        sa.Column("is_whole_word", sa.Boolean, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_word_filters"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_word_filters_user_id_users", ondelete="CASCADE"),
        sa.CheckConstraint("action IN ('hide', 'fold')", name=op.f("ck_word_filters_action")),
    )
    op.create_index("ix_word_filters_user_id", "word_filters", ["user_id"])
    _create_choice("muted_conversations", "thread_id", sa.BigInteger)
    _create_choice("tag_follows", "tag", sa.Text)
    op.create_index("ix_tag_follows_tag", "tag_follows", ["tag"])


def _create_follow_requests() -> None:
    op.create_table(
        "follow_requests",
        sa.Column("requester_id", sa.BigInteger, nullable=False),
        sa.Column("target_id", sa.BigInteger, nullable=False),
        sa.Column("id", sa.BigInteger, nullable=False, server_default=sa.text("next_id()")),
        sa.PrimaryKeyConstraint("requester_id", "target_id", name="pk_follow_requests"),
        sa.ForeignKeyConstraint(
            ["requester_id"], ["users.id"], name="fk_follow_requests_requester_id_users", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["target_id"], ["users.id"], name="fk_follow_requests_target_id_users", ondelete="CASCADE"
        ),
        sa.CheckConstraint("requester_id <> target_id", name=op.f("ck_follow_requests_not_oneself")),
    )
    op.create_index("ix_follow_requests_target_id_id", "follow_requests", ["target_id", sa.text("id DESC")])


def _create_choice(table: str, column: str, kind: type[sa.types.TypeEngine[object]]) -> None:
    op.create_table(
        table,
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column(column, kind, nullable=False),
        sa.Column("id", sa.BigInteger, nullable=False, server_default=sa.text("next_id()")),
        sa.PrimaryKeyConstraint("user_id", column, name=f"pk_{table}"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=f"fk_{table}_user_id_users", ondelete="CASCADE"),
    )


def downgrade() -> None:
    for table in ("tag_follows", "muted_conversations", "word_filters", "follow_requests"):
        op.drop_table(table)
    for table, columns in {
        "mutes": ("scope", "until"),
        "follows": ("volume",),
        "users": ("is_private", "repeat_hours", "hides_own_reposts"),
    }.items():
        for column in columns:
            op.drop_column(table, column)
