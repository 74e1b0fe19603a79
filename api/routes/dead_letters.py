"""Dead letters: work that has ended in Error, by what went wrong, and each with its history."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from api.caller import Reader
from api.contract import Page, Text
from api.listing import Listing, page_of
from api.routes.work import WorkFailure, WorkRow
from operations import dead_letters

router = APIRouter(tags=["work"])


class DeadLetterGroup(BaseModel):
    """The dead letters of one stage with one reason."""

    stage: str = Field(examples=["domain_metadata"])
    reason: str | None = Field(examples=["dns"])
    meaning: str | None = Field(description="the reason in words", examples=["the site's name has no address"])
    count: int = Field(examples=[41])
    host_count: int = Field(description="how many hosts are affected", examples=[40])
    hosts: list[str] = Field(description="those with most of them", examples=[["example.com"]])
    oldest_at: datetime | None = Field(description="when the first of them ended")
    newest_at: datetime | None = Field(description="when the last of them ended")
    example_id: int = Field(description="the newest work among them", examples=[17])
    example_error: str | None = Field(description="what it says", examples=["example.com has no address"])


class DeadLetter(WorkRow):
    """Work that has ended in Error, with everything that went wrong."""

    failures: list[WorkFailure] = Field(description="the oldest first")


class DeadLetterQuery(Listing):
    """Which dead letters are listed, and how many."""

    stage: Text | None = Field(default=None, description="of this stage", examples=["domain_metadata"])
    reason: Text | None = Field(default=None, description="with this reason", examples=["dns"])
    host: Text | None = Field(default=None, description="that visited this host", examples=["example.com"])


@router.get("/dead-letters", summary="Count dead letters")
def count_dead_letters(caller: Reader) -> Page[DeadLetterGroup]:
    """Group what has ended in Error by stage and reason, with the hosts affected and the newest example."""
    found = [DeadLetterGroup(**row) for row in dead_letters.groups(caller.tenant_id)]
    return Page(items=found, total=len(found), next_cursor=None)


@router.get("/dead-letters/rows", summary="List dead letters")
def list_dead_letters(caller: Reader, query: Annotated[DeadLetterQuery, Query()]) -> Page[DeadLetter]:
    """Give a page of what has ended in Error, the newest first, each with its failure history."""
    found = dead_letters.page(
        caller.tenant_id,
        limit=query.limit,
        stage=query.stage,
        reason=query.reason,
        host=query.host,
        cursor=query.cursor,
        with_total=query.with_total,
    )
    return page_of(DeadLetter, found)
