"""Alarms: what an operator should look at."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from api.caller import Operator
from operations import alarms

router = APIRouter(tags=["alarms"])


class Alarm(BaseModel):
    """A rule that rings for a subject, or did."""

    model_config = ConfigDict(from_attributes=True)

    name: str = Field(description="the rule", examples=["stage-failing"])
    subject: str = Field(description="a stage, a job, a rule; empty for the whole machine", examples=["deep_scan"])
    says: str = Field(description="what happened and what to do")
    began_at: datetime
    seen_at: datetime = Field(description="when it last rang")
    ended_at: datetime | None = Field(description="when it was over; null while it rings")


class Alarms(BaseModel):
    """The alarms, and when somebody last looked."""

    items: list[Alarm]
    watched_at: datetime | None = Field(description="when the rules were last asked; nothing rings while nobody asks")


@router.get("/alarms", summary="What needs a look")
def list_alarms(
    _: Operator, ended: Annotated[bool, Query(description="those that are over too, of the last 90 days")] = False
) -> Alarms:
    """Give the alarms that ring now, newest first; with `ended=true`, then those that are over."""
    found = alarms.all_alarms() if ended else alarms.ringing()
    return Alarms(items=[Alarm.model_validate(alarm) for alarm in found], watched_at=alarms.watched_at())
