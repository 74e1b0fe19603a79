"""Town, Category and Business: the plain facts of the made-up world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Town:
    """A town with its box on the map and what its addresses and numbers look like."""

    name: str
    region: str  # "TX"; "" where people do not write one
    country: str  # two capitals
    country_name: str
    language: str  # of its people and their sites: "en", "de", …
    south: float
    west: float
    north: float
    east: float
    utc_offset_minutes: int

    @property
    def label(self) -> str:
        """As a person would type it: `Austin, TX` or `Lyon, France`."""
        return f"{self.name}, {self.region or self.country_name}"


@dataclass(frozen=True, slots=True)
class Category:
    """A trade, under the names that each provider gives it."""

    name: str  # "dentist": Google's primary type
    label: str  # "Dentist"
    words: tuple[str, ...]  # what people type: "dentist", "dentists", "dental clinic", …
    other_types: tuple[str, ...]  # Google's further types
    osm_key: str  # "amenity"
    osm_value: str  # "dentist"


@dataclass(frozen=True, slots=True)
class Business:
    """One business, a function of the world's seed and its index."""

    index: int
    place_id: str  # Google's id, "ChIJ…"-like
    osm_id: int
    name: str
    category: Category
    town: Town
    house_number: str
    street: str
    postal_code: str
    latitude: float
    longitude: float
    phone: str  # E.164
    phone_national: str  # as the country writes it
    rating: float | None
    review_count: int
    price_level: int | None  # 1 to 4
    hours: Mapping[int, tuple[tuple[str, str], ...]]  # 0 = Sunday, as Google counts; ("09:00", "17:00") spans
    status: str  # operational, closed-temporarily, closed-permanently
    site_kind: str  # a name of sandbox.kinds
    website: str | None  # as the provider gives it, tracking parameters, odd spellings and all
    host: str | None  # of the site that the sandbox answers for; None when there is none of its own

    @property
    def address(self) -> str:
        """On one line, as the country writes it."""
        if self.town.country in ("US", "CA", "AU", "GB"):
            place = " ".join(part for part in (self.town.region, self.postal_code) if part)
            return f"{self.house_number} {self.street}, {self.town.name}, {place}, {self.town.country_name}"
        return f"{self.street} {self.house_number}, {self.postal_code} {self.town.name}, {self.town.country_name}"
