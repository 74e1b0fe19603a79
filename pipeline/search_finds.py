"""Search finds: what a search has found so far, never more than it wants, and how much of its area was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

import reasons
from errors import Final
from pipeline.hosts import row_of, rows_of
from pipeline.stage import Done, Turn
from services.place import Area, FoundPlace
from services.tiling import Circle, Spot, coverage

# A search that is run again asks anew and counts what it finds from the beginning.
BEGUN_AT = """
coalesce((SELECT queued_at FROM work WHERE stage = 'search' AND entity_id = searches.id), searches.created_at)"""
# What was asked so shortly before a run began is not paid for again.
FRESH = timedelta(minutes=10)

QUESTION = f"""
SELECT provider, what, max_places,
       (SELECT count(*)::int FROM search_places WHERE search_id = searches.id AND last_found_at >= begun_at),
       radius_meters, clock_timestamp() - begun_at, south, west, north, east
FROM searches, LATERAL (SELECT {BEGUN_AT} AS begun_at) run WHERE id = %(id)s AND south IS NOT NULL""".encode()

BEGUN_SINCE = f"SELECT clock_timestamp() - {BEGUN_AT} FROM searches WHERE id = %(id)s".encode()

KNOWN = f"""
SELECT provider_place_id FROM search_places JOIN places ON places.id = place_id
JOIN searches ON searches.id = search_id
WHERE search_id = %(id)s AND provider_place_id = ANY(%(found)s) AND last_found_at >= {BEGUN_AT}""".encode()

SPOTS = b"""
SELECT latitude, longitude FROM search_places JOIN places ON places.id = place_id
WHERE search_id = %(id)s AND latitude BETWEEN %(south)s AND %(north)s AND longitude IS NOT NULL"""

# Areas of one search that end at the same time count its places one after the other. A weaker lock than FOR UPDATE,
# which would wait for whoever has just stored an area of the search, and they for each other.
LOCK_SEARCH = text(f"SELECT max_places, {BEGUN_AT} FROM searches WHERE id = :search FOR NO KEY UPDATE")

IN_ORDER = text("""
SELECT places.id FROM unnest(CAST(:found AS text[])) WITH ORDINALITY AS given (provider_place_id, nth)
JOIN places USING (provider_place_id) WHERE tenant_id = :tenant AND provider = :provider ORDER BY nth""")

FIND_AGAIN = text("""
UPDATE search_places SET last_found_at = clock_timestamp()
WHERE search_id = :search AND place_id = ANY(CAST(:places AS bigint[])) RETURNING place_id""")

COUNT = text("SELECT count(*) FROM search_places WHERE search_id = :search AND last_found_at >= :begun_at")

FIND = text("""
INSERT INTO search_places (tenant_id, search_id, place_id, rank)
SELECT :tenant, :search, place_id, :before + nth
FROM unnest(CAST(:places AS bigint[])) WITH ORDINALITY AS given (place_id, nth)""")

# What this very transaction has made and nobody wants; nobody else has seen it yet.
UNQUEUE = text("""
DELETE FROM work WHERE parent_id = :work AND stage <> :own AND status = 'Queued'
AND entity_id = ANY(CAST(:places AS bigint[]))""")
UNMAKE = text("DELETE FROM places WHERE id = ANY(CAST(:places AS bigint[])) AND created_at = now()")
SAY_WHY = text("""
UPDATE work SET reason = :reason WHERE id = :work
AND NOT EXISTS (SELECT 1 FROM work AS child WHERE child.parent_id = :work)""")

NOTE = text("""
UPDATE search_areas SET found = :found, is_full = :is_full, is_cut = :is_cut, searched_at = clock_timestamp(),
       updated_at = now()
WHERE id = :area RETURNING search_id, found_before""")

# A rectangle stands where its last page does; one that was cut is stood for by its parts.
RECTANGLES = text("""
SELECT is_full IS FALSE, south, west, north, east FROM (
    SELECT DISTINCT ON (south, west, north, east) * FROM search_areas WHERE search_id = :search
    ORDER BY south, west, north, east, page DESC) AS last_pages
WHERE NOT is_cut""")

COVER = text("UPDATE searches SET coverage = :coverage, searched_at = clock_timestamp() WHERE id = :search")


@dataclass(frozen=True, slots=True)
class Question:
    """What a search asks, and how much this run of it has found; an area asked longer ago than `stale_after` is due."""

    provider: str
    what: str
    max_places: int
    places: int
    box: Area
    circle: Circle | None
    stale_after: timedelta

    @property
    def is_answered(self) -> bool:
        return self.places >= self.max_places


@dataclass(frozen=True, slots=True)
class Finds:
    """What one page brought, for `keep`."""

    provider: str
    provider_place_ids: Sequence[str]
    found: int
    is_full: bool | None
    is_cut: bool


def question_of(search_id: int) -> Question:
    """Read what a search asks."""
    row = row_of(QUESTION, {"id": search_id})
    if row is None:
        raise Final(reasons.ENTITY_MISSING, f"search {search_id} is gone, or has no area")
    provider, what, max_places, places, radius, since, *edges = row
    box = Area(*edges)
    circle = Circle(*box.centre, radius) if radius else None
    return Question(provider, what, max_places, places, box, circle, since + FRESH)


def stale_after(search_id: int) -> timedelta:
    """Give how long ago an area must have been asked to be asked again by the run of the search that is under way."""
    row = row_of(BEGUN_SINCE, {"id": search_id})
    return FRESH if row is None else row[0] + FRESH


def up_to_the_limit(search_id: int, question: Question, found: Sequence[FoundPlace]) -> list[FoundPlace]:
    """Leave out new places beyond what the search wants; `keep` has the last word when others found some meanwhile."""
    room = question.max_places - question.places
    if len(found) <= room:
        return list(found)
    ids = [place.provider_place_id for place in found]
    known = {name for (name,) in rows_of(KNOWN, {"id": search_id, "found": ids})}
    new = [place.provider_place_id for place in found if place.provider_place_id not in known]
    return [place for place in found if place.provider_place_id in known.union(new[: max(room, 0)])]


def spots_in(search_id: int, area: Area) -> list[Spot]:
    """Give where the search's places lie, in and around an area."""
    return rows_of(SPOTS, {"id": search_id, "south": area.south, "north": area.north})


def keep(session: Session, turn: Turn, done: Done) -> None:
    """Remember what the search found, in the transaction that has just stored the places."""
    finds: Finds = done.value
    own = {"area": turn.entity_id, "found": finds.found, "is_full": finds.is_full, "is_cut": finds.is_cut}
    search_id, found_before = session.execute(NOTE, own).one()
    most, begun_at = session.execute(LOCK_SEARCH, {"search": search_id}).one()
    values = {"search": search_id, "tenant": turn.tenant_id, "provider": finds.provider, "before": found_before}
    values["begun_at"] = begun_at
    places = _ids(session, IN_ORDER, values | {"found": list(finds.provider_place_ids)})
    again = set(_ids(session, FIND_AGAIN, values | {"places": places}))
    new = [place for place in places if place not in again]
    room = max(most - session.execute(COUNT, values).scalar_one(), 0)
    session.execute(FIND, values | {"places": new[:room]})
    if new[room:]:
        _leave_out(session, turn, new[room:])
    _measure_coverage(session, search_id)


def _leave_out(session: Session, turn: Turn, places: list[int]) -> None:
    values = {"work": turn.work_id, "own": turn.stage.name, "places": places, "reason": reasons.ENOUGH_PLACES}
    for step in (UNQUEUE, UNMAKE, SAY_WHY):
        session.execute(step, values)


def _measure_coverage(session: Session, search_id: int) -> None:
    rectangles = [(is_seen, Area(*edges)) for is_seen, *edges in session.execute(RECTANGLES, {"search": search_id})]
    seen = coverage(
        [area for is_seen, area in rectangles if is_seen], [area for is_seen, area in rectangles if not is_seen]
    )
    session.execute(COVER, {"search": search_id, "coverage": min(seen, 1.0)})


def _ids(session: Session, sql: Any, values: dict[str, Any]) -> list[int]:
    return [row[0] for row in session.execute(sql, values)]
