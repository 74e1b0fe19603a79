"""Funnel: from searches to contacts, with counts, reasons and drop-off at each step."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from api.caller import Reader
from api.entity_routes import RowId
from entities import funnel

router = APIRouter(tags=["funnel"])


class FunnelReason(BaseModel):
    """How many ended, or wait, in the same way."""

    model_config = ConfigDict(from_attributes=True)

    fate: Literal["open", "waiting", "dropped"]
    stage: str | None = Field(description="the furthest stage that it was queued for", examples=["domain_metadata"])
    status: str | None = Field(description="how its work stands", examples=["Filtered"])
    reason: str | None = Field(description="in a word", examples=["parked"])
    meaning: str | None = Field(description="what the word means")
    count: int


class FunnelStep(BaseModel):
    """One kind of thing: `total` is `led_on` + `open` + `waiting` + `dropped`."""

    model_config = ConfigDict(from_attributes=True)

    entity: str = Field(examples=["domains"])
    total: int
    led_on: int = Field(description="those to which something of the next kind belongs; of contacts, those in use")
    open: int = Field(description="those whose work waits or runs")
    waiting: int = Field(description="those that wait for your decision")
    dropped: int = Field(description="those that led to nothing")
    drop_off: float | None = Field(description="the share that was dropped, 0 to 1", examples=[0.25])
    reasons: list[FunnelReason] = Field(description="why those that led to nothing did not, the most frequent first")


class Funnel(BaseModel):
    """Every step from searches to contacts."""

    steps: list[FunnelStep]


def _shown(steps: list[funnel.Step]) -> Funnel:
    return Funnel(steps=[FunnelStep.model_validate(step) for step in steps])


@router.get("/funnel", summary="The funnel of everything")
def get_funnel(caller: Reader) -> Funnel:
    """Count how far everything you have has come, and why the rest has not."""
    return _shown(funnel.of_tenant(caller.tenant_id))


@router.get("/searches/{row_id}/funnel", summary="The funnel of a search")
def get_funnel_of_search(row_id: RowId, caller: Reader) -> Funnel:
    """Count how far what one search found has come, and why the rest has not."""
    return _shown(funnel.of_search(caller.tenant_id, row_id))
