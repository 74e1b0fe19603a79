"""Progress as callers see it: how much is where, why what did not go on did not, and what is still open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field

from models.work import WORK_STATUSES
from pipeline.progress import Progress


class StageProgress(BaseModel):
    """One stage's work; discovered = queued + processing + completed + filtered + error + cancelled."""

    stage: str = Field(examples=["deep_scan"])
    discovered: int = Field(examples=[120])
    queued: int = Field(examples=[20])
    processing: int = Field(examples=[4])
    completed: int = Field(examples=[90])
    filtered: int = Field(examples=[5])
    error: int = Field(examples=[1])
    cancelled: int = Field(examples=[0])
    held: int = Field(description="how many of the queued are paused by a person", examples=[0])


class Waiting(BaseModel):
    """Rows that wait for a person's decision before a stage."""

    stage: str = Field(examples=["domain_extraction"])
    count: int = Field(examples=[12])


class Ending(BaseModel):
    """A reason why work did not go on, how often it was given, and an example."""

    stage: str = Field(examples=["domain_extraction"])
    status: str = Field(examples=["Filtered"])
    reason: str = Field(examples=["no-website"])
    count: int = Field(examples=[41])
    example_work_id: int = Field(examples=[7])
    example_entity_id: int = Field(examples=[3])
    example_name: str | None = Field(examples=["Anna's Dental"])
    example_error: str | None = Field(examples=[None])


class Open(BaseModel):
    """Work that waits or runs, and what it waits for."""

    stage: str = Field(examples=["page_curation"])
    status: str = Field(description="Queued, Held or Processing", examples=["Queued"])
    reason: str | None = Field(examples=["rate-limited"])
    count: int = Field(examples=[8])
    error: str | None = Field(examples=[None])
    due_in_seconds: float | None = Field(description="until the first of it is due", examples=[12.5])


def stages_of(progress: Progress) -> list[StageProgress]:
    """Show the counts of every stage, in pipeline order."""
    return [
        StageProgress(
            stage=stage,
            discovered=sum(counts.values()),
            held=progress.held.get(stage, 0),
            **{status.lower(): counts[status] for status in WORK_STATUSES},
        )
        for stage, counts in progress.counts.items()
    ]


def waiting_of(progress: Progress) -> list[Waiting]:
    """Show what waits for a person."""
    return [Waiting(stage=stage, count=many) for stage, many in progress.waiting.items() if many]


def endings_of(rows: Sequence[dict[str, Any]]) -> list[Ending]:
    """Show the reasons of what ended."""
    return [
        Ending(
            stage=row["stage"],
            status=row["status"],
            reason=row["reason"],
            count=row["many"],
            example_work_id=row["work_id"],
            example_entity_id=row["entity_id"],
            example_name=row["name"],
            example_error=row["error"],
        )
        for row in rows
    ]


def open_of(rows: Sequence[dict[str, Any]]) -> list[Open]:
    """Show what is not over."""
    return [Open(count=row["many"], **{name: row[name] for name in Open.model_fields if name in row}) for row in rows]
