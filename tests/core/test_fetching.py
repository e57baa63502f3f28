"""Servers of other people are asked within bounds, and nothing but the internet is asked, whatever leads there."""

from __future__ import annotations

import gzip
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from app.core import fetching
from app.core.fetching import Bounds, Fetched, NotFetched, normal_url
from tests.outside import Outside, http, outside, redirect

SOON = Bounds(seconds=60.0, max_bytes=10_000)
BRIEF = Bounds(seconds=0.5, max_bytes=10_000)  # for what would never end


@pytest.fixture
def server() -> Iterator[Outside]:
    """A server that may be asked."""
    with outside() as running:
        yield running


@pytest.fixture
def inner() -> Iterator[Outside]:
    """A server on the same machine that must not be asked, at an address that a list of loopbacks may forget."""
    with outside("127.0.0.2") as running:
        running.serve("/", http("a secret"))
        yield running


def fetch(server: Outside, url: str, bounds: Bounds = SOON, *, allowed: bool = True) -> Fetched:
    return fetching.fetch(url, kinds=("text/html",), bounds=bounds, allowed=[server.place] if allowed else [])


class Names:
    """Names of hosts and what they lead to; each look at one is counted, and may find something else."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._known: dict[str, list[list[str]]] = {}
        self._real = socket.getaddrinfo
        self.looks = 0
        monkeypatch.setattr(socket, "getaddrinfo", self._look)

    def lead(self, host: str, *finds: list[str]) -> None:
        """Let each look find the next of these lists of addresses, and then the last of them."""
        self._known[host] = list(finds)

    def _look(self, host: Any, port: Any, *args: Any, **options: Any) -> Any:
        if host not in self._known:
            return self._real(host, port, *args, **options)
        self.looks += 1
        finds = self._known[host]
        addresses = finds.pop(0) if len(finds) > 1 else finds[0]
        return [found for address in addresses for found in self._real(address, port, *args, **options)]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    return Names(monkeypatch)


def test_a_page_is_fetched_with_the_name_of_its_host(server: Outside, names: Names) -> None:
    names.lead("tea.example", [server.address])
    server.serve("/leaves?x=1", http("<p>hello", kind='text/html; charset="ISO-8859-1"'))
    found = fetch(server, server.url("/leaves?x=1#top", host="tea.example"))
    assert (found.body, found.charset, found.is_whole) == (b"<p>hello", "ISO-8859-1", True)
    [request] = server.requests
    assert f"\r\nHost: tea.example:{server.port}\r\n" in request and "Freshet" in request
    assert "Cookie" not in request and "Referer" not in request and "Authorization" not in request


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.2:{port}/", "http://127.0.0.2.:{port}/", "http://2130706434:{port}/", "http://0x7f000002:{port}/",
        "http://127.2:{port}/", "http://[::ffff:127.0.0.2]:{port}/", "http://[::ffff:7f00:2]:{port}/",
        "http://localhost:{port}/", "http://LOCALHOST.:{port}/", "http://0.0.0.0:{port}/", "http://[::]:{port}/",
        "http://user@127.0.0.2:{port}/", "http://１２７.0.0.2:{port}/", "http://127。0。0。2:{port}/",
        "http://inner.example:{port}/", "http://tea.example@127.0.0.2:{port}/", "http://127.0.0.2:{port}\\@tea.example/",
    ],
)  # fmt: skip
def test_what_is_on_our_side_is_not_asked(server: Outside, inner: Outside, names: Names, url: str) -> None:
    names.lead("inner.example", [inner.address])
    with pytest.raises(NotFetched):
        fetch(server, url.format(port=inner.port))
    assert inner.asked == []


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
@pytest.mark.parametrize("place", ["http://{address}:{port}/", "//{address}:{port}/", "http://inner.example:{port}/"])
def test_a_redirect_leads_to_nothing_on_our_side(
    server: Outside, inner: Outside, names: Names, status: str, place: str
) -> None:
    names.lead("inner.example", [inner.address])
    start = server.serve("/", redirect(place.format(address=inner.address, port=inner.port), status))
    with pytest.raises(NotFetched, match="not a public address"):
        fetch(server, start)
    assert (server.asked, inner.asked) == (["/"], [])


def test_a_name_that_changes_its_mind_is_looked_at_once_for_each_connection(
    server: Outside, inner: Outside, names: Names
) -> None:
    names.lead("fickle.example", [server.address], [inner.address])
    server.serve("/", http("hello"))
    assert fetch(server, server.url(host="fickle.example")).body == b"hello"
    assert names.looks == 1, "what was checked is what was connected to"
    with pytest.raises(NotFetched, match="not a public address"):
        fetch(server, server.url(host="fickle.example"))


def test_a_name_that_changes_its_mind_between_two_redirects_is_checked_again(server: Outside, names: Names) -> None:
    names.lead("fickle.example", [server.address], ["127.0.0.2"])
    server.serve("/", redirect("/again"))
    server.serve("/again", http("hello"))
    with pytest.raises(NotFetched, match="not a public address"):
        fetch(server, server.url(host="fickle.example"))
    assert server.asked == ["/"] and names.looks == 2


@pytest.mark.parametrize("others", [["127.0.0.2"], ["10.0.0.1"], ["::1"], ["169.254.169.254"]])
def test_a_name_with_one_address_of_ours_is_not_asked_at_all(server: Outside, names: Names, others: list[str]) -> None:
    server.serve("/", http("hello"))
    for addresses in ([server.address, *others], [*others, server.address]):
        names.lead("both.example", addresses)
        with pytest.raises(NotFetched, match="not a public address"):
            fetch(server, server.url(host="both.example"))
    assert server.asked == []


def test_the_next_address_of_a_name_is_tried_where_one_does_not_answer(server: Outside, names: Names) -> None:
    server.serve("/", http("hello"))
    names.lead("two.example", ["127.0.0.3", server.address])
    allowed = [server.place, ("127.0.0.3", server.port)]
    found = fetching.fetch(server.url(host="two.example"), kinds=("text/html",), bounds=SOON, allowed=allowed)
    assert found.body == b"hello"


def test_only_the_first_addresses_of_a_name_are_tried(server: Outside, names: Names) -> None:
    server.serve("/", http("hello"))
    silent = [f"127.0.0.{number}" for number in range(3, 3 + fetching.MAX_ADDRESSES)]
    names.lead("many.example", [*silent, server.address])
    allowed = [server.place, *((address, server.port) for address in silent)]
    with pytest.raises(NotFetched, match="ConnectError"):
        fetching.fetch(server.url(host="many.example"), kinds=("text/html",), bounds=SOON, allowed=allowed)
    assert server.asked == []


def test_a_host_that_is_an_address_in_brackets_is_named_as_it_is_written() -> None:
    with outside("::1") as server:
        server.serve("/", http("hello"))
        assert fetch(server, server.url(host="[::1]")).body == b"hello"
    assert f"\r\nHost: [::1]:{server.port}\r\n" in server.requests[0]


@pytest.mark.parametrize("port", [22, 25, 6379, 5432, 8080, 11211])
def test_other_ports_are_refused_at_public_addresses_too(
    names: Names, monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    names.lead("public.example", ["1.1.1.1"])
    monkeypatch.setattr(socket, "create_connection", _never)
    with pytest.raises(NotFetched, match="not a public address"):
        fetching.fetch(f"http://public.example:{port}/", kinds=("text/html",), bounds=SOON)


def _never(*_: Any, **__: Any) -> None:
    raise AssertionError("connected")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://tea.example/", "file:///etc/passwd", "gopher://tea.example/", "javascript:alert(1)", "data:text/html,x",
        "http://", "http:///x", "http://tea.example:99999/", "http://tea.example:x/", "http://[::1/", "http://tea/",
        "http://user:secret@tea.example/", "http://.tea.example/", "http://tea..example/", "http://te a.example/",
        f"http://{'a' * 64}.example/", f"http://tea.example/{'a' * 2000}", "", "tea.example", "http://tea.example:0/",
    ],
)  # fmt: skip
def test_what_is_no_address_of_the_web_is_not_looked_for(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", _never)
    assert normal_url(url) is None
    with pytest.raises(NotFetched, match="not an address"):
        fetching.fetch(url, kinds=("text/html",), bounds=SOON)


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTP://Tea.Example", "http://tea.example/"),
        ("https://tea.example/a b?c=d e#f", "https://tea.example/a%20b?c=d%20e"),
        ("https://bücher.example/grün?ü#ü", "https://xn--bcher-kva.example/gr%C3%BCn?%C3%BC"),
        ("https://tea.example/%7Ea/%2F", "https://tea.example/%7Ea/%2F"),
        ("https://tea.example./", "https://tea.example/"),
        ("https://tea.example:443/", "https://tea.example/"),
        ("http://tea.example:80", "http://tea.example/"),
        ("http://tea.example:443/", "http://tea.example:443/"),
        ("http://[2606:4700:0:0::1]/", "http://[2606:4700::1]/"),
        ("https://tea.example/\r\nX: y", "https://tea.example/X:%20y"),
    ],
)
def test_an_address_has_one_spelling(url: str, normal: str) -> None:
    assert normal_url(url) == normal
    assert normal_url(normal) == normal


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_redirect_may_lead_to_letters_of_any_language(server: Outside, encoding: str) -> None:
    place = "/caf\u00e9?q=th\u00e9"
    server.serve("/", b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + place.encode(encoding) + b"\r\n\r\n")
    server.serve("/caf%C3%A9?q=th%C3%A9", http("here"))
    assert fetch(server, server.url("/")).body == b"here"


def test_redirects_are_followed_and_end(server: Outside) -> None:
    server.serve("/", redirect("one"))
    server.serve("/one", redirect("?two", "308 Permanent Redirect"))
    server.serve("/one?two", redirect(server.url("/three")))
    server.serve("/three", http("here"))
    found = fetch(server, server.url())
    assert (found.body, found.url) == (b"here", server.url("/three"))
    server.serve("/round", redirect("/round"))
    server.asked.clear()
    with pytest.raises(NotFetched, match="too many redirects"):
        fetch(server, server.url("/round"))
    assert len(server.asked) == fetching.MAX_REDIRECTS + 1


@pytest.mark.parametrize(
    "answer",
    [
        http("nothing", status="404 Not Found"),
        http("broken", status="500 Oh"),
        http(status="204 No Content"),
        http("part", status="206 Partial Content"),
        http(status="302 Found"),
        http("%PDF", kind="application/pdf"),
        http("x", kind=""),
        http("x", kind="text/html-not"),
        http("x", kind="text/plain"),
        http("x", Content_Encoding="br"),
        http("x", Content_Encoding="gzip, gzip"),
        http("not packed at all", Content_Encoding="gzip"),
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: x\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 500\r\n\r\ntorn",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"a" * 500_000,
        b"",
    ],
)
def test_what_is_not_a_page_is_no_page(server: Outside, answer: bytes) -> None:
    with pytest.raises(NotFetched):
        fetch(server, server.serve("/", answer))


def test_nothing_listens_where_nobody_answers(server: Outside) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        place = taken.getsockname()
        with pytest.raises(NotFetched):
            fetching.fetch(f"http://127.0.0.1:{place[1]}/", kinds=("text/html",), bounds=SOON, allowed=[place])


def test_of_a_page_without_end_only_the_beginning_is_read(server: Outside) -> None:
    closed = threading.Event()

    def pour(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        with suppress(OSError):
            while True:
                connection.sendall(b"x" * 65_536)
        closed.set()

    found = fetch(server, server.serve("/", pour))
    assert (len(found.body), found.is_whole) == (10_000, False)
    assert closed.wait(60), "nobody listens to the rest"


def test_a_packed_page_is_unpacked(server: Outside) -> None:
    for name, packed in (("gzip", gzip.compress(b"<p>hello")), ("deflate", zlib.compress(b"<p>hello"))):
        found = fetch(server, server.serve("/", http(packed, Content_Encoding=name)))
        assert (found.body, found.is_whole) == (b"<p>hello", True)


def test_a_bomb_is_unpacked_no_further_than_its_beginning(server: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = gzip.compress(bytes(200_000_000), compresslevel=1)
    unpacked: list[int] = []
    real = zlib.decompressobj

    class Counting:
        def __init__(self, **options: Any) -> None:
            self._real = real(**options)

        def decompress(self, *args: Any) -> bytes:
            piece = self._real.decompress(*args)
            unpacked.append(len(piece))
            return piece

        @property
        def eof(self) -> bool:
            return bool(self._real.eof)

    monkeypatch.setattr(zlib, "decompressobj", Counting)
    found = fetch(server, server.serve("/", http(bomb, Content_Encoding="gzip")))
    assert (len(found.body), found.is_whole) == (10_000, False)
    assert sum(unpacked) == 10_001


PACKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"


def pouring(beginning: bytes, more: bytes) -> Callable[[socket.socket], None]:
    """Return what answers without end."""

    def answer(connection: socket.socket) -> None:
        with suppress(OSError):
            connection.sendall(beginning)
            while True:
                connection.sendall(more)

    return answer


def test_what_follows_a_packed_page_is_not_read(server: Outside) -> None:
    found = fetch(server, server.serve("/", pouring(PACKED + gzip.compress(b"<p>hello"), b"x" * 65_536)))
    assert (found.body, found.is_whole) == (b"<p>hello", True)


def test_what_is_sent_counts_though_nothing_comes_out_of_it(server: Outside) -> None:
    empty_blocks = b"\x00\x00\x00\xff\xff" * 10_000
    beginning = PACKED + gzip.compress(b"", mtime=0)[:10]
    found = fetch(server, server.serve("/", pouring(beginning, empty_blocks)))
    assert (found.body, found.is_whole) == (b"", False)


def test_what_stands_behind_a_semicolon_is_asked_for(server: Outside) -> None:
    assert fetch(server, server.serve("/tea;kind=green/leaf;of=2?x=1;y=2", http("hello"))).body == b"hello"
    assert server.asked == ["/tea;kind=green/leaf;of=2?x=1;y=2"]


def test_a_name_that_is_not_found_in_time_is_not_waited_for(server: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    found = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found.wait(60))
    try:
        with pytest.raises(NotFetched, match="in time"):
            fetch(server, "http://slow.example/", BRIEF)
    finally:
        found.set()


def drip(beginning: bytes, drops: bytes, closed: threading.Event) -> Callable[[socket.socket], None]:
    """Return what answers a drop at a time, so that no single wait is long, until nobody listens."""

    def answer(connection: socket.socket) -> None:
        with suppress(OSError):
            connection.sendall(beginning)
            while True:
                connection.sendall(drops)
                time.sleep(0.02)
        closed.set()

    return answer


@pytest.mark.parametrize(
    ("beginning", "drops"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
        (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ],
)
def test_a_server_that_drips_is_left_in_the_end(server: Outside, beginning: bytes, drops: bytes) -> None:
    closed = threading.Event()
    with pytest.raises(NotFetched):
        fetch(server, server.serve("/", drip(beginning, drops, closed)), BRIEF)
    assert closed.wait(60)


def test_a_server_that_says_nothing_is_left_in_the_end(server: Outside) -> None:
    left = threading.Event()

    def wait(connection: socket.socket) -> None:
        connection.recv(1)
        left.set()

    with pytest.raises(NotFetched):
        fetch(server, server.serve("/", wait), BRIEF)
    assert left.wait(60)


def test_a_handshake_that_drips_is_left_in_the_end(server: Outside) -> None:
    with pytest.raises(NotFetched):
        fetch(server, server.url().replace("http:", "https:"), BRIEF)


def test_the_deadline_is_one_for_all_redirects(server: Outside) -> None:
    def late(connection: socket.socket) -> None:
        time.sleep(0.2)
        connection.sendall(redirect("/"))

    with pytest.raises(NotFetched, match=r"too slow|Timeout"):
        fetch(server, server.serve("/", late), BRIEF)


def test_no_proxy_of_the_environment_is_asked(
    server: Outside, inner: Outside, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    names.lead("tea.example", [server.address])
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy"):
        monkeypatch.setenv(name, inner.url())
    server.serve("/", http("hello"))
    assert fetch(server, server.url(host="tea.example")).body == b"hello"
    assert inner.asked == []


def test_without_the_allowance_of_a_test_this_machine_is_not_asked(server: Outside) -> None:
    server.serve("/", http("hello"))
    with pytest.raises(NotFetched, match="not a public address"):
        fetch(server, server.url(), allowed=False)
    assert server.asked == []
