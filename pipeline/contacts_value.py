"""A contact's value as a person types it: in the form it is stored in, or one sentence that says why not."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from errors import BadInput
from pipeline.children import clean
from pipeline.database import Connection
from pipeline.subjects import known_region
from pipeline.suppressions import hash_sql
from services.email_address import canonical, label_of
from services.phone import e164
from services.suppression import domains_above

LONGEST_BYTES = 1024

IS_ERASED = f"""
SELECT 1 FROM unnest(%(kinds)s::text[], %(values)s::text[]) AS named(kind, value)
JOIN tenants AS salted ON salted.id = %(tenant)s
JOIN suppressions AS listed ON listed.tenant_id = salted.id AND listed.is_erased AND listed.kind = named.kind
                           AND listed.value_hash = {hash_sql("named.kind", "named.value")}""".encode()


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
    above = [("domain", name) for name in domains_above(found.value.rpartition("@")[2])] if kind == "email" else []
    kinds, named = zip((kind, found.value), *above, strict=True)
    values = {"tenant": tenant_id, "kinds": list(kinds), "values": list(named)}
    if connection.execute(IS_ERASED, values).fetchone() is not None:
        raise BadInput(
            f"This {kind} was erased on somebody's request, so it is not stored:"
            " `scrapersky suppress remove VALUE --erased` would allow it."
        )
    return found


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
