"""One request, one answer, within its limits, against servers that break every rule."""

from __future__ import annotations

import gzip
import itertools
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace

import brotli
import httpx
import pytest
from backports import zstd

import reasons
import settings
from errors import Final, Passing, Trouble
from fetching.client import Client, Limits, checked_url
from tests.fetching.stranger import OK, Script, Stranger, answer, header_of

Start = Callable[[Script], Stranger]
LIMITS = Limits(connect_seconds=2.0, read_seconds=1.0, total_seconds=3.0, max_bytes=100_000)
URL = httpx.URL("http://stranger.example/page")
MIB = 1024 * 1024


def read(client: Client, limits: Limits = LIMITS, url: httpx.URL = URL) -> bytes:
    with client.send(url, limits) as exchange:
        return b"".join(exchange.pieces())


def reason_of(client: Client, limits: Limits = LIMITS) -> str:
    with pytest.raises(Trouble) as trouble:
        read(client, limits)
    assert trouble.value.seconds is not None
    return trouble.value.reason


def test_a_page_is_read(stranger: Start, client: Client) -> None:
    stranger(lambda head: [answer(b"<html>hello</html>")])
    assert read(client) == b"<html>hello</html>"


def test_the_connection_is_kept_for_the_next_request(stranger: Start, client: Client) -> None:
    server = stranger(lambda head: [answer()])
    for _ in range(5):
        read(client)
    assert (len(server.heard), server.connections) == (5, 1)


def test_we_say_who_we_are(stranger: Start, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    server = stranger(lambda head: [answer()])
    monkeypatch.setenv("CRAWLER_CONTACT", "https://leads.example/bot")
    settings.settings.cache_clear()
    read(client)
    agent = header_of(server.heard[0], "user-agent") or ""
    assert agent.startswith("ScraperSkyBot/")
    assert agent.endswith(" (+https://leads.example/bot)")
    assert header_of(server.heard[0], "host") == "stranger.example"
    assert header_of(server.heard[0], "cookie") is None


def test_cookies_are_not_kept(stranger: Start, client: Client) -> None:
    server = stranger(lambda head: [answer(b"", "Set-Cookie: a=b")])
    read(client)
    read(client)
    assert header_of(server.heard[1], "cookie") is None


@pytest.mark.parametrize(
    ("name", "compress"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("br", brotli.compress), ("zstd", zstd.compress)],
)
def test_every_coding_we_accept_is_read(
    stranger: Start, client: Client, name: str, compress: Callable[[bytes], bytes]
) -> None:
    page = b"<html>" + b"hello " * 10_000 + b"</html>"
    server = stranger(lambda head: [answer(compress(page), f"Content-Encoding: {name}")])
    assert read(client) == page
    assert name in (header_of(server.heard[0], "accept-encoding") or "")


def drip(head: bytes) -> Iterator[bytes]:
    for byte in itertools.chain(OK, b"Content-Length: 1000\r\n\r\n", itertools.repeat(0x41)):
        yield bytes([byte])
        time.sleep(0.02)


def drip_body(head: bytes) -> Iterator[bytes]:
    yield OK + b"Content-Length: 100000\r\n\r\n"
    while True:
        yield b"A"
        time.sleep(0.02)


def silent(head: bytes) -> Iterator[bytes]:
    time.sleep(30)
    yield b""


def endless(head: bytes) -> Iterator[bytes]:
    yield OK + b"Transfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"10000\r\n" + b"A" * 65536 + b"\r\n"


def endless_headers(head: bytes) -> Iterator[bytes]:
    yield OK
    for number in itertools.count():
        yield f"X-{number}: {'a' * 1000}\r\n".encode()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (drip, reasons.TIMEOUT),
        (drip_body, reasons.TIMEOUT),
        (silent, reasons.TIMEOUT),
        (endless, reasons.TOO_LARGE),
        (endless_headers, reasons.BAD_RESPONSE),
        (lambda head: [OK + b"Content-Length: 100001\r\n\r\n"], reasons.TOO_LARGE),
        (lambda head: [b"SSH-2.0-OpenSSH_9.6\r\n\r\n"], reasons.BAD_RESPONSE),
        (lambda head: [b"HTTP/1.1 9999 What\r\n\r\n"], reasons.BAD_RESPONSE),
        (lambda head: [answer(b"not brotli", "Content-Encoding: br")], reasons.BAD_RESPONSE),
        (lambda head: [answer(b"\x1f\x8bbroken", "Content-Encoding: gzip")], reasons.BAD_RESPONSE),
        (lambda head: [answer(b"x", "Content-Encoding: compress")], reasons.BAD_RESPONSE),
        (lambda head: [answer(b"x", "Content-Encoding: gzip, gzip, gzip")], reasons.BAD_RESPONSE),
    ],
)
def test_a_server_that_breaks_the_rules_gets_its_word(
    stranger: Start, client: Client, script: Script, reason: str
) -> None:
    stranger(script)
    limits = replace(LIMITS, total_seconds=1.5)
    assert reason_of(client, limits) == reason


def test_a_body_cut_short_is_a_lost_connection(stranger: Start, client: Client) -> None:
    def cut(head: bytes) -> Iterator[bytes]:
        yield OK + b"Content-Length: 1000\r\n\r\nonly this"
        raise OSError

    stranger(cut)
    assert reason_of(client) == reasons.CONNECTION_LOST


def test_a_server_that_hangs_up_is_a_lost_connection(stranger: Start, client: Client) -> None:
    def hang_up(head: bytes) -> Iterator[bytes]:
        raise OSError
        yield b""

    stranger(hang_up)
    assert reason_of(client) == reasons.CONNECTION_LOST


def test_nothing_listening_is_refused(stranger: Start, client: Client) -> None:
    stranger(lambda head: [answer()]).close()
    assert reason_of(client) == reasons.REFUSED


def bomb(name: str) -> bytes:
    zeros = bytes(64 * MIB)
    compress: dict[str, Callable[[bytes], bytes]] = {
        "gzip": gzip.compress,
        "br": lambda data: bytes(brotli.compress(data, quality=5)),
        "zstd": zstd.compress,
    }
    return compress[name](zeros)


@pytest.mark.parametrize("name", ["gzip", "br", "zstd"])
def test_a_bomb_never_inflates_in_memory(stranger: Start, client: Client, name: str) -> None:
    packed = bomb(name)
    stranger(lambda head: [answer(packed, f"Content-Encoding: {name}")])
    tracemalloc.start()
    try:
        assert reason_of(client, replace(LIMITS, max_bytes=5 * MIB)) == reasons.TOO_LARGE
        grown = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert grown < 16 * MIB


def test_a_bomb_of_many_small_parts_is_defused(stranger: Start, client: Client) -> None:
    parts = gzip.compress(b"") * 4000
    stranger(lambda head: [answer(parts, "Content-Encoding: gzip")])
    assert reason_of(client) == reasons.BAD_RESPONSE


def test_the_client_works_on_after_every_failure(stranger: Start, client: Client) -> None:
    last: Script = lambda head: [answer(b"fine")]  # noqa: E731
    scripts: Iterator[Script] = iter([endless, drip_body, last])
    stranger(lambda head: next(scripts)(head))
    limits = replace(LIMITS, total_seconds=0.5)
    assert reason_of(client, limits) == reasons.TOO_LARGE
    assert reason_of(client, limits) == reasons.TIMEOUT
    assert read(client) == b"fine"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://foo.com/", reasons.UNSAFE_ADDRESS),
        ("file:///etc/passwd", reasons.UNSAFE_ADDRESS),
        ("javascript:alert(1)", reasons.UNSAFE_ADDRESS),
        ("gopher://foo.com/", reasons.UNSAFE_ADDRESS),
        ("//foo.com/", reasons.UNSAFE_ADDRESS),
        ("foo.com", reasons.UNSAFE_ADDRESS),
        ("http://user:secret@foo.com/", reasons.UNSAFE_ADDRESS),
        ("http://user@foo.com/", reasons.UNSAFE_ADDRESS),
        ("http://foo.com:22/", reasons.UNSAFE_ADDRESS),
        ("http://foo.com:6379/", reasons.UNSAFE_ADDRESS),
        ("https://foo.com:8443/", reasons.UNSAFE_ADDRESS),
        ("http:///path", reasons.BAD_URL),
        ("http://", reasons.BAD_URL),
        ("http://foo.com:99999/", reasons.UNSAFE_ADDRESS),
        ("http://exa mple.com/", reasons.BAD_URL),
        ("http://foo.com/\x00", reasons.BAD_URL),
        ("http://[::1/", reasons.BAD_URL),
        ("http://foo.com/" + "a" * 2048, reasons.BAD_URL),
        ("", reasons.UNSAFE_ADDRESS),
    ],
)
def test_a_url_that_may_not_be_asked_for_is_refused(url: str, reason: str) -> None:
    with pytest.raises(Final) as refused:
        checked_url(url)
    assert refused.value.reason == reason
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[fe80::1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://metadata.google.internal/",
        "http://100.100.100.200/",
        "http://10.0.0.1/",
        "http://192.168.0.1:80/",
        "https://localhost/",
        "http://localhost./",
        "http://intranet/",
        "http://0/",
        "http://①②⑦.⓪.⓪.①/",
        "http://\uff11\uff12\uff17.\uff10.\uff10.\uff11/",
        "http://127。0。0。1/",
    ],
)
def test_the_client_never_connects_inside(client: Client, url: str) -> None:
    with pytest.raises((Final, Passing)) as refused:
        read(client, url=checked_url(url))
    assert refused.value.reason in (reasons.UNSAFE_ADDRESS, reasons.BAD_URL)


def test_the_address_that_was_checked_is_the_one_that_is_asked(make_client: Callable[..., Client]) -> None:
    """A name that changes its address between the look and the leap: there is only one look."""
    looks = []

    def rebinding(host: str, timeout: float) -> list[str]:
        looks.append(host)
        return ["192.0.2.1"] if len(looks) > 1 else ["127.0.0.1"]

    client = make_client(resolve=rebinding)
    with pytest.raises(Final) as refused:
        read(client, url=httpx.URL("http://rebinding.com/"))
    assert refused.value.reason == reasons.UNSAFE_ADDRESS
    assert looks == ["rebinding.com"]
