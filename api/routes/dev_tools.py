"""Dev tools: what runs on a clock and how it went; and every sweeper by hand, for operators where that is allowed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, Field

from accounts.caller import Caller
from api.caller import Operator
from api.contract import Text
from scheduling import by_hand, status
from scheduling.sweeper import all_sweepers, in_words
from settings import settings

router = APIRouter(tags=["dev-tools"])


def where_allowed(caller: Operator) -> Caller:
    """Let operators in, and in production only when the installation says so."""
    by_hand.check_open()
    return caller


Developer = Annotated[Caller, Depends(where_allowed)]


def _list_sweepers(schema: dict[str, Any]) -> None:
    """Name in the description every sweeper that is declared when it is written."""
    schema["enum"] = [sweeper.by_hand for sweeper in all_sweepers()]


SweeperName = Annotated[
    Text,
    Path(
        description="what to run now: `process-pending-…` for a stage, or another sweeper",
        examples=["process-pending-deep-scan"],
        json_schema_extra=_list_sweepers,
    ),
]


class JobState(BaseModel):
    """Something that runs on a clock."""

    name: str = Field(examples=["sweep_deep_scan"])
    kind: str = Field(description="`sweeper` (periodiq) or `clock` (APScheduler)", examples=["sweeper"])
    trigger: str | None = Field(description="when it runs", examples=["*/5 * * * *"])
    next_run_at: datetime | None
    last_run_at: datetime | None = Field(description="null when it has never run")
    last_seconds: float | None = Field(description="how long that took", examples=[0.02])
    last_result: str | None = Field(description="executed, error or missed", examples=["executed"])
    last_detail: str | None = Field(description="what it did, or the error", examples=["rung again 3"])
    reported_by: str | None = Field(description="the machine and process that said so", examples=["worker-1:4711"])
    reported_at: datetime | None
    by_hand: str | None = Field(
        description="run it with POST /dev-tools/{this}", examples=["process-pending-deep-scan"]
    )


class SchedulerStatus(BaseModel):
    """Everything that runs on a clock."""

    environment: str = Field(examples=["development"])
    now: datetime
    jobs: list[JobState] = Field(description="every sweeper, then every job of the clock processes")


class SweepDone(BaseModel):
    """What a sweeper has repaired."""

    name: str = Field(examples=["sweep_deep_scan"])
    repaired: dict[str, int] = Field(description="how much of what", examples=[{"rung_again": 3, "refilled": 1}])
    says: str = Field(description="the same in words", examples=["rung again 3, refilled 1"])


@router.get("/dev-tools/scheduler_status", summary="Show what runs on a clock")
def scheduler_status(_: Developer) -> SchedulerStatus:
    """Give every sweeper and every job of the clocks: trigger, next run, last run and how that went."""
    jobs = [JobState(**row) for row in status.all_jobs()]
    return SchedulerStatus(environment=settings().environment, now=datetime.now(UTC), jobs=jobs)


@router.post("/dev-tools/{sweeper}", summary="Run a sweeper now")
def run_sweeper(caller: Developer, sweeper: SweeperName) -> SweepDone:
    """Repair now what the sweeper would repair at its next run, and give what that was."""
    found, repaired = by_hand.run(caller, sweeper)
    return SweepDone(name=found.name, repaired=dict(repaired), says=in_words(repaired))
