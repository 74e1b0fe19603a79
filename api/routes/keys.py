"""API keys: look at them, make them, revoke them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, Field

from accounts import keys
from accounts.caller import Scope
from api.arrival import keep_nowhere
from api.caller import Known
from api.contract import Body, Id, Page, Text
from api.listing import Listing, page_of
from api.problems import answers

router = APIRouter(prefix="/keys", tags=["keys"], dependencies=[keep_nowhere])


class Key(BaseModel):
    """A key without its secret."""

    id: int
    name: str = Field(examples=["nightly export"])
    prefix: str = Field(description="how the key begins")
    scopes: list[Scope] = Field(description="what it may do, as far as its user's role does")
    user_id: UUID
    user_email: str
    made_with_id: int | None = Field(description="the key that made it, and with which it is revoked")
    created_at: datetime
    used_at: datetime | None = Field(description="when it was last used, to the minute")
    expires_at: datetime | None
    revoked_at: datetime | None


class KeyListing(Listing):
    """Which keys, and how many."""

    user_id: UUID | None = Field(default=None, description="for admins: only this user's")


class NewKey(Body):
    """A key to make."""

    name: Annotated[Text, Field(min_length=1, max_length=keys.LONGEST_NAME, examples=["nightly export"])]
    scopes: list[Scope] | None = Field(
        default=None, max_length=20, description="what it may do; all that you may when left out"
    )
    expires_at: AwareDatetime | None = Field(default=None, examples=["2030-01-01T00:00:00Z"])


class MadeKey(BaseModel):
    """A key that was made."""

    key: Key
    secret: str = Field(description="the key itself, shown here and never again")


@router.get("", summary="List API keys")
def list_keys(caller: Known, query: Annotated[KeyListing, Query()]) -> Page[Key]:
    """Give your keys, the newest first; an admin sees the whole tenant's."""
    whose = query.user_id if "administer" in caller.scopes else caller.user_id
    found = keys.list_keys(
        caller.tenant_id, user_id=whose, after=query.cursor, limit=query.limit, total=query.with_total
    )
    return page_of(Key, found)


@router.post("", status_code=201, summary="Make an API key", responses=answers(409))
def add_key(given: NewKey, caller: Known) -> MadeKey:
    """Make a key of your own that may do what you may or less; the answer shows it for the only time."""
    row, secret = keys.add(caller, keys.Wish(given.name, given.scopes, given.expires_at), caller=caller)
    return MadeKey(key=Key(**row), secret=secret)


@router.delete("/{key_id}", status_code=204, summary="Revoke an API key")
def revoke_key(key_id: Id, caller: Known) -> None:
    """End a key of yours, or as an admin any of the tenant, with all keys that were made with it."""
    whose = None if "administer" in caller.scopes else caller.user_id
    keys.revoke(caller.tenant_id, key_id, user_id=whose, caller=caller)
