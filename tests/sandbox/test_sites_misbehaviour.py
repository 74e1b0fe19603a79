"""Each misbehaving site does what its name says, and those that only stumble recover."""

from __future__ import annotations

import ipaddress
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import pytest

from sandbox.kinds import BY_NAME
from sandbox.message import Reply, Request
from sandbox.siteplan import site_plan
from sandbox.sites import Sites
from sandbox.sites.misbehaviour_refusal import INSIDE
from sandbox.sites.visit import MISBEHAVIOURS
from sandbox.world import World

WORLD = World(300)


class Visitor:
    """Asks one site again and again, robots.txt first, as a server would count it."""

    def __init__(self, kind: str) -> None:
        self.business = WORLD.with_kind(kind)
        self.host = self.business.host or ""
        self.visits, self._sites = 0, Sites(WORLD)

    def ask(self, path: str = "/", *, host: str = "", **headers: str) -> Reply:
        self.visits += 1
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        reply = self._sites.answer(Request("GET", host or self.host, path, "", named, visit=self.visits))
        assert reply is not None
        return reply


def head(reply: Reply, name: str) -> str:
    return dict(reply.headers)[name]


def test_every_misbehaviour_is_a_kind() -> None:
    assert set(MISBEHAVIOURS) <= set(BY_NAME)


@pytest.mark.parametrize("kind", sorted(kind for kind in BY_NAME if WORLD.with_kind(kind).host))
def test_robots_txt_is_never_part_of_the_misbehaviour(kind: str) -> None:
    reply = Visitor(kind).ask("/robots.txt")
    assert reply.status == {"robots-500": 500, "robots-redirect": 302}.get(kind, 200)
    assert (reply.hangs, reply.resets, reply.drip_seconds, reply.wait_seconds) == (False, False, 0, 0)


@pytest.mark.parametrize(
    ("kind", "status"),
    [("not-found", 404), ("server-error", 500), ("blocked", 403), ("redirect-loop", 302), ("redirect-private", 302)],
)
def test_some_answer_with_the_same_status_always(kind: str, status: int) -> None:
    visitor = Visitor(kind)
    assert [visitor.ask(path).status for path in ("/", "/contact", "/", "/sitemap.xml")] == [status] * 4


def test_slow_waits_and_answers() -> None:
    reply = Visitor("slow").ask()
    assert (reply.status, reply.wait_seconds) == (200, 1.5)


def test_drip_hang_and_resets() -> None:
    assert Visitor("drip").ask().drip_seconds > 0
    assert Visitor("hang").ask().hangs
    assert Visitor("resets").ask().resets


@pytest.mark.parametrize("with_robots", [True, False])
@pytest.mark.parametrize(("kind", "failures"), [("rate-limited", [429]), ("unavailable", [503])])
def test_once_refused_then_fine(kind: str, failures: list[int], with_robots: bool) -> None:
    visitor = Visitor(kind)
    if with_robots:
        visitor.ask("/robots.txt")
        visitor.ask("/robots.txt", host=f"www.{visitor.host}")
    assert [visitor.ask().status for _ in range(3)] == [*failures, 200, 200]


def test_flaky_fails_twice_in_either_way() -> None:
    for index in (index for index in range(len(WORLD)) if WORLD.business(index).site_kind == "flaky"):
        visitor = Visitor("flaky")
        visitor.host = WORLD.business(index).host or ""
        replies = [visitor.ask() for _ in range(4)]
        assert [reply.resets or reply.status >= 500 for reply in replies] == [True, True, False, False]
        assert replies[0].status == 502


def test_a_server_that_begins_anew_finds_the_site_failing_anew() -> None:
    visitor = Visitor("rate-limited")
    assert [visitor.ask().status for _ in range(2)] == [429, 200]
    visitor.visits = 0
    assert [visitor.ask().status for _ in range(2)] == [429, 200]


def test_retry_after_comes_as_seconds_and_as_a_date() -> None:
    assert head(Visitor("rate-limited").ask(), "Retry-After") == "2"
    until = parsedate_to_datetime(head(Visitor("unavailable").ask(), "Retry-After"))
    assert timedelta(0) < until - datetime.now(UTC) <= timedelta(seconds=2)


def test_redirects_inside_are_all_unsafe_and_varied() -> None:
    for place in INSIDE:
        host = place.split("/")[2].strip("[]")
        if host[0].isdigit() and host.count(".") == 3:
            assert not ipaddress.ip_address(host).is_global
    assert len(set(INSIDE)) > 5
    visitor = Visitor("redirect-private")
    assert head(visitor.ask(), "Location") in INSIDE


def test_a_loop_never_leaves_its_host() -> None:
    visitor, path = Visitor("redirect-loop"), "/"
    for _ in range(12):
        location = head(visitor.ask(path), "Location")
        assert location.startswith(f"http://{visitor.host}/")
        path = location.removeprefix(f"http://{visitor.host}")


def test_who_moved_sends_visitors_on_with_their_path() -> None:
    visitor = Visitor("redirect-elsewhere")
    moved = site_plan(WORLD, visitor.business).host
    reply = visitor.ask("/contact")
    assert (reply.status, head(reply, "Location")) == (301, f"http://{moved}/contact")
    assert visitor.ask("/", host=moved).status == 200
    assert visitor.ask("/robots.txt", host=moved).status == 200


def test_a_challenge_says_so() -> None:
    reply = Visitor("challenge").ask()
    assert reply.status in (403, 503)
    assert head(reply, "cf-mitigated") == "challenge"


def test_a_pdf_is_a_pdf() -> None:
    reply = Visitor("not-html").ask()
    assert (reply.status, reply.content_type) == (200, "application/pdf")
    assert isinstance(reply.body, bytes)
    assert reply.body.startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("kind", "words"),
    [("parked", "is parked"), ("for-sale", "is for sale"), ("under-construction", "Under construction")],
)
def test_empty_sites_say_what_they_are(kind: str, words: str) -> None:
    reply = Visitor(kind).ask()
    assert reply.status == 200
    assert isinstance(reply.body, bytes)
    assert words in reply.body.decode()


@pytest.mark.parametrize(("kind", "coding"), [("gzip-bomb", "gzip"), ("brotli-bomb", "br"), ("zstd-bomb", "zstd")])
def test_a_bomb_goes_only_to_who_takes_it(kind: str, coding: str) -> None:
    visitor = Visitor(kind)
    assert head(visitor.ask(accept_encoding=f"deflate, {coding}"), "Content-Encoding") == coding
    plain = visitor.ask(accept_encoding="identity")
    assert plain.headers == ()
    assert not isinstance(plain.body, bytes)
    assert next(iter(plain.body)).startswith(b"<!doctype html>")


def test_the_gzip_bomb_of_a_reply_inflates_beyond_64_mib() -> None:
    reply, decode, inflated = Visitor("gzip-bomb").ask(accept_encoding="gzip"), zlib.decompressobj(31), 0
    assert not isinstance(reply.body, bytes)
    for piece in reply.body:
        inflated += len(decode.decompress(piece))
        if inflated > 64 << 20:
            return
    pytest.fail(f"only {inflated} bytes")


def test_charsets_are_as_told_or_not() -> None:
    for kind, charset, told in (
        ("wrong-charset", "latin-1", "text/html; charset=utf-8"),
        ("latin-1", "latin-1", "text/html"),
    ):
        for index in (index for index in range(len(WORLD)) if WORLD.business(index).site_kind == kind):
            visitor = Visitor(kind)
            visitor.host = WORLD.business(index).host or ""
            reply = visitor.ask()
            assert reply.content_type == told
            assert isinstance(reply.body, bytes)
            assert ('<meta charset="iso-8859-1">' in reply.body.decode(charset)) == (kind == "latin-1")
            with pytest.raises(UnicodeDecodeError):
                reply.body.decode("utf-8")
    wide = Visitor("utf-16").ask().body
    assert isinstance(wide, bytes)
    assert wide[:2] in (b"\xff\xfe", b"\xfe\xff")


def test_invalid_html_is_invalid() -> None:
    body = Visitor("invalid-html").ask().body
    assert isinstance(body, bytes)
    assert b"</p>" not in body
    assert b"\x00" in body
    with pytest.raises(UnicodeDecodeError):
        body.decode()
