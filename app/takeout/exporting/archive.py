"""A zip file that grows by slices, each in a job of its own, which may be killed at any instruction.

What is written lies in a folder until all of it is there. The state of the job says how long each file was after the
last slice that counted; whatever is behind that was written by one that did not, and is cut away.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from flask import current_app

from app.core import clock

ZIP = "archive.zip"
BLOCK = 256 * 1024
# No dots in front and no way up: whoever unpacks the file must get nothing but what is below one folder.
_SAFE_NAME = re.compile(r"([a-z0-9_-]+/)?[a-z0-9_-]+\.[a-z0-9]+")

Piece = str | Path  # a text, or the name of a file in the folder


def folder() -> Path:
    """Return where exports are kept."""
    path: Path = current_app.config["DATA_FOLDER"] / "exports"
    return path


def finished(name: str) -> Path:
    """Return where an export is when it is whole."""
    return folder() / f"{Path(name).name}.zip"


def unfinished(name: str) -> Path:
    """Return the folder in which an export is made."""
    return folder() / f"{Path(name).name}.making"


def remove(name: str) -> None:
    """Delete an export, whole or not. One that is gone already is fine."""
    finished(name).unlink(missing_ok=True)
    shutil.rmtree(unfinished(name), ignore_errors=True)


def stored() -> set[str]:
    """Return the names of the exports of which there is something."""
    with suppress(FileNotFoundError):
        return {path.name.partition(".")[0] for path in folder().iterdir()}
    return set()


@dataclass
class Archive:
    """The files of an export that is being made, and how much of each counts."""

    name: str
    sizes: dict[str, int] = field(default_factory=dict)
    directories: int = 0  # how often the directory of the zip file was put aside

    @property
    def state(self) -> dict[str, Any]:
        return {"sizes": self.sizes, "directories": self.directories}

    def is_whole(self) -> bool:
        """Say whether all that counts is still there: a disk may be full, or of another time."""
        path = unfinished(self.name)
        known = [path / name for name in self.sizes]
        there = all(each.exists() and each.stat().st_size >= self.sizes[each.name] for each in known)
        return there and (not self.directories or self._directory().exists())

    def append(self, name: str, text: str) -> None:
        """Write a text behind what a file says so far."""
        with self._cut(name) as file:
            file.write(text.encode())
            _flush(file)
            self.sizes[name] = file.tell()

    def add(self, files: Sequence[tuple[str, Path]]) -> None:
        """Put files into the zip file as they are; one that has just been removed is left out."""
        if not files:
            return
        with self._zip() as archive:
            for name, path in files:
                with suppress(FileNotFoundError):
                    archive.write(path, _safe(name))

    def finish(self, texts: Iterable[tuple[str, Sequence[Piece]]]) -> int:
        """Put texts into the zip file, piece by piece, and that to its place; return how many bytes it has."""
        target = finished(self.name)
        if not target.exists():
            with self._zip() as archive:
                for name, pieces in texts:
                    self._write(archive, _safe(name), pieces)
            os.replace(unfinished(self.name) / ZIP, target)
        shutil.rmtree(unfinished(self.name), ignore_errors=True)
        return target.stat().st_size

    def _write(self, archive: ZipFile, name: str, pieces: Sequence[Piece]) -> None:
        entry = ZipInfo(name, date_time=clock.now().timetuple()[:6])
        entry.compress_type = ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        with archive.open(entry, "w", force_zip64=True) as out:
            for piece in pieces:
                if isinstance(piece, str):
                    out.write(piece.encode())
                    continue
                with self._cut(piece.name, at_start=True) as file:
                    shutil.copyfileobj(file, out, BLOCK)

    @contextmanager
    def _zip(self) -> Iterator[ZipFile]:
        """Open the zip file behind its last entry that counts.

        Its directory comes last and is overwritten by the next entry, so a copy of it is put aside: with that the file
        is what it was, whatever has been written over it since.
        """
        with self._cut(ZIP) as file:
            if self.directories:
                file.write(self._directory().read_bytes())
            with ZipFile(file, "a", strict_timestamps=False) as archive:
                yield archive
            self.directories += 1
            self.sizes[ZIP] = file.seek(archive.start_dir)
            _flush(file)
            with self._directory().open("wb") as aside:
                shutil.copyfileobj(file, aside)
                _flush(aside)
            (unfinished(self.name) / f"directory.{self.directories - 2}").unlink(missing_ok=True)

    def _directory(self) -> Path:
        return unfinished(self.name) / f"directory.{self.directories}"

    @contextmanager
    def _cut(self, name: str, *, at_start: bool = False) -> Iterator[IO[bytes]]:
        """Open a file with nothing in it but what counts."""
        path = unfinished(self.name) / name
        path.touch()
        with path.open("r+b") as file:
            file.truncate(self.sizes.get(name, 0))
            file.seek(0, os.SEEK_SET if at_start else os.SEEK_END)
            yield file


def _flush(file: IO[bytes]) -> None:
    """Bring a file to the disk, before the database says that it is there."""
    file.flush()
    os.fsync(file.fileno())


def _safe(name: str) -> str:
    if not _SAFE_NAME.fullmatch(name):
        raise ValueError(name)
    return name


@contextmanager
def opened(name: str, state: Mapping[str, Any]) -> Iterator[Archive]:
    """Go on with an export where a state left it, or from the beginning if what it speaks of is gone.

    The row of the job is locked; but a worker whose connection has broken does not know that, and may still write.
    """
    path = unfinished(name)
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)  # what is in it may be read by nobody else
    path.mkdir(exist_ok=True)
    with (path / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield Archive(name, dict(state.get("sizes", {})), state.get("directories", 0))
