"""What one start needs to know, taken from the environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import config


@dataclass(frozen=True)
class Settings:
    """The settings of one site, and which servers it must bring itself."""

    root: Path
    data: Path
    host: str
    port: int
    web_workers: int
    job_workers: int
    database_url: str
    redis_url: str
    own_postgres: bool
    own_valkey: bool

    @classmethod
    def load(cls, root: Path, env: Mapping[str, str] = os.environ) -> Settings:
        """Read and check the environment; the first start writes the secret key."""
        loaded = config.load_config(env)
        return cls(
            root=root,
            data=loaded["DATA_FOLDER"],
            host=loaded["HOST"],
            port=loaded["PORT"],
            web_workers=loaded["WEB_WORKERS"],
            job_workers=loaded["JOB_WORKERS"],
            database_url=loaded["SQLALCHEMY_DATABASE_URI"],
            redis_url=loaded["REDIS_URL"],
            own_postgres=not env.get("DATABASE_URL"),
            own_valkey=not env.get("REDIS_URL"),
        )

    def child_environment(self) -> dict[str, str]:
        """Return the environment of every program of the site: the same servers and data for all."""
        return {
            **os.environ,
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            "FRESHET_DATA": str(self.data),
            "PYTHONUNBUFFERED": "1",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        }
