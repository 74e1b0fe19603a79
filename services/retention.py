"""Retention: whose each fact is, and until when it may be kept."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

# Google's terms: ids may be kept for ever, coordinates for 30 days; the rest only as long as the settings say. The
# sandbox stands in for Google, so that what expires can be seen without it.
LENT = ("google", "sandbox")
COORDINATES = ("latitude", "longitude")
COORDINATES_DAYS = 30

Sources = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a row's facts come from: each field's source and expiry, and the earliest expiry of all."""

    field_sources: Sources
    expires_at: datetime | None


def expires_at(provider: str, field: str, *, told_at: datetime, facts_days: int) -> datetime | None:
    """Give when a field that a provider told at some time must be gone; None when it may stay."""
    if provider not in LENT:
        return None
    return told_at + timedelta(days=COORDINATES_DAYS if field in COORDINATES else facts_days)


def provenance_of(provider: str, fields: Collection[str], *, told_at: datetime, facts_days: int) -> Provenance:
    """Say of each field whose it is and when it expires."""
    expiries = {name: expires_at(provider, name, told_at=told_at, facts_days=facts_days) for name in sorted(fields)}
    sources = {
        name: {"source": provider, "expires_at": at.isoformat() if at else None} for name, at in expiries.items()
    }
    return Provenance(sources, min((at for at in expiries.values() if at), default=None))
