"""One site per data folder at a time."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType

from app.runtime.failure import StartFailure


class DataLock:
    """Holds `<data>/lock`, with our pid in it, for the length of the block. Death lets it go."""

    def __init__(self, data: Path) -> None:
        self.path = data / "lock"
        self.after_crash = False  # the last holder did not say goodbye: its children may still be leaving

    def __enter__(self) -> DataLock:
        """Take the lock, or say who has it."""
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = self.path.read_text().strip()
            os.close(self._file)
            raise StartFailure(
                f"Freshet already runs on {self.path.parent} (process {holder}). "
                "Stop it, or give this one its own data: FRESHET_DATA=/some/folder"
            ) from error
        self.after_crash = os.fstat(self._file).st_size > 0
        self._write(f"{os.getpid()}\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Say goodbye and let the next one in."""
        self._write("")
        os.close(self._file)

    def _write(self, text: str) -> None:
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, text.encode(), 0)
