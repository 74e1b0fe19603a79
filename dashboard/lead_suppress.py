"""Suppress: what of a business or a contact can be kept from ever leaving the house, and how it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from fastapi import Form

from accounts.caller import Caller
from api import noted
from api.contract import Text
from errors import BadInput, NotFound
from leads import suppression_check, suppression_list
from leads.subjects import Subject, subject_named, subjects_of

Row = dict[str, Any]
LISTABLE = ("email", "phone")
MOST_TICKED = 500
NOTHING_TICKED = "Nothing is ticked, so nothing was suppressed: tick what is never to leave the house."

Ticked = Annotated[list[Text], Form(max_length=MOST_TICKED)]


def of_business(business: Mapping[str, Any], sites: Iterable[Row], contacts: Iterable[Row]) -> list[str]:
    """Name its domains, which cover every address at them, its number, and what else was found."""
    domains = [site["name"] for site in sites]
    found = [each["value"] for each in contacts if each["kind"] in LISTABLE]
    return list(dict.fromkeys(filter(None, (*domains, business["phone"], *found))))


def of_contact(contact: Mapping[str, Any]) -> list[str]:
    """Name its value where it is an address or a number, and the domain that it belongs to."""
    own = [contact["value"]] if contact["kind"] in LISTABLE else []
    return [*own, *([contact["domain"]] if contact["domain"] else [])]


def standing(tenant_id: UUID, values: Sequence[str]) -> list[Row]:
    """Say how values stand on the list; those that cannot be listed are left out."""
    subjects = [subject for value in values if (subject := _subject(value))]
    return suppression_check.check(tenant_id, list(dict.fromkeys(subjects)))


def _subject(value: str) -> Subject | None:
    try:
        return subject_named(value)
    except BadInput:
        return None


def put(caller: Caller, values: Sequence[str], reason: str) -> str:
    """Put values on the list, and say how many were not there before."""
    if not values:
        raise BadInput(NOTHING_TICKED)
    why = reason.strip() or None
    many = len(suppression_list.add(caller.tenant_id, subjects_of(values), reason=why, **noted.by(caller)))
    if not many:
        return "All of that was on the suppression list already."
    return f"Suppressed: {many:,} {'value' if many == 1 else 'values'}, from now on in no export."


def take_off(caller: Caller, value: str) -> str:
    """Take a value off the list; what was erased stays on it."""
    if not suppression_list.remove(caller.tenant_id, [subject_named(value)], **noted.by(caller)):
        raise NotFound("Nothing was taken off: this is not on the suppression list.")
    return "It is off the suppression list, and may be exported again."
