"""What clumsy clients get from each web server, and what they do to everybody else."""

from __future__ import annotations

import contextlib
import http.client
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http import HTTPStatus

from bench import web
from bench.load import Ask, Line
from bench.report import Bar, Figure
from bench.stage import Stage

CLIENTS = 4  # twice as many as there are workers
PATIENCE_SECONDS = 2.0
TOO_MUCH = 10 * 1024 * 1024

FORM = "application/x-www-form-urlencoded"
IDLE = b""  # a browser opens connections before it needs them
HALF_A_BODY = f"POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: {FORM}\r\nContent-Length: 999\r\n\r\nlogin=".encode()


def measure(stage: Stage) -> Iterator[Figure]:
    """Ask each server for a page while others are slow, and send it more than it takes."""
    trials: dict[str, Callable[[int], int]] = {
        "people answered within 2 s while 4 others hold idle connections": lambda port: _answered_beside(port, IDLE),
        "people answered within 2 s while 4 others stall in mid-body": lambda port: _answered_beside(port, HALF_A_BODY),
        "clients that send 10 MB before they read, and then see the 413 page": _told_too_large,
    }
    servers = {"as run": stage.site, **{name: stage.rival(name) for name in web.RIVALS}}
    for name, trial in trials.items():
        answered = {kind: float(trial(server.port)) for kind, server in servers.items()}
        unit, bar = f"of {CLIENTS}", Bar(least=CLIENTS)
        yield Figure(name, answered["as run"], unit=unit, bar=bar, behind=answered)


def _answered_beside(port: int, first_words: bytes) -> int:
    """Return how many of four people get an answer while four others say only their first words."""
    with ExitStack() as cleanup:
        for _ in range(CLIENTS):
            slow = cleanup.enter_context(socket.create_connection((web.HOST, port), timeout=PATIENCE_SECONDS))
            slow.sendall(first_words)
        time.sleep(0.2)  # until the server has taken them
        lines = [cleanup.enter_context(contextlib.closing(Line(port))) for _ in range(CLIENTS)]
        return _answers(lines, Ask("/healthz"))


def _answers(lines: list[Line], ask: Ask) -> int:
    answered, deadline = 0, time.monotonic() + PATIENCE_SECONDS
    with selectors.DefaultSelector() as selector:
        for line in lines:
            line.send(ask.encode())
            selector.register(line, selectors.EVENT_READ, line)
        while answered < len(lines) and (left := deadline - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                if key.data.receive() is not None:
                    selector.unregister(key.fileobj)
                    answered += 1
    return answered


def _told_too_large(port: int) -> int:
    """Return how many of four clients that write everything before they read see the page that says why not."""
    return sum(_sees_the_page(port) for _ in range(CLIENTS))


def _sees_the_page(port: int) -> bool:
    connection = http.client.HTTPConnection(web.HOST, port, timeout=PATIENCE_SECONDS * 5)
    try:
        connection.request("POST", "/posts", body=b"a" * TOO_MUCH, headers={"Content-Type": FORM})
        answer = connection.getresponse()
        return answer.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE and b"Too large" in answer.read()
    except OSError:  # the server hung up in the middle of it
        return False
    finally:
        connection.close()
