"""Erasure: remove every derived copy of a value and of the person behind it, in one transaction; the hash stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Unpack
from uuid import UUID

from psycopg.rows import dict_row

from accounts.audit import By, enter
from leads import erasure_sql as sql
from pipeline import selection
from pipeline.database import Connection, transaction
from pipeline.erasure_text import Touched, clear_names, clear_texts
from pipeline.patience import patiently
from pipeline.selection import Match
from pipeline.stage import all_stages
from services.erasure import trace_of, trace_of_name
from services.suppression import Subject, person_of, subject_of

Row = dict[str, Any]
ROLE = "role"


@dataclass(frozen=True, slots=True)
class Target:
    """What to erase: an email, phone or domain; or a person by the name found at a domain."""

    subject: Subject
    person: str | None = None


@dataclass
class Erased:
    """What was erased, or would be: the rows by table, and what went along with the value that was named."""

    touched: Touched = field(default_factory=dict)
    along: list[tuple[str, str]] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)
    work_ids: list[int] = field(default_factory=list)

    def touch(self, table: str, keys: Iterable[Any]) -> None:
        """Note rows of a table, each of which counts once."""
        self.touched.setdefault(table, set()).update(keys)

    @property
    def counts(self) -> Counter[str]:
        """How many rows of each table."""
        return +Counter({table: len(keys) for table, keys in self.touched.items()})

    @property
    def is_nothing(self) -> bool:
        return not self.counts


@dataclass(frozen=True, slots=True)
class _Hand:
    """Whose rows are in hand, and whether to change them or only to look."""

    connection: Connection
    tenant_id: UUID
    acts: bool

    def rows(self, statement: bytes, values: Row) -> list[Row]:
        return self.connection.cursor(row_factory=dict_row).execute(statement, values).fetchall()

    def do(self, statement: bytes, values: Row) -> None:
        if self.acts:
            self.connection.execute(statement, values)


def preview(tenant_id: UUID, target: Target) -> Erased:
    """Say exactly what an erasure would do; nothing is changed, and nobody waits."""
    with transaction() as (_, connection):
        connection.execute(sql.READ_ONLY)
        return _erase(_Hand(connection, tenant_id, acts=False), target)


def erase(tenant_id: UUID, target: Target, **by: Unpack[By]) -> Erased:
    """Erase, and leave the hash and an audit entry."""
    patiently(partial(_announce, tenant_id, target))
    erased = patiently(partial(_act, tenant_id, target, by))
    if erased.work_ids:
        selection.cancel(Match(ids=erased.work_ids))
    return erased


def _announce(tenant_id: UUID, target: Target) -> None:
    """Put all that goes on the list, and wait for those who store contacts without knowing of it.

    From here on it is refused, so that the erasure itself, however long it takes, keeps nobody waiting. The lock comes
    last: it is held no longer than the commit takes.
    """
    with transaction() as (_, connection):
        hand = _Hand(connection, tenant_id, acts=True)
        doomed = _doomed(hand, target)
        _list(hand, [*_subjects(target, doomed), *_people(target, doomed)])
        connection.execute(sql.LOCK)


def _act(tenant_id: UUID, target: Target, by: By) -> Erased:
    with transaction() as (_, connection):
        erased = _erase(_Hand(connection, tenant_id, acts=True), target)
        detail = {"hashes": erased.hashes, "rows": dict(erased.counts)}
        enter(connection, tenant_id, "erase", "suppressions", detail, **by)
    return erased


def _erase(hand: _Hand, target: Target) -> Erased:
    erased, doomed = Erased(), _doomed(hand, target)
    subjects, people = _subjects(target, doomed), _people(target, doomed)
    erased.along = _along(target, doomed)
    erased.hashes = _list(hand, [*subjects, *people])
    names = _names(target, doomed)
    around = _around(hand, target, [row for row in doomed if row["person_name"]]) if names else {}
    urls = _delete(hand, doomed, erased)
    if target.subject.kind == "domain" and target.person is None:
        _empty_domain(hand, target.subject.value, erased)
    traces = [trace_of(subject) for subject in subjects]
    changed = [clear_texts(hand.connection, hand.tenant_id, traces, urls, acts=hand.acts)]
    if names:
        _forget_names(hand, names, around, erased)
        traces = [trace_of_name(name) for name in names]
        changed.append(clear_names(hand.connection, hand.tenant_id, traces, around, acts=hand.acts))
    for touched in changed:
        for table, keys in touched.items():
            erased.touch(table, keys)
    return erased


def _names(target: Target, doomed: Sequence[Row]) -> list[str]:
    """Give the names that go too: those behind an email. A number or a site may be shared by many."""
    if target.person is not None:
        return [target.person]
    return (
        sorted({row["person_name"] for row in doomed if row["person_name"]}) if target.subject.kind == "email" else []
    )


def _people(target: Target, doomed: Sequence[Row]) -> list[Subject]:
    """Give the persons who go on the list, each at the owners where the name was found."""
    owners = {(row["domain"] or row["owner_key"], name) for row in doomed for name in _names(target, [row])}
    if target.person is not None:
        owners.add((target.subject.value, target.person))
    return sorted({person_of(owner, name) for owner, name in owners}, key=lambda person: person.value)


def _doomed(hand: _Hand, target: Target) -> list[Row]:
    """Give the contacts of the value, and those of the persons whose it is, except the desks they answer."""
    values: Row = {"tenant": hand.tenant_id, "value": target.subject.value, "person": target.person}
    if target.person is not None:
        named = hand.rows(sql.CONTACTS_OF_PERSON, values)
        return [row for row in named if row["label"] != ROLE]
    found = hand.rows(sql.CONTACTS[target.subject.kind], values)
    trace = trace_of(target.subject)
    if target.subject.kind == "phone":
        digits = {"digits": f"%{trace.needles[0]}"}
        shown = hand.rows(sql.SOCIALS_WITH_DIGITS, values | digits)
        found += [row for row in shown if trace.is_in(row["value"])]
    if target.subject.kind == "email":
        known = {row["id"] for row in found}
        owners = [(row["owner_key"], row["person_name"]) for row in found if row["person_name"]]
        for owner_key, name in owners:
            same = hand.rows(sql.SAME_PERSON, {"tenant": hand.tenant_id, "owner": owner_key, "person": name})
            found += [row for row in same if row["id"] not in known and row["label"] != ROLE]
            known |= {row["id"] for row in same}
    return found


def _subjects(target: Target, doomed: Sequence[Row]) -> list[Subject]:
    """Give the values that go on the list: the one that was named, and the others of its person."""
    own = [] if target.person is not None else [target.subject]
    read = [subject_of(value, kind) for kind, value in _along(target, doomed) if kind in ("email", "phone")]
    return list(dict.fromkeys(own + [subject for subject in read if subject is not None]))


def _along(target: Target, doomed: Sequence[Row]) -> list[tuple[str, str]]:
    if target.subject.kind == "domain" and target.person is None:
        return []  # the domain on the list covers them all
    others = [row for row in doomed if row["value"].lower() != target.subject.value]
    return sorted({(row["kind"], row["value"]) for row in others})


def _list(hand: _Hand, subjects: Sequence[Subject]) -> list[str]:
    """Put subjects on the list as erased, and give their hashes."""
    own = [{"tenant": hand.tenant_id, "kind": subject.kind, "value": subject.value} for subject in subjects]
    statement = sql.LIST if hand.acts else sql.HASH
    return [row["value_hash"] for values in own for row in hand.rows(statement, values)]


def _around(hand: _Hand, target: Target, doomed: Sequence[Row]) -> dict[str, list[int]]:
    """Give the owners of what goes: the domains, and the businesses themselves or behind those."""
    named = hand.rows(sql.DOMAIN, {"tenant": hand.tenant_id, "name": target.subject.value})
    domains = sorted(
        {row["domain_id"] for row in doomed if row["domain_id"] is not None} | {row["id"] for row in named}
    )
    own = {row["local_business_id"] for row in doomed if row["local_business_id"] is not None}
    linked = hand.rows(sql.BUSINESSES_OF, {"domains": domains})
    return {"domains": domains, "businesses": sorted(own | {row["local_business_id"] for row in linked})}


def _delete(hand: _Hand, doomed: Sequence[Row], erased: Erased) -> list[str]:
    """Delete contacts with their proof, and give where they were seen."""
    values: Row = {"ids": [row["id"] for row in doomed]}
    seen = hand.rows(sql.SEEN_AT, values)
    erased.touch("contacts", (row["id"] for row in doomed if row["is_stored"]))
    erased.touch("sightings", (row["id"] for row in seen))
    erased.touch("audit_entries", (row["id"] for row in hand.rows(sql.AUDIT_OF, values)))
    hand.do(sql.FORGET_AUDIT, values)
    hand.do(sql.DELETE, values)
    return sorted({row["url"] for row in seen})


def _forget_names(hand: _Hand, names: list[str], around: dict[str, list[int]], erased: Erased) -> None:
    """Take name and title from the contacts that stay, such as the desk that a person answers."""
    values: Row = around | {"names": names}
    erased.touch("contacts", (row["id"] for row in hand.rows(sql.NAMED, values)))
    hand.do(sql.FORGET_NAMES, values)


def _empty_domain(hand: _Hand, name: str, erased: Erased) -> None:
    """Delete what was read of a site; its row stays, empty and archived, so that it is not taken for a new one."""
    row = next(iter(hand.rows(sql.DOMAIN, {"tenant": hand.tenant_id, "name": name})), None)
    if row is None:
        return
    hand.do(sql.EMPTY_DOMAIN, row)
    erased.touch("domains", [row["id"]])
    for table, column in (("domains", "id"), ("sitemap_files", "domain_id"), ("pages", "domain_id")):
        stages = [stage.name for stage in all_stages() if stage.table == table]
        open_work = sql.OPEN_WORK.format(table=table, column=column).encode()
        erased.work_ids += [found["id"] for found in hand.rows(open_work, row | {"stages": stages})]
    for table in ("pages", "sitemap_files"):
        erased.touch(table, (each["id"] for each in hand.rows(sql.OF_DOMAIN.format(table=table).encode(), row)))
        hand.do(sql.DELETE_OF_DOMAIN.format(table=table).encode(), row)
