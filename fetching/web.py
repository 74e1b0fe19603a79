"""The web as stages see it: safe, polite, in words. `Web().get(url)` asks robots.txt, waits its turn, and follows."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

import httpx
import structlog

import reasons
from errors import Final, Trouble
from fetching.client import Client, Exchange, Limits, checked_url, client, user_agent
from fetching.manners import InMemoryManners, Manners
from fetching.response import NOT_MODIFIED, Body, Response
from fetching.robots import RobotsGate
from fetching.words import LONGEST_SAYING, NOBODY_WAS_ASKED, fault_of, host_of, retry_after
from services import charset, content
from services.host import registrable_domain
from services.politeness import Answered
from services.robots import MOST_BYTES as MOST_ROBOTS_BYTES
from services.robots import Robots
from settings import settings

log = structlog.get_logger("web")

MOST_REDIRECTS = 5
REDIRECTS = (301, 302, 303, 307, 308)
UNLIMITED = 2**63  # bytes: only as much as is wanted is read
# What a stranger gave us and we give back: plain characters, few enough for a header. The rest is left out.
SENDABLE = re.compile(r"[!-~](?:[ -~]{0,4094}[!-~])?")
MOST_COOKIES = 20
PAGES = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5"


class Web:
    """Everything a stage may do with strangers' sites.

    Raises Passing or Final with a reason, never an exception of a library; Snooze when the host wants us later.
    """

    def __init__(self, manners: Manners | None = None, *, through: Client | None = None) -> None:
        self._manners = manners or _own_manners()
        self._client = through
        self._gate = RobotsGate(self._manners, self._read_robots, user_agent())

    def get(
        self,
        url: str,
        *,
        html: bool = False,
        etag: str | None = None,
        last_modified: str | None = None,
        within: str | None = None,
    ) -> Response:
        """Fetch a page; with `html`, refuse what is not one before its body is read.

        With what an earlier answer gave as `etag` or `last_modified`, the answer may be an empty 304. A redirect out of
        the lane `within` is not followed but given: its `url` is where it leads.
        """
        limits = Limits.of_pages(settings())
        with self._open(url, limits, etag=etag, last_modified=last_modified, within=within) as (trip, exchange):
            body = b"" if exchange.status in REDIRECTS else _whole(exchange, html=html and exchange.status < 300)
            response = Response(
                trip.url,
                exchange.status,
                exchange.headers,
                body,
                exchange.seconds,
                exchange.wire_bytes,
                tuple(trip.redirects),
                trip.robots,
            )
        log.debug("fetched", url=url, status=response.status, bytes=len(body), seconds=round(response.seconds, 3))
        return response

    @contextmanager
    def stream(
        self,
        url: str,
        *,
        max_bytes: int,
        total_seconds: float,
        etag: str | None = None,
        last_modified: str | None = None,
    ) -> Iterator[Body]:
        """Open something large, to be read while it arrives."""
        limits = replace(Limits.of_pages(settings()), max_bytes=max_bytes, total_seconds=total_seconds)
        with self._open(url, limits, etag=etag, last_modified=last_modified) as (trip, exchange):
            yield Body(trip.url, exchange.status, exchange.headers, exchange.pieces())

    @contextmanager
    def _open(
        self, url: str, limits: Limits, *, etag: str | None, last_modified: str | None, within: str | None = None
    ) -> Iterator[tuple[_Trip, Exchange]]:
        """Go where `url` leads, robots.txt asked at every host on the way; a page or a 304 comes out."""
        wanted = (("If-None-Match", etag), ("If-Modified-Since", last_modified))
        conditions = [(name, value) for name, value in wanted if value and SENDABLE.fullmatch(value)]
        trip = _Trip(checked_url(url), limits.total_seconds)
        while True:
            trip.robots = self._allowed(trip.url)
            with self._ask(trip, limits, [("Accept", PAGES), *conditions]) as exchange:
                goes_on = trip.goes_on(exchange)
                if not goes_on:
                    _refuse(exchange, is_conditional=bool(conditions))
                if not goes_on or (within is not None and trip.lane != within):
                    yield trip, exchange
                    return

    def _allowed(self, url: str) -> str:
        decision = self._gate.check(url)
        if not decision.allowed:
            raise Final(reasons.ROBOTS_DENIED, decision.why)
        return decision.why

    @contextmanager
    def _ask(self, trip: _Trip, limits: Limits, headers: list[tuple[str, str]]) -> Iterator[Exchange]:
        """Ask one URL once, when its host's turn has come, and remember how it answered."""
        lane = trip.lane
        self._manners.ask(lane)
        answered = Answered(trip.seconds_left)
        limits = replace(limits, total_seconds=trip.seconds_left)
        started = time.monotonic()
        try:
            with (self._client or client()).send(trip.at, limits, headers=headers + trip.cookies()) as exchange:
                wait = retry_after(exchange.headers.get("retry-after"))
                answered = Answered(exchange.seconds, exchange.status, wait)
                yield exchange
        except Trouble as trouble:
            if answered.status is None:
                answered = Answered(trouble.seconds or 0.0, was_reached=trouble.reason not in NOBODY_WAS_ASKED)
            raise
        finally:
            trip.seconds_left -= time.monotonic() - started
            self._manners.answered(lane, answered)

    def _read_robots(self, url: str) -> Robots:
        """Read a robots.txt, wherever it moved to; it applies to the host that was asked first."""
        limits = replace(Limits.of_pages(settings()), max_bytes=UNLIMITED)
        trip = _Trip(checked_url(url), limits.total_seconds)
        while True:
            with self._ask(trip, limits, [("Accept", "text/plain,*/*;q=0.5")]) as exchange:
                if trip.goes_on(exchange):
                    continue
                return Robots.answered(exchange.status, _robots_text(exchange) if exchange.status < 300 else "")


class _Trip:
    """The way from the URL that was asked for to the one that answers."""

    def __init__(self, at: httpx.URL, seconds: float) -> None:
        self.at = at
        self.seconds_left = seconds  # for the whole way: five slow redirects are not given five times as long
        self.redirects: list[str] = []
        self.robots = ""
        self._cookies: dict[str, dict[str, str]] = {}

    @property
    def url(self) -> str:
        return str(self.at)

    @property
    def lane(self) -> str:
        return registrable_domain(host_of(self.at))

    def goes_on(self, exchange: Exchange) -> bool:
        """Follow a redirect, checked afresh; False when there is none."""
        location = exchange.headers.get("location")
        if exchange.status not in REDIRECTS or location is None:
            return False
        self._keep_cookies(exchange)
        if len(self.redirects) >= MOST_REDIRECTS:
            raise Final(
                reasons.TOO_MANY_REDIRECTS,
                f"more than {MOST_REDIRECTS}, the last from {self.url}",
                status=exchange.status,
            )
        try:
            target = self.at.join(location)
        except (httpx.InvalidURL, ValueError, TypeError) as fault:
            raise Final(reasons.BAD_REDIRECT, f"{fault}"[:LONGEST_SAYING], status=exchange.status) from fault
        self.redirects.append(self.url)
        self.at = checked_url(str(target.copy_with(fragment=None)))
        return True

    def cookies(self) -> list[tuple[str, str]]:
        """Give back the cookies this host set on the way: without them some sites redirect in circles."""
        kept = self._cookies.get(host_of(self.at))
        return [("Cookie", "; ".join(f"{name}={value}" for name, value in kept.items()))] if kept else []

    def _keep_cookies(self, exchange: Exchange) -> None:
        kept = self._cookies.setdefault(host_of(self.at), {})
        for cookie in exchange.cookies()[:MOST_COOKIES]:
            name, _, value = (part.strip() for part in cookie.partition(";")[0].partition("="))
            if name and SENDABLE.fullmatch(f"{name}={value}") and len(kept) < MOST_COOKIES:
                kept[name] = value


@cache
def _own_manners() -> InMemoryManners:
    return InMemoryManners()


def _refuse(exchange: Exchange, *, is_conditional: bool) -> None:
    fault = fault_of(exchange.status, exchange.headers, exchange.seconds)
    if exchange.status == NOT_MODIFIED and not is_conditional:
        fault = Final(reasons.BAD_RESPONSE, "HTTP 304 though nothing was said to be known", status=exchange.status)
    if fault is None and 300 <= exchange.status < 400 and exchange.status != NOT_MODIFIED:
        fault = Final(reasons.BAD_REDIRECT, f"HTTP {exchange.status} without a target", status=exchange.status)
    if fault is not None:
        raise fault


def _whole(exchange: Exchange, *, html: bool) -> bytes:
    """Read a body; with `html`, no further than it takes to see that it is not a page. Pieces may be very small."""
    body = bytearray()
    for piece in exchange.pieces():
        body += piece
        if html and len(body) >= content.SNIFFED_BYTES:
            _check_page(body, exchange)
            html = False
    if html:
        _check_page(body, exchange)
    return bytes(body)


def _check_page(body: bytearray, exchange: Exchange) -> None:
    if not content.is_page(bytes(body[: content.SNIFFED_BYTES]), exchange.headers.get("content-type")):
        raise Final(reasons.NOT_HTML, _described(exchange), status=exchange.status, seconds=exchange.seconds)


def _described(exchange: Exchange) -> str:
    return f"it says it is {exchange.headers.get('content-type') or 'of no type'}"[:200]


def _robots_text(exchange: Exchange) -> str:
    """Read at most 500 KiB, as RFC 9309 asks, and use what was read."""
    body = bytearray()
    for piece in exchange.pieces():
        body += piece
        if len(body) > MOST_ROBOTS_BYTES:
            break
    return charset.decode(bytes(body), "text/plain; charset=utf-8").text
