"""OSM place: elements of Overpass and areas of Nominatim to FoundPlace and Area."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from services.osm_hours import opening_hours
from services.phone import e164
from services.place import COLUMNS, Area, FoundPlace
from services.plain import country_of, list_of, mapping_of, number_of, raw_of, text_of, url_of, whole_number_of

ATTRIBUTION = "© OpenStreetMap contributors, ODbL 1.0"
ELEMENT_TYPES = ("node", "way", "relation")
TRADE_KEYS = ("amenity", "shop", "craft", "office", "tourism", "leisure", "healthcare", "club", "sport")
PHONE_KEYS = ("phone", "contact:phone", "contact:mobile", "mobile", "phone:mobile")
WEBSITE_KEYS = ("website", "contact:website", "url", "contact:url", "website:official")
CITY_KEYS = ("addr:city", "addr:town", "addr:village", "addr:hamlet", "addr:place", "addr:suburb")
REGION_KEYS = ("addr:state", "addr:province", "addr:region")
GONE_KEYS = ("disused", "abandoned", "demolished")
SAYS_NOTHING = frozenset(("yes", "no"))
NUMBER_FIRST = frozenset("US CA GB IE AU NZ FR IN ZA SG PH MY HK MT LU".split())  # noqa: SIM905
MOST_ELEMENTS = 100_000
MOST_CATEGORIES = 20
POINT_RADIUS_M = 500.0  # around a place that has no extent of its own


def found_places(answer: object) -> tuple[FoundPlace, ...]:
    """Read the elements of one answer, each once.

    Many tags lack the country that a national phone number needs. Where all that name one name the same, it counts
    for the others' numbers too, though it is not stored for them.
    """
    elements = list_of(mapping_of(answer).get("elements"), MOST_ELEMENTS)
    named = {country_of(mapping_of(mapping_of(one).get("tags")).get("addr:country")) for one in elements} - {None}
    country = named.pop() if len(named) == 1 else None
    read = (found_place(element, country) for element in elements)
    return tuple({place.provider_place_id: place for place in read if place is not None}.values())


def found_place(value: object, country_around: str | None = None) -> FoundPlace | None:
    """Read one element; None when it has no usable type and number."""
    element = mapping_of(value)
    kind, number = element.get("type"), whole_number_of(element.get("id"), 1, 2**53)
    if kind not in ELEMENT_TYPES or number is None:
        return None
    tags = mapping_of(element.get("tags"))
    country = country_of(tags.get("addr:country"))
    address = _Address(tags, country or country_around)
    categories = _categories(tags)
    latitude, longitude = _point(element)
    return FoundPlace(
        provider_place_id=f"{kind}/{number}",
        fields=COLUMNS,
        name=_first(tags, ("name", "brand", "operator")),
        formatted_address=address.on_one_line,
        street=address.street,
        city=address.city,
        region=address.region,
        postal_code=address.postal_code,
        country_code=country,
        phone=_phone(tags, country or country_around),
        website=_website(tags),
        main_category=next(iter(categories), None),
        categories=categories,
        opening_hours=opening_hours(_first(tags, ("opening_hours",)) or ""),
        latitude=latitude,
        longitude=longitude,
        business_status=_business_status(tags),
        attribution=ATTRIBUTION,
        raw=raw_of(element),
    )


def area_of(answer: object) -> Area | None:
    """Give the box of the best place Nominatim knows: a town, region or country before anything else of that name."""
    found = [mapping_of(one) for one in list_of(answer, 50)]
    regions = [one for one in found if one.get("category") in ("boundary", "place")]
    return next((area for area in map(_area, (*regions, *found)) if area is not None), None)


def _area(found: Mapping[str, Any]) -> Area | None:
    edges = [_degrees(edge) for edge in list_of(found.get("boundingbox"), 4)]
    if len(edges) == 4 and None not in edges:
        south, north, west, east = (edge for edge in edges if edge is not None)
        try:
            return Area(south, west, north, east)
        except ValueError:
            pass  # a point, or no box at all
    latitude, longitude = _degrees(found.get("lat")), _degrees(found.get("lon"))
    if latitude is None or longitude is None or abs(latitude) > 90:
        return None
    return Area.around(latitude, longitude, POINT_RADIUS_M)


def _degrees(value: object) -> float | None:
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,3}(\.\d{1,20})?", value, re.ASCII):
        value = float(value)
    return number_of(value, -180, 180)


def _point(element: Mapping[str, Any]) -> tuple[float, float] | tuple[None, None]:
    """A node is a point itself; of anything larger its centre counts."""
    spot = element if "lat" in element else mapping_of(element.get("center"))
    latitude, longitude = number_of(spot.get("lat"), -90, 90), number_of(spot.get("lon"), -180, 180)
    return (None, None) if latitude is None or longitude is None else (latitude, longitude)


def _first(tags: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((text for text in (text_of(tags.get(key)) for key in keys) if text), None)


def _categories(tags: Mapping[str, Any]) -> tuple[str, ...]:
    values = (value.strip() for key in TRADE_KEYS for value in (text_of(tags.get(key), 255) or "").split(";"))
    return tuple(dict.fromkeys(value for value in values if value and value not in SAYS_NOTHING))[:MOST_CATEGORIES]


def _phone(tags: Mapping[str, Any], country: str | None) -> str | None:
    """Give the first number that can be read; several are put in one tag, parted by semicolons."""
    numbers = (number for key in PHONE_KEYS for number in re.split("[;,]", text_of(tags.get(key), 255) or ""))
    return next((found for found in (e164(number, country) for number in numbers) if found), None)


def _website(tags: Mapping[str, Any]) -> str | None:
    for key in WEBSITE_KEYS:
        website = url_of(tags.get(key))
        if website:
            return re.split(r"\s*;\s*(?=https?:|www\.)", website)[0].strip() or None
    return None


def _business_status(tags: Mapping[str, Any]) -> str | None:
    """Being on the map is no proof of being open, so an ordinary element has no status."""
    is_gone = any((text_of(tags.get(key)) or "no") != "no" for key in GONE_KEYS)
    return "closed-permanently" if is_gone else None


class _Address:
    """An address put together from its tags."""

    def __init__(self, tags: Mapping[str, Any], country: str | None) -> None:
        self.city = _first(tags, CITY_KEYS)
        self.region = _first(tags, REGION_KEYS)
        self.postal_code = text_of(tags.get("addr:postcode"), 20)
        number, street = _first(tags, ("addr:housenumber",)), _first(tags, ("addr:street", "addr:place"))
        number_first = country in NUMBER_FIRST if country else self.region is not None
        parts = (number, street) if number_first else (street, number)
        self.street = text_of(" ".join(part for part in parts if part)) if street else None
        self._is_american = number_first and self.region is not None
        self._full, self._country = _first(tags, ("addr:full",)), country_of(tags.get("addr:country"))

    @property
    def on_one_line(self) -> str | None:
        """As the country writes it, as far as it is known; None without a street or a town."""
        if self._full or not (self.street or self.city):
            return self._full
        if self._is_american:
            town = [self.city, " ".join(filter(None, (self.region, self.postal_code)))]
        else:
            town = [" ".join(filter(None, (self.postal_code, self.city)))]
        return text_of(", ".join(filter(None, (self.street, *town, self._country))))
