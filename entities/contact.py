"""Contact: one with its proof; add and delete one in a caller's name."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from accounts.audit import By
from accounts.caller import Caller
from entities import listing
from entities.catalog import CONTACTS
from errors import BadInput
from leads import contacts

Row = dict[str, Any]


def one(tenant_id: UUID, contact_id: int) -> Row:
    """Give a contact with its sightings."""
    row = listing.one(CONTACTS, tenant_id, contact_id)
    return row | {"sightings": contacts.get(tenant_id, contact_id)["sightings"]}


def create(
    caller: Caller,
    kind: str,
    value: str,
    *,
    domain_id: int | None,
    domain: str | None,
    country_code: str = "US",
    **facts: str | None,
) -> Row:
    """Add a contact to a domain that is given by its id or its name."""
    if (domain_id is None) == (domain is None):
        raise BadInput("Say whose contact it is: give either domain_id or domain.")
    owner = domain_id if domain_id is not None else contacts.domain_id_of(caller.tenant_id, domain or "")
    by = By(user_id=caller.user_id, api_key_id=caller.api_key_id)
    given = {name: fact for name, fact in facts.items() if fact is not None}
    made = contacts.create(
        caller.tenant_id, kind, value, domain_id=owner, facts=given, region=country_code, **by
    )  # fmt: skip
    return one(caller.tenant_id, made["id"])


def delete(caller: Caller, contact_id: int) -> None:
    """Delete a contact."""
    contacts.delete(caller.tenant_id, contact_id, user_id=caller.user_id, api_key_id=caller.api_key_id)
