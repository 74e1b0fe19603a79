"""The rectangles that a search was cut into and where its places lie, for those who look at a map of it."""

from __future__ import annotations

from uuid import UUID

from psycopg.rows import dict_row

from pipeline.database import statement
from pipeline.owner import tenant_of
from pipeline.progress import Row

MOST_RECTANGLES = 10_000

# A rectangle stands where its last page does; one that was cut is stood for by its parts.
RECTANGLES = b"""
SELECT south, west, north, east, depth, searched_at, found_before + coalesce(found, 0) AS found,
       CASE is_full WHEN true THEN 'full' WHEN false THEN 'covered' ELSE 'open' END AS state
FROM (SELECT DISTINCT ON (south, west, north, east) * FROM search_areas
      WHERE tenant_id = %(tenant)s AND search_id = %(id)s ORDER BY south, west, north, east, page DESC) AS last_pages
WHERE NOT is_cut ORDER BY depth, south, west, north, east LIMIT %(most)s"""

SPOTS = b"""
SELECT places.name, latitude, longitude FROM search_places found JOIN places ON places.id = found.place_id
WHERE found.tenant_id = %(tenant)s AND found.search_id = %(id)s AND latitude IS NOT NULL AND longitude IS NOT NULL
ORDER BY found.id LIMIT %(most)s"""


def rectangles(search_id: int, *, tenant_id: UUID | None = None) -> list[Row]:
    """Give the rectangles of a search, each with how it stands."""
    values = {"id": search_id, "tenant": tenant_of(tenant_id), "most": MOST_RECTANGLES}
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(RECTANGLES, values).fetchall()


def spots(search_id: int, most: int, *, tenant_id: UUID | None = None) -> list[Row]:
    """Give the places of a search whose position is stored, those found first."""
    values = {"id": search_id, "tenant": tenant_of(tenant_id), "most": most}
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(SPOTS, values).fetchall()
