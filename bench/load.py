"""The load generator: keep-alive connections that ask, time and check every answer."""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlencode

TIMEOUT_SECONDS = 30.0
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CLOSES = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)


class WrongAnswer(Exception):
    """A server did not answer as it must: what it was quick at is not what is measured."""


@dataclass(frozen=True)
class Ask:
    """A request, and what a right answer to it looks like."""

    path: str
    cookie: str = ""
    form: Mapping[str, str] | None = None  # makes it a POST
    headers: Mapping[str, str] = field(default_factory=dict)
    articles: int | None = None  # how many the page must hold
    status: HTTPStatus = HTTPStatus.OK

    def encode(self) -> bytes:
        """Return the request as it goes over the line."""
        body = b"" if self.form is None else urlencode(self.form).encode()
        headers = {"Host": "127.0.0.1", "Accept": "text/html", **self.headers}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if self.form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Content-Length"] = str(len(body))
        head = [f"{'GET' if self.form is None else 'POST'} {self.path} HTTP/1.1"]
        head += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join([*head, "", ""]).encode() + body


@dataclass(frozen=True)
class Answer:
    """What came back, and after how long."""

    status: int
    body: bytes
    closes: bool
    seconds: float

    def check(self, ask: Ask) -> None:
        """Refuse an answer that is not the right one."""
        if self.status != ask.status:
            raise WrongAnswer(f"{ask.path} answered {self.status} instead of {ask.status.value}")
        if ask.articles is not None and self.body.count(b"<article") != ask.articles:
            raise WrongAnswer(f"{ask.path} has {self.body.count(b'<article')} articles instead of {ask.articles}")


class Line:
    """One keep-alive connection. A server that closes it after each answer costs a new one each time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None
        self._received = bytearray()
        self._needed = 0  # bytes of the whole answer; 0 while its head is not complete
        self._sent_at = 0.0
        self._is_over = False  # the server said that it closes the connection

    def fileno(self) -> int:
        """Return the descriptor, for a selector."""
        assert self._socket is not None, "nothing was asked yet"
        return self._socket.fileno()

    def send(self, request: bytes) -> None:
        """Send a request; the clock starts before the connection is made, as it does for a person."""
        self._sent_at = time.perf_counter()
        if self._is_over:
            self.close()
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=TIMEOUT_SECONDS)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(request)

    def receive(self) -> Answer | None:
        """Take what has arrived; return the answer once it is complete."""
        assert self._socket is not None, "nothing was asked yet"
        chunk = self._socket.recv(262_144)
        if not chunk:
            raise WrongAnswer("the server closed the connection in the middle of an answer")
        self._received += chunk
        if not self._needed:
            self._read_head()
        if not self._needed or len(self._received) < self._needed:
            return None
        return self._finish()

    def ask(self, ask: Ask) -> Answer:
        """Ask, wait and check."""
        self.send(ask.encode())
        while (answer := self.receive()) is None:
            pass
        answer.check(ask)
        return answer

    def close(self) -> None:
        """Hang up."""
        if self._socket is not None:
            self._socket.close()
            self._socket, self._is_over = None, False

    def _read_head(self) -> None:
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return
        if int(self._received[9:12]) == HTTPStatus.NO_CONTENT:
            self._needed = end + 4
            return
        length = _LENGTH.search(self._received, 0, end)
        if length is None:
            raise WrongAnswer("an answer without Content-Length: the load generator cannot tell where it ends")
        self._needed = end + 4 + int(length[1])

    def _finish(self) -> Answer:
        seconds = time.perf_counter() - self._sent_at
        head_end = self._received.index(b"\r\n\r\n")
        self._is_over = _CLOSES.search(self._received, 0, head_end) is not None
        answer = Answer(int(self._received[9:12]), bytes(self._received[head_end + 4 :]), self._is_over, seconds)
        self._received.clear()
        self._needed = 0
        return answer


@dataclass(frozen=True)
class Load:
    """What a server did under load, and how busy that kept us."""

    seconds: float
    latencies: Sequence[float]
    busy_seconds: float

    @property
    def per_second(self) -> float:
        """Return answers per second."""
        return len(self.latencies) / self.seconds

    @property
    def busy(self) -> float:
        """Return the share of one core that the load generator took: near 1 it would be what is measured."""
        return self.busy_seconds / self.seconds

    def percentile(self, percent: float) -> float:
        """Return the time within which so many percent of the answers came."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def press(port: int, asks: Sequence[Ask], *, seconds: float) -> Load:
    """Keep one connection per ask busy for a while: each sends its next request when its answer is complete.

    However slow the server is, there are as many answers as connections.
    """
    requests = [ask.encode() for ask in asks]
    lines = [Line(port) for _ in asks]
    latencies: list[float] = []
    selector = selectors.DefaultSelector()
    busy_from, begun = time.process_time(), time.perf_counter()
    try:
        for number, line in enumerate(lines):
            line.send(requests[number])
            selector.register(line, selectors.EVENT_READ, number)
        while (now := time.perf_counter()) - begun < seconds or len(latencies) < len(asks):
            ready = selector.select(TIMEOUT_SECONDS)
            if not ready:
                raise WrongAnswer(f"no answer for {TIMEOUT_SECONDS:.0f} seconds")
            for key, _ in ready:
                number = key.data
                answer = lines[number].receive()
                if answer is not None:
                    answer.check(asks[number])
                    latencies.append(answer.seconds)
                    _ask_again(selector, key, lines[number], requests[number], reconnects=answer.closes)
        return Load(now - begun, latencies, time.process_time() - busy_from)
    finally:
        selector.close()
        for line in lines:
            line.close()


def _ask_again(
    selector: selectors.BaseSelector, key: selectors.SelectorKey, line: Line, request: bytes, *, reconnects: bool
) -> None:
    if reconnects:
        selector.unregister(line)
    line.send(request)
    if reconnects:
        selector.register(line, selectors.EVENT_READ, key.data)
