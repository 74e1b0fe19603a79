"""Place record: what a found place becomes in the database, as a place and as a local business, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from services.erasure import ERASED
from services.place import COLUMNS, FoundPlace
from services.plain import list_of, mapping_of, text_of
from services.retention import provenance_of

# The columns of places that a search fills, and the fact each one takes.
PLACE_COLUMNS = {
    "name": "name",
    "address": "formatted_address",
    "latitude": "latitude",
    "longitude": "longitude",
    "website": "website",
    "phone": "phone",
    "main_category": "main_category",
    "categories": "categories",
    "rating": "rating",
    "review_count": "review_count",
    "business_status": "business_status",
}

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """Who told the facts of a row, when, and how many days they may be kept."""

    provider: str
    at: datetime
    facts_days: int

    def sign(self, row: Row, attribution: str | None) -> Row:
        """Add to a row whose each of its facts is, and until when."""
        known = [name for name, value in row.items() if value not in (None, [], {})]
        whose = provenance_of(self.provider, known, told_at=self.at, facts_days=self.facts_days)
        return row | {
            "attribution": attribution,
            "field_sources": whose.field_sources,
            "expires_at": whose.expires_at,
        }


def place_row(found: FoundPlace, told: Told) -> Row:
    """Give the columns of a place; `raw` keeps all that was told, so that nobody need be asked again."""
    facts = {column: getattr(found, fact) for column, fact in PLACE_COLUMNS.items()}
    row = told.sign(facts | {"categories": list(found.categories)}, found.attribution)
    identity = {"provider": told.provider, "provider_place_id": found.provider_place_id}
    return row | identity | {"raw": _raw(found, told.at)}


def business_row(found: FoundPlace, told: Told) -> Row:
    """Give the columns of a local business."""
    facts = {name: getattr(found, name) for name in sorted(COLUMNS)}
    facts |= {"categories": list(found.categories), "opening_hours": found.opening_hours or {}}
    return told.sign(facts, found.attribution)


def remembered(provider_place_id: str, raw: object, attribution: str | None) -> tuple[FoundPlace, datetime] | None:
    """Give what a search told of a place and when; None when nothing usable was kept."""
    kept = mapping_of(raw)
    facts, at = mapping_of(kept.get("facts")), _moment(kept.get("at"))
    if at is None:
        return None
    known = {name: value for name, value in facts.items() if name in COLUMNS and not _is_erased(name, value)}
    found = FoundPlace(
        provider_place_id=provider_place_id,
        fields=COLUMNS.intersection(word for word in list_of(kept.get("fields")) if isinstance(word, str)),
        attribution=attribution,
        **known | {"categories": tuple(list_of(known.get("categories"))), "rating": _rating(known.get("rating"))},
    )
    return found, at


def _is_erased(name: str, value: object) -> bool:
    return name in ("phone", "website") and ERASED in str(value)


def completed(found: FoundPlace, details: FoundPlace) -> FoundPlace:
    """Add what further details tell to what was known; the newer word counts."""
    told: Mapping[str, Any] = {name: getattr(details, name) for name in COLUMNS & details.fields}
    return replace(found, fields=found.fields | details.fields, attribution=details.attribution, **told)


def _raw(found: FoundPlace, at: datetime) -> Row:
    facts = {name: getattr(found, name) for name in sorted(COLUMNS)}
    return {"at": at.isoformat(), "fields": sorted(found.fields), "facts": facts | {"rating": _text(found.rating)}}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _rating(value: object) -> Decimal | None:
    text = text_of(value, 3) or ""
    return Decimal(text) if text.replace(".", "", 1).isdigit() else None


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text_of(value) or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else None
