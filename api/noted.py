"""Noted: what a caller does, as an entry of the audit log in the transaction that does it."""

from __future__ import annotations

from typing import Any

from accounts import audit
from accounts.audit import By
from accounts.caller import Caller
from pipeline.database import Connection, transaction
from pipeline.owner import Note, Owner


def noted(caller: Caller, action: str, entity: str, **detail: Any) -> Note:
    """Make the note that a change takes along."""

    def note(connection: Connection, entity_id: int) -> None:
        audit.note(connection, caller, action, entity, detail, entity_id=entity_id)

    return note


def owner(caller: Caller, action: str, entity: str, **detail: Any) -> Owner:
    """Give for whom a caller brings something."""
    return Owner(caller.tenant_id, caller.user_id, noted(caller, action, entity, **detail))


def by(caller: Caller) -> By:
    """Give who acts, for the rooms that note it themselves."""
    return By(user_id=caller.user_id, api_key_id=caller.api_key_id)


def write(caller: Caller, action: str, entity: str, **detail: Any) -> None:
    """Note what changes no row of its own."""
    with transaction() as (_, connection):
        audit.note(connection, caller, action, entity, detail)
