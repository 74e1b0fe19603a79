"""Work: look for it, retry it, cancel it; one piece or all that matches."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from api import problems
from api.caller import Reader, TenantOperator
from api.contract import MOST_IDS, Body, Id, Page, Text
from api.listing import Listing
from operations import work, work_list
from operations.work import Changed
from pipeline.selection import Match

router = APIRouter(tags=["work"])

A_CENTURY_SECONDS = 100 * 365 * 86_400
Status = Literal["Queued", "Processing", "Completed", "Filtered", "Error", "Cancelled"]
Sort = Literal["id", "-id", "due_at", "-due_at", "finished_at", "-finished_at"]
Age = Annotated[int, Field(ge=0, le=A_CENTURY_SECONDS)]
WorkId = Annotated[Id, Path(description="the work's id")]


class Conditions(BaseModel):
    """Which work is meant; conditions are joined by AND."""

    model_config = ConfigDict(extra="forbid")

    stage: Text | None = Field(default=None, description="of this stage", examples=["page_curation"])
    status: Status | None = Field(default=None, description="in this status", examples=["Error"])
    reason: Text | None = Field(default=None, description="with this reason", examples=["timeout"])
    error: Text | None = Field(default=None, description="whose error contains this, in any case", examples=["tls"])
    host: Text | None = Field(default=None, description="that visits this host", examples=["example.com"])
    older_than_seconds: Age | None = Field(default=None, description="ended, or queued, so long ago", examples=[3600])
    worker_id: UUID | None = Field(default=None, description="that this worker runs")
    parent_id: Id | None = Field(default=None, description="that came of this work")


class WorkQuery(Conditions, Listing):
    """Which work is listed, in which order, and how much of it."""

    sort: Sort = Field(default="-id", description="`-` for descending; what has no such time comes last")


class WorkChoice(Conditions, Body):
    """Which work is changed; without any condition `all` must be said."""

    ids: list[Id] | None = Field(default=None, max_length=MOST_IDS, description="these pieces", examples=[[1, 2, 3]])
    all: bool = Field(default=False, description="everything of the tenant, without any condition")
    dry_run: bool = Field(default=False, description="count and change nothing")


class WorkChanged(BaseModel):
    """What a change did, or would do."""

    matched_count: int = Field(description="how much matches and can be changed so", examples=[41])
    changed_count: int = Field(description="how much was changed; 0 in a dry run", examples=[41])


class WorkRow(BaseModel):
    """One stage's work on one row."""

    id: int = Field(examples=[17])
    stage: str = Field(examples=["page_curation"])
    entity: str | None = Field(description="the table of the row it is about", examples=["pages"])
    entity_id: int = Field(examples=[40])
    entity_name: str | None = Field(description="what people call that row", examples=["https://example.com/contact"])
    status: str = Field(examples=["Error"])
    reason: str | None = Field(examples=["timeout"])
    error: str | None = Field(examples=["no answer within 20 s"])
    attempts: int = Field(examples=[5])
    crashes: int = Field(description="worker processes that died while they ran it", examples=[0])
    auto: bool = Field(description="what comes of it goes on without waiting for a person")
    priority: int = Field(description="0 is first, 9 is last", examples=[5])
    host: str | None = Field(description="the host whose lane it waits in", examples=["example.com"])
    due_at: datetime | None = Field(description="when it may run; null while it is held")
    is_held: bool = Field(description="a person has paused the search or batch it belongs to")
    queued_at: datetime
    sent_at: datetime | None = Field(description="when workers were last told of it")
    started_at: datetime | None
    deadline_at: datetime | None = Field(description="when it is taken from the worker that runs it now")
    finished_at: datetime | None
    worker_id: UUID | None = Field(description="who runs it now")
    parent_id: int | None = Field(description="the work that it came of")


class WorkFailure(BaseModel):
    """One thing that went wrong with a piece of work."""

    at: datetime
    attempt: int = Field(examples=[1])
    kind: str = Field(description="passing, final, crash, deadline or late-finish", examples=["passing"])
    reason: str = Field(examples=["timeout"])
    error: str | None = Field(examples=["no answer within 20 s"])


class WorkAncestor(BaseModel):
    """A piece of work that led to another."""

    id: int
    stage: str = Field(examples=["sitemap_import"])
    status: str = Field(examples=["Completed"])
    entity_id: int
    reason: str | None


class WorkChildren(BaseModel):
    """How much came of a piece of work."""

    stage: str = Field(examples=["contact_validation"])
    status: str = Field(examples=["Completed"])
    count: int = Field(examples=[3])


class WorkStory(WorkRow):
    """A piece of work with what went wrong, where it came from and what came of it."""

    failures: list[WorkFailure] = Field(description="the oldest first")
    ancestors: list[WorkAncestor] = Field(description="from the first on")
    children: list[WorkChildren] = Field(description="counted by stage and status")


@router.get("/work", summary="List work")
def list_work(caller: Reader, query: Annotated[WorkQuery, Query()]) -> Page[WorkRow]:
    """Give a page of the tenant's work that matches."""
    match = _match(query, caller.tenant_id, everything=True)
    found = work_list.page(match, limit=query.limit, sort=query.sort, cursor=query.cursor, with_total=query.with_total)
    items = [WorkRow(**row) for row in work_list.name_entities(caller.tenant_id, found.rows)]
    return Page(items=items, total=found.total, next_cursor=found.next_cursor)


@router.post("/work/retry", summary="Retry work")
def retry_work(caller: TenantOperator, given: WorkChoice) -> WorkChanged:
    """Start ended work anew: what is in Error, unless a status or ids are named."""
    return _changed(work.act(work.RETRY, _chosen(given, caller.tenant_id), caller=caller, dry_run=given.dry_run))


@router.post("/work/cancel", summary="Cancel work")
def cancel_work(caller: TenantOperator, given: WorkChoice) -> WorkChanged:
    """End work that waits or runs; the result of what runs now is not stored."""
    return _changed(work.act(work.CANCEL, _chosen(given, caller.tenant_id), caller=caller, dry_run=given.dry_run))


@router.get("/work/{work_id}", summary="Show a piece of work")
def show_work(caller: Reader, work_id: WorkId) -> WorkStory:
    """Give one piece of work with its failures, its lineage and the name of what it is about."""
    return WorkStory(**work.one(caller.tenant_id, work_id))


@router.post("/work/{work_id}/retry", summary="Retry a piece of work", responses=problems.answers(409))
def retry_one_piece(caller: TenantOperator, work_id: WorkId) -> WorkStory:
    """Start one piece of work anew that has ended."""
    return WorkStory(**work.act_on_one(work.RETRY, caller.tenant_id, work_id, caller=caller))


@router.post("/work/{work_id}/cancel", summary="Cancel a piece of work", responses=problems.answers(409))
def cancel_one_piece(caller: TenantOperator, work_id: WorkId) -> WorkStory:
    """End one piece of work that waits or runs."""
    return WorkStory(**work.act_on_one(work.CANCEL, caller.tenant_id, work_id, caller=caller))


def _chosen(given: WorkChoice, tenant_id: UUID) -> Match:
    return _match(given, tenant_id, ids=given.ids, everything=given.all)


def _match(given: Conditions, tenant_id: UUID, *, ids: list[int] | None = None, everything: bool) -> Match:
    age = given.older_than_seconds
    return Match(
        ids=ids,
        stage=given.stage,
        status=given.status,
        reason=given.reason,
        error=given.error,
        lane=given.host,
        older_than=None if age is None else timedelta(seconds=age),
        worker_id=given.worker_id,
        parent_id=given.parent_id,
        everything=everything,
        tenant_id=tenant_id,
    )


def _changed(changed: Changed) -> WorkChanged:
    return WorkChanged(matched_count=changed.matched_count, changed_count=changed.changed_count)
