"""Place: a box on the map, and what a provider tells of one business in it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import asin, cos, degrees, isfinite, pi, radians, sin, sqrt
from typing import Any

EARTH_METERS = 6_371_009.0
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LONGEST_PLACE_ID = 1024  # bytes

# The columns of a local business that a provider may fill.
COLUMNS = frozenset(
    (
        "name", "formatted_address", "street", "city", "region", "postal_code", "country_code", "phone", "website",
        "main_category", "categories", "rating", "review_count", "price_level", "opening_hours", "latitude",
        "longitude", "utc_offset_minutes", "business_status",
    )
)  # fmt: skip

OpeningHours = dict[str, list[list[str]]]


@dataclass(frozen=True, slots=True)
class Area:
    """A box in degrees, edges included; it crosses the 180th meridian when its west is greater than its east."""

    south: float
    west: float
    north: float
    east: float

    def __post_init__(self) -> None:
        edges = (self.south, self.west, self.north, self.east)
        on_earth = all(map(isfinite, edges)) and -90 <= self.south < self.north <= 90
        if not on_earth or abs(self.west) > 180 or abs(self.east) > 180 or self.width <= 0:
            raise ValueError(f"south {self.south}, west {self.west}, north {self.north}, east {self.east} is no box")

    @property
    def width(self) -> float:
        """Degrees from west to east."""
        return self.east - self.west if self.west <= self.east else self.east - self.west + 360

    @property
    def centre(self) -> tuple[float, float]:
        """Latitude and longitude of its middle."""
        return (self.south + self.north) / 2, _wrapped(self.west + self.width / 2)

    @property
    def square_meters(self) -> float:
        """The surface of the globe inside."""
        height = sin(radians(self.north)) - sin(radians(self.south))
        return EARTH_METERS**2 * height * radians(self.width)

    @classmethod
    def around(cls, latitude: float, longitude: float, radius_m: float) -> Area:
        """Give the smallest box around a circle; one that reaches a pole goes all around the globe."""
        angle = radius_m / EARTH_METERS
        south, north = latitude - degrees(angle), latitude + degrees(angle)
        if angle >= pi / 2 or south <= -90 or north >= 90:
            return cls(max(south, -90.0), -180.0, min(north, 90.0), 180.0)
        half = degrees(asin(min(1.0, sin(angle) / cos(radians(latitude)))))
        return cls(south, _wrapped(longitude - half), north, _wrapped(longitude + half))

    def contains(self, latitude: float, longitude: float) -> bool:
        """Tell whether a point lies inside or on an edge."""
        if not self.south <= latitude <= self.north:
            return False
        if self.west <= self.east:
            return self.west <= longitude <= self.east
        return longitude >= self.west or longitude <= self.east

    def quarters(self) -> tuple[Area, ...]:
        """Cut in four: south-west, south-east, north-west, north-east."""
        latitude, longitude = self.centre
        return (
            Area(self.south, self.west, latitude, longitude),
            Area(self.south, longitude, latitude, self.east),
            Area(latitude, self.west, self.north, longitude),
            Area(latitude, longitude, self.north, self.east),
        )

    def parts(self) -> tuple[Area, ...]:
        """Cut at the 180th meridian, so that west is never greater than east."""
        if self.west <= self.east:
            return (self,)
        sides = ((self.west, 180.0), (-180.0, self.east))
        return tuple(Area(self.south, west, self.north, east) for west, east in sides if west < east)

    def share_of(self, whole: Area) -> float:
        """Give what part of the surface of `whole` an area inside it is, from 0 to 1."""
        return min(1.0, self.square_meters / whole.square_meters)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPlace:
    """Everything a provider may tell of a place, as it can be stored; None where it told nothing usable.

    `fields` names the columns of a local business that it was asked for, so that the missing ones are known.
    """

    provider_place_id: str
    fields: frozenset[str]
    name: str | None = None
    formatted_address: str | None = None
    street: str | None = None
    city: str | None = None
    region: str | None = None
    postal_code: str | None = None
    country_code: str | None = None  # two capitals
    phone: str | None = None  # E.164
    website: str | None = None  # as the provider gives it
    main_category: str | None = None
    categories: tuple[str, ...] = ()
    rating: Decimal | None = None
    review_count: int | None = None
    price_level: int | None = None  # 0 to 4
    opening_hours: OpeningHours | None = None  # every weekday with its ["09:00", "17:00"] spans; closed has none
    latitude: float | None = None
    longitude: float | None = None
    utc_offset_minutes: int | None = None
    business_status: str | None = None
    attribution: str | None = None
    raw: dict[str, Any] | None = None


def distance_m(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Give the meters between two points as the crow flies."""
    here, there = radians(latitude), radians(other_latitude)
    across = sin(radians(other_longitude - longitude) / 2) ** 2
    squared = sin((there - here) / 2) ** 2 + cos(here) * cos(there) * across
    return 2 * EARTH_METERS * asin(sqrt(min(1.0, squared)))


def _wrapped(longitude: float) -> float:
    """Bring a longitude back between -180 and 180."""
    return (longitude + 180) % 360 - 180 if abs(longitude) > 180 else longitude
