"""Erasure: remove every derived copy of a value and of the person behind it, in one transaction; the hash stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from pipeline import erasure_sql as sql
from pipeline import selection
from pipeline.database import Connection, transaction
from pipeline.erasure_text import clear_names, clear_texts
from pipeline.selection import Match
from pipeline.stage import all_stages
from pipeline.suppression_list import audit
from services.erasure import trace_of, trace_of_name
from services.suppression import Subject, subject_of

Row = dict[str, Any]
ROLE = "role"


@dataclass(frozen=True, slots=True)
class Target:
    """What to erase: an email, phone or domain; or a person by the name found at a domain."""

    subject: Subject
    person: str | None = None


@dataclass
class Erased:
    """What was erased, or would be: rows by table, and what went along with the value that was named."""

    counts: Counter[str] = field(default_factory=Counter)
    along: list[tuple[str, str]] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)
    work_ids: list[int] = field(default_factory=list)

    @property
    def is_nothing(self) -> bool:
        return not any(self.counts.values())


class _OnlyLooking(Exception):
    """No fault: it takes back what was only tried."""


def preview(tenant_id: UUID, target: Target) -> Erased:
    """Say exactly what an erasure would do, by doing it and taking it back."""
    erased = Erased()
    try:
        with transaction() as (_, connection):
            _erase(connection, tenant_id, target, erased, None)
            raise _OnlyLooking
    except _OnlyLooking:
        return erased


def erase(tenant_id: UUID, target: Target, *, user_id: UUID | None = None) -> Erased:
    """Erase, and leave the hash and an audit entry; whoever stores contacts waits meanwhile."""
    erased = Erased()
    with transaction() as (_, connection):
        _erase(connection, tenant_id, target, erased, user_id)
    if erased.work_ids:
        selection.cancel(Match(ids=erased.work_ids))
    return erased


def _erase(connection: Connection, tenant_id: UUID, target: Target, erased: Erased, user_id: UUID | None) -> None:
    # A page that is being stored may hold the value: it is stored before, and erased, or after, and refused.
    connection.execute(sql.LOCK)
    doomed = _doomed(connection, tenant_id, target)
    subjects = _subjects(target, doomed, erased)
    _list(connection, tenant_id, subjects, erased)
    names = _names(target, doomed)
    around = _around(connection, tenant_id, target, [row for row in doomed if row["person_name"]]) if names else {}
    urls = _delete(connection, doomed, erased)
    if target.subject.kind == "domain" and target.person is None:
        _empty_domain(connection, tenant_id, target.subject.value, erased)
    erased.counts += clear_texts(connection, tenant_id, [trace_of(subject) for subject in subjects], urls)
    if names:
        _forget_names(connection, names, around, erased)
        erased.counts += clear_names(connection, tenant_id, [trace_of_name(name) for name in names], around)
    detail = {"hashes": erased.hashes, "rows": dict(erased.counts)}
    audit(connection, tenant_id, "erase", "suppressions", detail, user_id=user_id)


def _names(target: Target, doomed: Sequence[Row]) -> list[str]:
    """Give the names that go too: those behind an email. A number or a site may be shared by many."""
    if target.person is not None:
        return [target.person]
    return (
        sorted({row["person_name"] for row in doomed if row["person_name"]}) if target.subject.kind == "email" else []
    )


def _rows(connection: Connection, statement: bytes, values: Row) -> list[Row]:
    return connection.cursor(row_factory=dict_row).execute(statement, values).fetchall()


def _doomed(connection: Connection, tenant_id: UUID, target: Target) -> list[Row]:
    """Give the contacts of the value, and those of the persons whose it is, except the desks they answer."""
    values: Row = {"tenant": tenant_id, "value": target.subject.value, "person": target.person}
    if target.person is not None:
        named = _rows(connection, sql.CONTACTS_OF_PERSON, values)
        return [row for row in named if row["label"] != ROLE]
    found = _rows(connection, sql.CONTACTS[target.subject.kind], values)
    trace = trace_of(target.subject)
    if target.subject.kind == "phone":
        digits = {"digits": f"%{trace.needles[0]}"}
        shown = _rows(connection, sql.SOCIALS_WITH_DIGITS, values | digits)
        found += [row for row in shown if trace.is_in(row["value"])]
    if target.subject.kind == "email":
        known = {row["id"] for row in found}
        owners = [(row["owner_key"], row["person_name"]) for row in found if row["person_name"]]
        for owner_key, name in owners:
            same = _rows(connection, sql.SAME_PERSON, {"tenant": tenant_id, "owner": owner_key, "person": name})
            found += [row for row in same if row["id"] not in known and row["label"] != ROLE]
            known |= {row["id"] for row in same}
    return found


def _subjects(target: Target, doomed: Sequence[Row], erased: Erased) -> list[Subject]:
    """Give all that goes on the list: the value, and the other addresses and numbers of its person."""
    own = [] if target.person is not None else [target.subject]
    others = [(row["kind"], row["value"]) for row in doomed if _is_other(row, target)]
    erased.along = sorted(set(others))
    read = [subject_of(value, kind) for kind, value in erased.along if kind in ("email", "phone")]
    return list(dict.fromkeys(own + [subject for subject in read if subject is not None]))


def _is_other(row: Row, target: Target) -> bool:
    if target.subject.kind == "domain" and target.person is None:
        return False  # the domain on the list covers them all
    return bool(row["value"].lower() != target.subject.value)


def _list(connection: Connection, tenant_id: UUID, subjects: Sequence[Subject], erased: Erased) -> None:
    for subject in subjects:
        values = {"tenant": tenant_id, "kind": subject.kind, "value": subject.value}
        row = connection.execute(sql.LIST, values).fetchone()
        erased.hashes.append(row[0] if row else "")


def _around(connection: Connection, tenant_id: UUID, target: Target, doomed: Sequence[Row]) -> dict[str, list[int]]:
    """Give the owners of what goes: the domains, and the businesses themselves or behind those."""
    named = connection.execute(sql.DOMAIN, (tenant_id, target.subject.value)).fetchall()
    domains = sorted({row["domain_id"] for row in doomed if row["domain_id"] is not None} | {row[0] for row in named})
    own = {row["local_business_id"] for row in doomed if row["local_business_id"] is not None}
    linked = connection.execute(sql.BUSINESSES_OF, (domains,)).fetchall()
    return {"domains": domains, "businesses": sorted(own | {row[0] for row in linked})}


def _delete(connection: Connection, doomed: Sequence[Row], erased: Erased) -> list[str]:
    """Delete contacts with their proof, and give where they were seen."""
    values: Row = {"ids": [row["id"] for row in doomed]}
    seen = connection.execute(sql.SEEN_AT, values).fetchall()
    connection.execute(sql.FORGET_AUDIT, values)
    erased.counts["contacts"] += connection.execute(sql.DELETE, values).rowcount
    erased.counts["sightings"] += len(seen)
    return sorted({row[0] for row in seen})


def _forget_names(connection: Connection, names: list[str], around: dict[str, list[int]], erased: Erased) -> None:
    """Take name and title from the contacts that stay, such as the desk that a person answers."""
    erased.counts["contacts"] += connection.execute(sql.FORGET_NAMES, around | {"names": names}).rowcount


def _empty_domain(connection: Connection, tenant_id: UUID, name: str, erased: Erased) -> None:
    """Delete what was read of a site; its row stays, empty and archived, so that it is not taken for a new one."""
    row = connection.execute(sql.EMPTY_DOMAIN, {"tenant": tenant_id, "name": name}).fetchone()
    if row is None:
        return
    erased.counts["domains"] += 1
    for table, column in (("domains", "id"), ("sitemap_files", "domain_id"), ("pages", "domain_id")):
        stages = [stage.name for stage in all_stages() if stage.table == table]
        open_work = sql.OPEN_WORK.format(table=table, column=column).encode()
        erased.work_ids += [found[0] for found in connection.execute(open_work, {"id": row[0], "stages": stages})]
    for table in ("pages", "sitemap_files"):
        delete = f"DELETE FROM {table} WHERE domain_id = %s".encode()
        erased.counts[table] += connection.execute(delete, (row[0],)).rowcount
