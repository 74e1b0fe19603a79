"""Erasure target: what somebody asks to be erased, as they write it."""

from __future__ import annotations

from errors import BadInput
from leads.erasure import Target
from leads.subjects import subject_named
from services.suppression import DEFAULT_REGION

PERSON = "person"
BETWEEN = " at "


def target_of(value: str, kind: str | None = None, region: str = DEFAULT_REGION) -> Target:
    """Read an email, phone or domain; or a person, as `Ann Low at acme.example`."""
    if kind != PERSON:
        return Target(subject_named(value, kind, region))
    name, _, domain = value.rpartition(BETWEEN)
    return person_at(name, domain)


def person_at(person: str, domain: str) -> Target:
    """Read a person by the name that was found at a domain."""
    name = " ".join(person.split()).strip(" ,")
    if not name:
        raise BadInput("A person is a name at a domain: write it like Ann Low at acme.example.")
    return Target(subject_named(domain, "domain"), name)
