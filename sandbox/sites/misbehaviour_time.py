"""Sites that take their time, never answer, break off, or only work when asked again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from sandbox.message import Reply, page
from sandbox.sites.visit import Visit, misbehaves

SLOW_SECONDS = 1.5
DRIP_SECONDS = 1.0
RETRY_SECONDS = 2
FLAKY_FAILURES = 2


@misbehaves("slow")
def slow(visit: Visit) -> Reply:
    """Answer well, late."""
    return replace(visit.normal(), wait_seconds=SLOW_SECONDS)


@misbehaves("drip")
def drip(visit: Visit) -> Reply:
    """Send a byte, rest, send a byte."""
    return replace(visit.normal(), drip_seconds=DRIP_SECONDS)


@misbehaves("hang")
def hang(_: Visit) -> Reply:
    """Take the request and say nothing, ever."""
    return Reply(hangs=True)


@misbehaves("resets")
def resets(_: Visit) -> Reply:
    """Break the connection, every time."""
    return Reply(resets=True)


@misbehaves("server-error")
def server_error(_: Visit) -> Reply:
    """Fail, every time."""
    return page("<h1>Internal Server Error</h1><p>The server met a problem.</p>", status=500)


@misbehaves("rate-limited")
def rate_limited(visit: Visit) -> Reply:
    """Ask the first visitor for two seconds of peace, then answer."""
    if visit.count > 1:
        return visit.normal()
    return page("<h1>Too Many Requests</h1>", status=429, headers=(("Retry-After", str(RETRY_SECONDS)),))


@misbehaves("unavailable")
def unavailable(visit: Visit) -> Reply:
    """Be down for maintenance once, and say as a date until when."""
    if visit.count > 1:
        return visit.normal()
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=RETRY_SECONDS), usegmt=True)
    return page("<h1>Down for maintenance</h1>", status=503, headers=(("Retry-After", until),))


@misbehaves("flaky")
def flaky(visit: Visit) -> Reply:
    """Fail twice, in one of two ways, then work."""
    if visit.count > FLAKY_FAILURES:
        return visit.normal()
    if visit.business.index % 2 and visit.count == FLAKY_FAILURES:
        return Reply(resets=True)
    return page("<h1>Bad Gateway</h1>", status=502)
