"""Ask servers of other people: only public addresses, and within bounds of time, size and redirects.

A name is resolved once for each connection, and the connection goes to the address that was checked. That holds for
each redirect, too. Nothing else decides where we connect to: no proxy of the environment, no second look at the name.
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from ipaddress import IPv6Address
from ssl import SSLContext
from typing import Any
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

import httpcore
import idna
from werkzeug.http import parse_options_header

from app.core.public_addresses import is_public, resolve

LONGEST_URL = 2000
MAX_REDIRECTS = 5
MAX_ADDRESSES = 4  # of a name that are tried, one after the other
REDIRECTS = {301, 302, 303, 307, 308}
PORTS = {80, 443}
DEFAULT_PORTS = {"http": 80, "https": 443}
SECONDS_TO_CONNECT = 4.0
UNPACKED = {"", "identity"}
PACKED = {"gzip", "x-gzip", "deflate"}  # what we can unpack without trusting its size
_HOST = re.compile(r"(?=.{1,253}$)([a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}")  # a name without a dot is one of ours
AGENT = "Mozilla/5.0 (compatible; Freshet; link cards)"

Where = Collection[tuple[str, int]]  # addresses and ports


class NotFetched(Exception):
    """Nothing came of it: wrong address, no answer, the wrong answer, too slow, too large."""


@dataclass(frozen=True)
class Bounds:
    """How much is worth waiting for: seconds in all, from the first look at a name to the last byte."""

    seconds: float
    max_bytes: int


@dataclass(frozen=True)
class Fetched:
    """What a server answered."""

    url: str  # after all redirects
    charset: str | None
    body: bytes
    is_whole: bool


def normal_url(url: str) -> str | None:
    """Return a web address in the one spelling that it is asked for under, without fragment; None if it is none."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in DEFAULT_PORTS or not parts.hostname or parts.username is not None or parts.port == 0:
            return None
        port = "" if parts.port in {None, DEFAULT_PORTS[parts.scheme]} else f":{parts.port}"
        host = _normal_host(parts.hostname)
    except ValueError:  # a port or brackets that are none, a name that cannot be one
        return None
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
    normal = urlunsplit((parts.scheme, host + port, path, quote(parts.query, safe="/%:@!$&'()*+,;=~?"), ""))
    return normal if len(normal) <= LONGEST_URL else None


def _normal_host(host: str) -> str:
    if ":" in host:
        return f"[{IPv6Address(host)}]"
    host = host if host.isascii() else idna.encode(host, uts46=True).decode()
    if not _HOST.fullmatch(host := host.lower().removesuffix(".")):
        raise ValueError("no name of a host")
    return host


def fetch(
    url: str, *, kinds: Collection[str], bounds: Bounds, allowed: Where = (), trusted: SSLContext | None = None
) -> Fetched:
    """Return what is at an address, if it is of one of these kinds; what is too long is cut.

    `allowed` is where a test serves what is to be fetched, its own machine, and `trusted` whom it trusts there.
    """
    backend = _CheckedBackend(_Deadline(bounds.seconds), allowed)
    try:
        with httpcore.ConnectionPool(trusted, network_backend=backend, max_connections=1) as connections:
            for _ in range(MAX_REDIRECTS + 1):
                answer = _ask(connections, url, kinds, bounds.max_bytes)
                if isinstance(answer, Fetched):
                    return answer
                url = answer
    except (
        httpcore.NetworkError,
        httpcore.TimeoutException,
        httpcore.ProtocolError,
        OSError,
        UnicodeError,
        zlib.error,
    ) as error:
        raise NotFetched(f"{type(error).__name__}: {error}") from error
    raise NotFetched("too many redirects")


def _ask(connections: httpcore.ConnectionPool, url: str, kinds: Collection[str], max_bytes: int) -> Fetched | str:
    """Return what one address answers: what was asked for, or where it is instead."""
    asked = normal_url(url)
    if asked is None:
        raise NotFetched("not an address of the web")
    # Of an address in brackets, httpcore itself would name the host without them.
    headers = [("Host", urlsplit(asked).netloc), ("User-Agent", AGENT), ("Accept", ", ".join(kinds))]
    headers += [("Accept-Encoding", "identity"), ("Connection", "close")]
    with connections.stream("GET", _as_asked(asked), headers=headers) as response:
        said = {name.lower().decode("latin-1"): value.decode("latin-1") for name, value in response.headers}
        if response.status in REDIRECTS and "location" in said:
            return _joined(asked, _as_meant(said["location"]))
        if response.status != 200:
            raise NotFetched(f"answered {response.status}")
        kind, options = parse_options_header(said.get("content-type"))
        if kind.lower() not in kinds:
            raise NotFetched(f"of the kind {kind[:100]!r}")
        packing = _Packing(said.get("content-encoding", "").strip().lower())
        body, is_whole = _read(response.iter_stream(), packing, max_bytes)
    return Fetched(asked, options.get("charset"), body, is_whole)


def _as_meant(header: str) -> str:
    """Return a header as UTF-8, which servers send and browsers read, if it can be that."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeDecodeError:
        return header


def _joined(url: str, place: str) -> str:
    try:
        return urljoin(url, place)
    except ValueError as error:
        raise NotFetched("redirected to no address") from error


def _as_asked(url: str) -> httpcore.URL:
    """Return an address as it is: left to itself, httpcore drops what stands behind a semicolon."""
    parts = urlsplit(url)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return httpcore.URL(scheme=parts.scheme, host=parts.hostname or "", port=parts.port, target=target)


def _read(chunks: Iterable[bytes], packing: _Packing, max_bytes: int) -> tuple[bytes, bool]:
    """Return the first bytes of a body, and whether that is all of it. What is sent counts, packed or not."""
    body, received = bytearray(), 0
    for chunk in chunks:
        received += len(chunk)
        body += packing.unpack(chunk, max_bytes + 1 - len(body))
        if len(body) > max_bytes:
            return bytes(body[:max_bytes]), False
        if packing.has_ended:
            break
        if received > max_bytes:
            return bytes(body), False
    return bytes(body), True


class _Packing:
    """How a body is packed."""

    def __init__(self, encoding: str) -> None:
        if encoding not in PACKED | UNPACKED:
            raise NotFetched(f"packed as {encoding[:100]!r}")
        self._packed = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32) if encoding in PACKED else None

    def unpack(self, chunk: bytes, room: int) -> bytes:
        """Unpack the next bytes to no more than there is room for."""
        return chunk if self._packed is None else self._packed.decompress(chunk, room)

    @property
    def has_ended(self) -> bool:
        """Say whether what is packed has an end and that was read: what follows is of no use, and would be kept."""
        return self._packed is not None and self._packed.eof


class _Deadline:
    """When it is too late, whatever is being waited for."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def seconds_left(self) -> float:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise NotFetched("too slow")
        return left


class _CheckedBackend(httpcore.NetworkBackend):
    """Connects to the public addresses of a host, and to nothing else."""

    def __init__(self, deadline: _Deadline, allowed: Where) -> None:
        self._deadline = deadline
        self._allowed = allowed

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        addresses = resolve(host, port, seconds=self._deadline.seconds_left())
        # All of them: who answers with one of ours among others means that one.
        if not all(self._may_ask(str(address), port, is_public(address)) for address in addresses):
            raise NotFetched("not a public address")
        error: Exception = NotFetched("no address")
        for address in addresses[:MAX_ADDRESSES]:
            seconds = min(SECONDS_TO_CONNECT, self._deadline.seconds_left())
            try:
                stream = httpcore.SyncBackend().connect_tcp(str(address), port, timeout=seconds)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failure:
                error = failure
            else:
                return _TimedStream(stream, self._deadline)
        raise error

    def _may_ask(self, address: str, port: int, is_public: bool) -> bool:
        return (is_public and port in PORTS) or (address, port) in self._allowed


class _TimedStream(httpcore.NetworkStream):
    """A connection on which every wait ends at the same deadline: a byte a second does not begin it anew."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: _Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.seconds_left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.seconds_left())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.seconds_left())
        return _TimedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
