"""Whatever a server sends and whatever a link says, what comes out is a page or one of our own words."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

import settings
from errors import Final, Passing, Snooze
from fetching import manners
from fetching.client import Client
from fetching.manners import InMemoryManners
from fetching.web import Web
from tests.fetching.stranger import OK, Script, Stranger, answer

Start = Callable[[Script], Stranger]
SECONDS = 3.0

ANSWERS = [
    answer(),
    answer(b"x" * 50, "Content-Encoding: gzip"),
    answer(b"", "Location: /a", "Set-Cookie: a=b; Path=/", status="302 Found"),
    answer(b"", "Location: http://other.example:80/x?y#z", status="307 Found"),
    OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\n" + answer(),
    answer(b"", "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT", status="503 Busy"),
    answer(b"User-agent: *\nDisallow: /x\nCrawl-delay: 0\n", "Content-Type: text/plain"),
    answer(b"x", "Content-Type: text/html; charset=utf-16", 'ETag: "a"', "Content-Encoding: br, zstd"),
]
BYTES = [
    b"\r\n",
    b"\r\n\r\n",
    b"\n",
    b"\x00",
    b"\xff",
    b":",
    b" ",
    b"//",
    b"@",
    b"[",
    b"%",
    b"xn--",
    b"-1",
    b"302",
    b"101",
]
BYTES += [b"chunked", b"Content-Length: ", b"Location: ", b"Transfer-Encoding: chunked\r\n", b"HTTP/1.1 ", b"9" * 30]
BYTES += [b"Set-Cookie: ", b"Content-Encoding: gzip\r\n", b"charset=", b"\xe2\x80\xa8", b"ffffffffffffffff\r\n"]

PARTS = ["http://", "https://", "//", "stranger.example", ".example", "xn--", "xn--a", ":80", ":", "@", "us:pw@", "/"]
PARTS += [
    "\\",
    "?",
    "#",
    "%",
    "%00",
    "127.0.0.1",
    "[::1]",
    "[",
    "]",
    "\u3002",
    "\uff0e",
    "é",
    "\u0131",
    "\u200d",
    "\u202e",
]
PARTS += ["\x00", "\r\n", "\t", " ", "\ud800", "\U0001f4a9", "0x7f.1", "localhost", "..", "a" * 64, "\u0660", "EXAMPLE"]


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANE_GAP_SECONDS", "0")
    monkeypatch.setenv("FETCH_READ_SECONDS", "0.05")
    monkeypatch.setenv("FETCH_TOTAL_SECONDS", "0.3")
    settings.settings.cache_clear()
    monkeypatch.setattr(manners, "next_gap", lambda *_, **__: timedelta(0))
    monkeypatch.setattr(manners, "rest_after", lambda _: None)


@pytest.fixture
def web(make_client: Callable[..., Client]) -> Callable[[], Web]:
    """Make webs that have met no host yet; every name outside the sandbox leads inside, so nothing leaves."""
    client = make_client(resolve=lambda host, timeout: ["127.0.0.1"])
    return lambda: Web(InMemoryManners(patience=timedelta(0)), through=client)


def mangled(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(chance.choice([0, 1, 1, 2, 3, 8])):
        at, token = chance.randrange(len(made) + 1), chance.choice(BYTES)
        length = chance.choice([0, 1, len(token), chance.randrange(40)])
        made[at : at + length] = chance.choice([b"", token, bytes([chance.randrange(256)])])
    return bytes(made)


def test_any_bytes_end_in_a_page_or_a_word(stranger: Start, web: Callable[[], Web]) -> None:
    chance = random.Random(1)

    def script(head: bytes) -> Iterator[bytes]:
        yield mangled(chance.choice(ANSWERS), chance)
        if chance.random() < 0.7:
            raise OSError

    stranger(script)
    pages, words = 0, [""]
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        try:
            response = web().get("http://stranger.example/page", html=chance.random() < 0.5, etag='"a"')
            assert isinstance(response.text, str)
            pages += 1
        except (Passing, Final, Snooze) as word:
            words.append(str(word))
    assert pages
    assert 0 < max(map(len, words)) < 1000


def test_any_link_ends_in_a_page_or_a_word(stranger: Start, web: Callable[[], Web]) -> None:
    chance = random.Random(2)
    stranger(lambda head: [answer(b"User-agent: *\nAllow: /")])
    pages, words = 0, [""]
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        start = chance.choice(["http://", "http://stranger.example", ""])
        try:
            web().get(start + "".join(chance.choices(PARTS, k=chance.randrange(1, 7))))
            pages += 1
        except (Passing, Final, Snooze) as word:
            words.append(str(word))
    assert pages
    assert 0 < max(map(len, words)) < 1000
