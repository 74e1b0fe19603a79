"""Settings of alarms: how long and how much something may go wrong before an operator is told. Read by `settings`."""

from __future__ import annotations

from pydantic import BaseModel, Field


class AlarmSettings(BaseModel):
    """A part of Settings, in a file of its own."""

    alarm_silent_minutes: int = Field(
        10, ge=1, le=1440, description="alarm when nothing of a stage finishes for so long while its work is due"
    )
    alarm_stuck_minutes: int = Field(
        5, ge=1, le=1440, description="alarm when work is past its deadline, or due and not rung for, by so long"
    )
    alarm_error_percent: int = Field(
        50, ge=1, le=100, description="alarm when so much of what a stage ends in ten minutes ends as Error"
    )
    alarm_error_least: int = Field(
        20, ge=1, le=1_000_000, description="and when at least so much of it has ended in these ten minutes"
    )
