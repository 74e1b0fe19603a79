"""A business as Google shows it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from sandbox.business import Business
from sandbox.places.hours import is_open, periods, weekday_descriptions
from sandbox.places.mask import Mask, keep
from sandbox.places.regions import region_name

PRICE_LEVELS = (
    "PRICE_LEVEL_FREE",
    "PRICE_LEVEL_INEXPENSIVE",
    "PRICE_LEVEL_MODERATE",
    "PRICE_LEVEL_EXPENSIVE",
    "PRICE_LEVEL_VERY_EXPENSIVE",
)
VIEWPORT_DEGREES = 0.00135


def place_json(business: Business, mask: Mask, at: float) -> dict[str, object]:
    """Give the fields that the mask asks for; what has no value is left out, as the provider does."""
    place: dict[str, object] = {}
    for name, inner in mask.items():
        value = _opening_hours(business, at) if name == "regularOpeningHours" else _value(business, name)
        if value is not None:
            place[name] = keep(value, inner)
    return place


def types_of(business: Business) -> list[str]:
    """List all of Google's types, the primary one first."""
    ends = ("point_of_interest", "establishment")
    return list(dict.fromkeys((business.category.name, *business.category.other_types, *ends)))


def international(business: Business) -> str | None:
    """Write the phone as people abroad read it: country code, then the number without its leading zero."""
    if not business.phone or business.town.country in ("US", "CA"):
        digits = business.phone[2:]
        return f"+1 {digits[:3]}-{digits[3:6]}-{digits[6:]}" if digits else None
    national = business.phone_national.replace("(", "").replace(")", "")
    for local in (national, national.removeprefix("0")):
        digits = "".join(filter(str.isdigit, local))
        if business.phone.endswith(digits):
            return f"{business.phone.removesuffix(digits)} {local}"
    return business.phone


def postal_lines(business: Business) -> str:
    """Write the street and the number in the country's order."""
    if business.town.country in ("US", "CA", "AU", "GB", "FR", "IE"):
        return f"{business.house_number} {business.street}"
    return f"{business.street} {business.house_number}"


def _opening_hours(business: Business, at: float) -> dict[str, object] | None:
    if not any(business.hours.values()):
        return None
    return {
        "openNow": is_open(business, at),
        "periods": periods(business),
        "weekdayDescriptions": weekday_descriptions(business),
    }


def _value(business: Business, name: str) -> object:
    read = _READERS.get(name)
    return None if read is None else read(business)


def _text(business: Business, text: str) -> dict[str, object]:
    return {"text": text, "languageCode": business.town.language}


def _location(business: Business, move: float = 0.0) -> dict[str, object]:
    return {"latitude": round(business.latitude + move, 7), "longitude": round(business.longitude + move, 7)}


def _viewport(business: Business) -> dict[str, object]:
    return {"low": _location(business, -VIEWPORT_DEGREES), "high": _location(business, VIEWPORT_DEGREES)}


def _components(business: Business) -> list[dict[str, object]]:
    town = business.town
    parts: list[tuple[str, str, list[str]]] = [
        (business.house_number, business.house_number, ["street_number"]),
        (business.street, business.street, ["route"]),
        (town.name, town.name, ["locality", "political"]),
        (region_name(town.country, town.region), town.region, ["administrative_area_level_1", "political"]),
        (town.country_name, town.country, ["country", "political"]),
        (business.postal_code, business.postal_code, ["postal_code"]),
    ]
    return [
        {"longText": long, "shortText": short, "types": types, "languageCode": town.language}
        for long, short, types in parts
        if long
    ]


def _postal_address(business: Business) -> dict[str, object]:
    town = business.town
    address: dict[str, object] = {"regionCode": town.country, "languageCode": town.language}
    if business.postal_code:
        address["postalCode"] = business.postal_code
    if town.region:
        address["administrativeArea"] = region_name(town.country, town.region)
    return address | {"locality": town.name, "addressLines": [postal_lines(business)]}


def _maps_uri(business: Business) -> str:
    number = int.from_bytes(hashlib.blake2b(business.place_id.encode(), digest_size=8).digest())
    return f"https://maps.google.example/?cid={number}"


_READERS: Mapping[str, Callable[[Business], object]] = {
    "id": lambda business: business.place_id,
    "name": lambda business: f"places/{business.place_id}",
    "displayName": lambda business: _text(business, business.name),
    "formattedAddress": lambda business: business.address,
    "shortFormattedAddress": lambda business: f"{postal_lines(business)}, {business.town.name}",
    "addressComponents": _components,
    "postalAddress": _postal_address,
    "location": _location,
    "viewport": _viewport,
    "types": types_of,
    "primaryType": lambda business: business.category.name,
    "primaryTypeDisplayName": lambda business: {"text": business.category.label, "languageCode": "en"},
    "internationalPhoneNumber": international,
    "nationalPhoneNumber": lambda business: business.phone_national or None,
    "websiteUri": lambda business: business.website,
    "rating": lambda business: business.rating,
    "userRatingCount": lambda business: business.review_count or None,
    "priceLevel": lambda business: business.price_level and PRICE_LEVELS[business.price_level],
    "utcOffsetMinutes": lambda business: business.town.utc_offset_minutes,
    "businessStatus": lambda business: business.status.upper().replace("-", "_"),
    "googleMapsUri": _maps_uri,
}
