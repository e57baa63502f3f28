"""How much of what Flask and Jinja could serve at most is left for a home page."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator

from bench import bare
from bench.data import FOLLOWED_BY_FEW, STARS
from bench.load import Ask, press
from bench.reachable import compare_page
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns
from bench.stage import Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Compare the home page with bare pages of its size, and our load generator with wrk."""
    yield from compare_page(
        stage,
        "home",
        f"home page, reader follows {FOLLOWED_BY_FEW},",
        stage.homes,
        seconds=stage.scale.seconds,
        share=0.75,
        note=f"warm; {STARS} of those followed are merged at read",
    )
    path = bare.path_of(stage.page_bytes(stage.homes))
    pressed = press(stage.bare.port, [Ask(path, articles=bare.ITEMS)] * len(stage.homes), seconds=stage.scale.seconds)
    yield Figure(
        "share of a core that the load generator takes while it loads the bare page",
        pressed.busy,
        bar=Bar(most=0.5),
        note="" if shutil.which("wrk") else "wrk is not installed: our load generator was not compared with it",
    )
    if shutil.which("wrk"):
        yield _against_wrk(stage)


def _against_wrk(stage: Stage) -> Figure:
    """Load the bare page with wrk, which takes next to nothing for itself, and with ours."""
    port, seconds, path = (
        stage.bare.port,
        max(1, round(stage.scale.seconds)),
        bare.path_of(stage.page_bytes(stage.homes)),
    )
    asks = [Ask(path, articles=bare.ITEMS)] * len(stage.homes)
    rates = in_turns(
        {
            "ours": lambda: press(port, asks, seconds=seconds).per_second,
            "wrk": lambda: _wrk(port, path, connections=len(asks), seconds=seconds),
        },
        rounds=max(2, stage.scale.rounds // 3),
    )
    name = "our load generator against wrk on the bare page: pages/s"
    return ratio(name, ("ours pages/s", rates["ours"]), ("wrk pages/s", rates["wrk"]))


def _wrk(port: int, path: str, *, connections: int, seconds: int) -> float:
    command = ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s"]
    command += ["--timeout", "30s", f"http://127.0.0.1:{port}{path}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 60)
    found = re.search(r"Requests/sec: +([\d.]+)", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])
