"""Retention: blank the facts that a provider lends for a time once that is over; ids, decisions and links stay."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache

import structlog

from pipeline.database import statement

log = structlog.get_logger("retention")

LONGEST_SECONDS = 50.0
ROWS_AT_A_TIME = 500

# Every column of a table that a provider may fill, and what it holds when it holds nothing.
NOTHING = "NULL"
PLACE_FACTS: Mapping[str, str] = dict.fromkeys(
    ("name", "address", "latitude", "longitude", "website", "phone", "main_category", "rating", "review_count",
     "business_status"), NOTHING
) | {"categories": "'[]'"}  # fmt: skip
BUSINESS_FACTS: Mapping[str, str] = dict.fromkeys(
    ("name", "formatted_address", "street", "city", "region", "postal_code", "country_code", "phone", "website",
     "main_category", "rating", "review_count", "price_level", "latitude", "longitude", "utc_offset_minutes",
     "business_status"), NOTHING
) | {"categories": "'[]'", "opening_hours": "'{}'"}  # fmt: skip
FACTS: Mapping[str, Mapping[str, str]] = {"places": PLACE_FACTS, "local_businesses": BUSINESS_FACTS}
# A provider's answer as it was sent holds every fact at once, so it goes with the first of them.
WHOLE_ANSWERS = {"places": ("raw",)}

# A moment that is not written as one counts as over: what nobody can date is not kept.
BLANK = """
WITH due AS (
    SELECT id, field_sources FROM {table} WHERE expires_at <= clock_timestamp()
    ORDER BY expires_at LIMIT %(most)s FOR UPDATE SKIP LOCKED),
dated AS (
    SELECT due.id, fact.key AS name, fact.value AS source,
           CASE WHEN fact.value ->> 'expires_at' ~ '^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ][0-9:.]+([+-][0-9:]+|Z)?$'
                THEN (fact.value ->> 'expires_at')::timestamptz
                WHEN fact.value ->> 'expires_at' IS NOT NULL THEN '-infinity' END AS expires_at
    FROM due LEFT JOIN LATERAL jsonb_each(due.field_sources) AS fact ON true),
judged AS (
    SELECT id, coalesce(array_agg(name) FILTER (WHERE expires_at <= clock_timestamp()), '{{}}') AS gone,
           coalesce(jsonb_object_agg(name, source) FILTER (
               WHERE name IS NOT NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())), '{{}}') AS kept,
           min(expires_at) FILTER (WHERE expires_at > clock_timestamp()) AS next_at
    FROM dated GROUP BY id)
UPDATE {table} AS entity
SET {changes}, field_sources = judged.kept, expires_at = judged.next_at, updated_at = now()
FROM judged WHERE entity.id = judged.id"""


@cache
def _blank_sql(table: str) -> bytes:
    changes = [
        f"{name} = CASE WHEN '{name}' = ANY(judged.gone) THEN {empty} ELSE entity.{name} END"
        for name, empty in FACTS[table].items()
    ]
    changes += [f"{name} = NULL" for name in WHOLE_ANSWERS.get(table, ())]
    return BLANK.format(table=table, changes=", ".join(changes)).encode()


def blank_expired(batch: int = ROWS_AT_A_TIME) -> dict[str, int]:
    """Blank what has expired, a short transaction at a time, until nothing has or the minute is up; give the rows."""
    until = time.monotonic() + LONGEST_SECONDS
    blanked = {table: _blank(table, batch, until) for table in FACTS}
    if any(blanked.values()):
        log.info("blanked", **blanked)
    return blanked


def _blank(table: str, batch: int, until: float) -> int:
    total, last = 0, batch
    while last >= batch and time.monotonic() < until:
        with statement() as connection:
            last = connection.execute(_blank_sql(table), {"most": batch}).rowcount
        total += last
    return total
