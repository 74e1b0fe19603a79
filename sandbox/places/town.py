"""A town as Google shows it to whoever searches for its bare name."""

from __future__ import annotations

import hashlib

from sandbox.business import Town
from sandbox.places.mask import Mask, keep


def town_json(town: Town, mask: Mask) -> dict[str, object]:
    """Give the fields that the mask asks for."""
    known: dict[str, object] = {
        "id": f"ChIJtown{hashlib.blake2b(town.label.encode(), digest_size=8).hexdigest()}",
        "displayName": {"text": town.name, "languageCode": town.language},
        "formattedAddress": f"{town.label}, {town.country_name}" if town.region else town.label,
        "location": _point((town.south + town.north) / 2, (town.west + town.east) / 2),
        "viewport": {"low": _point(town.south, town.west), "high": _point(town.north, town.east)},
        "types": ["locality", "political"],
        "primaryType": "locality",
        "utcOffsetMinutes": town.utc_offset_minutes,
    }
    return {name: keep(known[name], inner) for name, inner in mask.items() if name in known}


def _point(latitude: float, longitude: float) -> dict[str, float]:
    return {"latitude": round(latitude, 7), "longitude": round(longitude, 7)}
