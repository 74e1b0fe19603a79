"""Lead position: where a business lies in the area of the search that found it, and where the other finds lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from leads.journey_rows import rows

MOST_OTHERS = 500

# A search with a box first: without one there is only what was found.
SEARCH = """
SELECT searches.id, concat_ws(' near ', what, where_text) AS text, south, west, north, east
FROM search_places found JOIN searches ON searches.id = found.search_id
WHERE found.place_id = %(place)s AND searches.tenant_id = %(tenant)s
ORDER BY south IS NULL, first_found_at, searches.id LIMIT 1"""

OTHERS = """
SELECT latitude, longitude FROM search_places found JOIN places ON places.id = found.place_id
WHERE found.search_id = %(search)s AND places.tenant_id = %(tenant)s AND places.id <> %(place)s
  AND latitude IS NOT NULL AND longitude IS NOT NULL ORDER BY found.id LIMIT %(most)s"""


@dataclass(frozen=True, slots=True)
class Box:
    """An area; its west edge is east of its east edge where it crosses the line of dates."""

    south: float
    west: float
    north: float
    east: float


@dataclass(frozen=True, slots=True)
class Position:
    """A spot, the search that found it, that search's box, and its other finds as latitude and longitude."""

    latitude: float
    longitude: float
    search_id: int | None = None
    search: str | None = None
    box: Box | None = None
    others: tuple[tuple[float, float], ...] = ()


def position(tenant_id: UUID, business: dict[str, Any]) -> Position | None:
    """Give the position of a business that was read for its tenant; None when its provider gave none."""
    at = (business["latitude"], business["longitude"])
    if None in at:
        return None
    own = {"tenant": tenant_id, "place": business["place_id"], "most": MOST_OTHERS}
    found = rows(SEARCH, own)
    if not found:
        return Position(*at)
    search = found[0]
    edges = [search[edge] for edge in ("south", "west", "north", "east")]
    others = tuple((row["latitude"], row["longitude"]) for row in rows(OTHERS, own | {"search": search["id"]}))
    return Position(*at, search["id"], search["text"], None if None in edges else Box(*edges), others)
