"""How much of what Flask and Jinja could serve at most is left for a home page."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from statistics import median

from bench.cpu import Pressed, press_counting
from bench.data import FOLLOWED_BY_FEW, STARS
from bench.load import Ask, Line, WrongAnswer, press
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns
from bench.stage import Stage

NEARLY = 0.02  # by how much the sizes of the two pages may differ


def measure(stage: Stage) -> Iterator[Figure]:
    """Compare the home page with a bare page of its size, and our load generator with wrk."""
    stage.check_warm()
    bare_asks = [Ask("/", cookie=ask.cookie, articles=ask.articles) for ask in stage.homes]
    _check_sizes(stage.page_bytes(), stage.bare.port)
    seconds = stage.scale.seconds

    def press_home() -> Pressed:
        pids = [stage.site.pid, stage.servers.postgres.pid, stage.servers.valkey.pid]
        return press_counting(stage.site.port, stage.homes, seconds=seconds, pids=pids)

    def press_bare() -> Pressed:
        return press_counting(stage.bare.port, bare_asks, seconds=seconds, pids=[stage.bare.pid])

    rounds = in_turns({"home": press_home, "bare": press_bare}, rounds=stage.scale.rounds)
    stage.check_warm()
    yield ratio(
        f"home page, reader follows {FOLLOWED_BY_FEW}, against a bare page of its size: pages/s",
        ("home pages/s", [each.load.per_second for each in rounds["home"]]),
        ("bare pages/s", [each.load.per_second for each in rounds["bare"]]),
        bar=Bar(least=0.4),
        note=f"warm; {STARS} of those followed are merged at read",
    )
    yield ratio(
        "the same: processor time per page (web server, Postgres and Valkey)",
        ("home ms", [each.cpu_ms for each in rounds["home"]]),
        ("bare ms", [each.cpu_ms for each in rounds["bare"]]),
    )
    yield Figure(
        "share of a core that the load generator takes while it loads the bare page",
        median(each.load.busy for each in rounds["bare"]),
        bar=Bar(most=0.5),
        note="" if shutil.which("wrk") else "wrk is not installed: our load generator was not compared with it",
    )
    if shutil.which("wrk"):
        yield _against_wrk(stage, bare_asks)


def _check_sizes(home_bytes: int, bare: int) -> None:
    line = Line(bare)
    bare_bytes = len(line.ask(Ask("/")).body)
    line.close()
    if abs(bare_bytes - home_bytes) > NEARLY * home_bytes:
        raise WrongAnswer(f"the bare page has {bare_bytes} bytes, a home page {home_bytes}")


def _against_wrk(stage: Stage, asks: list[Ask]) -> Figure:
    """Load the bare page with wrk, which takes next to nothing for itself, and with ours."""
    port, seconds = stage.bare.port, max(1, round(stage.scale.seconds))
    rates = in_turns(
        {
            "ours": lambda: press(port, asks, seconds=seconds).per_second,
            "wrk": lambda: _wrk(port, connections=len(asks), seconds=seconds),
        },
        rounds=max(2, stage.scale.rounds // 3),
    )
    name = "our load generator against wrk on the bare page: pages/s"
    return ratio(name, ("ours pages/s", rates["ours"]), ("wrk pages/s", rates["wrk"]))


def _wrk(port: int, *, connections: int, seconds: int) -> float:
    command = ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s"]
    command += ["--timeout", "30s", f"http://127.0.0.1:{port}/"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 60)
    found = re.search(r"Requests/sec: +([\d.]+)", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])
