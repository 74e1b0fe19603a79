"""Web: robots.txt asked, turn awaited, redirects followed and checked, everything in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

import reasons
import settings
from errors import Final, Passing, Trouble
from fetching.client import Client
from fetching.manners import InMemoryManners
from fetching.web import Web
from tests.fetching.stranger import Script, Stranger, answer, header_of, path_of

Start = Callable[[Script], Stranger]
URL = "http://stranger.example/page"


@pytest.fixture(autouse=True)
def _no_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANE_GAP_SECONDS", "0")
    settings.settings.cache_clear()


@pytest.fixture
def web(client: Client) -> Web:
    return Web(InMemoryManners(), through=client)


def site(pages: dict[str, bytes | Callable[[bytes], Iterable[bytes]]]) -> Script:
    """Answer by path; what is not listed does not exist."""

    def script(head: bytes) -> Iterable[bytes]:
        found = pages.get(path_of(head), answer(b"none", status="404 Not Found"))
        return [found] if isinstance(found, bytes) else found(head)

    return script


def paths(server: Stranger) -> list[str]:
    return [path_of(head) for head in server.heard]


def redirect(location: str, status: str = "301 Moved Permanently", *headers: str) -> bytes:
    return answer(b"", f"Location: {location}", *headers, status=status)


def fault(web: Web, url: str = URL, *, html: bool = False) -> Trouble:
    with pytest.raises((Passing, Final)) as trouble:
        web.get(url, html=html)
    return trouble.value


def test_a_page_comes_with_everything_a_stage_wants(stranger: Start, web: Web) -> None:
    page = answer(
        "<html>Zahnärzte</html>".encode("cp1252"),
        "Content-Type: text/html; charset=iso-8859-1",
        'ETag: "one"',
        "Last-Modified: Sun, 01 Nov 2026 10:00:00 GMT",
    )
    stranger(site({"/page": page}))
    response = web.get(URL)
    assert (response.status, response.url, response.redirects) == (200, URL, ())
    assert response.text == "<html>Zahnärzte</html>"
    assert response.decoded.charset == "cp1252"
    assert (response.etag, response.last_modified) == ('"one"', "Sun, 01 Nov 2026 10:00:00 GMT")
    assert response.kind == "html"
    assert response.wire_bytes == len(response.body)
    assert "stranger.example" in response.robots


class TestRobots:
    def test_it_is_asked_first_and_once(self, stranger: Start, web: Web) -> None:
        server = stranger(site({"/page": answer(), "/other": answer()}))
        web.get(URL)
        web.get("http://stranger.example/other")
        assert paths(server) == ["/robots.txt", "/page", "/other"]

    def test_a_page_it_denies_is_never_asked_for(self, stranger: Start, web: Web) -> None:
        server = stranger(site({"/robots.txt": answer(b"User-agent: *\nDisallow: /page"), "/page": answer()}))
        denied = fault(web)
        assert isinstance(denied, Final)
        assert denied.reason == reasons.ROBOTS_DENIED
        assert "stranger.example" in str(denied)
        assert paths(server) == ["/robots.txt"]

    def test_our_own_group_counts(self, stranger: Start, web: Web) -> None:
        rules = b"User-agent: *\nDisallow: /\n\nUser-agent: ScraperSkyBot\nDisallow: /private"
        stranger(site({"/robots.txt": answer(rules), "/page": answer(), "/private": answer()}))
        assert web.get(URL).status == 200
        assert fault(web, "http://stranger.example/private").reason == reasons.ROBOTS_DENIED

    @pytest.mark.parametrize("status", ["400 Bad", "401 No", "403 Forbidden", "404 Not Found", "410 Gone", "451 No"])
    def test_4xx_allows(self, stranger: Start, web: Web, status: str) -> None:
        stranger(site({"/robots.txt": answer(b"", status=status), "/page": answer()}))
        assert web.get(URL).status == 200

    @pytest.mark.parametrize("status", ["500 Oops", "502 Bad", "503 Busy", "429 Slow"])
    def test_5xx_and_429_mean_not_now(self, stranger: Start, web: Web, status: str) -> None:
        server = stranger(site({"/robots.txt": answer(b"", status=status), "/page": answer()}))
        later = fault(web)
        assert isinstance(later, Passing)
        assert later.reason == reasons.ROBOTS_UNAVAILABLE
        assert later.retry_after is not None
        assert paths(server) == ["/robots.txt"]

    def test_a_robots_that_moved_applies_to_the_first_host(self, stranger: Start, web: Web) -> None:
        def by_host(head: bytes) -> Iterable[bytes]:
            if path_of(head) == "/robots.txt" and header_of(head, "host") == "stranger.example":
                return [redirect("http://elsewhere.example/rules.txt")]
            return [answer(b"User-agent: *\nDisallow: /page") if path_of(head) == "/rules.txt" else answer()]

        stranger(by_host)
        assert fault(web).reason == reasons.ROBOTS_DENIED
        assert web.get("http://stranger.example/other").status == 200

    def test_a_robots_that_redirects_in_circles_allows(self, stranger: Start, web: Web) -> None:
        stranger(site({"/robots.txt": redirect("/robots.txt"), "/page": answer()}))
        assert web.get(URL).status == 200

    def test_only_the_first_500_kib_count(self, stranger: Start, web: Web) -> None:
        long = b"User-agent: *\nDisallow: /page\n" + b"# comment\n" * 60_000 + b"Disallow: /other\n"
        stranger(site({"/robots.txt": answer(long), "/page": answer(), "/other": answer()}))
        assert fault(web).reason == reasons.ROBOTS_DENIED
        assert web.get("http://stranger.example/other").status == 200

    def test_the_host_a_redirect_leads_to_is_asked_too(self, stranger: Start, web: Web) -> None:
        def by_host(head: bytes) -> Iterable[bytes]:
            there = header_of(head, "host") == "elsewhere.example"
            if path_of(head) == "/robots.txt":
                return [answer(b"User-agent: *\nDisallow: /" if there else b"")]
            return [answer() if there else redirect("http://elsewhere.example/page")]

        server = stranger(by_host)
        assert fault(web).reason == reasons.ROBOTS_DENIED
        assert paths(server) == ["/robots.txt", "/page", "/robots.txt"]


class TestRedirects:
    def test_they_are_followed_and_remembered(self, stranger: Start, web: Web) -> None:
        stranger(site({"/page": redirect("/b"), "/b": redirect("http://www.stranger.example/c"), "/c": answer()}))
        response = web.get(URL)
        assert response.url == "http://www.stranger.example/c"
        assert response.redirects == (URL, "http://stranger.example/b")

    def test_five_are_followed_and_the_sixth_is_not(self, stranger: Start, web: Web) -> None:
        five = {f"/five/{n}": redirect(f"/five/{n + 1}") for n in range(5)}
        six = {f"/six/{n}": redirect(f"/six/{n + 1}") for n in range(6)}
        server = stranger(site({**five, "/five/5": answer(b"far"), **six, "/six/6": answer(b"too far")}))
        assert web.get("http://stranger.example/five/0").body == b"far"
        assert fault(web, "http://stranger.example/six/0").reason == reasons.TOO_MANY_REDIRECTS
        assert "/six/5" in paths(server)
        assert "/six/6" not in paths(server)

    @pytest.mark.parametrize(
        "location",
        [
            "http://127.0.0.1/",
            "http://10.0.0.1/admin",
            "http://169.254.169.254/latest/meta-data/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://2130706433/",
            "http://localhost/",
            "//192.168.0.1/",
            "http://user:pw@stranger.example/",
            "http://stranger.example:6379/",
            "file:///etc/passwd",
            "gopher://stranger.example/",
        ],
    )
    def test_none_leads_inside(self, stranger: Start, web: Web, location: str) -> None:
        server = stranger(site({"/page": redirect(location)}))
        refused = fault(web)
        assert isinstance(refused, Final)
        assert refused.reason == reasons.UNSAFE_ADDRESS
        assert paths(server) == ["/robots.txt", "/page"]

    def test_one_out_of_the_lane_is_given_instead_of_followed(self, stranger: Start, web: Web) -> None:
        away = "http://elsewhere.example/home?x=1"
        server = stranger(site({"/page": redirect("http://www.stranger.example/next"), "/next": redirect(away)}))
        response = web.get(URL, html=True, within="stranger.example")
        assert (response.url, response.status, response.body) == (away, 301, b"")
        assert response.redirects == (URL, "http://www.stranger.example/next")
        assert {header_of(head, "host") for head in server.heard} == {"stranger.example", "www.stranger.example"}

    @pytest.mark.parametrize("location", ["http://[", "http:// /x", "http://a..b%00/"])
    def test_a_target_that_cannot_be_read_has_a_word(self, stranger: Start, web: Web, location: str) -> None:
        stranger(site({"/page": redirect(location)}))
        assert fault(web).reason in (reasons.BAD_REDIRECT, reasons.BAD_URL)

    def test_a_redirect_without_a_target_has_a_word(self, stranger: Start, web: Web) -> None:
        stranger(site({"/page": answer(b"", status="302 Found")}))
        assert fault(web).reason == reasons.BAD_REDIRECT

    def test_a_site_that_wants_its_cookie_back_gets_it(self, stranger: Start, web: Web) -> None:
        def door(head: bytes) -> Iterable[bytes]:
            if header_of(head, "cookie") == "seen=yes; a=b=c":
                return [answer(b"in")]
            return [answer(b"", "Location: /page", "Set-Cookie: seen=yes; Path=/", "Set-Cookie: a=b=c", status="302 F")]

        stranger(site({"/page": door}))
        assert web.get(URL).body == b"in"

    def test_a_cookie_stays_with_its_host(self, stranger: Start, web: Web) -> None:
        def door(head: bytes) -> Iterable[bytes]:
            if header_of(head, "host") == "stranger.example":
                return [answer(b"", "Location: http://elsewhere.example/page", "Set-Cookie: a=b", status="302 F")]
            return [answer(b"in")]

        server = stranger(site({"/page": door}))
        web.get(URL)
        assert [header_of(head, "cookie") for head in server.heard] == [None] * 4


class TestWords:
    @pytest.mark.parametrize(
        ("status", "kind", "reason"),
        [
            ("400 Bad Request", Final, reasons.REQUEST_REJECTED),
            ("401 Unauthorized", Final, reasons.BLOCKED),
            ("403 Forbidden", Final, reasons.BLOCKED),
            ("404 Not Found", Final, reasons.NOT_FOUND),
            ("405 No", Final, reasons.REQUEST_REJECTED),
            ("408 Timeout", Passing, reasons.TIMEOUT),
            ("410 Gone", Final, reasons.NOT_FOUND),
            ("425 Early", Passing, reasons.SERVER_ERROR),
            ("429 Slow down", Passing, reasons.RATE_LIMITED),
            ("451 Law", Final, reasons.BLOCKED),
            ("500 Oops", Passing, reasons.SERVER_ERROR),
            ("502 Bad Gateway", Passing, reasons.SERVER_ERROR),
            ("503 Busy", Passing, reasons.SERVER_ERROR),
            ("520 Odd", Passing, reasons.SERVER_ERROR),
        ],
    )
    def test_every_status_has_its_word(
        self, stranger: Start, web: Web, status: str, kind: type[Trouble], reason: str
    ) -> None:
        stranger(site({"/page": answer(b"sorry", status=status)}))
        said = fault(web)
        assert type(said) is kind
        assert (said.reason, said.status) == (reason, int(status[:3]))
        assert said.seconds is not None

    @pytest.mark.parametrize("status", ["403 Forbidden", "503 Busy"])
    def test_a_challenge_page_is_a_block(self, stranger: Start, web: Web, status: str) -> None:
        stranger(site({"/page": answer(b"wait", "cf-mitigated: challenge", status=status)}))
        assert fault(web).reason == reasons.BLOCKED

    @pytest.mark.parametrize("status", ["429 Slow", "503 Busy"])
    def test_retry_after_is_carried_in_both_forms(self, stranger: Start, web: Web, status: str) -> None:
        stranger(site({"/page": answer(b"", "Retry-After: 120", status=status)}))
        assert fault(web).retry_after == timedelta(seconds=120)

    def test_retry_after_as_a_date(self, stranger: Start, client: Client) -> None:
        date = format_datetime(datetime.now(UTC) + timedelta(minutes=10), usegmt=True)
        stranger(site({"/page": answer(b"", f"Retry-After: {date}", status="503 Busy")}))
        wait = fault(Web(InMemoryManners(), through=client)).retry_after
        assert wait is not None
        assert timedelta(minutes=8) < wait <= timedelta(minutes=10)

    @pytest.mark.parametrize("header", ["soon", "-5", "1e9", "99999999999999", "Thu, 01 Jan 1970 00:00:00 GMT", ""])
    def test_a_senseless_retry_after_asks_for_nothing(self, stranger: Start, web: Web, header: str) -> None:
        stranger(site({"/page": answer(b"", f"Retry-After: {header}", status="503 Busy")}))
        assert fault(web).retry_after is None

    def test_what_is_not_a_page_is_refused_before_it_is_read(self, stranger: Start, web: Web) -> None:
        def endless(head: bytes) -> Iterator[bytes]:
            yield b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nTransfer-Encoding: chunked\r\n\r\n"
            while True:
                yield b"8\r\n%PDF-1.7\r\n"

        stranger(site({"/page": endless}))
        assert fault(web, html=True).reason == reasons.NOT_HTML

    def test_after_a_rest_was_asked_for_nobody_asks(self, stranger: Start, web: Web) -> None:
        server = stranger(site({"/page": answer(b"", "Retry-After: 60", status="429 Slow")}))
        fault(web)
        with pytest.raises(Exception, match=reasons.HOST_RESTING):
            web.get("http://www.stranger.example/other")
        assert paths(server) == ["/robots.txt", "/page"]


class TestConditions:
    def test_what_has_not_changed_is_not_sent_again(self, stranger: Start, web: Web) -> None:
        server = stranger(site({"/page": answer(b"", 'ETag: "one"', status="304 Not Modified")}))
        response = web.get(URL, etag='"one"', last_modified="Sun, 01 Nov 2026 10:00:00 GMT")
        assert response.is_not_modified
        assert response.body == b""
        assert header_of(server.heard[1], "if-none-match") == '"one"'
        assert header_of(server.heard[1], "if-modified-since") == "Sun, 01 Nov 2026 10:00:00 GMT"

    def test_robots_txt_is_asked_for_without_conditions(self, stranger: Start, web: Web) -> None:
        server = stranger(site({"/page": answer()}))
        web.get(URL, etag='"one"')
        assert header_of(server.heard[0], "if-none-match") is None


class TestStream:
    def test_a_large_file_is_read_while_it_arrives(self, stranger: Start, web: Web) -> None:
        def large(head: bytes) -> Iterator[bytes]:
            yield b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nTransfer-Encoding: chunked\r\n\r\n"
            for _ in range(300):
                yield b"10000\r\n" + b"A" * 65536 + b"\r\n"
            yield b"0\r\n\r\n"

        stranger(site({"/sitemap.xml": large}))
        read = 0
        with web.stream("http://stranger.example/sitemap.xml", max_bytes=2**30, total_seconds=60) as body:
            assert body.content_type == "application/xml"
            while piece := body.read(10_000):
                assert len(piece) <= 10_000
                read += len(piece)
        assert read == 300 * 65536

    def test_it_is_cut_off_at_its_limit(self, stranger: Start, web: Web) -> None:
        stranger(site({"/sitemap.xml": answer(b"A" * 100_000)}))
        with (
            pytest.raises(Final) as cut,
            web.stream("http://stranger.example/sitemap.xml", max_bytes=50_000, total_seconds=60) as body,
        ):
            body.read()
        assert cut.value.reason == reasons.TOO_LARGE

    def test_leaving_early_leaves_the_client_usable(self, stranger: Start, web: Web) -> None:
        stranger(site({"/sitemap.xml": answer(b"A" * 1_000_000), "/page": answer(b"fine")}))
        with web.stream("http://stranger.example/sitemap.xml", max_bytes=2**30, total_seconds=60) as body:
            assert body.read(5) == b"AAAAA"
        assert web.get(URL).body == b"fine"
