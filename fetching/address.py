"""Is this address allowed? Only what the public internet routes, and only spelt the plain way."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

PORTS = {"http": 80, "https": 443}

# Names that lead inside by convention, whatever a resolver says about them.
INSIDE_NAMES = ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "arpa")

# Written out instead of trusting `is_global`, whose answer for several of these differs between Python releases.
REFUSED_V4: tuple[IPv4Network, ...] = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT, and one cloud's metadata
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's host, reachable from inside its machines only
        "169.254.0.0/16",  # link-local, and most clouds' metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments, and one cloud's metadata
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)

# Everything outside global unicast, and inside it what wraps an IPv4 address or is not for public use.
PUBLIC_V6 = IPv6Network("2000::/3")
REFUSED_V6: tuple[IPv6Network, ...] = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID, and more
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4 wraps any IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)

_ENDS_IN_A_NUMBER = re.compile(r"(?:^|\.)(?:\d+|0x[0-9a-f]*)$")


def is_public(address: str) -> bool:
    """Tell whether an address is one of the public internet."""
    try:
        ip = ip_address(address)
    except ValueError:  # also a zone such as fe80::1%eth0
        return False
    if isinstance(ip, IPv6Address):
        return ip.scope_id is None and ip in PUBLIC_V6 and not any(ip in network for network in REFUSED_V6)
    return not any(ip in network for network in REFUSED_V4)


def is_literal(host: str) -> bool:
    """Tell whether a host is an address written out in the one plain way."""
    if ":" in host:
        return _is_ip(host, IPv6Address)
    return _is_ip(host, IPv4Address) and str(IPv4Address(host)) == host


def _is_ip(host: str, kind: type[IPv4Address] | type[IPv6Address]) -> bool:
    try:
        kind(host)
    except ValueError:
        return False
    return True


def why_unsafe(host: str) -> str | None:
    """Say what is wrong with a host before anyone resolves it; None when nothing is."""
    name = host.lower().rstrip(".")
    if is_literal(name):
        return None if is_public(name) else f"{name} is not a public address"
    if ":" in name or "%" in name:
        return f"{host} is not an address"
    if _ENDS_IN_A_NUMBER.search(name):  # 2130706433, 0x7f.1, 0177.0.0.1, 127.1: resolvers read them as addresses
        return f"{host} is an odd spelling of an address"
    labels = name.split(".")
    if len(labels) < 2 or labels[-1] in INSIDE_NAMES:
        return f"{host} is a name of a private network"
    return None
