"""Kinds of lists: businesses and domains, how their rows are read and stored on their natural key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

import reasons
from pipeline.children import clean, plain
from pipeline.database import Connection
from pipeline.erased import clear_rows
from services.list_layout import Row
from services.listed_business import BUSINESS_COLUMNS, DOMAIN_COLUMNS, ListedBusiness, read_business
from services.local_business import DomainName, domain_of
from services.retention import Sources, provenance_of

PROVIDER = "list"


@dataclass(frozen=True, slots=True)
class Entry:
    """One row read: its natural key and what to store, or the reason why it is rejected."""

    row: Row
    key: str = ""
    facts: Any = None
    rejected: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """A row of ours that has this key, and since when."""

    entity_id: int
    created_at: datetime


@dataclass(frozen=True)
class Kind:
    """What a list holds: its columns, how a row is read, stored and found again, and the stage that goes on with it."""

    name: str
    noun: str
    stage: str
    columns: Mapping[str, Sequence[str]]
    needed: tuple[str, ...]
    read: Callable[[Row], Entry]
    store: Callable[[Connection, UUID, Sequence[Entry]], set[str]]
    find: Callable[[Connection, UUID, Sequence[str]], dict[str, Known]]


def _read_domain(row: Row) -> Entry:
    found = domain_of(row.cells.get("domain", ""))
    if isinstance(found, DomainName):
        return Entry(row, found.name)
    return Entry(row, rejected=found.reason)


# Sorted, so that two lists stored at once lock rows in the same order.
ADD_DOMAINS = b"""
INSERT INTO domains (tenant_id, name) SELECT %(tenant)s, name FROM unnest(%(keys)s::text[]) AS name ORDER BY name
ON CONFLICT (tenant_id, name) DO NOTHING RETURNING name"""

FIND_DOMAINS = b"""
SELECT name, id, created_at FROM domains WHERE tenant_id = %(tenant)s AND name = ANY(%(keys)s)"""


def _store_domains(connection: Connection, tenant_id: UUID, entries: Sequence[Entry]) -> set[str]:
    values = {"tenant": tenant_id, "keys": [entry.key for entry in entries]}
    return {name for (name,) in connection.execute(ADD_DOMAINS, values).fetchall()}


def _read_business(row: Row) -> Entry:
    business = read_business(row.cells)
    if business is None:
        return Entry(row, rejected=reasons.NO_NAME_OR_WEBSITE)
    return Entry(row, business.key, business)


ADD_PLACES = b"""
INSERT INTO places (tenant_id, provider, provider_place_id, name, address, latitude, longitude, website, phone,
                    main_category, raw, field_sources)
SELECT %(tenant)s, %(provider)s, provider_place_id, name, address, latitude, longitude, website, phone, main_category,
       raw, field_sources
FROM jsonb_populate_recordset(NULL::places, %(rows)s) ORDER BY provider_place_id
ON CONFLICT (tenant_id, provider, provider_place_id) DO NOTHING RETURNING provider_place_id, id"""

ADD_BUSINESSES = b"""
INSERT INTO local_businesses (tenant_id, place_id, name, formatted_address, street, city, region, postal_code,
                              country_code, phone, website, main_category, latitude, longitude, field_sources)
SELECT %(tenant)s, place_id, name, formatted_address, street, city, region, postal_code, country_code, phone, website,
       main_category, latitude, longitude, field_sources
FROM jsonb_populate_recordset(NULL::local_businesses, %(rows)s)"""

FIND_BUSINESSES = b"""
SELECT places.provider_place_id, business.id, business.created_at
FROM places JOIN local_businesses business ON business.place_id = places.id
WHERE places.tenant_id = %(tenant)s AND provider = %(provider)s AND provider_place_id = ANY(%(keys)s)"""

PLACE_COLUMNS = ("name", "latitude", "longitude", "website", "phone", "main_category")


def _store_businesses(connection: Connection, tenant_id: UUID, entries: Sequence[Entry]) -> set[str]:
    given: dict[str, Any] = {"tenant": tenant_id, "provider": PROVIDER}
    places = clear_rows(connection, tenant_id, "places", [_place(entry) for entry in entries])
    added: dict[str, int] = dict(connection.execute(ADD_PLACES, given | {"rows": Jsonb(places)}).fetchall())
    rows = [_business(entry.facts) | {"place_id": added[entry.key]} for entry in entries if entry.key in added]
    if rows:
        rows = clear_rows(connection, tenant_id, "local_businesses", rows)
        connection.execute(ADD_BUSINESSES, given | {"rows": Jsonb(rows)})
    return set(added)


def _place(entry: Entry) -> dict[str, Any]:
    facts = entry.facts
    columns: dict[str, Any] = {name: getattr(facts, name) for name in PLACE_COLUMNS}
    columns |= {"address": facts.formatted_address}
    own = {"provider_place_id": facts.key, "raw": dict(entry.row.cells), "field_sources": _sources(columns)}
    return {name: plain(value) for name, value in (columns | own).items()}


def _business(facts: ListedBusiness) -> dict[str, Any]:
    columns = {name: plain(value) for name, value in asdict(facts).items() if name != "key"}
    return columns | {"field_sources": _sources(columns)}


def _sources(columns: Mapping[str, Any]) -> Sources:
    """Name the list as the source; what a person brings is theirs and never expires."""
    known = [name for name, value in columns.items() if value is not None]
    return provenance_of(PROVIDER, known, told_at=datetime.now(UTC), facts_days=0).field_sources


def _find(sql: bytes) -> Callable[[Connection, UUID, Sequence[str]], dict[str, Known]]:
    def find(connection: Connection, tenant_id: UUID, keys: Sequence[str]) -> dict[str, Known]:
        values = {"tenant": tenant_id, "provider": PROVIDER, "keys": [clean(key) for key in keys]}
        return {key: Known(entity_id, at) for key, entity_id, at in connection.execute(sql, values).fetchall()}

    return find


BUSINESSES = Kind(
    name="local_business",
    noun="businesses",
    stage="domain_extraction",
    columns=BUSINESS_COLUMNS,
    needed=("name", "website"),
    read=_read_business,
    store=_store_businesses,
    find=_find(FIND_BUSINESSES),
)
DOMAINS = Kind(
    name="domain",
    noun="domains",
    stage="domain_metadata",
    columns=DOMAIN_COLUMNS,
    needed=("domain",),
    read=_read_domain,
    store=_store_domains,
    find=_find(FIND_DOMAINS),
)
