"""Contacts by hand in the terminal: what was asked for, and what was done, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cli.agree import is_agreed
from cli.ready import ready
from cli.text import note, print_json, print_table, safe, say
from leads import contacts
from leads.contacts import Wanted
from pipeline.stage import load_stages
from settings import settings

HEADERS = ("id", "kind", "value", "domain", "label", "person", "decision", "verdict", "last seen")
LESS = ("last seen", "label", "decision", "person")
LONGEST = 80


def show_list(wanted: Wanted, *, as_json: bool) -> None:
    """Print one page of contacts."""
    ready()
    found = contacts.list_contacts(_tenant(), wanted)
    if as_json:
        print_json(found.rows)
    elif found.rows:
        print_table(HEADERS, [_line(row) for row in found.rows], spare=LESS)
    else:
        say("No contact is like that.")
    if found.next is not None:
        note(f"There are more than these {len(found.rows)}: raise --limit, or narrow it down.")


def _line(row: dict[str, Any]) -> list[object]:
    names = ("value", "domain", "label", "person_name", "curation_status", "verdict")
    shown = [None if row[name] is None else safe(row[name], LONGEST) for name in names]
    return [row["id"], row["kind"], *shown, row["last_seen_at"].strftime("%Y-%m-%d")]


def show_one(contact_id: int, *, as_json: bool) -> None:
    """Print a contact and its sightings."""
    ready()
    row = contacts.get(_tenant(), contact_id)
    if as_json:
        print_json([row])
        return
    seen = row.pop("sightings")
    print_table(("what", "value"), [[name, value] for name, value in row.items() if value not in (None, [])])
    lines = [
        [one["url"], one["method"], one["seen_at"], one["gone_at"], safe(one["snippet"] or "", LONGEST)] for one in seen
    ]
    print_table(("seen at", "how", "last seen", "gone", "text around it"), lines, title="Where it was seen")


def add(kind: str, value: str, domain: str, facts: Mapping[str, str | None], *, region: str) -> None:
    """Add a contact and say so."""
    load_stages()
    ready(broker=True)
    domain_id = contacts.domain_id_of(_tenant(), domain)
    row = contacts.create(_tenant(), kind, value, domain_id=domain_id, facts=_given(facts), region=region)
    say(f"Contact {row['id']}: {row['kind']} {safe(row['value'], LONGEST)} of {row['domain']}.")


def change(contact_id: int, facts: Mapping[str, str | None], *, region: str) -> None:
    """Change a contact and say what it is now."""
    load_stages()
    ready(broker=True)
    row = contacts.update(_tenant(), contact_id, _given(facts), region=region)
    say(f"Contact {contact_id} is changed: {', '.join(f'{name} {row[name]}' for name in _given(facts))}.")


def delete(contact_id: int, *, yes: bool) -> None:
    """Delete a contact, once that is agreed."""
    ready()
    row = contacts.get(_tenant(), contact_id)
    what = f"{row['kind']} {safe(row['value'], LONGEST)}"
    if yes or is_agreed(f"delete {what} and its {len(row['sightings'])} sightings"):
        contacts.delete(_tenant(), contact_id)
        say(f"Deleted {what}.")


def _given(facts: Mapping[str, str | None]) -> dict[str, str | None]:
    return {name: value for name, value in facts.items() if value is not None}


def _tenant() -> Any:
    return settings().default_tenant_id
