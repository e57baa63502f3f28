"""The servers that figures are taken on: throwaway ones, or ones whose data stays in a folder for the next run."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import config
from app.runtime.failure import StartFailure
from app.runtime.lock import DataLock
from app.runtime.servers import EphemeralServers, Postgres, Valkey, ephemeral_servers
from app.runtime.servers.folders import make_data_folder
from app.runtime.servers.postgres import program as postgres_program
from app.runtime.servers.valkey import program as valkey_program
from app.runtime.service_user import open_way, service_user
from bench.data import Scale

MADE_BY = ("data.py", "rich.py", "words.py")  # another population is made once one of these has changed


@contextmanager
def throwaway_servers() -> Iterator[EphemeralServers]:
    """Run empty servers for the length of the block and leave nothing of them."""
    with ephemeral_servers() as servers:
        yield servers


@contextmanager
def kept_servers(folder: Path) -> Iterator[EphemeralServers]:
    """Run servers on a folder that stays. Valkey keeps nothing: its windows are built again in each run."""
    user = service_user()
    make_data_folder(folder)
    open_way(user, folder / "postgres", Path(postgres_program("postgres")), Path(valkey_program()))
    servers = EphemeralServers(folder, Postgres(folder, user, throwaway=True), Valkey(folder, user, throwaway=True))
    with ExitStack() as cleanup:
        cleanup.enter_context(DataLock(folder))
        cleanup.callback(shutil.rmtree, config.socket_folder(folder), ignore_errors=True)
        cleanup.callback(servers.postgres.stop)  # not killed: the next start would have to recover
        cleanup.callback(servers.valkey.kill)
        servers.valkey.start()
        servers.postgres.start()
        yield servers


@dataclass(frozen=True)
class Population:
    """The note in a kept folder that says which data is there, and whether all of it is."""

    folder: Path
    scale: Scale

    @property
    def _note(self) -> Path:
        return self.folder / "population.json"

    def is_there(self) -> bool:
        """Say whether the folder holds this population; what an interrupted run left of it is removed."""
        if not self.folder.exists() or not any(self.folder.iterdir()):
            return False
        if not self._note.exists():
            raise StartFailure(f"{self.folder} holds something else. Name a folder that is empty or not there.")
        if json.loads(self._note.read_text()) == self._content(is_whole=True):
            return True
        if json.loads(self._note.read_text()) != self._content(is_whole=False):
            raise StartFailure(
                f"{self.folder} holds other data: of another size, or made by another version. Remove it."
            )
        shutil.rmtree(self.folder)
        return False

    def note(self, *, is_whole: bool) -> None:
        """Write down what is in the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._note.write_text(json.dumps(self._content(is_whole=is_whole)))

    def _content(self, *, is_whole: bool) -> dict[str, object]:
        made_by = b"".join(Path(__file__).with_name(name).read_bytes() for name in MADE_BY)
        return {"scale": asdict(self.scale), "made_by": hashlib.sha256(made_by).hexdigest(), "is_whole": is_whole}
