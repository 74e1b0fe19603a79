"""Moments: times that callers name, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

from errors import BadInput


def utc(moment: datetime) -> datetime:
    """Write a time in UTC: PostgreSQL takes no offset beyond 16 hours, and no year beyond ours."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise BadInput("This time is too far away: name one of this millennium.") from None
