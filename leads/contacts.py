"""Contacts by hand: list, look at, add, change and delete them, each change with its audit entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Unpack
from uuid import UUID

from psycopg.errors import UniqueViolation
from psycopg.rows import dict_row

from accounts.audit import By, enter
from errors import BadInput, Conflict, NotFound
from leads import contacts_sql as sql
from leads.contacts_value import checked_value, refuse_erased_owner
from leads.subjects import known_kind
from models.contact import VERDICTS, owner_key
from pipeline import doorbell, queue, window
from pipeline.children import clean
from pipeline.database import Connection, statement, transaction
from pipeline.decisions import known_decision
from pipeline.stage import Stage, all_stages

Row = dict[str, Any]
KINDS = ("email", "phone", "social", "person")
SORTS = {"id": "contact.id", "value": "contact.value", "last_seen_at": "contact.last_seen_at"}
CHANGEABLE = ("value", "label", "person_name", "person_title", "note", "curation_status")
LONGEST_TEXT = 1000
MOST = 1000


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which contacts, in which order; `after` is the `next` of the page before."""

    kind: str | None = None
    domain: str | None = None
    curation_status: str | None = None
    verdict: str | None = None
    text: str | None = None
    sort: str = "id"
    descending: bool = False
    after: tuple[Any, int] | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Listed:
    """One page of contacts, and from where the next one goes on."""

    rows: list[Row]
    next: tuple[Any, int] | None


def list_contacts(tenant_id: UUID, wanted: Wanted) -> Listed:
    """Give one page of a tenant's contacts."""
    if wanted.sort not in SORTS:
        raise BadInput(f"Contacts cannot be sorted by {wanted.sort[:40]!r}. Use one of: {', '.join(SORTS)}.")
    limit = max(1, min(wanted.limit, MOST))
    tests, values = _filters(wanted)
    order = "DESC" if wanted.descending else "ASC"
    column = SORTS[wanted.sort]
    if wanted.after is not None:
        tests.append(f"({column}, contact.id) {'<' if wanted.descending else '>'} (%(after)s, %(after_id)s)")
        values |= {"after": wanted.after[0], "after_id": wanted.after[1]}
    statement_ = (
        f"{sql.SELECT} WHERE {' AND '.join(tests)} ORDER BY {column} {order}, contact.id {order} LIMIT %(most)s"
    )
    with statement() as connection:
        rows = _rows(connection, statement_, values | {"tenant": tenant_id, "most": limit + 1})
    last = rows[limit - 1] if len(rows) > limit else None
    return Listed(rows[:limit], None if last is None else (last[wanted.sort], last["id"]))


def _filters(wanted: Wanted) -> tuple[list[str], Row]:
    known = {
        "contact.kind = %(kind)s": ("kind", wanted.kind and known_kind(wanted.kind, KINDS)),
        "domain.name = %(domain)s": ("domain", wanted.domain and wanted.domain.lower()),
        "contact.curation_status = %(status)s": (
            "status", wanted.curation_status and known_decision(wanted.curation_status),
        ),
        "coalesce(contact.verdict, 'unknown') = %(verdict)s": ("verdict", wanted.verdict and _verdict(wanted.verdict)),
        "position(lower(%(text)s) IN lower(concat_ws(' ', contact.value, contact.person_name, contact.note))) > 0": (
            "text", wanted.text,
        ),
    }  # fmt: skip
    used = {test: pair for test, pair in known.items() if pair[1] is not None}
    return ["contact.tenant_id = %(tenant)s", *used], dict(used.values())


def _verdict(word: str) -> str:
    if word.lower() not in VERDICTS:
        raise BadInput(f"There is no verdict {word[:40]!r}. Use one of: {', '.join(VERDICTS)}.")
    return word.lower()


def get(tenant_id: UUID, contact_id: int) -> Row:
    """Give one contact with its sightings."""
    with statement() as connection:
        row = _one(connection, tenant_id, contact_id)
        return row | {"sightings": _rows(connection, sql.SIGHTINGS, {"id": contact_id})}


def create(
    tenant_id: UUID,
    kind: str,
    value: str,
    *,
    domain_id: int,
    facts: Mapping[str, str | None] | None = None,
    region: str = "US",
    **by: Unpack[By],
) -> Row:
    """Add a contact that a person knows of to a domain, with a sighting that says so."""
    with transaction() as (_, connection):
        stored = checked_value(connection, tenant_id, known_kind(kind, KINDS), value, region)
        columns = {"label": stored.label} | _changes(facts or {}) | {"kind": stored.kind, "value": stored.value}
        domain = connection.execute(sql.DOMAIN, {"tenant": tenant_id, "id": domain_id}).fetchone()
        if domain is None:
            raise BadInput(f"There is no domain {domain_id}.")
        refuse_erased_owner(connection, tenant_id, domain[0], _names(columns))
        own = {"tenant_id": tenant_id, "domain_id": domain_id, "owner_key": owner_key(domain_id=domain_id)}
        contact_id = _insert(connection, own | columns)
        connection.execute(sql.SEE, {"tenant": tenant_id, "id": contact_id})
        enter(connection, tenant_id, "create", "contacts", columns, entity_id=contact_id, **by)
        queued = _queue(connection, contact_id)
        row = _one(connection, tenant_id, contact_id)
    _ring(queued)
    return row


def update(
    tenant_id: UUID,
    contact_id: int,
    facts: Mapping[str, str | None],
    *,
    region: str = "US",
    **by: Unpack[By],
) -> Row:
    """Change what a person may change of a contact, and keep in the audit entry how it was."""
    changes = _changes(facts)
    if not changes:
        raise BadInput(f"Say what to change: {', '.join(CHANGEABLE)}.")
    with transaction() as (_, connection):
        before = _one(connection, tenant_id, contact_id, lock=True)
        if "value" in changes:
            stored = checked_value(connection, tenant_id, before["kind"], changes["value"] or "", region)
            changes["value"] = stored.value
        refuse_erased_owner(connection, tenant_id, before["domain"], _names({"kind": before["kind"]} | changes))
        _change(connection, contact_id, changes)
        detail = {"before": {name: before[name] for name in changes}, "after": changes}
        enter(connection, tenant_id, "update", "contacts", detail, entity_id=contact_id, **by)
        is_due = "value" in changes or changes.get("curation_status") == "Selected"
        queued = _queue(connection, contact_id) if is_due else []
        row = _one(connection, tenant_id, contact_id)
    _ring(queued)
    return row


def delete(tenant_id: UUID, contact_id: int, **by: Unpack[By]) -> Row:
    """Delete a contact with its sightings; it comes back when it is found again, unless it is suppressed or erased."""
    with transaction() as (_, connection):
        before = _one(connection, tenant_id, contact_id, lock=True)
        connection.execute(sql.DELETE, {"id": contact_id})
        detail = {"before": {name: _plain(value) for name, value in before.items()}}
        enter(connection, tenant_id, "delete", "contacts", detail, entity_id=contact_id, **by)
        return before


def domain_id_of(tenant_id: UUID, name: str) -> int:
    """Find a domain by its name."""
    with statement() as connection:
        row = connection.execute(sql.DOMAIN_NAMED, {"tenant": tenant_id, "name": name.strip().lower()}).fetchone()
    if row is None:
        raise BadInput(f"There is no domain {name[:100]!r}: bring it with `scrapersky import domains`.")
    return int(row[0])


def _queue(connection: Connection, contact_id: int) -> list[Stage]:
    """Queue the work of the stages on contacts, which judge a value; give those that have something to do."""
    declared = [stage for stage in all_stages() if stage.table == "contacts"]
    return [stage for stage in declared if queue.add(connection, stage, [contact_id], auto=False)]


def _ring(queued: list[Stage]) -> None:
    for stage in queued:
        doorbell.ring(window.fill(stage))


def _names(columns: Mapping[str, str | None]) -> list[str | None]:
    return [columns.get("person_name"), columns.get("value") if columns["kind"] == "person" else None]


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _changes(facts: Mapping[str, str | None]) -> dict[str, str | None]:
    unknown = sorted(facts.keys() - set(CHANGEABLE))
    if unknown:
        raise BadInput(f"A contact's {unknown[0][:40]!r} cannot be set. Use: {', '.join(CHANGEABLE)}.")
    tidy = {name: clean(value.strip()) or None if value is not None else None for name, value in facts.items()}
    if any(len(value or "") > LONGEST_TEXT for value in tidy.values()):
        raise BadInput(f"That is longer than {LONGEST_TEXT} characters: say it shorter.")
    if "curation_status" in tidy:
        tidy["curation_status"] = known_decision(tidy["curation_status"] or "")
    return tidy


def _one(connection: Connection, tenant_id: UUID, contact_id: int, *, lock: bool = False) -> Row:
    found = f"{sql.SELECT} WHERE contact.tenant_id = %(tenant)s AND contact.id = %(id)s{sql.LOCK if lock else ''}"
    rows = _rows(connection, found, {"tenant": tenant_id, "id": contact_id})
    if not rows:
        raise NotFound(f"There is no contact {contact_id}.")
    return rows[0]


def _rows(connection: Connection, statement_: str, values: Row) -> list[Row]:
    return connection.cursor(row_factory=dict_row).execute(statement_.encode(), values).fetchall()


def _insert(connection: Connection, columns: Row) -> int:
    names, marks = ", ".join(columns), ", ".join(f"%({name})s" for name in columns)
    found = f"INSERT INTO contacts ({names}, confidence) VALUES ({marks}, 1) RETURNING id"
    try:
        row = connection.execute(found.encode(), columns).fetchone()
    except UniqueViolation:
        raise Conflict(f"The domain has this {columns['kind']} already.") from None
    return int(row[0]) if row else 0


def _change(connection: Connection, contact_id: int, changes: Mapping[str, str | None]) -> None:
    # A verdict was on the old value.
    anew = ", verdict = NULL, verdict_reasons = '[]', validated_at = NULL" if "value" in changes else ""
    assignments = ", ".join(f"{name} = %({name})s" for name in changes)
    found = f"UPDATE contacts SET {assignments}{anew}, updated_at = now() WHERE id = %(id)s"
    try:
        connection.execute(found.encode(), {**changes, "id": contact_id})
    except UniqueViolation:
        raise Conflict("The same owner has another contact with this value: delete one of the two.") from None
