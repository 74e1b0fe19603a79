"""Contacts: list, look at with their proof, add, change, delete."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field, create_model

from api import problems
from api.caller import Curator, Reader
from api.contract import Body, Id, Text
from api.entity_models import details_model
from api.entity_routes import Decision, RowId, add_journey, add_list
from entities import contact
from entities.catalog import CONTACTS
from entities.change import change

router = APIRouter(tags=["contacts"])
add_list(router, CONTACTS)


class SightingRow(BaseModel):
    """The proof of a contact: where and how it was seen."""

    url: str = Field(description="the address that showed it; `manual` when a person added it")
    method: str = Field(examples=["mailto"])
    snippet: str | None = Field(description="the text around it")
    seen_at: datetime
    gone_at: datetime | None = Field(description="when the address was read again and no longer showed it")


Contact = create_model(
    "ContactWithProof",
    __base__=details_model(CONTACTS),
    __doc__="All that is known of a contact, with its proof.",
    sightings=(list[SightingRow], Field(description="newest first, a thousand at most")),
)


class ContactNew(Body):
    """A contact that a person knows of; it belongs to a domain, which is named or given by its id."""

    kind: Literal["email", "phone", "social", "person"]
    value: Text = Field(examples=["ann@acme.example"])
    domain_id: Id | None = None
    domain: Text | None = Field(default=None, examples=["acme.example"])
    label: Text | None = None
    person_name: Text | None = Field(default=None, examples=["Ann Low"])
    person_title: Text | None = None
    note: Text | None = None
    country_code: Text = Field(default="US", description="where a phone number is dialled", examples=["US"])


class ContactChange(Decision):
    """What a person may change of a contact; what is left out stays, null empties it."""

    value: Text | None = Field(default=None, description="a new value is validated anew")
    label: Text | None = None
    person_name: Text | None = None
    person_title: Text | None = None
    note: Text | None = None


@router.post(
    "/contacts", summary="Add a contact", status_code=201, response_model=Contact, responses=problems.answers(409)
)
def create_contact(body: ContactNew, caller: Curator) -> dict[str, Any]:
    """Store a contact that a person knows of, and queue its validation."""
    given = body.model_dump()
    return contact.create(caller, given.pop("kind"), given.pop("value"), **given)


@router.get("/contacts/{row_id}", summary="Look at a contact", response_model=Contact)
def get_contact(row_id: RowId, caller: Reader) -> dict[str, Any]:
    """Show all that is known of one contact, with every address where it was seen."""
    return contact.one(caller.tenant_id, row_id)


@router.patch("/contacts/{row_id}", summary="Change a contact", response_model=Contact, responses=problems.answers(409))
def update_contact(row_id: RowId, body: ContactChange, caller: Curator) -> dict[str, Any]:
    """Correct one contact, or decide about it; a new value and `Selected` queue its validation."""
    change(caller, CONTACTS, row_id, body.model_dump(exclude_unset=True))
    return contact.one(caller.tenant_id, row_id)


@router.delete("/contacts/{row_id}", summary="Delete a contact", status_code=204)
def delete_contact(row_id: RowId, caller: Curator) -> None:
    """Delete one contact with its sightings; it comes back when it is found again, unless it is suppressed."""
    contact.delete(caller, row_id)


add_journey(router, CONTACTS)
