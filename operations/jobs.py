"""Jobs: what runs on a clock says here when it runs next, when it ran last and how that went."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Literal

import structlog
from psycopg.rows import dict_row

from errors import MAX_ERROR_CHARACTERS, UserError
from pipeline.children import clean
from pipeline.database import DRIVER_FAULTS, statement
from redact import hide_password

log = structlog.get_logger("jobs")

Kind = Literal["sweeper", "clock"]
Result = Literal["executed", "error", "missed"]
Row = dict[str, Any]

# A run that was missed did not run: the time and length of the last one stay.
REPORT = b"""
INSERT INTO jobs (name, kind, trigger, next_run_at, last_run_at, last_seconds, last_result, last_detail, reported_by)
VALUES (%(name)s, %(kind)s, %(trigger)s, %(next_run_at)s,
        CASE WHEN %(ran)s THEN clock_timestamp() - coalesce(%(seconds)s::float8, 0) * interval '1 second' END,
        CASE WHEN %(ran)s THEN %(seconds)s::float8 END, %(result)s, %(detail)s, %(by)s)
ON CONFLICT (name) DO UPDATE SET
    kind = EXCLUDED.kind, trigger = coalesce(EXCLUDED.trigger, jobs.trigger), next_run_at = EXCLUDED.next_run_at,
    last_run_at = coalesce(EXCLUDED.last_run_at, jobs.last_run_at),
    last_seconds = CASE WHEN %(ran)s THEN EXCLUDED.last_seconds ELSE jobs.last_seconds END,
    last_result = coalesce(EXCLUDED.last_result, jobs.last_result),
    last_detail = CASE WHEN EXCLUDED.last_result IS NULL THEN jobs.last_detail ELSE EXCLUDED.last_detail END,
    reported_by = EXCLUDED.reported_by, reported_at = EXCLUDED.reported_at"""

JOBS = b"""
SELECT name, kind, trigger, next_run_at, last_run_at, last_seconds, last_result, last_detail, reported_by, reported_at
FROM jobs ORDER BY kind DESC, name"""

FORGET = b"DELETE FROM jobs WHERE kind = %(kind)s AND name <> ALL(%(names)s)"


def report(
    name: str,
    kind: Kind,
    trigger: str | None = None,
    next_run_at: datetime | None = None,
    result: Result | None = None,
    seconds: float | None = None,
    detail: str | None = None,
) -> None:
    """Note when a job runs next and, with a result, how its run went; a database that is away is only logged."""
    values = {
        "name": name,
        "kind": kind,
        "trigger": trigger,
        "next_run_at": next_run_at,
        "result": result,
        "ran": result in ("executed", "error"),
        "seconds": seconds,
        "detail": None if detail is None else clean(hide_password(detail))[:MAX_ERROR_CHARACTERS],
        "by": f"{socket.gethostname()}:{os.getpid()}",
    }
    try:
        with statement() as connection:
            connection.execute(REPORT, values)
    except (*DRIVER_FAULTS, UserError) as fault:
        log.warning("job-not-reported", job=name, error=str(fault))


class Run:
    """The length of a block that is one run of a job; reports how it went, also when it fails."""

    def __init__(self, name: str, kind: Kind, trigger: str, next_run_at: datetime | None) -> None:
        self.job = (name, kind, trigger, next_run_at)
        self.detail: str | None = None
        self.seconds = 0.0

    def __enter__(self) -> Run:
        self._began = time.monotonic()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, fault: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.seconds = time.monotonic() - self._began
        if fault is None:
            report(*self.job, "executed", self.seconds, self.detail)
        else:
            report(*self.job, "error", self.seconds, f"{type(fault).__name__}: {fault}")


def all_jobs() -> Sequence[Row]:
    """Give what every job last said of itself."""
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(JOBS).fetchall()


def forget_all_but(kind: Kind, names: Sequence[str]) -> None:
    """Forget the jobs of a kind that no longer exist."""
    with statement() as connection:
        connection.execute(FORGET, {"kind": kind, "names": list(names)})
