"""Checks: one question each about the servers, the schema, the stages and the work."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import psycopg

import embedded
import migrations
from cli.faults import explain
from cli.ready import unset_parts
from cli.text import duration
from errors import UserError
from models.connect import connect_driver
from operations import alarms, figures
from pipeline.broker import check_broker
from pipeline.database import database_url
from pipeline.stage import all_stages, load_stages
from scheduling import invariants
from settings import settings

OLDEST_POSTGRES = 14
STALE_CHECK_SECONDS = 180
UNCLAIMED_SECONDS = 300
KEPT_TOO_LONG_SECONDS = 3 * 3600
DUE_WITHOUT_WORKER_SECONDS = 60
LITTLE_DISK, HARDLY_ANY_DISK = 1_000_000_000, 100_000_000

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True)
class Finding:
    """What one check found, and what to do about it."""

    level: Level
    what: str
    says: str


def ok(what: str, says: str) -> Finding:
    return Finding("ok", what, says)


def warn(what: str, says: str) -> Finding:
    return Finding("warn", what, says)


def fail(what: str, says: str) -> Finding:
    return Finding("fail", what, says)


def check_servers() -> Iterator[Finding]:
    """Look at PostgreSQL, its schema, the broker and the declared stages."""
    yield from check_postgres()
    yield check_broker_answers()
    yield check_stages_load()


def check_postgres() -> Iterator[Finding]:
    try:
        with connect_driver(database_url()) as connection:
            version, is_direct = connection.info.server_version, connection.prepare_threshold is not None
    except (psycopg.Error, UserError) as fault:
        yield fail("postgresql", str(explain(fault) or fault))
        return
    way = "reached directly" if is_direct else "reached through a pooler, so statements are not prepared"
    if version < OLDEST_POSTGRES * 10_000:
        yield fail("postgresql", f"version {_major(version)} is too old: use {OLDEST_POSTGRES} or newer")
    else:
        yield ok("postgresql", f"version {_major(version)}, {way}")
        yield check_schema()


def _major(version: int) -> str:
    return f"{version // 10_000}.{version % 10_000}"


def check_schema() -> Finding:
    try:
        migrations.check(database_url())
    except UserError as fault:
        return fail("schema", str(fault))
    return ok("schema", f"up to date at {migrations.head()}")


def check_broker_answers() -> Finding:
    if "valkey" in unset_parts() and not embedded.is_running(settings().scrapersky_dir, ["valkey"]):
        return fail("broker", "The embedded Valkey is not running: run `scrapersky up` or `scrapersky services start`.")
    try:
        return ok("broker", check_broker())
    except UserError as fault:
        return fail("broker", str(fault))


def check_stages_load() -> Finding:
    try:
        stages = load_stages()
    except UserError as fault:
        return fail("stages", str(fault))
    if not stages:
        return warn("stages", f"none is declared in STAGE_MODULES={settings().stage_modules}")
    return ok("stages", f"{len(stages)} declared: {', '.join(stage.name for stage in stages)}")


def check_database() -> Iterator[Finding]:
    """Look at what the database says about workers, rules and work."""
    yield check_workers()
    yield from check_paused()
    yield check_clock()
    yield from check_invariants()
    yield check_errors()
    yield check_unclaimed()
    yield check_unknown_stages()
    yield check_retention()
    yield from check_alarms()


def check_workers() -> Finding:
    alive = figures.workers_alive()
    if alive:
        return ok("workers", f"{alive} alive")
    waits = max((stage.oldest_due_seconds or 0 for stage in figures.by_stage().values()), default=0)
    if waits > DUE_WITHOUT_WORKER_SECONDS:
        return fail("workers", f"none is alive and work has waited for {duration(waits)}: run `scrapersky up`")
    return warn("workers", "none is alive: run `scrapersky up`")


def check_paused() -> Iterator[Finding]:
    """Tell which stages the machine paused by itself, or a person did, and why."""
    for name, stage in figures.by_stage().items():
        if stage.paused:
            yield warn(name, f"paused: {stage.note or f'run `scrapersky resume {name}` to let it go on'}")


def check_clock() -> Finding:
    """Tell whether the sweepers run: the rules are checked by the same process every minute."""
    ages = [check["seconds"] for check in figures.invariant_checks()]
    if not ages:
        return warn("sweepers", "they have never run here: run `scrapersky up`")
    if max(ages) > STALE_CHECK_SECONDS:
        return warn("sweepers", f"they last ran {duration(max(ages))} ago: run `scrapersky up`")
    return ok("sweepers", f"they last ran {duration(max(ages))} ago")


def check_invariants() -> Iterator[Finding]:
    verdicts = invariants.check()
    broken = [verdict for verdict in verdicts if verdict.violations]
    for verdict in broken:
        yield fail(verdict.rule.name, f"{verdict.rule.says} Broken by {verdict.violations}: {verdict.detail}")
    if not broken:
        yield ok("rules", f"all {len(verdicts)} hold")


def check_errors() -> Finding:
    errors = figures.errors_by_reason()
    if not errors:
        return ok("errors", "no work has ended in Error")
    shown = ", ".join(f"{reason} {many}" for reason, many in errors.items())
    return warn(
        "errors", f"{shown}: see `scrapersky work list --status error`, then `scrapersky work retry --reason …`"
    )


def check_unclaimed() -> Finding:
    unclaimed = figures.unclaimed_after(UNCLAIMED_SECONDS)
    if not unclaimed:
        return ok("doorbells", "every ring is answered in time")
    shown = ", ".join(f"{stage} {many}" for stage, many in unclaimed.items())
    long = duration(UNCLAIMED_SECONDS)
    return warn("doorbells", f"rung over {long} ago and not taken: {shown}; add workers or run `scrapersky sweep all`")


def check_unknown_stages() -> Finding:
    unknown = sorted(figures.by_stage().keys() - {stage.name for stage in all_stages()})
    if unknown:
        return warn("rows", f"there is work of stages that are not declared: {', '.join(unknown)}")
    return ok("rows", "all work belongs to a declared stage")


def check_retention() -> Finding:
    """Tell whether the hourly sweep keeps up with what providers lend for a time."""
    many = figures.kept_too_long(KEPT_TOO_LONG_SECONDS)
    if many:
        return warn("retention", f"{many} rows hold facts that had to be gone by now: run `scrapersky up`")
    return ok("retention", "no fact of a provider is kept beyond its time")


def check_alarms() -> Iterator[Finding]:
    """Tell what rings, as those who watch were told."""
    ringing = alarms.ringing()
    for alarm in ringing:
        yield warn(alarm.name, alarm.says)
    if not ringing:
        yield ok("alarms", "none rings")


def check_disk() -> Finding:
    place = settings().scrapersky_dir.resolve()
    existing = next(path for path in (place, *place.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    says = f"{free / 1e9:.1f} GB free for {place}"
    if free < HARDLY_ANY_DISK:
        return fail("disk", f"{says}: make room")
    return warn("disk", f"{says}: make room soon") if free < LITTLE_DISK else ok("disk", says)
