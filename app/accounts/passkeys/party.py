"""Where passkeys of this site work: at its configured address, whatever a request says of its host."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import current_app

PORTS = {"http": 80, "https": 443}
THIS_MACHINE = "localhost"


@dataclass(frozen=True)
class Party:
    """The site as browsers name it to passkeys."""

    id: str
    origin: str


def party() -> Party | None:
    """Return what passkeys are made for; None where browsers know none: without TLS, or at a number."""
    return _party_at(current_app.config["SITE_URL"])


def _party_at(url: str) -> Party | None:
    parts = urlsplit(url)
    host = parts.hostname or ""
    if _is_number(host):
        if not ip_address(host).is_loopback:
            return None
        host = THIS_MACHINE  # the same site under a name, which passkeys need
    if parts.scheme != "https" and host != THIS_MACHINE:
        return None
    try:
        host = host.encode("idna").decode()
    except UnicodeError:
        return None
    port = "" if parts.port in (None, PORTS[parts.scheme]) else f":{parts.port}"
    return Party(host, f"{parts.scheme}://{host}{port}")


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
