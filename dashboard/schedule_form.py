"""Schedule form: a schedule as it is typed, from a row and back to what the room takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Form

from api.contract import Id
from dashboard.schedule_words import UNITS, parts_of, timetable
from dashboard.typed import Moment, Word, moment_in_field, moment_of
from entities import listing
from entities.catalog import SEARCHES
from entities.listing import Wanted
from errors import BadInput
from scheduling import schedules, wish
from scheduling.wish import Wish

MOST_SEARCHES = 200
Amount = Annotated[int, Form(ge=0, le=10**9)]


@dataclass(frozen=True, slots=True)
class Typed:
    """The fields of the form."""

    name: str = ""
    action: str = "run"
    search: int | None = None
    stage: str = "search"
    entity_id: int | None = None
    by: str = "cron"
    cron: str = "0 9 * * 1"
    every: int = 1
    unit: str = "days"
    timezone: str = "UTC"
    starts_at: str = ""
    catch_up: str = "last"
    grace: int = 1
    grace_unit: str = "hours"

    def wish(self) -> Wish:
        """Give what the form asks for."""
        stage = self.stage if self.entity_id else "search"
        entity_id = self.entity_id or self.search
        if entity_id is None:
            raise BadInput("Choose a search, or give a stage and the number of what it works on.")
        return Wish(entity_id=entity_id, stage=stage, action=self.action, **self.timetable(), **self.manners())

    def timetable(self) -> dict[str, Any]:
        """Give when it is due."""
        is_cron = self.by == "cron"
        return {
            "cron": self.cron.strip() if is_cron else None,
            "interval_seconds": None if is_cron else self.every * _seconds(self.unit),
            "starts_at": moment_of(self.starts_at, "The start"),
            "timezone": self.timezone.strip() or "UTC",
        }

    def manners(self) -> dict[str, Any]:
        """Give its name, and what becomes of ticks that were missed."""
        grace = self.grace * _seconds(self.grace_unit)
        return {"name": self.name, "catch_up": self.catch_up, "misfire_grace_seconds": grace}

    def changes(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Give what differs from a row; an empty start stays as it is."""
        given = self.timetable() | self.manners()
        if given["starts_at"] is None:
            del given["starts_at"]
        return {name: value for name, value in given.items() if value != row[name]}


def typed(
    name: Word = "",
    action: Word = "run",
    search: Annotated[Id | None, Form()] = None,
    stage: Word = "search",
    entity_id: Annotated[Id | None, Form()] = None,
    by: Word = "cron",
    cron: Word = "",
    every: Amount = 1,
    unit: Word = "days",
    timezone: Word = "UTC",
    starts_at: Moment = "",
    catch_up: Word = "last",
    grace: Amount = 1,
    grace_unit: Word = "hours",
) -> Typed:
    """Read the form."""
    return Typed(
        name, action, search, stage, entity_id, by, cron, every, unit, timezone, starts_at, catch_up, grace, grace_unit
    )


Given = Annotated[Typed, Depends(typed)]


def of_row(row: Mapping[str, Any]) -> Typed:
    """Fill the form with a schedule."""
    many, unit = parts_of(row["interval_seconds"] or UNITS["days"])
    grace, grace_unit = parts_of(row["misfire_grace_seconds"]) if row["misfire_grace_seconds"] else (0, "hours")
    return Typed(
        name=row["name"],
        action=row["action"],
        stage=row["stage"],
        entity_id=row["entity_id"],
        by="interval" if row["cron"] is None else "cron",
        cron=row["cron"] or "",
        every=many,
        unit=unit,
        timezone=row["timezone"],
        starts_at=moment_in_field(row["starts_at"]),
        catch_up=row["catch_up"],
        grace=grace,
        grace_unit=grace_unit,
    )


def preview(given: Typed) -> dict[str, Any]:
    """Say when a timetable would be due next, or why it never would."""
    now = datetime.now(UTC)
    try:
        asked = Wish(name="", entity_id=0, **given.timetable())
        wish.check_timing(asked, now)
        starts_at = asked.timing(now).starts_at
        row = given.timetable() | {"starts_at": starts_at, "now": now, "settled_until": now}
        runs = schedules.outlook(row)
    except BadInput as refused:
        return {"trouble": str(refused), "words": None, "runs": []}
    return {"trouble": None, "words": timetable(asked.cron, asked.interval_seconds), "runs": runs}


def searches_to_choose(tenant_id: UUID) -> list[dict[str, Any]]:
    """Give the newest searches."""
    return listing.list_rows(SEARCHES, tenant_id, Wanted(sort="-id", limit=MOST_SEARCHES, has_total=False)).rows


def searches_named(tenant_id: UUID, rows: list[dict[str, Any]]) -> dict[int, str]:
    """Say in words what each search looks for that these schedules run."""
    ids = sorted({row["entity_id"] for row in rows if row["stage"] == "search"})
    if not ids:
        return {}
    asked = Wanted([f"id={','.join(map(str, ids))}"], limit=len(ids), has_total=False)
    return {row["id"]: search_name(row) for row in listing.list_rows(SEARCHES, tenant_id, asked).rows}


def search_name(row: Mapping[str, Any]) -> str:
    """Say what a search looks for, and where."""
    return f"{row['what']} near {row['where_text']}" if row["where_text"] else str(row["what"])


def _seconds(unit: str) -> int:
    if unit not in UNITS:
        raise BadInput(f"There is no unit {unit[:40]!r}. Use one of: {', '.join(UNITS)}.")
    return UNITS[unit]
