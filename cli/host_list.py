"""Look at hosts: a list, or one site with its lane and what its robots.txt said; and forget it."""

from __future__ import annotations

from cli.ready import ready
from cli.text import NOTHING, console, duration, note, print_json, print_table, safe, say
from errors import BadInput
from operations import figures
from operations.figures import Row
from pipeline import doorbell, hosts, lanes
from pipeline.stage import load_stages

HEADERS = ("host", "gap", "crawl delay", "in flight", "next visit", "rests for", "robots.txt")
LINES_SHOWN, LONGEST_LINE = 10, 120

HOSTS = """
SELECT host, inflight, cap, next_at, blocked_until, robots_state, robots_status, robots_at,
       extract(epoch FROM gap)::float8 AS gap_seconds, extract(epoch FROM crawl_delay)::float8 AS crawl_delay_seconds,
       extract(epoch FROM next_at - clock_timestamp())::float8 AS next_seconds,
       extract(epoch FROM blocked_until - clock_timestamp())::float8 AS rest_seconds,
       extract(epoch FROM clock_timestamp() - robots_at)::float8 AS robots_seconds{more}
FROM hosts WHERE {condition} ORDER BY coalesce(blocked_until > clock_timestamp(), false) DESC, host LIMIT %(most)s"""

RESTS = "blocked_until > clock_timestamp()"


def show_list(*, blocked: bool, limit: int, as_json: bool) -> None:
    """Print one line per host, those that rest now first."""
    ready()
    sql = HOSTS.format(more="", condition=RESTS if blocked else "true")
    found = figures.rows(sql, {"most": limit + 1})
    if as_json:
        print_json(found[:limit])
    elif found:
        print_table(HEADERS, [_line(row) for row in found[:limit]])
    else:
        say("No host rests now." if blocked else "No host has been visited yet.")
    if len(found) > limit:
        note(f"There are more than these {limit}: raise --limit.")


def _line(row: Row) -> list[object]:
    return [
        row["host"],
        _pause(row["gap_seconds"]),
        _pause(row["crawl_delay_seconds"]),
        f"{row['inflight']} of {row['cap']}",
        _ahead(row["next_seconds"]) or "now",
        _ahead(row["rest_seconds"]),
        _verdict(row),
    ]


def _pause(seconds: float | None) -> str | None:
    return None if seconds is None else f"{seconds:.3g} s" if seconds < 60 else duration(seconds)


def _ahead(seconds: float | None) -> str | None:
    """Write a time that is still to come; None when it is over."""
    return duration(seconds) if seconds is not None and seconds > 0 else None


def _verdict(row: Row) -> str | None:
    if row["robots_state"] is None:
        return None
    answer = "no answer" if row["robots_status"] is None else f"HTTP {row['robots_status']}"
    return f"{row['robots_state']} ({answer}, {duration(row['robots_seconds'])} ago)"


def show_one(host: str) -> None:
    """Print a site's lane and the robots.txt of each of its names."""
    ready()
    lane, names = _known(host)
    sql = HOSTS.format(more=", robots", condition="host = ANY(%(names)s)")
    found = {row["host"]: row for row in figures.rows(sql, {"names": names, "most": len(names)})}
    if lane in found:
        _print_lane(found[lane])
    for name in names:
        _print_robots(found[name])


def _print_lane(row: Row) -> None:
    say(f"Lane {row['host']}")
    facts = zip(HEADERS[1:-1], _line(row)[1:-1], strict=True)
    for name, value in facts:
        _say_fact(NOTHING if value is None else value, label=f"{name:<12}")


def _print_robots(row: Row) -> None:
    verdict = _verdict(row)
    say(f"robots.txt of {row['host']}: {verdict or 'not asked for yet'}")
    lines = [line for line in (row["robots"] or "").splitlines() if line.strip()]
    for line in lines[:LINES_SHOWN]:
        _say_fact(line)
    if len(lines) > LINES_SHOWN:
        _say_fact(f"and {len(lines) - LINES_SHOWN} more lines")


def _say_fact(value: object, *, label: str = "") -> None:
    console().print(f"  {label}{safe(value, LONGEST_LINE)}", soft_wrap=True)


def clear(host: str) -> None:
    """Forget what a site asked for, and let its waiting work go on."""
    load_stages()
    ready(broker=True)
    lane, names = _known(host)
    hosts.forget(names)
    doorbell.ring(lanes.release([lane]))
    say(f"Forgotten: the rest, robots.txt and stretched gap of {', '.join(names)}. They will be asked anew.")


def _known(host: str) -> tuple[str, list[str]]:
    lane, names = hosts.site_of(host)
    if not names:
        raise BadInput(f"No host {safe(host, 100)!r} is known: `scrapersky hosts` lists those that are.")
    return lane, names
