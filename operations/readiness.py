"""Readiness: whether all is there that work needs, in words that give no address away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import structlog

import migrations
from errors import SchemaBehind, UserError
from operations import figures, readings
from pipeline.broker import check_broker
from pipeline.database import database_url
from pipeline.stage import all_stages

log = structlog.get_logger("readiness")

MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that work needs, whether it is there, and a sentence about it."""

    name: str
    ok: bool
    says: str


def check() -> list[Check]:
    """Look at the database, its schema, the broker, the workers and the rules; not at what rests on what is missing."""
    found = [*_check_database(), _check_broker()]
    if found[1].ok:
        found += [_check_worker(), _check_invariants()]
    return found


def _check_database() -> Iterator[Check]:
    """Ask on a connection of its own: one from the pool could be dead without knowing it."""
    try:
        migrations.check(database_url())
    except SchemaBehind as fault:
        yield Check("database", True, "PostgreSQL answers.")
        yield Check("migrations", False, str(fault))
    except UserError as fault:
        log.warning("database-away", error=str(fault))
        yield Check("database", False, "PostgreSQL does not answer: start it, or correct DATABASE_URL.")
        yield Check("migrations", False, "The schema cannot be looked at without the database.")
    else:
        yield Check("database", True, "PostgreSQL answers.")
        yield Check("migrations", True, f"The schema is up to date at {migrations.head()}.")


def _check_broker() -> Check:
    try:
        check_broker()
    except UserError as fault:
        log.warning("broker-away", error=str(fault))
        return Check("broker", False, "The broker does not answer: start it, or correct BROKER_URL or REDIS_URL.")
    return Check("broker", True, "The broker answers.")


def _check_worker() -> Check:
    serving = readings.serving([stage.name for stage in all_stages()])
    unserved = [stage.name for stage in all_stages() if not serving.get(stage.name)]
    if not serving:
        return Check("worker", False, "No worker is alive: start some with `scrapersky up`.")
    if unserved:
        return Check("worker", False, f"No living worker serves {_some(unserved)}: start one without `--queues`.")
    return Check("worker", True, "Every stage has a living worker.")


def _check_invariants() -> Check:
    checks = figures.invariant_checks()
    broken = [row["name"] for row in checks if row["violations"]]
    if broken:
        return Check("invariants", False, f"Broken: {_some(broken)}; `scrapersky doctor` says by what.")
    if not checks:
        return Check("invariants", True, "They have not been checked here yet.")
    oldest = max(row["seconds"] for row in checks)
    return Check("invariants", True, f"All {len(checks)} held when they were checked {oldest:.0f} s ago.")


def _some(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
