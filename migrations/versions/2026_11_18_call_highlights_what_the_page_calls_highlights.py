"""Call the volume highlights that the page calls highlights; it was stored as few."""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    _rename("few", "highlights")


def downgrade() -> None:
    _rename("highlights", "few")


def _rename(old: str, new: str) -> None:
    op.drop_constraint(op.f("ck_follows_volume"), "follows", type_="check")
    op.execute(f"UPDATE follows SET volume = '{new}' WHERE volume = '{old}'")
    op.create_check_constraint(
        op.f("ck_follows_volume"), "follows", f"volume IN ('all', 'no_replies', 'no_reposts', '{new}')"
    )
