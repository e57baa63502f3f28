"""Keep passkeys, and what they have signed, so that it is not accepted again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0051"


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("user_id", sa.BigInteger, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("credential_id", sa.LargeBinary, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("used_at", sa.DateTime(timezone=True)),
    )
    op.create_index("uq_passkeys_credential_id", "passkeys", ["credential_id"], unique=True)
    op.create_index("ix_passkeys_user_id", "passkeys", ["user_id"])
    op.create_table(
        "used_challenges",
        sa.Column("digest", sa.LargeBinary, primary_key=True),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    )
    op.create_index("ix_used_challenges_used_at", "used_challenges", ["used_at"])


def downgrade() -> None:
    op.drop_table("used_challenges")
    op.drop_table("passkeys")
