"""A contact's value as a person types it: in the form it is stored in, or one sentence that says why not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from errors import BadInput
from leads.subjects import known_region
from pipeline import erased
from pipeline.children import clean
from pipeline.database import Connection
from services.email_address import canonical, label_of
from services.phone import e164
from services.suppression import Subject, domains_above, person_of, subject_of

LONGEST_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a kind as it is stored, and its label where the value tells one."""

    kind: str
    value: str
    label: str | None = None


def checked_value(connection: Connection, tenant_id: UUID, kind: str, text: str, region: str) -> Value:
    """Normalise a value; refuse what is none of its kind, and what was erased."""
    found = _value(kind, " ".join(clean(text).split()), region)
    if found is None or len(found.value.encode()) > LONGEST_BYTES:
        raise BadInput(f"{text[:60]!r} is no {kind}{_HINTS[kind]}.")
    itself = subject_of(found.value, kind) if kind in ("email", "phone") else None
    above = [Subject("domain", name) for name in domains_above(found.value.rpartition("@")[2])] if itself else []
    refuse_erased(connection, tenant_id, kind, [itself, *above] if itself else [])
    return found


def refuse_erased(connection: Connection, tenant_id: UUID, what: str, subjects: Sequence[Subject]) -> None:
    """Refuse what was erased."""
    if erased.among(connection, tenant_id, subjects):
        raise BadInput(
            f"This {what} was erased on somebody's request, so it is not stored:"
            " `scrapersky suppress remove VALUE --erased` would allow it."
        )


def refuse_erased_owner(
    connection: Connection, tenant_id: UUID, domain: str | None, names: Iterable[str | None]
) -> None:
    """Refuse a domain that was erased, and the names of those who were erased there."""
    if domain is not None:
        refuse_erased(connection, tenant_id, "domain", [Subject("domain", domain)])
        refuse_erased(connection, tenant_id, "person", [person_of(domain, name) for name in names if name])


_HINTS = {
    "email": ": write it like ann@acme.example",
    "phone": ": write it like +15125550100",
    "social": ": write the profile's whole address, beginning with https://",
    "person": ": write a name",
}


def _value(kind: str, text: str, region: str) -> Value | None:
    if kind == "email":
        address = (canonical(text) or "").lower()
        return Value(kind, address, label_of(address)) if address else None
    if kind == "phone":
        number = e164(text, known_region(region))
        return Value(kind, number) if number else None
    if kind == "social":
        return Value(kind, text) if text.startswith(("https://", "http://")) and " " not in text else None
    return Value(kind, text) if any(letter.isalpha() for letter in text) else None
