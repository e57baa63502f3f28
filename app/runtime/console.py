"""What the person at the terminal sees: one calm line per step, sentences when something is wrong."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

WIDTH = 44
LOG_LINES_SHOWN = 15
GREEN, RED, GREY = "32", "31", "90"


class Step:
    """A step under way; its text may still change while it runs."""

    def __init__(self, text: str) -> None:
        self.text = text


@contextmanager
def step(text: str) -> Iterator[Step]:
    """Show a step and, when it is done, the time it took."""
    current = Step(text)
    begun = time.monotonic()
    if sys.stdout.isatty():
        _write(sys.stdout, f"  … {text}", end="\r")
    try:
        yield current
    except Exception:
        say(f"  {_coloured('✗', RED)} {current.text:<{WIDTH}}")
        raise
    say(f"  {_coloured('✓', GREEN)} {current.text:<{WIDTH}} {time.monotonic() - begun:5.1f} s")


def say(text: str = "") -> None:
    """Print a line."""
    _write(sys.stdout, text, end="\n")


def report(text: str) -> None:
    """Print a line about something that happened while the site runs, with the time of day."""
    say(f"{_coloured(time.strftime('%H:%M:%S'), GREY)}  {text}")


def complain(sentence: str, log_lines: Sequence[str] = ()) -> None:
    """Print why there is no site, with the last lines of the log that shows it."""
    _write(sys.stderr, f"\n{sentence}", end="\n")
    for line in log_lines[-LOG_LINES_SHOWN:]:
        _write(sys.stderr, f"    {line}", end="\n")


def _coloured(text: str, colour: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m" if sys.stdout.isatty() else text


def _write(stream: TextIO, text: str, *, end: str) -> None:
    try:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, errors="replace").decode(encoding) + end)
        stream.flush()
    except OSError:
        pass  # the terminal was closed: the site goes on, or stops in order, without it
