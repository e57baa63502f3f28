"""Log files of the children: read their ends, keep them small, show what deserves attention."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

LARGEST_LOG = 20 * 1024 * 1024
LONGEST_LINE_SHOWN = 300
DESERVES_ATTENTION = re.compile(r"\b(WARNING|ERROR|CRITICAL)\b")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def size_of(log: Path) -> int:
    """Return how long the log is; one that does not exist is empty."""
    try:
        return log.stat().st_size
    except FileNotFoundError:
        return 0


def lines_since(log: Path, position: int) -> list[str]:
    """Return the lines written after `position`, without colours and blank lines."""
    return _lines(_bytes_since(log, position))


class LogWatch:
    """Follows one log file: shows each new warning once and cuts the file when it grows too large."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.position = size_of(log)

    def new_warnings(self) -> list[str]:
        """Return the warnings and errors written since the last call; the details stay in the file."""
        if size_of(self.log) < self.position:  # it was emptied
            self.position = 0
        written = _bytes_since(self.log, self.position)
        whole_lines = written[: written.rfind(b"\n") + 1]
        self.position += len(whole_lines)
        return [line[:LONGEST_LINE_SHOWN] for line in _lines(whole_lines) if DESERVES_ATTENTION.search(line)]

    def keep_small(self) -> None:
        """Move a large log aside, one generation deep."""
        if self.position < LARGEST_LOG:
            return
        # The writers hold the file open for appending, so it is emptied rather than renamed.
        shutil.copyfile(self.log, self.log.with_suffix(".log.1"))
        os.truncate(self.log, 0)
        self.position = 0


def _bytes_since(log: Path, position: int) -> bytes:
    try:
        with log.open("rb") as file:
            file.seek(position)
            return file.read()
    except FileNotFoundError:
        return b""


def _lines(written: bytes) -> list[str]:
    text = COLOURS.sub("", written.decode(errors="replace"))
    return [line for line in text.splitlines() if line.strip()]
