"""Pages are fetched over TLS, from whoever can prove to have the name that was asked for, and from nobody else."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core import fetching
from app.core.fetching import Fetched, NotFetched
from tests.core.test_fetching import SOON, Names
from tests.outside import Outside, http, outside, redirect

TLS = Path(__file__).parent / "tls"  # an authority of nobody, and what it says of kettle.example, until 2125


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    return Names(monkeypatch)


@pytest.fixture
def server() -> Iterator[Outside]:
    """The server of kettle.example, which can prove it to those who trust the authority."""
    identity = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    identity.load_cert_chain(TLS / "kettle.example.pem")
    with outside(identity=identity) as running:
        running.serve("/tea", http("<title>Tea</title>"))
        yield running


def fetch(server: Outside, url: str, *, is_trusted: bool = True, others: Outside | None = None) -> Fetched:
    trusted = ssl.create_default_context(cafile=TLS / "authority.pem") if is_trusted else None
    allowed = [each.place for each in (server, others) if each]
    return fetching.fetch(url, kinds=("text/html",), bounds=SOON, allowed=allowed, trusted=trusted)


def test_a_page_is_fetched_over_tls(server: Outside, names: Names) -> None:
    names.lead("kettle.example", ["127.0.0.1"])
    found = fetch(server, server.url("/tea", host="kettle.example"))
    assert found.body == b"<title>Tea</title>" and found.url.startswith("https://kettle.example:")
    assert names.looks == 1, "the connection went to the address that was checked"


def test_a_redirect_leads_to_tls(server: Outside, names: Names) -> None:
    names.lead("kettle.example", ["127.0.0.1"])
    with outside() as plain:
        plain.serve("/", redirect(server.url("/tea", host="kettle.example")))
        assert fetch(server, plain.url(), others=plain).body == b"<title>Tea</title>"


def test_an_authority_that_nobody_trusts_proves_nothing(server: Outside, names: Names) -> None:
    """Without the trust of this test it is a stranger like any other: what the product trusts is not changed."""
    names.lead("kettle.example", ["127.0.0.1"])
    with pytest.raises(NotFetched, match="CERTIFICATE_VERIFY_FAILED"):
        fetch(server, server.url("/tea", host="kettle.example"), is_trusted=False)
    assert server.asked == []


def test_a_server_that_proves_another_name_is_not_asked(server: Outside, names: Names) -> None:
    names.lead("teapot.example", ["127.0.0.1"])
    with pytest.raises(NotFetched, match="Hostname mismatch"):
        fetch(server, server.url("/tea", host="teapot.example"))
    assert server.asked == []


def test_a_name_of_ours_is_not_asked_over_tls_either(server: Outside, names: Names) -> None:
    names.lead("kettle.example", ["127.0.0.1"])
    with outside("127.0.0.2") as other, pytest.raises(NotFetched, match="not a public address"):
        fetch(other, server.url("/tea", host="kettle.example"))
    assert server.asked == []
