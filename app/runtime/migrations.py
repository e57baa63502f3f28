"""Whether the database already has the schema that this code wants."""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic.config import Config
from alembic.script import ScriptDirectory


def is_current(root: Path, database_url: str) -> bool:
    """Say whether every migration has run. Asking here saves a second at each start over asking alembic's command."""
    try:
        return _applied(database_url) == _wanted(root)
    except Exception:  # whatever is wrong with a migration, running alembic shows it properly
        return False


def _wanted(root: Path) -> set[str]:
    settings = Config(str(root / "alembic.ini"))
    settings.set_main_option("script_location", str(root / "migrations"))
    return set(ScriptDirectory.from_config(settings).get_heads())


def _applied(database_url: str) -> set[str]:
    address = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    with psycopg.connect(address, connect_timeout=5) as connection:
        return {version for (version,) in connection.execute("SELECT version_num FROM alembic_version")}
