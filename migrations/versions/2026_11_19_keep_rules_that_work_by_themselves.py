"""Keep rules that work by themselves, what they matched, and since when a post is held for review.

A held post is hidden like one that a moderator hid (`hidden_until`), so counters leave it out already; `held_at` says
that a rule did it and nobody has looked yet. The version before knows no rules, and sets none of this.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    op.create_table(
        "rules",
        sa.Column("id", sa.BigInteger, primary_key=True, server_default=sa.text("next_id()")),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("sentence", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("state", sa.Text, nullable=False, server_default=sa.text("'off'")),
        sa.Column("broken_by", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("phrases", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("is_whole_word", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("pattern", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("domains", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("younger_than", sa.Integer),
        sa.Column("links_over", sa.Integer),
        sa.Column("mentions_over", sa.Integer),
        sa.Column("run", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("run_from", sa.BigInteger),
        sa.Column("run_at", sa.BigInteger),
        sa.Column("run_to", sa.BigInteger),
        sa.Column("run_matched", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("run_newest", sa.ARRAY(sa.BigInteger), nullable=False, server_default=sa.text("'{}'")),
        sa.CheckConstraint("action IN ('flag', 'warn', 'hold', 'refuse')", name="ck_rules_action"),
        sa.CheckConstraint("state IN ('on', 'off', 'broken')", name="ck_rules_state"),
    )
    op.create_table(
        "rule_matches",
        sa.Column("id", sa.BigInteger, primary_key=True, server_default=sa.text("next_id()")),
        sa.Column("rule_id", sa.BigInteger, nullable=False),
        sa.Column("author_id", sa.BigInteger, nullable=False),
        sa.Column("post_id", sa.BigInteger),
        sa.Column("said", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.ForeignKeyConstraint(["rule_id"], ["rules.id"], name="fk_rule_matches_rule_id_rules", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name="fk_rule_matches_author_id_users", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_rule_matches_post_id_posts", ondelete="CASCADE"),
    )
    op.create_index("ix_rule_matches_rule_id_id", "rule_matches", ["rule_id", sa.text("id DESC")])
    op.create_index("ix_rule_matches_author_id", "rule_matches", ["author_id"])
    op.create_index(
        "ix_rule_matches_post_id", "rule_matches", ["post_id"], postgresql_where=sa.text("post_id IS NOT NULL")
    )
    op.add_column("posts", sa.Column("held_at", sa.DateTime(timezone=True)))
    op.create_index("ix_posts_held", "posts", ["id"], postgresql_where=sa.text("held_at IS NOT NULL"))
    op.create_table(
        "signup_blocks",
        sa.Column("id", sa.BigInteger, primary_key=True, server_default=sa.text("next_id()")),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("sentence", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.CheckConstraint("kind IN ('domain', 'network', 'handle')", name="ck_signup_blocks_kind"),
        sa.UniqueConstraint("kind", "value", name="uq_signup_blocks_kind_value"),
    )


def downgrade() -> None:
    op.drop_table("signup_blocks")
    op.drop_index("ix_posts_held", "posts")
    op.drop_column("posts", "held_at")  # what was held stays hidden
    op.drop_table("rule_matches")
    op.drop_table("rules")
