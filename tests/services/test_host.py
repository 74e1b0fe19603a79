"""The registrable domain names a host's lane."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.host import registrable_domain


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("foo.com", "foo.com"),
        ("www.foo.com", "foo.com"),
        ("WWW.Foo.COM.", "foo.com"),
        ("shop.foo.co.uk", "foo.co.uk"),
        ("a.b.c.foo.com.au", "foo.com.au"),
        ("www.xn--mnchen-3ya.de", "xn--mnchen-3ya.de"),
        ("www.smith-dental.example", "smith-dental.example"),
        ("anna.wixsite.com", "anna.wixsite.com"),  # one customer of many
        ("co.uk", "co.uk"),
        ("localhost", "localhost"),
        ("8.8.8.8", "8.8.8.8"),
        ("2606:4700::1111", "2606:4700::1111"),
    ],
)
def test_registrable_domain(host: str, domain: str) -> None:
    assert registrable_domain(host) == domain


@given(st.text(max_size=80))
def test_any_text_has_one_and_it_is_stable(host: str) -> None:
    domain = registrable_domain(host)
    assert registrable_domain(domain) == domain
