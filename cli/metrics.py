"""Metrics in Prometheus' text format, all read from the database: any process can give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from models.work import FAILURE_KINDS
from operations import figures
from operations.figures import StageFigures
from pipeline.stage import Stage, all_stages


def text() -> str:
    """Read the database once and write every metric."""
    registry = CollectorRegistry()
    _add_stages(registry, all_stages(), figures.by_stage())
    _add_machine(registry)
    _add_invariants(registry)
    return generate_latest(registry).decode()


def _add_stages(registry: CollectorRegistry, stages: Sequence[Stage], found: Mapping[str, StageFigures]) -> None:
    rows = _gauge(registry, "scrapersky_work_rows", "Work by stage and status.", "stage", "status")
    rung = _gauge(registry, "scrapersky_rung_rows", "Work rung and not yet claimed.", "stage")
    oldest = _gauge(registry, "scrapersky_oldest_due_age_seconds", "How long the oldest due work waits.", "stage")
    paused = _gauge(registry, "scrapersky_stage_paused", "1 while an operator has paused the stage.", "stage")
    window = _gauge(registry, "scrapersky_window_rows", "How much of a stage may be rung at a time.", "stage")
    declared = {stage.name: stage.window for stage in stages}
    for name in sorted(declared.keys() | found.keys()):
        figure = found.get(name) or StageFigures()
        for status, many in figure.counts.items():
            rows.labels(name, status.lower()).set(many)
        rung.labels(name).set(figure.rung)
        oldest.labels(name).set(figure.oldest_due_seconds or 0)
        paused.labels(name).set(figure.paused)
        window.labels(name).set(figure.window or declared.get(name, 0))


def _add_machine(registry: CollectorRegistry) -> None:
    _gauge(registry, "scrapersky_workers_alive", "Worker processes with a fresh lease.").set(figures.workers_alive())
    failures = _gauge(registry, "scrapersky_failures_last_hour", "Failures in the last hour by kind.", "kind")
    counted = figures.failures_last_hour()
    for kind in FAILURE_KINDS:
        failures.labels(kind).set(counted.get(kind, 0))


def _add_invariants(registry: CollectorRegistry) -> None:
    violations = _gauge(registry, "scrapersky_invariant_violations", "What breaks a rule that must hold.", "rule")
    age = _gauge(registry, "scrapersky_invariant_check_age_seconds", "How long ago the rule was checked.", "rule")
    for check in figures.invariant_checks():
        violations.labels(check["name"]).set(check["violations"])
        age.labels(check["name"]).set(check["seconds"])


def _gauge(registry: CollectorRegistry, name: str, says: str, *labels: str) -> Gauge:
    return Gauge(name, says, labels, registry=registry)
