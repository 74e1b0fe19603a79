"""The pace of a provider: one bucket in `hosts` that all workers share, each call taking the next place in it.

The row is named `provider:` and the provider, which is no host's name. `inflight` stays 0: it counts rows in a lane.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import reasons
from errors import LateFinish, Snooze
from pipeline import lease
from pipeline.database import statement
from pipeline.finish import FENCE
from pipeline.hosts import open_lane, row_of
from pipeline.patience import patiently
from pipeline.stage import Turn
from settings import settings

PATIENCE = timedelta(seconds=3)
# Providers that count calls per minute say 429 without saying for how long.
USUAL_REST = timedelta(seconds=30)
LONGEST_REST = timedelta(hours=24)

RESERVE = f"""
WITH ours AS (SELECT 1 FROM work WHERE {FENCE}),
bucket AS (
    SELECT host, greatest(next_at, blocked_until, clock_timestamp()) AS open_at FROM hosts WHERE host = %(bucket)s
    FOR UPDATE),
reserved AS (
    UPDATE hosts SET gap = %(gap)s, next_at = bucket.open_at + %(gap)s FROM bucket
    WHERE hosts.host = bucket.host AND EXISTS (SELECT 1 FROM ours)
      AND bucket.open_at <= clock_timestamp() + %(patience)s
    RETURNING 1)
SELECT EXISTS (SELECT 1 FROM ours), EXISTS (SELECT 1 FROM reserved), open_at - clock_timestamp() FROM bucket""".encode()

REST = b"""
UPDATE hosts SET blocked_until = greatest(blocked_until, clock_timestamp() + %(rest)s) WHERE host = %(bucket)s"""


def wait_for_turn(turn: Turn, provider: str) -> None:
    """Wait for the next place; raise Snooze when it is too far away, LateFinish when the work is not ours."""
    wait = _reserve(turn, provider)
    if wait > 0 and lease.current().draining.wait(wait):
        raise Snooze(reasons.DRAINED, until=datetime.now(UTC))
    if not lease.current().is_held:
        raise LateFinish(f"this worker's lease is too old to go on with work {turn.work_id}")


def rest(provider: str, asked: timedelta | None) -> Snooze:
    """Let nobody ask a provider that wants a pause, and give the word for the work that was told so."""
    pause = min(asked or USUAL_REST, LONGEST_REST)

    def note() -> None:
        with statement() as connection:
            connection.execute(REST, {"bucket": _bucket(provider), "rest": pause})

    patiently(note)
    return _later(provider, pause)


def _reserve(turn: Turn, provider: str) -> float:
    """Take the next place in the bucket and give the seconds until then."""
    values = {
        "id": turn.work_id,
        "token": turn.token,
        "worker": turn.worker_id,
        "bucket": _bucket(provider),
        "gap": timedelta(seconds=1 / _calls_per_second(provider)),
        "patience": PATIENCE,
    }
    row = row_of(RESERVE, values)
    if row is None:
        open_lane(_bucket(provider))
        return _reserve(turn, provider)
    is_ours, has_place, wait = row
    if not is_ours:
        raise LateFinish(f"work {turn.work_id} is no longer ours at token {turn.token}")
    if not has_place:
        raise _later(provider, wait)
    return float(wait.total_seconds())


def _later(provider: str, wait: timedelta) -> Snooze:
    said = f"{provider} may be asked again in {wait.total_seconds():.0f} s"
    return Snooze(reasons.RATE_LIMITED, until=datetime.now(UTC) + wait, error=said)


def _bucket(provider: str) -> str:
    return f"provider:{provider}"


def _calls_per_second(provider: str) -> float:
    return settings().osm_calls_per_second if provider == "openstreetmap" else settings().google_calls_per_second
