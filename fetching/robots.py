"""The robots gate: whether a URL may be read by what its host's robots.txt says, which is read at most once a day."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import reasons
from errors import Final, Passing, Trouble
from fetching.manners import Manners
from services.host import registrable_domain
from services.robots import MOST_BYTES, Robots, allows, crawl_delay
from settings import settings

DEFAULT_PORTS = {"http": 80, "https": 443}
LONGEST_WAIT = timedelta(hours=1)
LONGEST_SENTENCE = 500


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a URL may be read, and why, in a sentence that names host, state and time."""

    allowed: bool
    why: str


class RobotsGate:
    """Asks a host's robots.txt about URLs; `read` fetches one and may raise Passing or Final instead."""

    def __init__(self, manners: Manners, read: Callable[[str], Robots], agent: str) -> None:
        self.manners = manners
        self.read = read
        self.agent = agent

    def check(self, url: str) -> Decision:
        """Decide about a URL; raise Passing when robots.txt cannot be read now, which means not now for its host."""
        place = _place(url)
        if place.path == "/robots.txt":
            return Decision(True, f"robots.txt of {place.host} may always be read itself")
        robots = self._known(place)
        said = _sentence(place.host, robots)
        if robots.state == "unreachable":
            raise Passing(reasons.ROBOTS_UNAVAILABLE, said, status=robots.status, retry_after=_wait(robots))
        allowed = robots.state == "absent" or allows(robots.text, url=url, agent=self.agent)
        return Decision(allowed, f"{said} and {'allows' if allowed else 'denies'} {place.path}"[:LONGEST_SENTENCE])

    def _known(self, place: _Place) -> Robots:
        known = self.manners.robots(place.host)
        if known is not None and _is_fresh(known, place.scheme):
            return known
        fault: Trouble | None = None
        try:
            robots = self.read(place.robots_url)
        except (Passing, Final) as trouble:
            robots, fault = robots_after(trouble), trouble
        robots = replace(robots, scheme=place.scheme)
        if robots.state == "unreachable":
            robots = replace(robots, failing_since=(known and known.failing_since) or robots.read_at)
        self._keep(place, robots)
        if fault is not None and robots.state == "unreachable" and robots.status is None:
            # A host that does not answer at all: its own word says more than that its robots.txt is away.
            raise Passing(fault.reason, fault.error, retry_after=_wait(robots), seconds=fault.seconds) from fault
        return robots

    def _keep(self, place: _Place, robots: Robots) -> None:
        self.manners.keep_robots(place.host, robots)
        if robots.state == "read":
            self.manners.keep_crawl_delay(place.lane, crawl_delay(robots.text, agent=self.agent))


def robots_after(fault: Trouble) -> Robots:
    """Say what a failed request for robots.txt means.

    What may pass is "not now". What will not change allows: RFC 9309 says so of more than five redirects, and of
    an unsafe address or a name without one it is the page's own request that will be refused, with the better word.
    """
    if fault.status is not None:
        return Robots.answered(fault.status)
    return Robots("unreachable" if isinstance(fault, Passing) else "absent")


def _is_fresh(robots: Robots, scheme: str) -> bool:
    """Tell whether a verdict still holds; one from the future, by a wrong clock, is as old as it is early.

    That nobody answers on one port says nothing of the other: many small sites know http only.
    """
    if robots.status is None and robots.scheme not in (scheme, None):
        return False
    was_answered = robots.state != "unreachable" and robots.status is not None
    limit = timedelta(hours=settings().robots_hours) if was_answered else _unanswered()
    return abs(datetime.now(UTC) - robots.read_at) < limit


def _wait(robots: Robots) -> timedelta:
    """Wait as long again as robots.txt has been failing, so that the waits double."""
    failing = datetime.now(UTC) - (robots.failing_since or robots.read_at)
    return min(max(failing, _unanswered()), LONGEST_WAIT)


def _unanswered() -> timedelta:
    """How long a verdict without an answer holds, so that the host's other pages do not each ask again."""
    return timedelta(seconds=settings().robots_retry_seconds)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a URL's robots.txt is, under which name it is kept, and in whose lane it is asked for."""

    scheme: str
    host: str
    robots_url: str
    lane: str
    path: str


def _place(url: str) -> _Place:
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as fault:
        raise Final(reasons.BAD_URL, f"{url[:200]!r} cannot be read: {fault}") from None
    if not host or parts.scheme not in DEFAULT_PORTS:
        raise Final(reasons.BAD_URL, f"{url[:200]!r} is not an http or https URL with a host")
    name = f"[{host}]" if ":" in host else host
    if port is not None and port != DEFAULT_PORTS[parts.scheme]:
        name = f"{name}:{port}"
    robots_url = f"{parts.scheme}://{name}/robots.txt"
    return _Place(parts.scheme, name, robots_url, registrable_domain(host), parts.path or "/")


STATES = {"read": "was read", "absent": "is absent", "unreachable": "cannot be read now"}


def _sentence(host: str, robots: Robots) -> str:
    status = "no answer" if robots.status is None else f"HTTP {robots.status}"
    return f"robots.txt of {host} {STATES[robots.state]} ({status}, {robots.read_at:%Y-%m-%d %H:%M:%S} UTC)"


__all__ = ["MOST_BYTES", "Decision", "RobotsGate", "robots_after"]
