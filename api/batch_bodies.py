"""What callers say and see of batches."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from api.contract import Body, Text
from api.progress import Ending, Open, StageProgress, Waiting
from pipeline.batches import Found
from pipeline.import_kinds import Kind
from pipeline.imports import LONGEST_RAW, Imported, Item

MOST_ROWS = 10_000
MOST_FIELDS = 50

Noun = Literal["businesses", "domains", "sitemaps", "pages"]
Result = Literal["added", "duplicate", "rejected"]
Cell = Text | int | float | None
Given = Text | Annotated[dict[Text, Cell], Field(max_length=MOST_FIELDS)]


class BatchRows(Body):
    """Rows to be stored, and whether their work starts at once."""

    kind: Noun = Field(description="what the rows are", examples=["domains"])
    rows: list[Given] = Field(
        min_length=1,
        max_length=MOST_ROWS,
        description="a domain, or the address of a sitemap or page; or the row's fields by name, as businesses need",
        examples=[["acme.example", "https://www.bakery.example/"]],
    )
    auto: bool = Field(default=True, description="start at once; else each waits for your decision")
    name: Text | None = Field(default=None, description="what to call the batch", examples=["fair in May"])
    dry_run: bool = Field(default=False, description="only say what would become of each row")


class Counted(BaseModel):
    """How many rows ended the same way."""

    result: Result
    reason: str | None = Field(examples=["known-already"])
    count: int = Field(examples=[3])


class ReadLayout(BaseModel):
    """How a list was read."""

    header: list[str] | None = Field(description="its header, if it has one", examples=[["Company", "Website URL"]])
    columns: dict[str, int] = Field(
        description="which column was read as which field, counted from 1", examples=[{"name": 1, "website": 2}]
    )
    unused: list[str] = Field(description="columns of the header that were not read", examples=[["Shoe size"]])


class ReadRow(BaseModel):
    """One row as it was read, and what became of it."""

    row_number: int = Field(description="its line or row in the list", examples=[2])
    cells: dict[str, str] = Field(examples=[{"domain": "acme.example"}])
    raw: str = Field(description="as it was written", examples=["acme.example,43"])
    result: Result
    reason: str | None = Field(examples=[None])
    entity_id: int | None = Field(description="the row that it became, or that was there already", examples=[7])


class Brought(BaseModel):
    """What became of a list; all rows are added, duplicate or rejected."""

    batch_id: int | None = Field(description="null after a dry run, which stores nothing", examples=[1])
    kind: Noun
    is_dry_run: bool
    row_count: int = Field(examples=[3])
    added_count: int = Field(examples=[1])
    duplicate_count: int = Field(examples=[1])
    rejected_count: int = Field(examples=[1])
    queued_count: int = Field(description="pieces of work that were started", examples=[1])
    counts: list[Counted]
    layout: ReadLayout
    first_rows: list[ReadRow] = Field(description="the first rows, to see whether the right columns were read")
    rejected_rows: list[ReadRow] = Field(description="the first that were rejected")


class BatchState(BaseModel):
    """A batch, and what became of its rows and their work."""

    id: int = Field(examples=[1])
    kind: Noun
    name: str | None = Field(examples=["list.csv"])
    auto: bool
    status: str = Field(
        description="Queued, InProgress, Completed, Error, ManualReview, Cancelled or Paused", examples=["InProgress"]
    )
    row_count: int = Field(examples=[3])
    added_count: int = Field(examples=[1])
    duplicate_count: int = Field(examples=[1])
    rejected_count: int = Field(examples=[1])
    created_at: datetime
    created_by_id: UUID | None
    stages: list[StageProgress]
    waiting: list[Waiting]


class BatchDetail(BatchState):
    """A batch with the reasons of what did not go on and what is still open."""

    counts: list[Counted]
    reasons: list[Ending]
    open: list[Open]


class BatchRow(BaseModel):
    """One row of a batch, what became of it, and how its work stands."""

    row_number: int = Field(examples=[2])
    raw: str = Field(examples=["acme.example"])
    result: Result | None
    reason: str | None = Field(examples=[None])
    entity_id: int | None = Field(examples=[7])
    stage: str | None = Field(examples=["domain_metadata"])
    work_status: str | None = Field(examples=["Completed"])
    work_reason: str | None = Field(examples=[None])
    work_error: str | None = Field(examples=[None])


def brought_of(kind: Kind, imported: Imported) -> Brought:
    """Show what became of a list."""
    layout = imported.layout
    counted = sorted(imported.counts.items(), key=lambda pair: (-pair[1], pair[0][0]))
    own: dict[str, Any] = {f"{result}_count": imported.of(result) for result in ("added", "duplicate", "rejected")}
    own |= {"batch_id": imported.batch_id, "kind": kind.noun, "is_dry_run": imported.batch_id is None}
    return Brought(
        **own,
        row_count=sum(imported.counts.values()),
        queued_count=imported.queued,
        counts=[_counted(result, reason, many) for (result, reason), many in counted],
        layout=ReadLayout(
            header=None if layout.header is None else list(layout.header),
            columns={field: nth + 1 for field, nth in layout.columns.items()},
            unused=list(layout.unused),
        ),
        first_rows=[_row(item) for item in imported.first],
        rejected_rows=[_row(item) for item in imported.rejected],
    )


def _counted(result: str, reason: str | None, many: int) -> Counted:
    return Counted.model_validate({"result": result, "reason": reason or None, "count": many})


def _row(item: Item) -> ReadRow:
    became = {"result": item.result, "reason": item.reason, "entity_id": item.entity_id}
    row = {"row_number": item.row.line, "cells": dict(item.row.cells), "raw": item.row.raw[:LONGEST_RAW]}
    return ReadRow.model_validate(row | became)


def state_of(found: Found, noun: str) -> dict[str, Any]:
    """Give a batch's row under the names callers know."""
    own = {f"{result}_count": many for result, many in found.counts.items()}
    kept = {name: found.row[name] for name in ("id", "name", "auto", "created_at", "created_by_id")}
    return kept | own | {"kind": noun, "status": found.status, "row_count": sum(found.counts.values())}


def counts_of(found: Found) -> list[Counted]:
    """Count a batch's rows by result and reason."""
    return [_counted(row["result"], row["reason"], row["many"]) for row in found.results if row["result"]]
