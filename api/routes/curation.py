"""Curation: decide on many rows at once, look at what was decided, take it back."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from api import problems
from api.caller import Curator, Reader
from api.contract import MOST_IDS, Body, Cursor, Id, Limit, Page, Text
from entities import curate, curate_history, curate_undo
from entities.chosen import Chosen
from entities.conditions import MOST_CONDITIONS
from entities.curate import Decision

router = APIRouter(tags=["curation"])

Entity = Annotated[
    Literal["places", "local_businesses", "domains", "sitemap_files", "pages", "contacts"],
    Path(description="what is decided on"),
]
Status = Literal["New", "Selected", "Maybe", "Not a Fit", "Archived"]
OperationId = Annotated[Id, Path(description="the operation's number")]


class Wish(Body):
    """A decision and the rows it is about: `ids`, or all that meet `where`, or everything with `all`."""

    status: Status = Field(description="the decision; only Selected queues work", examples=["Selected"])
    ids: list[Id] | None = Field(None, max_length=MOST_IDS, description="these rows", examples=[[1, 2, 3]])
    where: list[Text] = Field(
        default=[],
        max_length=MOST_CONDITIONS,
        description="rows that meet all of these, in the words of the lists",
        examples=[["kind=contact", "score>=0.5"]],
    )
    all: bool = Field(False, description="every row there is: without it an empty filter is refused")
    dry_run: bool = Field(False, description="count what would happen, and change nothing")
    stage: Text | None = Field(None, description="the stage that Selected queues, where there are several")
    auto: bool = Field(False, description="let what is selected run to the end without asking again")


class Decided(BaseModel):
    """What the decision did, or with `dry_run` would do."""

    operation_id: int | None = Field(description="with which it can be undone; null after a dry run", examples=[12])
    updated_count: int = Field(description="rows on which the decision now stands", examples=[5000])
    queued_count: int = Field(description="of these, whose work was queued or hurried", examples=[4200])
    dry_run: bool


class Operation(BaseModel):
    """A decision on many rows that was made."""

    id: int
    at: datetime
    user_id: UUID | None = Field(description="who decided; null when that user is gone")
    entity: str = Field(examples=["pages"])
    status: str = Field(examples=["Selected"])
    where: list[str] = Field(description="how rows were chosen; empty when by id or all")
    stage: str | None = Field(description="the stage that Selected queues", examples=["page_curation"])
    updated_count: int
    queued_count: int
    undone_at: datetime | None = Field(description="when it was taken back")


class Undone(BaseModel):
    """What taking a decision back did."""

    restored_count: int = Field(description="rows that are as they were before")
    cancelled_count: int = Field(description="work that the decision had queued and that waited still")
    skipped_count: int = Field(description="rows that were decided on since, or are gone")


@router.post("/{entity}/curation", summary="Decide on many rows")
def decide_on_rows(entity: Entity, wish: Wish, caller: Curator) -> Decided:
    """Set the status of all rows meant at once; `Selected` queues their work, and leaves running work alone."""
    chosen = Chosen(ids=wish.ids, where=wish.where, everything=wish.all)
    decision = Decision(wish.status, chosen, stage=wish.stage, auto=wish.auto)
    act = curate.count if wish.dry_run else curate.decide
    done = act(caller, entity, decision)
    return Decided(
        operation_id=done.operation_id,
        updated_count=done.updated_count,
        queued_count=done.queued_count,
        dry_run=wish.dry_run,
    )


@router.get("/operations", summary="List decisions")
def list_operations(caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[Operation]:
    """List what was decided on many rows, newest first."""
    found = curate_history.newest(caller.tenant_id, limit, cursor)
    return Page(items=[_shown(one) for one in found.rows], total=found.total, next_cursor=found.next_cursor)


@router.get("/operations/{operation_id}", summary="Look at a decision")
def get_operation(operation_id: OperationId, caller: Reader) -> Operation:
    """Show one decision and whether it was taken back."""
    return _shown(curate_history.one(caller.tenant_id, operation_id))


@router.post("/operations/{operation_id}/undo", summary="Take a decision back", responses=problems.answers(409))
def undo_operation(operation_id: OperationId, caller: Curator) -> Undone:
    """Restore the rows that still stand as the decision left them, and cancel its work that has not begun."""
    done = curate_undo.undo(caller, operation_id)
    return Undone(
        restored_count=done.restored_count, cancelled_count=done.cancelled_count, skipped_count=done.skipped_count
    )


def _shown(one: curate_history.Operation) -> Operation:
    return Operation(
        id=one.id,
        at=one.at,
        user_id=one.user_id,
        entity=one.entity,
        status=one.status,
        where=one.detail.get("where", []),
        stage=one.detail.get("stage"),
        updated_count=one.updated_count,
        queued_count=one.queued_count,
        undone_at=one.undone_at,
    )
