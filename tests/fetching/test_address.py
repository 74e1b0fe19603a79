"""Where we never go, however it is spelt."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fetching.address import is_literal, is_public, why_unsafe

PRIVATE = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",  # a cloud's metadata inside carrier-grade NAT
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.7",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",  # Teredo
    "2001:db8::1",
    "2002:7f00:1::",  # 6to4 around 127.0.0.1
    "2002:808:808::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1111%eth0",
    "fec0::1",
    "ff02::1",
]
PUBLIC = ["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.32.0.1", "168.63.129.17", "198.20.0.1"]
PUBLIC += ["2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1"]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_fine(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_nothing_that_python_calls_private_is_public(address: IPv4Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        assert not address.is_multicast


@given(st.ip_addresses(v=6))
def test_nothing_that_python_calls_private_is_public_in_six(address: IPv6Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        assert address.ipv4_mapped is None
        assert address.sixtofour is None
        assert address.teredo is None


@given(st.text(max_size=60))
def test_any_text_is_judged(text: str) -> None:
    assert is_public(text) in (True, False)
    assert is_literal(text) in (True, False)
    assert why_unsafe(text) is None or isinstance(why_unsafe(text), str)


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "017700000001",
        "127.1",
        "127.0.1",
        "134744072",  # 8.8.8.8: public, but nobody honest writes it so
        "8.8.2056",
        "010.8.8.8",
        "8.8.8.8.8",
        "1.2.3.256",
        "foo.0x",
        "foo.123",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "printer",
        "nas.local",
        "db.internal",
        "metadata.google.internal",
        "router.lan",
        "wiki.corp",
        "1.0.0.127.in-addr.arpa",
        "app.localhost",
        "127.0.0.1",
        "::1",
        "fe80::1%25eth0",
        "10.0.0.1",
        "",
        ".",
    ],
)
def test_a_host_that_leads_inside_is_refused_before_anyone_resolves_it(host: str) -> None:
    assert why_unsafe(host) is not None


@pytest.mark.parametrize(
    "host", ["foo.com", "www.foo.co.uk", "8.8.8.8", "8.8.8.8.com", "xn--mnchen-3ya.de", "1und1.de"]
)
def test_an_ordinary_host_is_fine(host: str) -> None:
    assert why_unsafe(host) is None
