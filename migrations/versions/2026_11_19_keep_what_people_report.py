"""Keep what people report, what is decided about it, and the answers that are ready."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0042"
down_revision = "0041"

NOTHING = sa.text("''")


def upgrade() -> None:
    op.add_column("users", sa.Column("has_report_news", sa.Boolean, nullable=False, server_default=sa.false()))
    _create_cases()
    _create_reports()
    op.create_table(
        "report_snapshots",
        _drawn_id(),
        _case_id(),
        sa.Column("post_id", sa.BigInteger),
        sa.Column("said", postgresql.JSONB, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
    )
    op.create_index("uq_report_snapshots_case_id_digest", "report_snapshots", ["case_id", "digest"], unique=True)
    op.create_table(
        "moderator_notes",
        _drawn_id(),
        _case_id(),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_index("ix_moderator_notes_case_id_id", "moderator_notes", ["case_id", "id"])
    op.create_table(
        "canned_answers",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )


def _create_cases() -> None:
    op.create_table(
        "report_cases",
        _drawn_id(),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("post_id", sa.BigInteger),
        sa.Column("person_id", sa.BigInteger, nullable=False),
        sa.Column("handle", sa.Text, nullable=False),
        sa.Column("reporters", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("claimed_by_id", sa.BigInteger, sa.ForeignKey("users.id", ondelete="SET NULL")),
        sa.Column("claimed_at", sa.DateTime(timezone=True)),
        sa.Column("closed_id", sa.BigInteger),
        sa.Column("closed_by_id", sa.BigInteger, sa.ForeignKey("users.id", ondelete="SET NULL")),
        sa.Column("outcome", sa.Text),
        sa.Column("answer", sa.Text, nullable=False, server_default=NOTHING),
        sa.CheckConstraint("kind IN ('post', 'person')", name=op.f("ck_report_cases_kind")),
        sa.CheckConstraint("(kind = 'post') = (post_id IS NOT NULL)", name=op.f("ck_report_cases_post")),
        sa.CheckConstraint("outcome IN ('acted', 'nothing')", name=op.f("ck_report_cases_outcome")),
        sa.CheckConstraint("(closed_id IS NULL) = (outcome IS NULL)", name=op.f("ck_report_cases_closed_with_outcome")),
    )
    is_open, is_closed = "closed_id IS NULL", "closed_id IS NOT NULL"
    indexes: list[tuple[str, list[str | sa.TextClause], str | None, bool]] = [
        ("uq_report_cases_post_id", ["post_id"], f"kind = 'post' AND {is_open}", True),
        ("uq_report_cases_person_id", ["person_id"], f"kind = 'person' AND {is_open}", True),
        ("ix_report_cases_open", [sa.text("reporters DESC"), "id"], is_open, False),
        ("ix_report_cases_closed_id", ["closed_id"], is_closed, False),
        ("ix_report_cases_person_id_id", ["person_id", "id"], None, False),
        ("ix_report_cases_claimed_by_id", ["claimed_by_id"], "claimed_by_id IS NOT NULL", False),
        ("ix_report_cases_closed_by_id", ["closed_by_id"], "closed_by_id IS NOT NULL", False),
    ]
    for name, columns, where, unique in indexes:
        condition = None if where is None else sa.text(where)
        op.create_index(name, "report_cases", columns, unique=unique, postgresql_where=condition)


def _create_reports() -> None:
    op.create_table(
        "reports",
        _drawn_id(),
        _case_id(),
        sa.Column("reporter_id", sa.BigInteger, sa.ForeignKey("users.id", ondelete="SET NULL")),
    )
    op.create_index("uq_reports_case_id_reporter_id", "reports", ["case_id", "reporter_id"], unique=True)
    op.create_index("ix_reports_reporter_id_id", "reports", ["reporter_id", sa.text("id DESC")])
    op.create_table(
        "report_notes",
        _drawn_id(),
        sa.Column("report_id", sa.BigInteger, sa.ForeignKey("reports.id", ondelete="CASCADE"), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False, server_default=NOTHING),
    )
    op.create_index("ix_report_notes_report_id_id", "report_notes", ["report_id", "id"])


def _drawn_id() -> sa.Column[int]:
    return sa.Column("id", sa.BigInteger, primary_key=True, server_default=sa.text("next_id()"))


def _case_id() -> sa.Column[int]:
    return sa.Column("case_id", sa.BigInteger, sa.ForeignKey("report_cases.id", ondelete="CASCADE"), nullable=False)


def downgrade() -> None:
    for table in (
        "canned_answers",
        "moderator_notes",
        "report_snapshots",
        "report_notes",
        "reports",
        "report_cases",
    ):
        op.drop_table(table)
    op.drop_column("users", "has_report_news")
