"""Owner: for whom something is brought or started, by whom, and what is noted of it in the same transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from pipeline.database import Connection
from settings import settings

# Called with the connection of the transaction and the id of what was changed.
Note = Callable[[Connection, int], None]


@dataclass(frozen=True, slots=True)
class Owner:
    """A tenant, the user who acts for it, and how to note that."""

    tenant_id: UUID
    user_id: UUID | None = None
    note: Note | None = None


def owner_here() -> Owner:
    """Give whom the person at the keyboard acts for."""
    return Owner(settings().default_tenant_id)


def tenant_of(tenant_id: UUID | None) -> UUID:
    """Give the tenant that is meant; at the keyboard none is named."""
    return tenant_id or settings().default_tenant_id
