"""Schedules: standing orders to search again and to refresh what was found."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue

from api.caller import Reader, Submitter
from api.contract import Body, Cursor, Id, Limit, Page, Text
from api.listing import page_of
from api.problems import answers
from models.schedule import LONGEST_GRACE_SECONDS, LONGEST_INTERVAL_SECONDS, SHORTEST_INTERVAL_SECONDS
from scheduling import changes, schedules
from scheduling.cron_line import LONGEST_LINE
from scheduling.wish import LONGEST_NAME, Wish

router = APIRouter(prefix="/schedules", tags=["schedules"])

Name = Annotated[Text, Field(min_length=1, max_length=LONGEST_NAME, examples=["Dentists, every Monday"])]
CronLine = Annotated[Text, Field(max_length=LONGEST_LINE, examples=["0 9 * * 1"])]
Interval = Annotated[int, Field(ge=SHORTEST_INTERVAL_SECONDS, le=LONGEST_INTERVAL_SECONDS, examples=[86400])]
Zone = Annotated[Text, Field(max_length=60, examples=["Europe/Berlin"])]
Grace = Annotated[int, Field(ge=0, le=LONGEST_GRACE_SECONDS, examples=[3600])]
Action = Literal["run", "refresh"]
CatchUp = Literal["skip", "last", "all"]

ACTION = "`run` does the stage's work for the entity again; `refresh` visits the sites again that a search has found"
CRON = "minute, hour, day, month and weekday; instead of an interval"
STARTS_AT = "nothing is due before; intervals are counted from here; now when left out"
CATCH_UP = "what of the ticks that were missed by less than the grace is made up for"
# Nothing is said of it, which is not the same as null: that is refused.
LEFT_OUT: Any = None
EXAMPLE: dict[str, JsonValue] = {
    "name": "Dentists, every Monday",
    "entity_id": 1,
    "cron": "0 9 * * 1",
    "timezone": "Europe/Berlin",
}
OF_TICK = "the moment it was due at, or at which somebody asked for it"


class NextRun(BaseModel):
    """A moment at which a schedule is due."""

    at: datetime = Field(description="in UTC", examples=["2026-11-16T08:00:00Z"])
    local: datetime = Field(description="the same in the schedule's zone", examples=["2026-11-16T09:00:00+01:00"])


class Fire(BaseModel):
    """What became of one tick."""

    id: int
    fire_at: datetime = Field(description=OF_TICK)
    fired_at: datetime = Field(description="when a clock dealt with it")
    result: Literal["queued", "still-running", "no-entity", "missed", "error"] | None
    queued_count: int = Field(description="how much work it queued", examples=[1])
    error: str | None
    by_hand: bool = Field(description="whether somebody asked for it")


class Schedule(BaseModel):
    """A standing order, what came of it last, and when it is due next."""

    id: int
    name: str = Field(examples=["Dentists, every Monday"])
    action: Action = Field(description=ACTION)
    stage: str = Field(examples=["search"])
    entity_id: int
    cron: str | None = Field(description=CRON, examples=["0 9 * * 1"])
    interval_seconds: int | None = Field(examples=[None])
    starts_at: datetime = Field(description=STARTS_AT)
    timezone: str = Field(examples=["Europe/Berlin"])
    enabled: bool = Field(description="false while it is paused")
    misfire_grace_seconds: int = Field(examples=[3600])
    catch_up: CatchUp = Field(description=CATCH_UP)
    created_by_id: UUID | None
    created_at: datetime
    updated_at: datetime
    last_fire: Fire | None
    next_runs: list[NextRun] = Field(description="the next five; none while it is paused")
    trouble: str | None = Field(description="why its times cannot be computed")


class NewSchedule(Body):
    """A schedule to add; one of `cron` and `interval_seconds` is needed."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    name: Name
    action: Action = Field(default="run", description=ACTION)
    stage: Text = Field(default="search", description="the stage that works on the entity; `search` for a search")
    entity_id: Id = Field(description="the search, or what else the stage works on", examples=[1])
    cron: CronLine | None = Field(default=None, description=CRON)
    interval_seconds: Interval | None = None
    starts_at: AwareDatetime | None = Field(default=None, description=STARTS_AT)
    timezone: Zone = Field(default="UTC", description="the zone on whose walls a cron line is read")
    enabled: bool = True
    misfire_grace_seconds: Grace = 3600
    catch_up: CatchUp = Field(default="last", description=CATCH_UP)


class ScheduleChange(Body):
    """What to change; what is left out stays. A cron line takes the place of an interval, and the other way round."""

    name: Name = Field(default=LEFT_OUT)
    cron: CronLine | None = Field(default=None, description=CRON)
    interval_seconds: Interval | None = None
    starts_at: AwareDatetime = Field(default=LEFT_OUT, description=STARTS_AT, examples=["2026-12-01T00:00:00Z"])
    timezone: Zone = Field(default=LEFT_OUT)
    enabled: bool = Field(default=LEFT_OUT)
    misfire_grace_seconds: Grace = Field(default=LEFT_OUT)
    catch_up: CatchUp = Field(default=LEFT_OUT, description=CATCH_UP)


@router.get("", summary="List schedules")
def list_schedules(
    caller: Reader,
    enabled: Annotated[bool | None, Query(description="only those that are on, or paused")] = None,
    stage: Annotated[Text | None, Query(description="only those of this stage")] = None,
    entity_id: Annotated[Id | None, Query(description="only those for this entity")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[Schedule]:
    """Give your schedules in the order in which they were added, with their next times."""
    wanted = {"enabled": enabled, "stage": stage, "entity_id": entity_id}
    return page_of(Schedule, schedules.page(caller.tenant_id, wanted, limit=limit, cursor=cursor))


@router.post("", status_code=201, summary="Add a schedule", responses=answers(409))
def add_schedule(given: NewSchedule, caller: Submitter) -> Schedule:
    """Have something done again and again, by a cron line or at an interval."""
    return Schedule(**changes.add(Wish(**given.model_dump()), caller=caller))


@router.get("/{schedule_id}", summary="Look at a schedule")
def get_schedule(schedule_id: Id, caller: Reader) -> Schedule:
    """Give one schedule with its next times and what came of it last."""
    return Schedule(**schedules.one(caller.tenant_id, schedule_id))


@router.patch("/{schedule_id}", summary="Change a schedule", responses=answers(409))
def change_schedule(schedule_id: Id, given: ScheduleChange, caller: Submitter) -> Schedule:
    """Change a schedule; after a change of its times, nothing is owed from before."""
    return Schedule(**changes.change(schedule_id, given.model_dump(exclude_unset=True), caller=caller))


@router.delete("/{schedule_id}", status_code=204, summary="Remove a schedule")
def remove_schedule(schedule_id: Id, caller: Submitter) -> None:
    """Remove a schedule with its history; what it has queued stays."""
    changes.remove(schedule_id, caller=caller)


@router.post("/{schedule_id}/pause", summary="Pause a schedule")
def pause_schedule(schedule_id: Id, caller: Submitter) -> Schedule:
    """Have it fire no more until it is resumed."""
    return Schedule(**changes.pause(schedule_id, caller=caller))


@router.post("/{schedule_id}/resume", summary="Resume a schedule")
def resume_schedule(schedule_id: Id, caller: Submitter) -> Schedule:
    """Have it fire again from now on; what was due meanwhile is not made up for."""
    return Schedule(**changes.resume(schedule_id, caller=caller))


@router.post("/{schedule_id}/run-now", status_code=202, summary="Fire a schedule now")
def run_schedule_now(schedule_id: Id, caller: Submitter) -> Fire:
    """Do at once what the schedule does, also while it is paused; its timetable stays as it is."""
    return Fire(**asdict(changes.run_now(schedule_id, caller=caller)))


@router.get("/{schedule_id}/fires", summary="The history of a schedule")
def list_schedule_fires(schedule_id: Id, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[Fire]:
    """Give what became of its ticks, the newest first: queued, still running, missed and why not."""
    return page_of(Fire, schedules.fires(caller.tenant_id, schedule_id, limit=limit, cursor=cursor))
