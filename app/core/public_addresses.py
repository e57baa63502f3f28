"""Which addresses belong to the open internet: nothing else is asked for on behalf of people."""

from __future__ import annotations

import socket
import threading
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from queue import Empty, SimpleQueue

Address = IPv4Address | IPv6Address

_GLOBAL_UNICAST = IPv6Network("2000::/3")  # so nothing that stands for an IPv4 address: mapped, compatible, NAT64
# Python's own list differs from version to version; these it may call global.
_NOT_PUBLIC_4 = [
    IPv4Network("192.0.0.0/24"),  # protocols; Oracle's cloud answers questions about a machine there
    IPv4Network("168.63.129.16/32"),  # Azure's does here
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
]
_NOT_PUBLIC_6 = [
    IPv6Network("2001::/23"),  # protocols, Teredo among them
    IPv6Network("2002::/16"),  # 6to4: an IPv4 address in disguise
    IPv6Network("3fff::/20"),  # documentation
]


def is_public(address: Address) -> bool:
    """Say whether an address can only be that of a machine that everybody can reach."""
    if isinstance(address, IPv6Address):
        is_unicast = address in _GLOBAL_UNICAST and address.scope_id is None
        return is_unicast and address.is_global and not any(address in network for network in _NOT_PUBLIC_6)
    in_list = any(address in network for network in _NOT_PUBLIC_4)
    return address.is_global and not address.is_multicast and not in_list


def resolve(host: str, port: int, *, seconds: float) -> list[Address]:
    """Return the addresses of a host, in the order in which they are to be tried; a TimeoutError if that takes longer.

    The system itself may take half a minute, and cannot be told to stop: a thread of its own waits for it.
    """
    answers: SimpleQueue[list[Address] | Exception] = SimpleQueue()

    def look() -> None:
        try:
            answers.put(_resolve(host, port))
        except Exception as error:
            answers.put(error)

    threading.Thread(target=look, name="resolve", daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty:
        raise TimeoutError(f"{host} was not found in time") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _resolve(host: str, port: int) -> list[Address]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(address[0]) for *_, address in found))
