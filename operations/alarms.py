"""Alarms: what an operator should look at, kept from when a rule began to ring for a subject until it stops."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from psycopg.rows import class_row

from operations import minutes
from operations.alarm_rules import RULES, Rule
from operations.figures import rows
from pipeline.database import statement
from pipeline.stage import all_stages
from settings import settings

log = structlog.get_logger("alarms")

NAME = "watch_alarms"

# Everything within one statement has the same now(): what began or ended here bears a later time.
KEEP = b"""
WITH ringing AS (
    SELECT * FROM jsonb_to_recordset(%(ringing)s::jsonb) AS one(name text, subject text, says text)),
rung AS (
    INSERT INTO alarms (name, subject, says) SELECT name, subject, says FROM ringing ORDER BY name, subject
    ON CONFLICT (name, subject) DO UPDATE SET says = EXCLUDED.says, seen_at = clock_timestamp(), ended_at = NULL,
        began_at = CASE WHEN alarms.ended_at IS NULL THEN alarms.began_at ELSE clock_timestamp() END
    RETURNING alarms.*),
over AS (
    UPDATE alarms SET ended_at = clock_timestamp() WHERE ended_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM ringing WHERE ringing.name = alarms.name AND ringing.subject = alarms.subject)
    RETURNING alarms.*),
forgotten AS (DELETE FROM alarms WHERE ended_at < now() - interval '90 days')
SELECT * FROM rung WHERE began_at >= now() UNION ALL SELECT * FROM over"""

LIST = """
SELECT name, subject, says, began_at, seen_at, ended_at FROM alarms WHERE {condition}
ORDER BY ended_at IS NOT NULL, began_at DESC, name, subject LIMIT %(most)s"""

WATCHED = b"SELECT last_run_at FROM jobs WHERE name = %s"
MOST = 1000


@dataclass(frozen=True, slots=True)
class Alarm:
    """A rule that rings for a subject (a stage, a job, a rule; nothing for the whole machine), or did."""

    name: str
    subject: str
    says: str
    began_at: datetime
    seen_at: datetime
    ended_at: datetime | None


def watch() -> Mapping[str, int]:
    """Ask every rule, keep what rings, log what began or ended, and give how much of it there was."""
    ringing = ask()
    found = [{"name": rule.name, "subject": subject, "says": says} for rule, subject, says in ringing]
    changed = _alarms(KEEP, {"ringing": json.dumps(found)})
    for alarm in changed:
        _log(alarm)
    ended = sum(alarm.ended_at is not None for alarm in changed)
    return {"ringing": len(ringing), "began": len(changed) - ended, "ended": ended, "forgot": minutes.forget_old()}


def ask() -> list[tuple[Rule, str, str]]:
    """Ask every rule now: which subjects it rings for, with a sentence about each."""
    stages = [{"name": stage.name, "interval_minutes": stage.sweeper.interval_minutes} for stage in all_stages()]
    values = {
        "stages": json.dumps(stages),
        "names": [stage["name"] for stage in stages],
        "silent": settings().alarm_silent_minutes,
        "stuck": settings().alarm_stuck_minutes,
        "percent": settings().alarm_error_percent,
        "least": settings().alarm_error_least,
    }
    return [(rule, row["subject"], rule.sentence.format(**row)) for rule in RULES for row in rows(rule.rings, values)]


def ringing() -> Sequence[Alarm]:
    """Give the alarms that ring now, newest first."""
    return _list("ended_at IS NULL")


def all_alarms() -> Sequence[Alarm]:
    """Give the alarms that ring now, then those that are over, newest first."""
    return _list("true")


def begun_since(at: datetime) -> Sequence[Alarm]:
    """Give the alarms that began to ring after this moment, also those that are over by now."""
    return _list("began_at > %(at)s", at=at)


def watched_at() -> datetime | None:
    """Give when the rules were last asked: nothing rings while nobody watches."""
    with statement() as connection:
        row = connection.execute(WATCHED, (NAME,)).fetchone()
    return row[0] if row else None


def _list(condition: str, **values: Any) -> Sequence[Alarm]:
    return _alarms(LIST.format(condition=condition).encode(), {**values, "most": MOST})


def _alarms(sql: bytes, values: Mapping[str, Any]) -> Sequence[Alarm]:
    with statement() as connection:
        return connection.cursor(row_factory=class_row(Alarm)).execute(sql, values).fetchall()


def _log(alarm: Alarm) -> None:
    if alarm.ended_at is None:
        log.error("alarm-began", alarm=alarm.name, subject=alarm.subject, says=alarm.says)
    else:
        log.info("alarm-ended", alarm=alarm.name, subject=alarm.subject, says=alarm.says)
