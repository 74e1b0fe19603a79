"""Catalogue: every metric with its kind, labels and meaning; the reference is written from here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

Kind = Literal["gauge", "counter", "histogram"]
PREFIX = "scrapersky_"
FAMILIES: Mapping[Kind, Any] = {
    "gauge": GaugeMetricFamily,
    "counter": CounterMetricFamily,
    "histogram": HistogramMetricFamily,
}


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many lay at or below each edge, in rising order, and the sum of all."""

    buckets: Sequence[tuple[str, float]]
    total: float


Values = Mapping[tuple[str, ...], float | Histogram]


@dataclass(frozen=True, slots=True)
class Declared:
    """A metric: how it is called after the prefix, what it tells, and by which labels it is divided."""

    name: str
    kind: Kind
    says: str
    labels: tuple[str, ...] = ()

    @property
    def full_name(self) -> str:
        return PREFIX + self.name

    @property
    def samples(self) -> tuple[str, ...]:
        """The names under which Prometheus keeps its values."""
        if self.kind != "histogram":
            return (self.full_name,)
        return tuple(f"{self.full_name}_{part}" for part in ("bucket", "sum", "count"))

    def family(self, values: Values) -> Metric:
        """Put the values, by label, into the form that is written."""
        made: Metric = FAMILIES[self.kind](self.full_name, self.says, labels=self.labels)
        add: Callable[..., None] = made.add_metric  # type: ignore[attr-defined] # each kind has its own
        for labels, value in values.items():
            if isinstance(value, Histogram):
                add(labels, buckets=list(value.buckets), sum_value=value.total)
            else:
                add(labels, value)
        return made


def _gauge(name: str, says: str, *labels: str) -> Declared:
    return Declared(name, "gauge", says, labels)


def _counter(name: str, says: str, *labels: str) -> Declared:
    return Declared(name, "counter", says, labels)


METRICS = (
    _gauge("work_rows", "Work by stage and status.", "stage", "status"),
    _gauge("due_rows", "Queued work that is due now.", "stage"),
    _gauge("later_rows", "Queued work that is due later, or held.", "stage"),
    _gauge("rung_rows", "Work rung and not yet claimed.", "stage"),
    _gauge("window_rows", "How much of a stage may be rung at a time.", "stage"),
    _gauge("oldest_due_age_seconds", "How long the oldest due work waits.", "stage"),
    _gauge("overdue_rows", "Running work that is past its deadline.", "stage"),
    _gauge("waiting_for_budget_rows", "Work that waits because a search's or the day's money is spent.", "stage"),
    _gauge("stage_paused", "1 while the stage is paused.", "stage"),
    _gauge("stage_workers_alive", "Worker processes with a fresh lease that serve the stage.", "stage"),
    Declared("run_seconds", "histogram", "How long a run took, from its claim until its end was stored.", ("stage",)),
    Declared(
        "handoff_seconds",
        "histogram",
        "From the ring for work to its claim; where the ring had to be repeated, from when the work was due.",
        ("stage",),
    ),
    _counter(
        "outcomes_total",
        "How runs ended: completed, filtered, error, retried (failed, runs again) or snoozed (put off), and why.",
        "stage",
        "outcome",
        "reason",
    ),
    _counter("attempts_total", "Claims: every one begins a run.", "stage"),
    _counter("rescues_total", "Work given back for a worker that died, hung or left, and why.", "stage", "reason"),
    _counter("late_finishes_total", "Finishes that came after the right to them was lost; nothing stored.", "stage"),
    _gauge("failures_last_hour", "Failures in the last hour by kind.", "kind"),
    _gauge("workers_alive", "Worker processes with a fresh lease, those that sweep included."),
    _gauge("invariant_violations", "What breaks a rule that must hold.", "rule"),
    _gauge("invariant_check_age_seconds", "How long ago the rule was checked.", "rule"),
    _gauge("spent_today_usd", "What calls of a provider have cost today (UTC).", "provider"),
    _gauge("calls_today", "Calls of a provider today (UTC).", "provider"),
    _gauge("daily_budget_usd", "What a provider may cost in a day (PROVIDER_DAILY_BUDGET_USD)."),
    _gauge("hosts_blocked", "Hosts that asked for a pause which is not over."),
    _gauge("job_age_seconds", "How long ago a sweeper or a job of the clock ran last.", "name", "kind"),
    _gauge("job_late_seconds", "How long a job has not run though it should have.", "name", "kind"),
    _gauge("job_failed", "1 when the last run of a job ended in an error.", "name", "kind"),
    _gauge("alarms", "Alarms that ring now, by rule.", "alarm"),
)
