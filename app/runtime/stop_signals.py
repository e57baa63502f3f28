"""Ctrl-C and its relatives: the first asks to stop, a later one to hurry."""

from __future__ import annotations

import signal
import time
from types import FrameType

SAME_KEYSTROKE = 0.5  # seconds: `timeout` and some terminals deliver one wish twice


class StopRequested(BaseException):
    """Raised in the main thread, wherever it is, when the site is asked to stop."""


class StopSignals:
    """Turns the first signal into StopRequested and remembers a second one."""

    def __init__(self) -> None:
        self._asked_at: float | None = None
        self._hurry = False

    def listen(self) -> None:
        """Take over SIGINT, SIGTERM and SIGHUP."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # `nohup` wants the site to survive the terminal. SIGINT is taken in any case: shells ignore it for `&`.
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._receive)

    def stop_raising(self) -> None:
        """Let signals from now on only hurry: everything is being stopped already."""
        if self._asked_at is None:
            self._asked_at = time.monotonic()

    def hurried(self) -> bool:
        """Say whether it was asked twice."""
        return self._hurry

    def _receive(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._asked_at is None:
            self._asked_at = now
            raise StopRequested
        if now - self._asked_at > SAME_KEYSTROKE:
            self._hurry = True
