"""Whether a block of sign-ups is about somebody. A pattern of handles has no signs but *, and takes no time."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from email_validator import EmailNotValidError, validate_email

from app.accounts.blocks.models import DOMAIN, NETWORK, SignupBlock


def is_about(block: SignupBlock, *, handle: str, domain: str, address: str) -> bool:
    """Say whether a block is about a sign-up, with its domain in ASCII; what is not known yet is empty."""
    if block.kind == DOMAIN:
        return domain == block.value or domain.endswith(f".{block.value}")
    if block.kind == NETWORK:
        return is_within(address, block.value)
    return bool(handle) and fits(handle, block.value)


def ascii_domain(domain: str) -> str:
    """Return the one spelling under which the domain of an e-mail address is compared: in ASCII, as servers know it."""
    domain = domain.strip().rstrip(".").lower()
    try:
        known = validate_email(f"x@{domain}", check_deliverability=False, test_environment=True).ascii_domain
    except EmailNotValidError:
        return domain
    return known.lower()


def is_within(address: str, network: str) -> bool:
    """Say whether an address lies in a range; an IPv4 address in the clothes of IPv6 is one of IPv4."""
    try:
        found = ip_address(address)
    except ValueError:  # a Unix socket has none
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return found in ip_network(network)


def fits(handle: str, pattern: str) -> bool:
    """Say whether a handle fits a pattern, in which * stands for anything.

    Each piece between two stars is taken where it comes first, so nothing is tried twice.
    """
    first, *rest = pattern.lower().split("*")
    handle = handle.lower()
    if not rest:
        return handle == first
    if not handle.startswith(first):
        return False
    at = len(first)
    for piece in rest[:-1]:
        found = handle.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return len(handle) - len(rest[-1]) >= at and handle.endswith(rest[-1])
