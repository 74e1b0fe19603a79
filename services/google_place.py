"""Google place: JSON of Google Places (New) to FoundPlace, and which of its fields fill which column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import Any

from services.hours import MINUTES_PER_DAY, MINUTES_PER_WEEK, hours_of_week
from services.phone import e164
from services.place import COLUMNS, LONGEST_PLACE_ID, Area, FoundPlace, OpeningHours
from services.plain import (
    country_of,
    list_of,
    mapping_of,
    number_of,
    raw_of,
    text_of,
    url_of,
    whole_number_of,
)

ATTRIBUTION = "Google Maps"
# An address comes in parts put in the country's own order, and in components, which alone have the region's short name.
ADDRESS = ("postalAddress", "addressComponents")
FIELDS_OF: Mapping[str, tuple[str, ...]] = {
    "name": ("displayName",),
    "formatted_address": ("formattedAddress",),
    "street": ADDRESS,
    "city": ADDRESS,
    "region": ADDRESS,
    "postal_code": ADDRESS,
    "country_code": ADDRESS,
    "phone": ("internationalPhoneNumber",),
    "website": ("websiteUri",),
    "main_category": ("primaryType",),
    "categories": ("types",),
    "rating": ("rating",),
    "review_count": ("userRatingCount",),
    "price_level": ("priceLevel",),
    "opening_hours": ("regularOpeningHours.periods",),
    "latitude": ("location",),
    "longitude": ("location",),
    "utc_offset_minutes": ("utcOffsetMinutes",),
    "business_status": ("businessStatus",),
}
PRICE_LEVELS = ("FREE", "INEXPENSIVE", "MODERATE", "EXPENSIVE", "VERY_EXPENSIVE")
BUSINESS_STATUSES = {
    "OPERATIONAL": "operational",
    "CLOSED_TEMPORARILY": "closed-temporarily",
    "CLOSED_PERMANENTLY": "closed-permanently",
    "FUTURE_OPENING": "future-opening",
}
SAYS_NOTHING = frozenset(("point_of_interest", "establishment"))  # every business is one
MOST_CATEGORIES = 50
# What a person may mean by "near": a region of any size, an address, or something everyone knows.
AREA_TYPES = frozenset(
    (
        "political", "locality", "sublocality", "neighborhood", "postal_code", "postal_town", "country", "continent",
        "administrative_area_level_1", "administrative_area_level_2", "administrative_area_level_3", "archipelago",
        "colloquial_area", "natural_feature", "street_address", "premise", "route", "intersection", "plus_code",
        "airport", "train_station", "university", "park", "national_park", "tourist_attraction", "stadium", "island",
    )
)  # fmt: skip


def mask_of(columns: Collection[str]) -> list[str]:
    """Name the fields that fill these columns, and no others, besides id and attributions."""
    wanted = (field for column in sorted(COLUMNS.intersection(columns)) for field in FIELDS_OF[column])
    return list(dict.fromkeys(("id", "attributions", *wanted)))


def found_places(
    answer: object, columns: Collection[str] = COLUMNS, lender: str = ATTRIBUTION
) -> tuple[FoundPlace, ...]:
    """Read the places of one page, each once."""
    read = (found_place(place, columns, lender) for place in list_of(mapping_of(answer).get("places")))
    return tuple({place.provider_place_id: place for place in read if place is not None}.values())


def found_place(value: object, columns: Collection[str] = COLUMNS, lender: str = ATTRIBUTION) -> FoundPlace | None:
    """Read one place, lent by Google or whoever answers for it; None when it has no usable id."""
    place = mapping_of(value)
    place_id = text_of(place.get("id"), 2 * LONGEST_PLACE_ID)
    if place_id is None or len(place_id.encode()) > LONGEST_PLACE_ID:
        return None
    address = _Address(place)
    types = (text_of(kind, 100) for kind in list_of(place.get("types"), MOST_CATEGORIES))
    rating = number_of(place.get("rating"), 0, 5)
    spot = mapping_of(place.get("location"))
    return FoundPlace(
        provider_place_id=place_id,
        fields=COLUMNS.intersection(columns),
        name=text_of(mapping_of(place.get("displayName")).get("text")),
        formatted_address=text_of(place.get("formattedAddress")),
        street=address.street,
        city=address.city,
        region=address.region,
        postal_code=address.postal_code,
        country_code=address.country,
        phone=e164(text_of(place.get("internationalPhoneNumber")) or "", address.country),
        website=url_of(place.get("websiteUri")),
        main_category=text_of(place.get("primaryType"), 100),
        categories=tuple(dict.fromkeys(kind for kind in types if kind and kind not in SAYS_NOTHING)),
        rating=None if rating is None else Decimal(f"{rating:.1f}"),
        review_count=whole_number_of(place.get("userRatingCount"), 0, 2**31 - 1),
        price_level=_price_level(place.get("priceLevel")),
        opening_hours=_opening_hours(place.get("regularOpeningHours")),
        **_point(spot),
        utc_offset_minutes=whole_number_of(place.get("utcOffsetMinutes"), -18 * 60, 18 * 60),
        business_status=BUSINESS_STATUSES.get(text_of(place.get("businessStatus")) or ""),
        attribution=_attribution(lender, place.get("attributions")),
        raw=raw_of(place),
    )


def area_of(answer: object) -> Area | None:
    """Give the box of the first place that "near" can mean; businesses that merely are called so cannot."""
    for place in map(mapping_of, list_of(mapping_of(answer).get("places"))):
        kinds = (kind for kind in list_of(place.get("types")) if isinstance(kind, str))
        if not AREA_TYPES.isdisjoint(kinds):
            area = _viewport(mapping_of(place.get("viewport")))
            if area is not None:
                return area
    return None


def _viewport(viewport: Mapping[str, Any]) -> Area | None:
    low, high = mapping_of(viewport.get("low")), mapping_of(viewport.get("high"))
    # A number that is zero is left out.
    edges = [(point.get("latitude", 0.0), point.get("longitude", 0.0)) for point in (low, high) if point]
    numbers = [number_of(value, -180, 180) for point in edges for value in point]
    if len(numbers) < 4 or None in numbers:
        return None
    try:
        return Area(*(value for value in numbers if value is not None))
    except ValueError:
        return None


def _point(spot: Mapping[str, Any]) -> dict[str, float | None]:
    """Both or neither: a latitude alone is nowhere."""
    latitude = number_of(spot.get("latitude", 0.0), -90, 90) if spot else None
    longitude = number_of(spot.get("longitude", 0.0), -180, 180) if spot else None
    known = latitude is not None and longitude is not None
    return {"latitude": latitude if known else None, "longitude": longitude if known else None}


def _price_level(value: object) -> int | None:
    level = (text_of(value) or "").removeprefix("PRICE_LEVEL_")
    return PRICE_LEVELS.index(level) if level in PRICE_LEVELS else None


def _attribution(lender: str, value: object) -> str:
    """Name the lender, and whoever lent it the facts in turn."""
    lent = (text_of(mapping_of(one).get("provider"), 200) for one in list_of(value, 5))
    return ", ".join((lender, *(name for name in lent if name)))


def _opening_hours(value: object) -> OpeningHours | None:
    """Read the periods, in which Sunday is day 0; one that never ends means always open."""
    spans: list[tuple[int, int]] = []
    for period in map(mapping_of, list_of(mapping_of(value).get("periods"), 100)):
        start = _minute(period.get("open"))
        end = _minute(period.get("close")) if "close" in period else start
        if start is None or end is None:
            return None
        spans.append((start, (end - start) % MINUTES_PER_WEEK or MINUTES_PER_WEEK))
    return hours_of_week(spans) if spans else None


def _minute(value: object) -> int | None:
    """Give the minute of a week that begins on Monday."""
    moment = mapping_of(value)
    day = whole_number_of(moment.get("day", 0), 0, 6)
    hour = whole_number_of(moment.get("hour", 0), 0, 24)
    minute = whole_number_of(moment.get("minute", 0), 0, 59)
    if not moment or day is None or hour is None or minute is None:
        return None
    return ((day + 6) % 7 * MINUTES_PER_DAY + hour * 60 + minute) % MINUTES_PER_WEEK


class _Address:
    """A split address, out of either form."""

    def __init__(self, place: Mapping[str, Any]) -> None:
        self._postal = mapping_of(place.get("postalAddress"))
        self._components = list(map(mapping_of, list_of(place.get("addressComponents"), 50)))
        self.street = self._lines() or self._route()
        self.city = text_of(self._postal.get("locality")) or self._part(("locality", "postal_town", "sublocality"))
        self.region = self._part(("administrative_area_level_1",), "shortText") or text_of(
            self._postal.get("administrativeArea")
        )
        self.postal_code = text_of(self._postal.get("postalCode"), 20) or self._part(("postal_code",))
        self.country = country_of(self._postal.get("regionCode")) or country_of(self._part(("country",), "shortText"))

    def _lines(self) -> str | None:
        lines = (text_of(line) for line in list_of(self._postal.get("addressLines"), 5))
        return text_of(", ".join(line for line in lines if line))

    def _route(self) -> str | None:
        return text_of(" ".join(filter(None, (self._part(("street_number",)), self._part(("route",))))))

    def _part(self, kinds: Iterable[str], form: str = "longText") -> str | None:
        for kind in kinds:
            for component in self._components:
                if kind in list_of(component.get("types")):
                    return text_of(component.get(form))
        return None
