"""F4, new posts: what it costs that every open page asks every now and then whether there are any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from http import HTTPStatus

from bench.load import Ask, Line, WrongAnswer, press
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns
from bench.stage import Browser, Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Ask for new posts where there are none, and for the home page, in turns."""
    stage.check_warm()
    port, homes, seconds = stage.site.port, stage.homes, stage.scale.seconds / 2
    line = Line(port)
    asks = [_as_the_pill_asks(line, reader) for reader in stage.readers]
    line.close()
    rates = in_turns(
        {
            "new": lambda: press(port, asks, seconds=seconds).per_second,
            "home": lambda: press(port, homes, seconds=seconds).per_second,
        },
        rounds=stage.scale.rounds,
    )
    stage.check_warm()
    yield ratio(
        "asking for new posts (none there) against the home page: requests/s",
        ("new: requests/s", rates["new"]),
        ("home: requests/s", rates["home"]),
        bar=Bar(least=5),
    )


def _as_the_pill_asks(line: Line, reader: Browser) -> Ask:
    """Return the request that the script of a page just shown sends; nothing new is a 204."""
    found = re.search(rb'id="pill"[^>]* hx-get="([^"]+)"', line.ask(reader.home()).body)
    if found is None:
        raise WrongAnswer("the page has no place for new posts")
    path = unescape(found[1].decode())
    return Ask(path, cookie=reader.cookie, headers={"HX-Request": "true"}, status=HTTPStatus.NO_CONTENT)
