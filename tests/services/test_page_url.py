"""One spelling for each address."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.page_url import LONGEST_BYTES, normalise

BASE = "https://a.example/maps/sitemap.xml"
STORED = re.compile(r"https?://(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?/[!-~]*")


@pytest.mark.parametrize(
    ("url", "stored"),
    [
        ("https://a.example/b", "https://a.example/b"),
        ("https://a.example", "https://a.example/"),
        ("HTTPS://A.Example/B", "https://a.example/B"),
        ("http://a.example:80/", "http://a.example/"),
        ("https://a.example:443/", "https://a.example/"),
        ("https://a.example:8443/", "https://a.example:8443/"),
        ("https://a.example:/", "https://a.example/"),
        ("https://a.example./b", "https://a.example/b"),
        ("https://a.example/b#top", "https://a.example/b"),
        ("  \n https://a.example/b\t\n", "https://a.example/b"),
        ("https://a.example/b\n/c", "https://a.example/b/c"),
        ("https://me:secret@a.example/b", "https://a.example/b"),
        ("https://a.example/b?utm_source=x&id=1&fbclid=y", "https://a.example/b?id=1"),
        ("https://a.example/b?utm_source=x", "https://a.example/b"),
        ("https://a.example/b?UTM_Source=x&%75tm_medium=z", "https://a.example/b"),
        ("https://a.example/b?", "https://a.example/b"),
        ("https://a.example/b?b=2&a=1&&", "https://a.example/b?b=2&a=1"),
        ("https://a.example?id=1", "https://a.example/?id=1"),
        ("https://a.example/%7euser/%c3%bc", "https://a.example/~user/%C3%BC"),
        ("https://a.example/ü b", "https://a.example/%C3%BC%20b"),
        ("https://a.example/100%", "https://a.example/100%25"),
        ("https://a.example/a%2Fb%20c", "https://a.example/a%2Fb%20c"),
        ("https://a.example/a/../b/./c", "https://a.example/b/c"),
        ("https://a.example/a/%2e%2e/b", "https://a.example/b"),
        ("https://a.example/../../b/..", "https://a.example/"),
        ("https://a.example/.well-known/x", "https://a.example/.well-known/x"),
        ("https://a.example\\b\\c", "https://a.example/b/c"),
        ("https://a.example\\@b.example/", "https://a.example/@b.example/"),
        ("https://a.example/b;jsessionid=AB12?x=1", "https://a.example/b?x=1"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://127.0.0.1/b", "https://127.0.0.1/b"),
        ("https://[::1]:8080/b", "https://[::1]:8080/b"),
        ("/b", "https://a.example/b"),
        ("b?c=1", "https://a.example/maps/b?c=1"),
        ("../b", "https://a.example/b"),
        ("//b.example/c", "https://b.example/c"),
    ],
)
def test_spellings(url: str, stored: str) -> None:
    assert normalise(url, BASE) == stored


@pytest.mark.parametrize(
    "url",
    [
        "",
        "   ",
        "mailto:me@a.example",
        "javascript:alert(1)",
        "ftp://a.example/b",
        "file:///etc/passwd",
        "http:/a.example/b",
        "https:a.example",
        "http://",
        "https:///b",
        "https://a..example/",
        "https://-a.example/",
        "https://a b.example/",
        "https://a.example:99999/",
        "https://a.example:0/",
        "https://a.example:x/",
        "https://[::1/",
        "https://[zz]/",
        "https://0x7f.1/",
        "https://127.1/",
        "https://999.1.1.1/",
        "https://a.example/\ufffd",
        "https://a.example/" + "b" * LONGEST_BYTES,
        "https://a.example/" + "ü" * 400,
        "https://" + "a" * 64 + ".example/",
        "http://xn--\u0661.example/",
    ],
)
def test_what_is_no_address(url: str) -> None:
    assert normalise(url, BASE) is None


def test_nothing_is_relative_to_nothing() -> None:
    assert normalise("/b") is None
    assert normalise("/b", "not an address") is None


@given(st.text(max_size=120) | st.text(alphabet="htps:/.@?#&=%;a1Aü\\[]_- \t", max_size=60))
def test_any_text_becomes_an_address_or_nothing(text: str) -> None:
    for url in (text, f"https://a.example/{text}", f"http://{text}", f"https://a.example/?{text}"):
        stored = normalise(url, BASE)
        if stored is not None:
            assert STORED.fullmatch(stored)
            assert len(stored) <= LONGEST_BYTES
            assert normalise(stored) == stored


@pytest.mark.parametrize("part", ["@", "/../", "%", ";jsessionid=", "&utm_=", "../", "\\", "[", ":", "ü.", "#", "?"])
@pytest.mark.parametrize("start", ["https://", "https://a.example/", "https://a.example/?", ""])
def test_long_addresses_take_no_time(start: str, part: str) -> None:
    started = time.process_time()
    for size in (1_000, 16_000, 1_000_000):
        normalise(start + part * (size // len(part)), BASE)
    assert time.process_time() - started < 0.5
