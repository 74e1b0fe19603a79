"""Meters: what this process has counted and not yet told the database; every worker adds its counts with each beat."""

from __future__ import annotations

import json
import threading
from bisect import bisect_left
from collections import defaultdict
from typing import Literal
from uuid import UUID

import structlog

from models.connect import connect_driver
from pipeline.database import DRIVER_FAULTS, Connection, database, statement

log = structlog.get_logger("meters")

Word = Literal["completed", "filtered", "error", "retried", "snoozed"]
Counts = defaultdict[tuple[str, str, str], float]
Minutes = dict[tuple[str, UUID], defaultdict[str, float]]

# What the rows of `meters` are named; a label is a bucket's upper edge, or words.
ATTEMPTS, OUTCOMES, RESCUES, LATE_FINISHES = "attempts", "outcomes", "rescues", "late_finishes"
RUN_BUCKET, RUN_SUM = "run_bucket", "run_sum"
HANDOFF_BUCKET, HANDOFF_SUM = "handoff_bucket", "handoff_sum"

EDGES = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0)
LABELS = (*(f"{edge:g}" for edge in EDGES), "+Inf")

# Rows in the same order everywhere, so that two workers wait for each other and never in a circle. Counts that a crash
# of the server forgets are not worth waiting for its disk.
FLUSH = b"""
WITH ended AS (
    INSERT INTO stage_minutes (stage, minute, tenant_id, completed, filtered, error, retried, seconds)
    SELECT stage, date_trunc('minute', now()), tenant_id,
           coalesce(completed, 0), coalesce(filtered, 0), coalesce(error, 0), coalesce(retried, 0), coalesce(seconds, 0)
    FROM jsonb_to_recordset(%(minutes)s::jsonb) AS new(
        stage text, tenant_id uuid, completed int, filtered int, error int, retried int, seconds float8)
    ORDER BY stage, tenant_id
    ON CONFLICT (stage, minute, tenant_id) DO UPDATE SET
        completed = stage_minutes.completed + EXCLUDED.completed,
        filtered = stage_minutes.filtered + EXCLUDED.filtered,
        error = stage_minutes.error + EXCLUDED.error,
        retried = stage_minutes.retried + EXCLUDED.retried,
        seconds = stage_minutes.seconds + EXCLUDED.seconds)
INSERT INTO meters (name, stage, label, value)
SELECT name, stage, label, value
FROM jsonb_to_recordset(%(counts)s::jsonb) AS new(name text, stage text, label text, value float8)
    CROSS JOIN set_config('synchronous_commit', 'off', true)
ORDER BY name, stage, label
ON CONFLICT (name, stage, label) DO UPDATE SET value = meters.value + EXCLUDED.value"""


class Meters:
    """Counts in memory: a few additions for each piece of work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counts = defaultdict(int)
        self._minutes: Minutes = {}

    def claimed(self, stage: str, handoff_seconds: float) -> None:
        """Count a claim, and how long the ring for it took."""
        seconds = max(handoff_seconds, 0.0)
        with self._lock:
            self._counts[ATTEMPTS, stage, ""] += 1
            self._counts[HANDOFF_BUCKET, stage, LABELS[bisect_left(EDGES, seconds)]] += 1
            self._counts[HANDOFF_SUM, stage, ""] += seconds

    def ended(
        self, stage: str, tenant_id: UUID, outcome: Word, reason: str | None, seconds: float | None = None
    ) -> None:
        """Count how a run ended and how long it took; one that was put off for later is no run."""
        with self._lock:
            self._counts[OUTCOMES, stage, f"{outcome} {reason}" if reason else outcome] += 1
            if outcome == "snoozed":
                return
            minute = self._minutes.setdefault((stage, tenant_id), defaultdict(int))
            minute[outcome] += 1
            if seconds is not None:
                minute["seconds"] += seconds
                self._counts[RUN_BUCKET, stage, LABELS[bisect_left(EDGES, seconds)]] += 1
                self._counts[RUN_SUM, stage, ""] += seconds

    def rescued(self, stage: str, reason: str) -> None:
        """Count work that was given back for its worker."""
        with self._lock:
            self._counts[RESCUES, stage, reason] += 1

    def finished_late(self, stage: str) -> None:
        """Count a finish that came after the right to it was lost."""
        with self._lock:
            self._counts[LATE_FINISHES, stage, ""] += 1

    @property
    def is_empty(self) -> bool:
        return not self._counts

    def flush(self, connection: Connection) -> None:
        """Add what was counted to the database's counts; what cannot be told is kept for the next time."""
        counts, minutes = self.take()
        if not counts:
            return
        rows = [dict(zip(("name", "stage", "label"), key, strict=True), value=value) for key, value in counts.items()]
        ended = [{"stage": stage, "tenant_id": str(tenant), **row} for (stage, tenant), row in minutes.items()]
        try:
            connection.execute(FLUSH, {"counts": json.dumps(rows), "minutes": json.dumps(ended)})
        except DRIVER_FAULTS:
            self._put_back(counts, minutes)
            raise

    def take(self) -> tuple[Counts, Minutes]:
        """Give what was counted, and begin anew."""
        with self._lock:
            taken = self._counts, self._minutes
            self._counts, self._minutes = defaultdict(int), {}
        return taken

    def _put_back(self, counts: Counts, minutes: Minutes) -> None:
        with self._lock:
            for key, value in counts.items():
                self._counts[key] += value
            for minute, row in minutes.items():
                known = self._minutes.setdefault(minute, defaultdict(int))
                for column, value in row.items():
                    known[column] += value


meters = Meters()


class Teller:
    """Tells the database what this process counts, on a connection of its own: work never waits for it."""

    def __init__(self) -> None:
        self._connection: Connection | None = None

    def tell(self) -> None:
        """Add the counts; when that does not work, the next beat tries again."""
        if meters.is_empty:
            return
        try:
            if self._connection is None or self._connection.closed:
                self._connection = connect_driver(database().url)
            meters.flush(self._connection)
        except DRIVER_FAULTS as fault:
            log.warning("meters-not-told", error=str(fault))
            self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def tell() -> None:
    """Add what this process has counted, through its pool: for processes without a beat."""
    try:
        with statement() as connection:
            meters.flush(connection)
    except DRIVER_FAULTS as fault:
        log.warning("meters-not-told", error=str(fault))
