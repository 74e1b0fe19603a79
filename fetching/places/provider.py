"""Provider: what every source of places can do, and a page of what it found."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Protocol

from services.place import Area, FoundPlace

Call = Literal["area", "places", "details"]


@dataclass(frozen=True, slots=True)
class PlacePage:
    """One answer of a search; `next_page` is what to ask for the rest with, None when there is none."""

    places: tuple[FoundPlace, ...]
    next_page: str | None


class Provider(Protocol):
    """A source of places. Each function is one call; it raises Passing or Final with a reason, nothing else.

    A search brings `page_size` places a page and at most `most_results` on all pages together: when it brings so
    many, the area may hold more.
    """

    name: str
    attribution: str
    page_size: int
    most_results: int

    def find_area(self, where: str) -> Area:
        """Find where a town, region or address is; Final unknown-place when there is none."""

    def find_places(self, what: str, area: Area, page: str | None = None) -> PlacePage:
        """Find what a person typed inside an area, a page at a time."""

    def find_details(self, provider_place_id: str, fields: Collection[str]) -> FoundPlace:
        """Ask for these columns of one place, and no others."""

    def price(self, call: Call) -> Decimal:
        """Give the US dollars that a call costs."""
