"""The audit log: who changed what."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, Field

from accounts import audit_log
from api.caller import Administrator
from api.contract import Id, Page, Text
from api.listing import Listing, page_of

router = APIRouter(prefix="/audit", tags=["audit"])


class AuditEntry(BaseModel):
    """One change by a person."""

    id: int
    at: datetime
    user_id: UUID | None = Field(description="null for the command line and for users who are gone")
    user_email: str | None
    api_key_id: int | None = Field(description="the key that was used; null after a log-in")
    api_key_name: str | None
    action: str = Field(examples=["update"])
    entity: str = Field(examples=["contacts"])
    entity_id: int | None = Field(description="null when many rows were changed, or one that has no number")
    detail: dict[str, Any] = Field(description="what was changed, and how it was before")


class AuditListing(Listing):
    """Which entries; all conditions that are given must hold."""

    user_id: UUID | None = Field(default=None, description="changes by this user")
    entity: Text | None = Field(default=None, description="what was changed", examples=["contacts"])
    entity_id: Id | None = Field(default=None, description="which one was changed")
    action: Text | None = Field(default=None, description="what was done", examples=["update"])
    since: AwareDatetime | None = Field(default=None, description="from this time on")
    until: AwareDatetime | None = Field(default=None, description="before this time")


@router.get("", summary="List changes")
def list_changes(caller: Administrator, query: Annotated[AuditListing, Query()]) -> Page[AuditEntry]:
    """Give the tenant's changes, the newest first."""
    wanted = audit_log.Wanted(**query.model_dump(exclude=set(Listing.model_fields)))
    found = audit_log.list_entries(
        caller.tenant_id, wanted, after=query.cursor, limit=query.limit, total=query.with_total
    )
    return page_of(AuditEntry, found)
