"""Keep the children of one site running, and end them in order."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from app.runtime.console import report
from app.runtime.failure import StartFailure
from app.runtime.logs import LogWatch
from app.runtime.process import Process

TICK = 0.2
FIRST_DELAY = 0.5
LONGEST_DELAY = 10.0
HEALTHY_AFTER = 30.0


@dataclass
class Tended:
    """A child with what is needed to start it again: not at once, and ever more slowly."""

    process: Process
    delay: float = FIRST_DELAY
    born: float = field(default_factory=time.monotonic)
    due: float | None = None  # when to start it again; None while it runs

    def tend(self, now: float) -> None:
        """Start a dead child again when its time has come; say so once per death."""
        if self.due is not None:
            if now >= self.due:
                self._start_again(now)
        elif not self.process.alive:
            self.process.kill()  # what it left behind would share its port and its queue
            self._plan_start(now, how_it_ended(self.process))
        elif now - self.born > HEALTHY_AFTER:
            self.delay = FIRST_DELAY

    def _plan_start(self, now: float, reason: str) -> None:
        report(f"{self.process.name} {reason}; it starts again in {self.delay:g} s. Log: {self.process.log}")
        self.due = now + self.delay
        self.delay = min(self.delay * 2, LONGEST_DELAY)

    def _start_again(self, now: float) -> None:
        self.due, self.born = None, now
        try:
            self.process.launch()
        except (OSError, StartFailure) as error:
            self._plan_start(now, f"could not be started ({error})")


class Supervisor:
    """Tends the children in the order of their start and stops them in the opposite order."""

    def __init__(self) -> None:
        self.children: list[Tended] = []

    def adopt(self, process: Process) -> None:
        """Tend this process from now on."""
        self.children.append(Tended(process))

    def watch(self) -> None:
        """Tend the children until a signal interrupts."""
        logs = [(child.process, LogWatch(child.process.log)) for child in self.children if child.process.log]
        while True:
            for child in self.children:
                child.tend(time.monotonic())
            for process, log in logs:
                warnings = log.new_warnings()
                for warning in warnings if process.shows_warnings else ():
                    report(f"{process.name}: {warning}")
                log.keep_small()
            time.sleep(TICK)

    def stop(self, *, hurried: Callable[[], bool]) -> None:
        """End every child, the last one first."""
        for child in reversed(self.children):
            child.process.stop(hurried=hurried)


def how_it_ended(process: Process) -> str:
    """Say in words how the process ended."""
    code = process.exit_code
    if code is not None and code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"
