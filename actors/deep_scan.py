"""Place → LocalBusiness: take what the search brought, and ask the provider only for what is missing."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from sqlalchemy import update
from sqlalchemy.orm import Session

import reasons
from errors import Filtered
from fetching.places import provider_named
from models import LocalBusiness, Place
from pipeline import provider_call
from pipeline.declare import stage
from pipeline.erased import clear_facts
from pipeline.hosts import row_of
from pipeline.provider_call import Call
from pipeline.stage import Child, Done, Snapshot, Turn
from services.place import COLUMNS, FoundPlace
from services.place_record import Told, business_row, completed, remembered
from services.retention import provenance_of
from settings import settings

CLOSED = "closed-permanently"
# The search that found the place first is the one whose work this is.
SEARCH_OF = b"SELECT search_id FROM search_places WHERE place_id = %(place)s ORDER BY id LIMIT 1"


def close_known(session: Session, turn: Turn, done: Done) -> None:
    """Update the business of a place that has closed, where an earlier scan had made one."""
    if done.value is not None:
        closed = update(LocalBusiness).where(LocalBusiness.place_id == turn.entity_id)
        session.execute(closed.values(done.value))


@stage(
    entity=Place,
    successors=("domain_extraction",),
    save=close_known,
    attempts=8,
    time_limit=timedelta(seconds=90),
    sweep_defaults={"interval_minutes": 5, "batch_size": 10, "max_instances": 1},
)
def deep_scan(place: Snapshot, turn: Turn) -> Done:
    """Hand on the business at a place, unless it has closed for good."""
    if place.provider == "list":
        raise Filtered(reasons.NO_PROVIDER)
    found, told = _known(place) or _nothing(place)
    missing = COLUMNS - found.fields
    if missing:  # what is told now expires with what was told first
        found = completed(found, _details(place, turn, missing))
    (facts,) = clear_facts(turn.tenant_id, "local_businesses", [business_row(found, told)])
    row = facts | {"scanned_at": datetime.now(UTC)}
    if found.business_status == CLOSED:
        raise Filtered(reasons.CLOSED, value=row)
    return Done(children=[Child(row=row | {"place_id": place.id})])


def _known(place: Snapshot) -> tuple[FoundPlace, Told] | None:
    """Give what the search told, unless it may no longer be kept."""
    kept = remembered(place.provider_place_id, place.raw, place.attribution)
    if kept is None:
        return None
    found, told_at = kept
    told = Told(place.provider, told_at, settings().google_facts_days)
    expiry = provenance_of(told.provider, COLUMNS, told_at=told.at, facts_days=told.facts_days).expires_at
    return None if expiry is not None and expiry <= datetime.now(UTC) else (found, told)


def _nothing(place: Snapshot) -> tuple[FoundPlace, Told]:
    empty = FoundPlace(provider_place_id=place.provider_place_id, fields=frozenset())
    return empty, Told(place.provider, datetime.now(UTC), settings().google_facts_days)


def _details(place: Snapshot, turn: Turn, missing: Collection[str]) -> FoundPlace:
    provider = provider_named(place.provider)
    row = row_of(SEARCH_OF, {"place": place.id})
    call = Call(provider.name, row[0] if row else None, provider.price("details"))
    return provider_call.ask(turn, call, lambda: provider.find_details(place.provider_place_id, missing))
