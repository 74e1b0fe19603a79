"""Metrics in Prometheus' text format, all read from the database: any process can give them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from models.search import PROVIDERS
from models.work import FAILURE_KINDS
from operations import figures, readings
from operations.catalogue import METRICS, Histogram
from operations.figures import StageFigures
from pipeline.database import database
from pipeline.meters import (
    ATTEMPTS,
    HANDOFF_BUCKET,
    HANDOFF_SUM,
    LABELS,
    LATE_FINISHES,
    OUTCOMES,
    RESCUES,
    RUN_BUCKET,
    RUN_SUM,
)
from pipeline.stage import all_stages
from settings import settings

# Counting all work reads all of it: whoever asks often is given what was read a moment ago, and counting never takes
# more than a small part of the time.
LEAST_SECONDS = 2.0
REST = 20.0

# By the metric's name, and there by the values of its labels.
Found = dict[str, dict[tuple[str, ...], float | Histogram]]
NO_LABELS = ()


class Once(Collector):
    """One reading of everything, as prometheus_client wants it."""

    def __init__(self, found: Found) -> None:
        self.found = found

    def collect(self) -> Iterable[Metric]:
        return [metric.family(self.found.get(metric.name, {})) for metric in METRICS]


class Kept:
    """The last text and until when it serves."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of, self._text, self._until = "", "", 0.0

    def text(self) -> str:
        """Give the kept text, or read anew: one at a time, the others wait for it."""
        with self._lock:
            began = time.monotonic()
            if self._of != database().url or began >= self._until:
                self._text, self._of = text(), database().url
                ended = time.monotonic()
                self._until = ended + max(LEAST_SECONDS, REST * (ended - began))
            return self._text


_kept = Kept()


def scrape() -> str:
    """Give every metric, at most some seconds old: for those who ask all the time."""
    return _kept.text()


def text() -> str:
    """Read the database once and write every metric."""
    registry = CollectorRegistry()
    registry.register(Once({**_stages(), **_counted(), **_machine(), **_money(), **_jobs()}))
    return generate_latest(registry).decode()


OF_STAGE: Mapping[str, Callable[[StageFigures], float]] = {
    "due_rows": lambda figure: figure.due,
    "later_rows": lambda figure: figure.later,
    "rung_rows": lambda figure: figure.rung,
    "oldest_due_age_seconds": lambda figure: figure.oldest_due_seconds or 0,
    "stage_paused": lambda figure: figure.paused,
}


def _stages() -> Found:
    """Read how much work is where."""
    known = figures.by_stage()
    declared = {stage.name: stage.window for stage in all_stages()}
    stages = {name: known.get(name) or StageFigures() for name in sorted(declared.keys() | known.keys())}
    found: Found = {metric: {(name,): read(one) for name, one in stages.items()} for metric, read in OF_STAGE.items()}
    found["work_rows"] = {
        (name, status.lower()): many for name, one in stages.items() for status, many in one.counts.items()
    }
    found["window_rows"] = {(name,): one.window or declared.get(name, 0) for name, one in stages.items()}
    counts = {
        "overdue_rows": readings.overdue(),
        "stage_workers_alive": readings.serving(stages),
        "waiting_for_budget_rows": readings.waiting_for_budget(stages),
    }
    return found | {metric: {(name,): many.get(name, 0) for name in stages} for metric, many in counts.items()}


def _counted() -> Found:
    """Read what the workers have counted; a stage that is declared counts from nought."""
    counts = readings.counted()
    names = sorted({stage.name for stage in all_stages()} | {stage for _, stage in counts})
    return {
        "attempts_total": {(name,): _one(counts, ATTEMPTS, name) for name in names},
        "late_finishes_total": {(name,): _one(counts, LATE_FINISHES, name) for name in names},
        "run_seconds": {(name,): _histogram(counts, RUN_BUCKET, RUN_SUM, name) for name in names},
        "handoff_seconds": {(name,): _histogram(counts, HANDOFF_BUCKET, HANDOFF_SUM, name) for name in names},
        "outcomes_total": {
            (name, *_words(label)): value for name in names for label, value in counts.get((OUTCOMES, name), {}).items()
        },
        "rescues_total": {
            (name, label): value for name in names for label, value in counts.get((RESCUES, name), {}).items()
        },
    }


def _one(counts: readings.Counts, meter: str, stage: str) -> float:
    return counts.get((meter, stage), {}).get("", 0)


def _words(label: str) -> tuple[str, str]:
    outcome, _, reason = label.partition(" ")
    return outcome, reason


def _histogram(counts: readings.Counts, bucket: str, total: str, stage: str) -> Histogram:
    """Sum the buckets up to each edge; those of an earlier release's edges too."""
    found = dict.fromkeys(LABELS, 0.0) | counts.get((bucket, stage), {})
    return Histogram(list(_up_to(found)), _one(counts, total, stage))


def _up_to(found: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    below = 0.0
    for edge in sorted(found, key=float):
        below += found[edge]
        yield edge, below


def _machine() -> Found:
    failures, checks = figures.failures_last_hour(), figures.invariant_checks()
    return {
        "workers_alive": {NO_LABELS: figures.workers_alive()},
        "hosts_blocked": {NO_LABELS: readings.hosts_blocked()},
        "failures_last_hour": {(kind,): failures.get(kind, 0) for kind in FAILURE_KINDS},
        "invariant_violations": {(check["name"],): check["violations"] for check in checks},
        "invariant_check_age_seconds": {(check["name"],): check["seconds"] for check in checks},
        "alarms": {(name,): many for name, many in readings.alarms_ringing().items()},
    }


def _money() -> Found:
    today = readings.spent_today()
    names = sorted({*PROVIDERS, *today} - {"list"})
    return {
        "spent_today_usd": {(name,): today.get(name, (0, 0))[1] for name in names},
        "calls_today": {(name,): today.get(name, (0, 0))[0] for name in names},
        "daily_budget_usd": {NO_LABELS: float(settings().provider_daily_budget_usd)},
    }


def _jobs() -> Found:
    jobs = readings.jobs()
    return {
        "job_age_seconds": {(row["name"], row["kind"]): row["age"] for row in jobs if row["age"] is not None},
        "job_late_seconds": {(row["name"], row["kind"]): row["late"] for row in jobs},
        "job_failed": {(row["name"], row["kind"]): row["failed"] for row in jobs},
    }
