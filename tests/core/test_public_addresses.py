"""What is not a public address is not asked, however it is spelled."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Any

import pytest

from app.core.public_addresses import is_public, resolve


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.215.14", "8.8.8.8", "2606:4700:4700::1111", "2a00:1450:4001::8a"]
)
def test_the_internet_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.9.10", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "168.63.129.16", "192.0.2.1", "198.18.0.1",
        "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1",
        "64:ff9b:1::1", "2002:7f00:1::1", "2002:a00:1::", "2001::1", "2001:0:7f00:1::", "2001:db8::1", "3fff::1",
        "fe80::1", "fe80::1%eth0", "2606:4700::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "100::1",
    ],
)  # fmt: skip
def test_everything_else_is_not(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("name", ["127.0.0.1", "127.1", "0x7f.1", "0177.0.0.1", "2130706433"])
def test_numbers_in_odd_spellings_are_the_addresses_that_the_system_takes_them_for(name: str) -> None:
    assert [str(address) for address in resolve(name, 80, seconds=60)] == ["127.0.0.1"]


def test_each_address_of_a_name_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_: Any, **__: Any) -> list[Any]:
        both = [("1.1.1.1", 80), ("2606:4700::1", 80, 0, 0), ("1.1.1.1", 80)]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", place) for place in both]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    assert [str(address) for address in resolve("example.org", 80, seconds=60)] == ["1.1.1.1", "2606:4700::1"]
