"""`python -m bench`: measure on servers, data and processes of its own, print a table, write results and pictures."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Collection, Iterable
from pathlib import Path

import config
from app.runtime.console import complain, say
from app.runtime.failure import StartFailure
from app.runtime.process import POLL_SECONDS, Process
from app.runtime.stop_signals import StopRequested, StopSignals
from bench import profiling, report
from bench.cpu import Others
from bench.data import FULL, QUICK
from bench.figures import MEASUREMENTS, ONLY_WHEN_NAMED, curves
from bench.load import WrongAnswer
from bench.report import Figure
from bench.stage import Stage, stage

LONGEST_SECONDS = 600.0
QUIET = 0.15  # the share of the machine that others may take without spoiling the figures


def main(arguments: list[str]) -> int:
    """Measure in a child with a process group of its own, and end it when it takes too long or is not wanted."""
    options = _parse(arguments)
    signals = StopSignals()
    signals.listen()
    if options.inside:
        return _measure(options, signals)
    child = Process("bench", [sys.executable, "-m", "bench", "--inside", *arguments], cwd=config.ROOT, grace=30.0)
    try:
        child.launch()
        deadline = time.monotonic() + LONGEST_SECONDS
        while child.alive and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        if child.alive:
            complain(f"Stopped after {LONGEST_SECONDS:.0f} s: this machine is too slow or too busy to measure on.")
    except StopRequested:
        complain("Stopped; nothing was written.")
    finally:
        signals.stop_raising()
        child.stop(hurried=signals.hurried)
    return child.exit_code or 0


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the feed.")
    parser.add_argument("--quick", action="store_true", help="little data, few rounds: to try it, not to quote it")
    parser.add_argument("--only", nargs="+", choices=MEASUREMENTS, metavar="NAME", help=" ".join(MEASUREMENTS))
    parser.add_argument("--curves", action="store_true", help="only the two curves, drawn into docs/pictures")
    parser.add_argument("--profile", choices=profiling.PAGES, metavar="PAGE", help=" ".join(profiling.PAGES))
    parser.add_argument("--pages", type=int, default=400, help="how many pages to profile")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the data there; if it is there, use it")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _measure(options: argparse.Namespace, signals: StopSignals) -> int:
    """Take the figures; exit code 0 even where a bar is missed: that is a result, not a failure."""
    begun = time.monotonic()
    scale = QUICK if options.quick else FULL
    try:
        with stage(scale, keep=options.keep) as ready:
            try:
                if options.profile:
                    profiling.profile(ready, options.profile, pages=options.pages)
                    return 0
                if not options.only:
                    _ = ready.crowd  # there from the beginning, as on a site
                machine = report.describe_machine(ready.servers.database_url, ready.servers.redis_url)
                others = Others()
                figures = _take(["curves"] if options.curves else _chosen(options.only), ready)
                taken_by_others = others.share()
            finally:
                signals.stop_raising()
    except StopRequested:
        return 130
    except (StartFailure, WrongAnswer, OSError) as failure:
        complain(str(failure), getattr(failure, "log_lines", ()))
        return 1
    say(f"\n{len(figures)} figures in {time.monotonic() - begun:.0f} s.")
    if taken_by_others > QUIET:
        say(f"Others took {taken_by_others:.0%} of the machine meanwhile: bench/README.md says what that does.")
    if options.quick or options.only:
        return 0
    for picture in curves.save(figures):
        say(f"Drawn: docs/pictures/{picture.name}")
    if not options.curves:
        report.save(figures, {**machine, "taken_by_others": taken_by_others}, scale)
        say("Written to bench/results.json")
    return 0


def _chosen(only: Collection[str] | None) -> list[str]:
    """Return the names of what to measure, in the order of the table, whatever order they were given in."""
    return [name for name in MEASUREMENTS if (name in only if only else name not in ONLY_WHEN_NAMED)]


def _take(names: Iterable[str], ready: Stage) -> list[Figure]:
    """Take the named figures one after the other, and show each as soon as it is there."""
    figures: list[Figure] = []
    report.show_head()
    for name in names:
        taken = list(MEASUREMENTS[name](ready))
        report.show(taken)
        figures += taken
    return figures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
