"""Attacks: what a hostile site may try beyond breaking the rules, and what comes of it."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable, Iterable, Iterator
from threading import Event

import brotli
import httpx
import pytest
from backports import zstd

import reasons
import settings
from errors import Final, Passing
from fetching.client import Client, Limits
from fetching.decode import decoded
from fetching.manners import InMemoryManners
from fetching.web import Web
from tests.fetching.stranger import OK, Script, Stranger, answer, header_of, path_of

Start = Callable[[Script], Stranger]
URL = "http://stranger.example/page"
NONE = answer(b"none", status="404 Not Found")


@pytest.fixture(autouse=True)
def _no_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANE_GAP_SECONDS", "0")
    settings.settings.cache_clear()


@pytest.fixture
def web(client: Client) -> Web:
    return Web(InMemoryManners(), through=client)


def site(page: Callable[[bytes], Iterable[bytes]]) -> Script:
    """Answer everything but robots.txt, which is absent."""
    return lambda head: [NONE] if path_of(head) == "/robots.txt" else page(head)


class TestNames:
    @pytest.mark.parametrize("name", ["xn--999999999", "xn--a", "xn--", "xn--ls8h"])
    def test_a_name_in_broken_punycode_is_a_name_like_any_other(self, stranger: Start, web: Web, name: str) -> None:
        server = stranger(site(lambda head: [answer(b"fine")]))
        assert web.get(f"http://{name}.example/").body == b"fine"
        assert header_of(server.heard[-1], "host") == f"{name}.example"

    def test_a_name_is_asked_in_one_lane_however_it_is_written(self, stranger: Start, client: Client) -> None:
        stranger(site(lambda head: [answer()]))
        manners = InMemoryManners()
        asked: list[str] = []
        manners.ask = asked.append  # type: ignore[method-assign,assignment]
        for host in ("münchen.example", "xn--mnchen-3ya.example", "www.xn--mnchen-3ya.example"):
            Web(manners, through=client).get(f"http://{host}/")
        assert set(asked) == {"xn--mnchen-3ya.example"}

    @pytest.mark.parametrize(
        "host", [".", "..", ".example", "..example", "a..example", "stranger.example..", "1.2.3.", ":"]
    )
    def test_a_name_with_nothing_between_its_dots_is_no_name(self, web: Web, host: str) -> None:
        with pytest.raises(Final) as refused:
            web.get(f"http://{host}/")
        assert refused.value.reason in (reasons.BAD_URL, reasons.UNSAFE_ADDRESS)

    @pytest.mark.parametrize("host", ["STRANGER.Example", "stranger.example.", "stranger\u3002example"])
    def test_a_name_may_be_written_in_several_ways(self, stranger: Start, web: Web, host: str) -> None:
        stranger(site(lambda head: [answer(b"fine")]))
        assert web.get(f"http://{host}/").body == b"fine"


class TestHeaders:
    @pytest.mark.parametrize("value", ["\u00e9", "\u4e00", "a\nb", "\x00", "a\x1bb", " ", "a" * 5000])
    def test_what_cannot_be_sent_back_is_left_out(self, stranger: Start, web: Web, value: str) -> None:
        server = stranger(site(lambda head: [answer(b"fine")]))
        assert web.get(URL, etag=f'"{value}"', last_modified=value).body == b"fine"
        assert header_of(server.heard[-1], "if-modified-since") is None

    @pytest.mark.parametrize("value", [b"\xe9", "\u4e00".encode(), b"a" * 5000])
    def test_nor_is_such_a_cookie_kept(self, stranger: Start, web: Web, value: bytes) -> None:
        def page(head: bytes) -> list[bytes]:
            moved = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /there\r\nSet-Cookie: good=1; Path=/\r\n"
            return [moved + b"Set-Cookie: a=" + value + b"\r\n\r\n"] if path_of(head) == "/page" else [answer(b"fine")]

        server = stranger(site(page))
        assert web.get(URL).body == b"fine"
        assert header_of(server.heard[-1], "cookie") == "good=1"

    def test_cookies_without_end_are_not_all_kept(self, stranger: Start, web: Web) -> None:
        def page(head: bytes) -> list[bytes]:
            number = int(path_of(head).removeprefix("/page") or 0)
            cookies = [f"Set-Cookie: c{number}-{i}={'x' * 20}" for i in range(1000)]
            if number == 5:
                return [answer(b"fine")]
            return [answer(b"", f"Location: /page{number + 1}", *cookies, status="302 Found")]

        server = stranger(site(page))
        assert web.get(URL).body == b"fine"
        assert len(server.heard[-1]) < 4096

    def test_a_secret_in_the_last_of_too_many_redirects_is_not_told(self, stranger: Start, web: Web) -> None:
        def page(head: bytes) -> list[bytes]:
            number = int(path_of(head).removeprefix("/page") or 0)
            where = f"/page{number + 1}" if number < 5 else "http://me:hunter2@stranger.example/"
            return [answer(b"", f"Location: {where}", status="302 Found")]

        stranger(site(page))
        with pytest.raises(Final) as refused:
            web.get(URL)
        assert refused.value.reason == reasons.TOO_MANY_REDIRECTS
        assert "hunter2" not in str(refused.value)

    def test_not_modified_is_no_answer_to_a_question_without_conditions(self, stranger: Start, web: Web) -> None:
        stranger(site(lambda head: [answer(b"", status="304 Not Modified")]))
        with pytest.raises(Final) as refused:
            web.get(URL)
        assert refused.value.reason == reasons.BAD_RESPONSE


class TestConnections:
    @pytest.mark.parametrize(
        "first",
        [
            answer(b"first") + answer(b"smuggled"),
            answer(b"first") + b"rubbish",
            OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\nX: y\r\n\r\n" + answer(b"smuggled"),
        ],
    )
    def test_what_comes_after_an_answer_is_never_the_next(self, stranger: Start, web: Web, first: bytes) -> None:
        stranger(site(lambda head: [first if path_of(head) == "/page" else answer(b"second")]))
        assert web.get(URL).body == b"first"
        assert web.get("http://stranger.example/other").body == b"second"

    def test_nor_when_it_comes_late(self, stranger: Start, web: Web) -> None:
        sent = Event()

        def page(head: bytes) -> Iterator[bytes]:
            yield answer(b"asked")
            yield answer(b"smuggled")
            sent.set()

        stranger(site(page))
        for number in range(3):
            sent.clear()
            assert web.get(f"http://stranger.example/{number}").body == b"asked"
            assert sent.wait(5)

    def test_a_request_made_while_another_is_read_has_its_own_time(self, stranger: Start, web: Web) -> None:
        def page(head: bytes) -> Iterator[bytes]:
            if path_of(head) != "/long":
                yield answer(b"fine")
                return
            yield OK + b"Content-Length: 100000\r\n\r\n"
            while True:
                yield b"A"
                time.sleep(0.02)

        stranger(site(page))
        started = time.monotonic()
        with (
            pytest.raises(Passing) as late,
            web.stream("http://stranger.example/long", max_bytes=10**6, total_seconds=0.5) as body,
        ):
            all(web.get("http://other.example/page").body for _ in iter(lambda: body.read(1), b""))
        assert late.value.reason == reasons.TIMEOUT
        assert time.monotonic() - started < 5

    def test_slow_redirects_share_one_time(self, stranger: Start, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
        def page(head: bytes) -> Iterator[bytes]:
            time.sleep(0.4)
            yield answer(b"", f"Location: {path_of(head)}x", status="302 Found")

        stranger(site(page))
        monkeypatch.setenv("FETCH_TOTAL_SECONDS", "1")
        settings.settings.cache_clear()
        with pytest.raises(Passing) as late:
            web.get(URL)
        assert late.value.reason == reasons.TIMEOUT

    def test_what_wraps_the_body_is_limited_too(self, stranger: Start, client: Client) -> None:
        def page(head: bytes) -> Iterator[bytes]:
            yield OK + b"Transfer-Encoding: chunked\r\n\r\n"
            while True:
                yield b"1;" + b"x" * 60_000 + b"\r\nA\r\n"

        stranger(page)
        limits = Limits(connect_seconds=2.0, read_seconds=2.0, total_seconds=30.0, max_bytes=100_000)
        with pytest.raises(Final) as refused, client.send(httpx.URL(URL), limits) as exchange:
            b"".join(exchange.pieces())
        assert refused.value.reason == reasons.TOO_LARGE


class TestBodies:
    @pytest.mark.parametrize("compress", [gzip.compress, lambda data: brotli.compress(data, quality=5), zstd.compress])
    def test_a_bomb_that_inflates_to_nothing_is_cut_off(
        self, stranger: Start, web: Web, compress: Callable[[bytes], bytes]
    ) -> None:
        """Empty blocks inside a second layer: no byte ever comes out, however many go in."""
        empty = gzip.compress(b"")[:10] + b"\x00\x00\x00\xff\xff" * 4_000_000
        name = {gzip.compress: "gzip", zstd.compress: "zstd"}.get(compress, "br")
        packed = compress(empty)
        stranger(site(lambda head: [answer(packed, f"Content-Encoding: gzip, {name}")]))
        with pytest.raises(Final) as refused:
            web.get(URL)
        assert refused.value.reason == reasons.TOO_LARGE

    def test_rubbish_after_a_body_is_not_gathered(self) -> None:
        parts = [gzip.compress(b"page"), *[b"A"] * 300_000]
        started = time.process_time()
        assert b"".join(decoded(parts, "gzip", 10**6)) == b"page"
        assert time.process_time() - started < 2

    @pytest.mark.parametrize("size", [1, 2, 7, 10_000])
    def test_members_are_joined_however_they_are_cut(self, size: int) -> None:
        whole = gzip.compress(b"one ") + gzip.compress(b"two ") + gzip.compress(b"three") + b"rubbish"
        parts = [whole[at : at + size] for at in range(0, len(whole), size)]
        assert b"".join(decoded(parts, "gzip", 10**6)) == b"one two three"

    def test_what_a_server_says_instead_of_http_is_quoted_in_part(self, stranger: Start, web: Web) -> None:
        stranger(site(lambda head: [b"HTTP/1.1 200 " + b"z" * 60_000 + b"\x00\r\n\r\n"]))
        with pytest.raises(Final) as refused:
            web.get(URL)
        assert len(str(refused.value)) < 500

    @pytest.mark.parametrize("size", [1, 3, 40])
    def test_a_page_is_told_by_its_beginning_however_it_is_cut(self, stranger: Start, web: Web, size: int) -> None:
        page = b"<?xml version='1.0'?><!DOCTYPE html><html><body>hello</body></html>"
        cut = [page[at : at + size] for at in range(0, len(page), size)]
        chunks = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*cut, b""])
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nTransfer-Encoding: chunked\r\n\r\n"
        stranger(site(lambda _: [head + chunks]))
        assert web.get(URL, html=True).body == page
