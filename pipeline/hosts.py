"""What is known of hosts: their pace, their robots.txt and the pause it asks for, kept in `hosts` for all workers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pipeline.children import clean
from pipeline.database import statement
from pipeline.patience import patiently
from services.host import registrable_domain
from services.politeness import Answered, next_gap
from services.robots import Robots
from settings import settings

# Two reads of a robots.txt that hold for a day are not exactly a day apart.
SLACK = timedelta(minutes=1)

OPEN_LANE = b"INSERT INTO hosts (host, cap, gap) VALUES (%(lane)s, %(cap)s, %(gap)s) ON CONFLICT DO NOTHING"

PACE = b"SELECT gap, crawl_delay FROM hosts WHERE host = %(lane)s"

NOTE = b"""
UPDATE hosts SET gap = %(gap)s, blocked_until = greatest(blocked_until, clock_timestamp() + %(rest)s::interval),
       next_at = CASE WHEN next_at = %(borrowed)s::timestamptz THEN clock_timestamp() + %(gap)s
                      ELSE greatest(next_at, clock_timestamp() + %(gap)s) END
WHERE host = %(lane)s"""

# The pace of the turn's own lane comes along, since it will be needed when the host has answered.
ROBOTS = b"""
SELECT host, gap, crawl_delay, CASE WHEN host = %(host)s THEN robots END, robots_state, robots_status, robots_at,
       robots_failing_since, robots_scheme
FROM hosts WHERE host = ANY(%(hosts)s)"""

KEEP_ROBOTS = b"""
INSERT INTO hosts (host, cap, gap, robots, robots_state, robots_status, robots_at, robots_failing_since, robots_scheme)
VALUES (%(host)s, %(cap)s, %(gap)s, %(text)s, %(state)s, %(status)s, %(at)s, %(since)s, %(scheme)s)
ON CONFLICT (host) DO UPDATE SET robots = EXCLUDED.robots, robots_state = EXCLUDED.robots_state,
    robots_status = EXCLUDED.robots_status, robots_at = EXCLUDED.robots_at,
    robots_failing_since = EXCLUDED.robots_failing_since, robots_scheme = EXCLUDED.robots_scheme"""

# Hosts of one lane may differ: the longest delay that any of them asked for lately is kept.
KEEP_CRAWL_DELAY = b"""
UPDATE hosts SET crawl_delay = %(delay)s, crawl_delay_at = clock_timestamp(), gap = greatest(gap, %(delay)s::interval),
       next_at = greatest(next_at, clock_timestamp() + %(delay)s::interval)
WHERE host = %(lane)s AND (crawl_delay IS NOT NULL OR %(delay)s::interval IS NOT NULL)
  AND (coalesce(crawl_delay, '0') <= coalesce(%(delay)s::interval, '0') OR crawl_delay_at < clock_timestamp() - %(old)s)
RETURNING gap, crawl_delay"""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a lane may be asked."""

    gap: timedelta
    crawl_delay: timedelta | None

    def after(self, answered: Answered) -> timedelta:
        """Give the gap that an answer calls for."""
        least = max(timedelta(seconds=settings().lane_gap_seconds), self.crawl_delay or timedelta(0))
        return next_gap(self.gap, answered, least=least, most=timedelta(seconds=settings().lane_gap_max_seconds))


def open_lane(lane: str) -> None:
    """Make sure that a lane exists."""
    _run(OPEN_LANE, {"lane": lane} | _lane_defaults())


def pace_of(lane: str) -> Pace:
    """Read how fast a lane may be asked."""
    row = row_of(PACE, {"lane": lane})
    return Pace(*row) if row else Pace(timedelta(seconds=settings().lane_gap_seconds), None)


def note(lane: str, *, gap: timedelta, rest: timedelta | None, borrowed: datetime | None) -> None:
    """Write down a lane's new gap, let it rest, and give it back to the others if it was borrowed until then."""
    _run(NOTE, {"lane": lane, "gap": gap, "rest": rest, "borrowed": borrowed})


def find_robots(host: str, lane: str | None) -> tuple[Robots | None, Pace | None]:
    """Give what was last known of a host's robots.txt, and the pace of a lane that will be needed soon."""
    robots = pace = None
    for name, gap, crawl_delay, text, state, *rest in rows_of(ROBOTS, {"host": host, "hosts": [host, lane]}):
        if name == lane:
            pace = Pace(gap, crawl_delay)
        if name == host and state is not None:
            robots = Robots(state, text or "", *rest)
    return robots, pace


def robots_of_claim(claimed: tuple[Any, ...]) -> tuple[Robots | None, Pace | None]:
    """Read what a claim brought of its lane's host; nothing when the host's robots.txt was not known then."""
    gap, crawl_delay, text, state, *rest = claimed or (None,) * 4
    if state is None:
        return None, None
    return Robots(state, text or "", *rest), Pace(gap, crawl_delay)


def keep_robots(host: str, robots: Robots) -> None:
    """Keep what is known of a host's robots.txt."""
    values = {
        "host": host,
        "text": clean(robots.text) or None,
        "state": robots.state,
        "status": robots.status,
        "at": robots.read_at,
        "since": robots.failing_since,
        "scheme": robots.scheme,
    }
    _run(KEEP_ROBOTS, values | _lane_defaults())


def keep_crawl_delay(lane: str, delay: timedelta | None) -> Pace | None:
    """Keep the pause that a robots.txt of this lane asks for; give the new pace if that changes it."""
    old = timedelta(hours=settings().robots_hours) - SLACK
    row = row_of(KEEP_CRAWL_DELAY, {"lane": lane, "delay": delay, "old": old})
    return Pace(*row) if row else None


def _lane_defaults() -> dict[str, Any]:
    return {"cap": settings().lane_cap, "gap": timedelta(seconds=settings().lane_gap_seconds)}


def row_of(sql: bytes, values: dict[str, Any]) -> tuple[Any, ...] | None:
    """Run a statement and give its first row."""
    return next(iter(rows_of(sql, values)), None)


def rows_of(sql: bytes, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Run a statement and give its rows."""

    def read() -> list[tuple[Any, ...]]:
        with statement() as connection:
            return connection.execute(sql, values).fetchall()

    return patiently(read)


def _run(sql: bytes, values: dict[str, Any]) -> None:
    def write() -> None:
        with statement() as connection:
            connection.execute(sql, values)

    patiently(write)


NAMES = b"SELECT host FROM hosts WHERE host = ANY(%(names)s) OR right(host, length(%(lane)s) + 1) = '.' || %(lane)s"

# A request that is under way is over after the time it may take, so the lane need not stay closed any longer.
FORGET = b"""
UPDATE hosts SET blocked_until = NULL, crawl_delay = NULL, crawl_delay_at = NULL, gap = %(gap)s,
       next_at = least(next_at, clock_timestamp() + greatest(%(gap)s, %(longest)s)),
       robots = NULL, robots_state = NULL, robots_status = NULL, robots_at = NULL, robots_failing_since = NULL,
       robots_scheme = NULL
WHERE host = ANY(%(names)s)"""


def site_of(host: str) -> tuple[str, list[str]]:
    """Give the lane that a host name belongs to, and every name of that lane that is known."""
    host = clean(host).strip().lower().rstrip(".")
    lane = registrable_domain(host)
    names = [name for (name,) in rows_of(NAMES, {"names": [host, lane], "lane": lane})]
    return lane, sorted(name for name in names if name == host or registrable_domain(name) == lane)


def forget(names: list[str]) -> None:
    """Forget the rests, the robots.txt and the stretched gaps of hosts, so that they are asked anew."""
    longest = timedelta(seconds=settings().fetch_total_seconds)
    _run(FORGET, {"names": names, "longest": longest} | _lane_defaults())
