"""`scrapersky find`: print all that is known about a value, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from cli.ready import ready
from cli.text import print_json, print_table, safe, say
from errors import BadInput
from leads import contact_facts
from leads.contact_facts import Facts
from leads.subjects import known_region
from settings import settings

LONGEST_SNIPPET = 100
LONGEST_VALUE = 100

# What is shown of each, under which head.
DOMAIN = {
    "id": "id", "domain": "name", "title": "title", "decision": "curation_status", "pages": "pages",
    "read": "fetched_at", "blank because": "blank_reason",
}  # fmt: skip
BUSINESS = {
    "id": "id", "business": "name", "address": "address", "phone": "phone", "domains": "domains", "from": "provider",
    "decision": "curation_status",
}  # fmt: skip
CONTACT = {
    "id": "id", "kind": "kind", "value": "value", "owner": "owner", "label": "label", "person": "person_name",
    "title": "person_title", "verdict": "verdict_shown", "first seen": "first_seen_at", "last seen": "last_seen_at",
    "gone": "gone_at",
}  # fmt: skip
SIGHTING = {
    "contact": "value", "seen at": "url", "how": "method", "last seen": "seen_at", "gone": "gone_at",
    "text around it": "snippet",
}  # fmt: skip


def show(value: str, *, region: str, as_json: bool) -> None:
    """Find and print; refuse when nothing is known."""
    if not value.strip():
        raise BadInput("Say what to find: an email, a phone number, a domain, or part of a name.")
    where = known_region(region)
    ready()
    facts = contact_facts.find(settings().default_tenant_id, value.replace("\x00", ""), where)
    if facts.is_nothing:
        raise BadInput(f"Nothing is known about {facts.kind} {safe(facts.value, LONGEST_VALUE)!r}.")
    if as_json:
        print_json([asdict(facts)])
    else:
        _print(facts)


def _print(facts: Facts) -> None:
    say(f"{facts.kind} {safe(facts.value, LONGEST_VALUE)}: {facts.suppression or 'not suppressed'}.")
    _table("Domain", DOMAIN, facts.domains)
    _table("Businesses", BUSINESS, facts.businesses)
    _table("Contacts", CONTACT, [_contact(row) for row in facts.contacts])
    seen = [{"value": row["value"]} | sighting for row in facts.contacts for sighting in row["sightings"]]
    _table("Where it was seen", SIGHTING, seen)


def _contact(row: dict[str, Any]) -> dict[str, Any]:
    owner = row["domain"] or ", ".join(row["businesses"]) or None
    why = f" ({', '.join(map(str, row['verdict_reasons']))})" if row["verdict_reasons"] else ""
    return row | {"owner": owner, "verdict_shown": f"{row['verdict']}{why}" if row["verdict"] else None}


def _table(title: str, columns: Mapping[str, str], rows: list[dict[str, Any]]) -> None:
    if rows:
        lines = [[_cell(row[name]) for name in columns.values()] for row in rows]
        print_table(tuple(columns), lines, title=title)


def _cell(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d")
    if isinstance(value, list):
        return safe(", ".join(map(str, value)), LONGEST_SNIPPET) or None
    return safe(value, LONGEST_SNIPPET) if isinstance(value, str) else value
