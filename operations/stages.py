"""Stages: what each is, what is in it and how fast it goes; and an operator's hand on it, noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from accounts import audit
from accounts.caller import Caller
from errors import BadInput, NotFound
from operations.figures import OF_TENANT, StageFigures, by_stage, rows
from pipeline import controls, doorbell, window
from pipeline.database import Connection
from pipeline.stage import Stage, all_stages, stage_named

MOST_REASONS = 100

# From the start of a minute on, so that a minute is never counted in part; the one that runs now counts by its seconds.
PACES = f"""
SELECT stage, sum(completed + filtered + error)::float8 AS ended, sum(error)::float8 AS failed,
       sum(retried)::float8 AS retried, sum(seconds) AS seconds,
       max(extract(epoch FROM clock.now - clock.since))::float8 / 60 AS minutes
FROM stage_minutes, (SELECT now, date_trunc('minute', now) - %(minutes)s * interval '1 minute' AS since
                     FROM (SELECT clock_timestamp() AS now) read) clock
WHERE minute >= clock.since AND {OF_TENANT} GROUP BY stage"""

REASONS = f"""
SELECT status, reason, count(*) AS count FROM work
WHERE stage = %(stage)s AND reason IS NOT NULL AND {OF_TENANT}
GROUP BY status, reason ORDER BY count DESC, status, reason LIMIT {MOST_REASONS}"""


@dataclass(frozen=True, slots=True)
class Pace:
    """How a stage went in the last minutes: what ended in each, and which parts of that failed or was put off."""

    ended_per_minute: float = 0.0
    error_rate: float = 0.0
    retried_per_minute: float = 0.0
    mean_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class StageView:
    """A stage as it is declared, as an operator has set it, and as it stands."""

    stage: Stage
    figures: StageFigures
    pace: Pace

    @property
    def window(self) -> int:
        return self.figures.window or self.stage.window


def views(tenant_id: UUID | None, minutes: int) -> list[StageView]:
    """Show every stage in pipeline order, with what is in it of a tenant, or of all."""
    found, going = by_stage(tenant_id), paces(tenant_id, minutes)
    return [
        StageView(stage, found.get(stage.name) or StageFigures(), going.get(stage.name) or Pace())
        for stage in all_stages()
    ]


def view(name: str, tenant_id: UUID | None, minutes: int) -> StageView:
    """Show one stage."""
    stage = named(name)
    return next(found for found in views(tenant_id, minutes) if found.stage is stage)


def named(name: str) -> Stage:
    """Find a stage, or say which there are."""
    try:
        return stage_named(name)
    except BadInput as fault:
        raise NotFound(str(fault)) from None


def paces(tenant_id: UUID | None, minutes: int) -> dict[str, Pace]:
    """Say how every stage went lately; one in which nothing has ended is left out."""
    found = rows(PACES, {"minutes": minutes, "tenant": tenant_id})
    return {row["stage"]: _pace(row) for row in found}


def _pace(row: Mapping[str, Any]) -> Pace:
    ended, failed, minutes = row["ended"], row["failed"], row["minutes"]
    runs = ended + row["retried"]
    return Pace(
        ended_per_minute=ended / minutes,
        error_rate=failed / ended if ended else 0.0,
        retried_per_minute=row["retried"] / minutes,
        mean_seconds=row["seconds"] / runs if runs else None,
    )


def reasons(name: str, tenant_id: UUID | None) -> Sequence[dict[str, Any]]:
    """Count the reasons of a stage's work, by status, the most frequent first."""
    return rows(REASONS, {"stage": name, "tenant": tenant_id})


def pause(caller: Caller | None, name: str, note: str | None) -> None:
    """Claim nothing more of a stage, for all tenants."""
    stage = named(name)
    controls.pause(stage, note, audit=_noted(caller, "pause", stage, note=note))


def resume(caller: Caller | None, name: str) -> None:
    """Let a stage go on."""
    stage = named(name)
    controls.resume(stage, audit=_noted(caller, "resume", stage))


def set_window(caller: Caller | None, name: str, size: int | None) -> None:
    """Say how much of a stage may be rung at a time, and ring for what fits in now."""
    stage = named(name)
    controls.set_window(stage, size, audit=_noted(caller, "set-window", stage, size=size))
    doorbell.ring(window.fill(stage))


def _noted(caller: Caller | None, action: str, stage: Stage, **detail: Any) -> controls.Audit:
    return partial(_note, caller, action, {"stage": stage.name, **detail})


def _note(caller: Caller | None, action: str, detail: Mapping[str, Any], connection: Connection) -> None:
    audit.note(connection, caller, action, "stage", detail)
