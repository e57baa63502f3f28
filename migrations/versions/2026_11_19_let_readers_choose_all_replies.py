"""Let readers choose all replies of a person they follow."""

from __future__ import annotations

from alembic import op

revision = "0029"
down_revision = "0028"

VOLUMES = ("all", "no_replies", "no_reposts", "highlights")


def upgrade() -> None:
    _allow("all_replies", *VOLUMES)


def downgrade() -> None:
    # A version that does not know them shows at "all" who was followed at "all replies".
    op.execute("UPDATE follows SET volume = 'all' WHERE volume = 'all_replies'")
    _allow(*VOLUMES)


def _allow(*volumes: str) -> None:
    op.drop_constraint(op.f("ck_follows_volume"), "follows", type_="check")
    chosen = ", ".join(f"'{volume}'" for volume in volumes)
    op.create_check_constraint(op.f("ck_follows_volume"), "follows", f"volume IN ({chosen})")
