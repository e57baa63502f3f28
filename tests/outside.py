"""Servers of other people: real ones, on this machine, that answer whatever a test wants, however badly."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

Answer = bytes | Callable[[socket.socket], None]


def http(
    body: bytes | str = b"", *, status: str = "200 OK", kind: str = "text/html; charset=utf-8", **headers: str
) -> bytes:
    """Return an answer as it goes over the wire."""
    body = body.encode() if isinstance(body, str) else body
    said = {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"}
    said |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in said.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def redirect(place: str, status: str = "302 Found") -> bytes:
    return http(status=status, Location=place)


@dataclass
class Outside:
    """A server of somebody else, and who asked it for what."""

    address: str
    port: int = 0
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    identity: ssl.SSLContext | None = None  # with one it speaks TLS

    @property
    def place(self) -> tuple[str, int]:
        """Return what a test must allow for it to be asked."""
        return self.address, self.port

    def url(self, path: str = "/", host: str | None = None) -> str:
        return f"http{'s' if self.identity else ''}://{host or self.address}:{self.port}{path}"

    def serve(self, path: str, answer: Answer) -> str:
        """Answer a path from now on, and return its address."""
        self.answers[path] = answer
        return self.url(path)

    def _secured(self, connection: socket.socket) -> socket.socket:
        return self.identity.wrap_socket(connection, server_side=True) if self.identity else connection

    def _answer(self, connection: socket.socket) -> None:
        with suppress(OSError), self._secured(connection) as connection:
            request = b""
            while b"\r\n\r\n" not in request:
                if not (more := connection.recv(65536)):
                    return
                request += more
            path = request.split()[1].decode()
            self.requests.append(request.decode("latin-1"))
            self.asked.append(path)
            answer = self.answers.get(path, http("nothing here", status="404 Not Found"))
            if callable(answer):
                answer(connection)
            else:
                connection.sendall(answer)


@contextmanager
def outside(address: str = "127.0.0.1", *, identity: ssl.SSLContext | None = None) -> Iterator[Outside]:
    """Run a server for the length of the block."""
    server = Outside(address, identity=identity)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, 0))
        listening.listen(16)
        server.port = listening.getsockname()[1]
        thread = threading.Thread(target=_serve, args=(server, listening), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            with suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            listening.close()
            thread.join()


def _serve(server: Outside, listening: socket.socket) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        threading.Thread(target=server._answer, args=(connection,), daemon=True).start()
