"""Words, not exceptions from libraries: every failure of a request as Passing or Final with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import httpcore
import httpx
from h11 import LocalProtocolError

import reasons
from errors import Final, Passing, Trouble

LONGEST_SAYING = 200  # of a library about what a stranger sent
TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE = 429, 503
BLOCKED = (401, 403, 451, 999)  # 999 is how one social network says no
GONE = (404, 410)
# Not the request's fault: its time ran out, it came too early, or it reached the wrong one of several servers.
MAY_PASS = {408: reasons.TIMEOUT, 421: reasons.SERVER_ERROR, 425: reasons.SERVER_ERROR}
# A request that no server has seen: to ask again soon disturbs nobody.
NOBODY_WAS_ASKED = (reasons.DNS, reasons.REFUSED, reasons.TLS, reasons.UNREACHABLE)
CHALLENGES = (("cf-mitigated", "challenge"), ("x-amzn-waf-action", "challenge"), ("x-amzn-waf-action", "captcha"))


def host_of(url: httpx.URL) -> str:
    """Give a URL's host as it is asked for; `url.host` decodes punycode, some of it, and raises when it is broken."""
    return url.raw_host.decode("ascii", "replace")


@contextmanager
def in_words(url: httpx.URL) -> Iterator[None]:
    """Turn whatever the HTTP library raises into our own words."""
    try:
        yield
    except (httpcore.TimeoutException, httpx.TimeoutException) as fault:
        raise Passing(reasons.TIMEOUT, f"{host_of(url)} did not answer in time") from fault
    except (httpcore.RemoteProtocolError, httpx.RemoteProtocolError) as fault:
        raise _protocol_fault(url, str(fault)) from fault
    except (httpcore.LocalProtocolError, httpx.LocalProtocolError, LocalProtocolError) as fault:
        raise Final(reasons.BAD_URL, f"cannot be asked for: {fault}") from fault
    except (httpcore.NetworkError, httpx.NetworkError) as fault:
        raise Passing(reasons.CONNECTION_LOST, f"{host_of(url)} broke the connection ({fault})") from fault


def _protocol_fault(url: httpx.URL, said: str) -> Trouble:
    """A connection that ends early is one thing, an answer that is not HTTP another."""
    if "disconnected" in said or "peer closed connection" in said:
        return Passing(reasons.CONNECTION_LOST, f"{host_of(url)} closed the connection before its answer was complete")
    return Final(reasons.BAD_RESPONSE, f"{host_of(url)} does not speak HTTP ({said[:LONGEST_SAYING]})")


def fault_of(status: int, headers: Mapping[str, str], seconds: float) -> Trouble | None:
    """Put a status that brings no page into a word; None for a page, a redirect or a 304."""
    if status < 400:
        return None
    wait = retry_after(headers.get("retry-after"))
    if any(headers.get(name) == value for name, value in CHALLENGES):
        return Final(reasons.BLOCKED, f"HTTP {status} with a challenge page", status=status, seconds=seconds)
    if status == TOO_MANY_REQUESTS:
        return Passing(reasons.RATE_LIMITED, f"HTTP {status}", status=status, retry_after=wait, seconds=seconds)
    if status in BLOCKED:
        return Final(reasons.BLOCKED, f"HTTP {status}", status=status, seconds=seconds)
    if status >= 500:
        return Passing(reasons.SERVER_ERROR, f"HTTP {status}", status=status, retry_after=wait, seconds=seconds)
    if status in MAY_PASS:
        return Passing(MAY_PASS[status], f"HTTP {status}", status=status, retry_after=wait, seconds=seconds)
    word = reasons.NOT_FOUND if status in GONE else reasons.REQUEST_REJECTED
    return Final(word, f"HTTP {status}", status=status, seconds=seconds)


def retry_after(header: str | None) -> timedelta | None:
    """Read a Retry-After of either form, seconds or a date; rubbish and the past ask for nothing."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return timedelta(seconds=int(text))
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    wait = (at if at.tzinfo else at.replace(tzinfo=UTC)) - datetime.now(UTC)
    return wait if wait > timedelta(0) else None
