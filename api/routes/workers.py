"""Workers: which processes hold a lease, whether they are alive, and what they run."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from api.caller import Operator
from api.contract import Page
from operations import figures

router = APIRouter(tags=["workers"])


class RunningWork(BaseModel):
    """What a worker runs now."""

    work_id: int = Field(validation_alias="work", examples=[17])
    stage: str = Field(examples=["page_curation"])
    seconds: float = Field(description="for how long", examples=[0.4])


class WorkerState(BaseModel):
    """A worker process; a dead one is shown for an hour."""

    id: UUID
    host: str = Field(description="the machine", examples=["worker-1"])
    pid: int = Field(examples=[4711])
    is_alive: bool = Field(validation_alias="alive", description="it has renewed its lease in time")
    beat_seconds: float = Field(description="how long ago it renewed its lease", examples=[2.1])
    up_seconds: float = Field(description="for how long it has been running", examples=[86400])
    queues: list[str] = Field(description="the stages it works for", examples=[["deep_scan"]])
    running: list[RunningWork]


@router.get("/workers", summary="List workers")
def list_workers(_: Operator) -> Page[WorkerState]:
    """Give every worker process, those that are alive first, with what each runs now."""
    found = [WorkerState.model_validate(row) for row in figures.workers()]
    return Page(items=found, total=len(found), next_cursor=None)
