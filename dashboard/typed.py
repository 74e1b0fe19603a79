"""Typed: fields of forms and addresses as people leave them; an empty one says nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Form, Query

from errors import BadInput

# NUL cannot be stored.
Word = Annotated[str, Form(max_length=2000, pattern=r"^[^\x00]*$")]
Asked = Annotated[str, Query(max_length=2000, pattern=r"^[^\x00]*$")]
# A browser writes a moment in so many characters.
Moment = Annotated[str, Form(max_length=40)]
AskedMoment = Annotated[str, Query(max_length=40)]


def moment_of(text: str, what: str) -> datetime | None:
    """Read a moment as a browser's field writes it, in UTC; None for an empty field."""
    if not text.strip():
        return None
    try:
        found = datetime.fromisoformat(text.strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadInput(f"{what} is no moment: write it like 2026-01-31T09:00, in UTC.") from None


def moment_in_field(at: datetime | None) -> str:
    """Write a moment as a browser's field wants it, in UTC."""
    return "" if at is None else f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}"
