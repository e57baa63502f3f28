"""The web address: whether it is free before the start, whether the site answers there after it."""

from __future__ import annotations

import errno
import http.client
import socket
import time

from app.runtime.failure import StartFailure

EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def check_port(host: str, port: int, *, patience: float = 0.0) -> str:
    """Return the numeric address to listen on; a port that stays taken for `patience` seconds is a sentence."""
    family, address = _resolve(host, port)
    deadline = time.monotonic() + patience
    while (problem := _bind_error(family, address, port)) is not None:
        if problem.errno != errno.EADDRINUSE or time.monotonic() >= deadline:
            raise StartFailure(_sentence(problem, host, port)) from problem
        time.sleep(0.1)
    return address


def free_port() -> int:
    """Return a port that nothing listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def site_url(address: str, port: int) -> str:
    """Return the address to open in a browser on this machine."""
    shown = EVERY_ADDRESS.get(address, address)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def is_healthy(address: str, port: int) -> bool:
    """Say whether the site answers its health check."""
    connection = http.client.HTTPConnection(EVERY_ADDRESS.get(address, address), port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _resolve(host: str, port: int) -> tuple[socket.AddressFamily, str]:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise StartFailure(f"HOST={host} is not an address of this machine. Leave it out, or try 127.0.0.1") from error
    return family, str(address[0])


def _bind_error(family: socket.AddressFamily, address: str, port: int) -> OSError | None:
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            return error
    return None


def _sentence(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65_535 else 8000
        return f"PORT {port} is taken by another program. Choose another one: PORT={other} make run"
    if error.errno == errno.EACCES:
        return f"PORT {port} is only for root. Choose one above 1023: PORT=8000 make run"
    return f"HOST={host} PORT={port} cannot be listened on: {error.strerror}"
