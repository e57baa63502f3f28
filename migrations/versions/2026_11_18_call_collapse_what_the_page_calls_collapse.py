"""Call collapse what the page calls collapse; the action of a word filter was stored as fold."""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    _rename("fold", "collapse")


def downgrade() -> None:
    _rename("collapse", "fold")


def _rename(old: str, new: str) -> None:
    op.drop_constraint(op.f("ck_word_filters_action"), "word_filters", type_="check")
    op.execute(f"UPDATE word_filters SET action = '{new}' WHERE action = '{old}'")
    op.create_check_constraint(op.f("ck_word_filters_action"), "word_filters", f"action IN ('hide', '{new}')")
