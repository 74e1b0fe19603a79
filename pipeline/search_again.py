"""Whether the same was searched for before, so that a search is gone on with and nothing is paid for twice."""

from __future__ import annotations

from dataclasses import asdict
from uuid import UUID

from pipeline import searches
from pipeline.database import statement
from pipeline.owner import tenant_of
from pipeline.search_order import Order
from pipeline.searches import Found

# What was ordered with other limits is still the same search. The edges of a place that was named are found out later.
SAME = ("what", "where_text", "radius_meters", "provider", "mode")
BOX = ("south", "west", "north", "east")

LIKE = f"""
SELECT id FROM searches WHERE tenant_id = %(tenant)s
  AND {" AND ".join(f"{name} IS NOT DISTINCT FROM %({name})s" for name in SAME)}
  AND (where_text IS NOT NULL OR ({", ".join(BOX)}) = ({", ".join(f"%({name})s" for name in BOX)}))
ORDER BY id DESC LIMIT 1""".encode()


def newest_like(order: Order, *, tenant_id: UUID | None = None) -> int | None:
    """Give the id of the newest search for the same thing in the same place, however it fares."""
    given = asdict(order)
    values = {name: given[name] for name in (*SAME, *BOX)} | {"tenant": tenant_of(tenant_id)}
    with statement() as connection:
        row = connection.execute(LIKE, values).fetchone()
    return int(row[0]) if row else None


def last_like(order: Order, *, tenant_id: UUID | None = None) -> Found | None:
    """Find the newest search for the same thing in the same place; one that was cancelled does not count."""
    newest = newest_like(order, tenant_id=tenant_id)
    found = None if newest is None else searches.one(newest, tenant_id=tenant_id)
    return None if found is None or found.status == "Cancelled" else found
