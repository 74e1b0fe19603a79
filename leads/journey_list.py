"""Journey list: what a value may mean, each with its name and the sentence that says how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from leads import journey_answer, journey_site
from leads.journey import journey_of
from leads.journey_find import Subject


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that was meant, in a line."""

    kind: str
    id: int
    name: str
    answer: str


def told(tenant_id: UUID, subjects: Sequence[Subject]) -> list[Told]:
    """Tell of each in a line; contacts, of which there may be many, are read all at once."""
    ids = [subject.id for subject in subjects if subject.kind == "contact"]
    contacts = {each.id: each for each in journey_site.contacts_of(tenant_id, "id", ids)} if ids else {}
    found = []
    for subject in subjects:
        contact = contacts.get(subject.id) if subject.kind == "contact" else None
        if contact is not None:
            found.append(Told("contact", contact.id, contact.value, journey_answer.of_contact(contact)))
        else:
            journey = journey_of(tenant_id, subject)
            found.append(Told(subject.kind, subject.id, journey.name, journey.answer))
    return found
