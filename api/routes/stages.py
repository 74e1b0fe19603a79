"""Stages: what is in each, how fast it goes, and an operator's hand on it."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from accounts.caller import Caller
from api.caller import Operator, Reader
from api.contract import Body, Page, Text
from operations import stages
from operations.stages import StageView
from pipeline.controls import LARGEST_WINDOW

router = APIRouter(tags=["stages"])

Name = Annotated[Text, Path(description="the stage", examples=["deep_scan"])]
Minutes = Annotated[int, Query(ge=1, le=1440, description="over how many minutes rates are taken")]
Tenants = Annotated[
    Literal["own", "all"], Query(description="whose work is counted; `all` is for operators of the installation")
]


class StatusCounts(BaseModel):
    """How much work is in each status."""

    queued: int = Field(examples=[120])
    processing: int = Field(examples=[8])
    completed: int = Field(examples=[5210])
    filtered: int = Field(examples=[340])
    error: int = Field(examples=[12])
    cancelled: int = Field(examples=[0])


class StageState(BaseModel):
    """A stage: what it is, what is in it, how fast it goes."""

    name: str = Field(examples=["deep_scan"])
    entity: str = Field(description="the table whose rows it works on", examples=["places"])
    successors: list[str] = Field(description="the stages that go on with what it makes", examples=[["deep_scan"]])
    attempts: int = Field(description="how often work is tried before it ends in Error", examples=[5])
    time_limit_seconds: float = Field(examples=[60])
    window: int = Field(description="how much may be rung and not yet claimed at a time", examples=[256])
    declared_window: int = Field(description="the window without an operator's change", examples=[256])
    is_paused: bool = Field(description="nothing of it is claimed until an operator resumes it")
    note: str | None = Field(description="why it is paused", examples=["the daily limit of the provider is reached"])
    counts: StatusCounts
    due_count: int = Field(description="depth: queued work that could run now", examples=[100])
    later_count: int = Field(description="queued work that waits for its time, or is held", examples=[20])
    rung_count: int = Field(description="queued work that workers have been told of", examples=[100])
    oldest_due_seconds: float | None = Field(description="how long the oldest due work has waited", examples=[4.2])
    ended_per_minute: float = Field(description="completed, filtered and failed per minute lately", examples=[87.5])
    error_rate: float = Field(description="which part of that failed, from 0 to 1", examples=[0.02])
    retried_per_minute: float = Field(description="attempts per minute that will be tried again", examples=[1.5])
    mean_seconds: float | None = Field(description="how long an attempt took lately", examples=[0.8])


class ReasonCount(BaseModel):
    """How often a reason was given."""

    status: str = Field(examples=["Filtered"])
    reason: str = Field(examples=["no-website"])
    count: int = Field(examples=[41])


class StageDetail(StageState):
    """A stage with the reasons that its work gives."""

    reasons: list[ReasonCount] = Field(description="by count, the most frequent first")


class StagePause(Body):
    """Why a stage is paused."""

    note: Text | None = Field(default=None, description="shown to everyone until it is resumed", examples=["migration"])


class StageWindow(Body):
    """How much of a stage may be rung at a time."""

    size: Annotated[int, Field(ge=1, le=LARGEST_WINDOW)] | None = Field(
        description="null returns to what the stage declares", examples=[512]
    )


@router.get("/stages", summary="List stages")
def list_stages(caller: Reader, minutes: Minutes = 5, tenants: Tenants = "own") -> Page[StageState]:
    """Give every stage in pipeline order, with depth, oldest age, rate, error rate and window."""
    found = [_state(view) for view in stages.views(_whose(caller, tenants), minutes)]
    return Page(items=found, total=len(found), next_cursor=None)


@router.get("/stages/{name}", summary="Show a stage")
def show_stage(caller: Reader, name: Name, minutes: Minutes = 5, tenants: Tenants = "own") -> StageDetail:
    """Give one stage, with the reasons that its work has ended or waits for."""
    return _detail(name, _whose(caller, tenants), minutes)


@router.post("/stages/{name}/pause", summary="Pause a stage")
def pause_stage(caller: Operator, name: Name, given: StagePause | None = None) -> StageDetail:
    """Claim nothing more of the stage, for all tenants; what runs now ends as usual."""
    stages.pause(caller, name, None if given is None else given.note)
    return _detail(name, caller.tenant_id)


@router.post("/stages/{name}/resume", summary="Resume a stage")
def resume_stage(caller: Operator, name: Name) -> StageDetail:
    """Let the stage go on, and ring for what waits."""
    stages.resume(caller, name)
    return _detail(name, caller.tenant_id)


@router.put("/stages/{name}/window", summary="Change a stage's window")
def set_stage_window(caller: Operator, name: Name, given: StageWindow) -> StageDetail:
    """Say how much of the stage may be rung at a time; the rest waits in the database."""
    stages.set_window(caller, name, given.size)
    return _detail(name, caller.tenant_id)


def _whose(caller: Caller, tenants: str) -> UUID | None:
    """Give the tenant whose work is counted; None, which is all, to operators only."""
    if tenants == "own":
        return caller.tenant_id
    caller.check_operator()
    return None


def _detail(name: str, tenant_id: UUID | None, minutes: int = 5) -> StageDetail:
    state = _state(stages.view(name, tenant_id, minutes))
    reasons = [ReasonCount(**row) for row in stages.reasons(name, tenant_id)]
    return StageDetail(**state.model_dump(), reasons=reasons)


def _state(view: StageView) -> StageState:
    stage, figures, pace = view.stage, view.figures, view.pace
    return StageState(
        name=stage.name,
        entity=stage.table,
        successors=list(stage.successors),
        attempts=stage.attempts,
        time_limit_seconds=stage.time_limit.total_seconds(),
        window=view.window,
        declared_window=stage.window,
        is_paused=figures.paused,
        note=figures.note,
        counts=StatusCounts(**{status.lower(): many for status, many in figures.counts.items()}),
        due_count=figures.due,
        later_count=figures.later,
        rung_count=figures.rung,
        oldest_due_seconds=figures.oldest_due_seconds,
        ended_per_minute=pace.ended_per_minute,
        error_rate=pace.error_rate,
        retried_per_minute=pace.retried_per_minute,
        mean_seconds=pace.mean_seconds,
    )
