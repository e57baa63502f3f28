"""Alembic's entry: the schema is what the models say, the address is what the settings say."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine, pool, text

from app.core.modules import modules_named
from app.extensions import Base, db
from config import load_config

modules_named("models")  # fills the metadata

# Any number will do: two sites that start at once on one database migrate one after the other.
MIGRATION_LOCK = 20_260_102


def is_ours(obj: object, name: str | None, kind: str, reflected: bool, compare_to: object) -> bool:
    """Leave out the partitions of `activity`: they are made by the month, not by migrations."""
    table = name if kind == "table" else getattr(getattr(obj, "table", None), "name", None)
    return not (reflected and str(table).startswith("activity_"))


def run() -> None:
    """Migrate, or compare, in one transaction under a lock."""
    engine = create_engine(load_config()["SQLALCHEMY_DATABASE_URI"], poolclass=pool.NullPool)
    with engine.connect() as connection:
        context.configure(
            connection=connection,
            target_metadata=db.metadata or Base.metadata,
            include_object=is_ours,
            compare_type=True,
            compare_server_default=False,
        )
        with context.begin_transaction():
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            context.run_migrations()


run()
