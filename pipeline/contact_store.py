"""Contacts of a page and the proof of each, stored in the transaction that finishes the page."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from models.contact import owner_key
from pipeline import contact_store_sql as sql
from pipeline.children import clean
from pipeline.database import Connection
from pipeline.fingerprint import extractor_version
from pipeline.hosts import rows_of
from pipeline.stage import Child, Turn
from services.contacts import FoundContact
from services.erasure import Trace, trace_of, trace_of_name, without
from services.suppression import Subject, name_key
from settings import settings

LONGEST_VALUE_BYTES = 1024
VALIDATED = ("email", "phone")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What contacts are seen on: a page, or another address of an owner, a domain or a business that has none."""

    tenant_id: UUID
    url: str
    domain_id: int | None = None
    local_business_id: int | None = None
    page_id: int | None = None
    is_own_url: bool = False  # the page was not redirected: what is seen at this address is seen on it

    def values(self) -> dict[str, Any]:
        """Give the parameters that say whose and where."""
        return {
            "tenant": self.tenant_id,
            "url": clean(self.url),
            "domain": self.domain_id,
            "business": self.local_business_id,
            "page": self.page_id,
            "is_own_url": self.is_own_url,
            "owner_key": owner_key(domain_id=self.domain_id, local_business_id=self.local_business_id),
        }

    @property
    def here(self) -> str:
        """The condition under which a sighting was made here."""
        if self.page_id is not None:
            return sql.ON_PAGE
        return sql.AT_HOMEPAGE if self.domain_id is not None else sql.AT_ADDRESS


def storable(found: Iterable[FoundContact]) -> list[FoundContact]:
    """Keep each contact that can be stored once, in the form it is stored in: emails wholly in lower case."""
    kept: dict[tuple[str, str], FoundContact] = {}
    for contact in found:
        value = clean(contact.value.lower() if contact.kind == "email" else contact.value)
        if 0 < len(value.encode()) <= LONGEST_VALUE_BYTES:
            kept.setdefault((contact.kind, value), replace(contact, value=value))
    return list(kept.values())


def without_erased(
    tenant_id: UUID, domain_id: int, found: Collection[FoundContact]
) -> tuple[list[FoundContact], list[Trace]]:
    """Leave out what was erased for good, and give how it shows, so that it can be taken out of other texts.

    A tenant that has erased nothing costs one look at an empty index.
    """
    values = Sheet(tenant_id, "", domain_id).values() | {"contacts": json.dumps([*map(_row, found)])}
    rows = rows_of(sql.ERASED_AMONG, values) if found else []
    if not rows:
        return list(found), []
    gone = {(kind, value) for kind, value in rows if kind is not None}
    names = {name for kind, name in rows if kind in (None, "person")}
    traces = [trace_of(Subject(kind, value)) for kind, value in sorted(gone) if kind in VALIDATED]
    traces += [trace_of_name(name) for name in sorted(names)]
    kept = [contact for contact in found if (contact.kind, contact.value) not in gone]
    return [_cleared(contact, names, traces) for contact in kept], traces


def _cleared(contact: FoundContact, names: Collection[str], traces: Sequence[Trace]) -> FoundContact:
    contact = replace(contact, snippet=without(contact.snippet, traces, is_cut=True))
    return replace(contact, name=None, title=None) if clean(contact.name) in names else contact


def to_validate(domain_id: int, found: Iterable[FoundContact], settled: Collection[str] = ()) -> list[Child]:
    """Hand on the emails and phones among storable contacts, except those that are settled already."""
    own = {"domain_id": domain_id, "owner_key": owner_key(domain_id=domain_id)}
    rows = [
        own | {"kind": contact.kind, "value": contact.value}
        for contact in found
        if contact.kind in VALIDATED and contact.value not in settled
    ]
    return [Child(row=row, stage="contact_validation") for row in rows]


def half_stale() -> timedelta:
    """How old a verdict or a visit may be when its domain is read again.

    Half of DOMAIN_STALE_DAYS: domains come round about so many days apart, so with the whole of it whatever was done a
    little later than its domain would be left out every other time.
    """
    return timedelta(days=settings().domain_stale_days) / 2


def store(
    session: Session, sheet: Sheet, found: Iterable[FoundContact], *, page: Mapping[str, Any] | None = None
) -> None:
    """Add or update the contacts of a reading, each with its sightings; what it no longer shows is gone from here.

    With `page`, what the page says of itself goes along in the same statement.
    """
    values = sheet.values() | {"version": extractor_version(), "contacts": json.dumps([*map(_row, storable(found))])}
    connection = _driver(session)
    rows = connection.execute(sql.store(sheet.here, tuple(page or ())), values | dict(page or {})).fetchall()
    lost = [contact for (contact,) in rows if contact is not None]
    if len(lost) < len(rows):  # the tenant has erased something
        connection.execute(sql.FORGET, values)
    _settle(connection, lost)


def see_again(session: Session, sheet: Sheet, since: datetime | None = None) -> None:
    """Note that everything which was seen here is still here: the page has not changed since then."""
    values = sheet.values() | {"since": since}
    _driver(session).execute(sql.see_again(sheet.here, sheet.page_id is not None), values)


def lose(session: Session, sheet: Sheet) -> None:
    """Note that nothing of what was seen here is here any more."""
    rows = _driver(session).execute(sql.lose(sheet.here), sheet.values()).fetchall()
    _settle(_driver(session), [row[0] for row in rows])


def queue_validation(session: Session, turn: Turn) -> None:
    """Have the contacts of a homepage validated whose domain does not go on, so that it has no children.

    Nobody is rung for: the sweeper does that within its minute.
    """
    if turn.auto:
        _driver(session).execute(sql.QUEUE_VALIDATION, {"work": turn.work_id, "domain": turn.entity_id})


def revalidate(session: Session, turn: Turn, domain_id: int, values: Collection[str]) -> None:
    """Have contacts that are seen again judged anew where that was long ago; the sweeper rings for them."""
    if turn.auto and values:
        given = {"domain": domain_id, "values": list(values), "old": half_stale()}
        _driver(session).execute(sql.REVALIDATE, given)


def _settle(connection: Connection, contact_ids: Collection[int]) -> None:
    """Mark the contacts as gone that are nowhere to be seen any more.

    They are locked by a statement of their own: two pages that lose the same contact at once see each other's loss.
    """
    if contact_ids:
        connection.execute(sql.LOCK, {"ids": list(contact_ids)})
        connection.execute(sql.GONE, {"ids": list(contact_ids)})


def _driver(session: Session) -> Connection:
    driver: Connection = session.connection().connection.driver_connection  # type: ignore[assignment]
    return driver


def _row(found: FoundContact) -> dict[str, Any]:
    name = found.value if found.kind == "person" else found.name
    return {
        "kind": found.kind,
        "value": found.value,
        "label": clean(found.label) or None,
        "person_name": clean(found.name),
        "person_title": clean(found.title),
        "confidence": found.confidence,
        "snippet": clean(found.snippet),
        "methods": list(found.methods or (found.method,)),
        "name_key": name_key(clean(name)) or None if name else None,
    }
