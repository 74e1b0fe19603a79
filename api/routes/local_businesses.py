"""Local businesses: list them, look at one, correct what is known of it, decide about it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import Field

from api.caller import Curator
from api.contract import Text
from api.entity_models import details_model
from api.entity_routes import Decision, RowId, add_reading
from entities.catalog import LOCAL_BUSINESSES
from entities.change import change

router = APIRouter(tags=["local-businesses"])
add_reading(router, LOCAL_BUSINESSES)


class BusinessChange(Decision):
    """What a person may correct of a business; what is left out stays, null empties it."""

    name: Text | None = Field(default=None, examples=["Acme Dental"])
    phone: Text | None = Field(default=None, description="read as dialled in its country", examples=["+15125550100"])
    website: Text | None = Field(default=None, examples=["https://acme.example"])
    formatted_address: Text | None = None
    street: Text | None = None
    city: Text | None = Field(default=None, examples=["Austin"])
    region: Text | None = Field(default=None, examples=["TX"])
    postal_code: Text | None = None
    country_code: Text | None = Field(default=None, description="two letters", examples=["US"])


@router.patch(
    "/local_businesses/{row_id}", summary="Change a local business", response_model=details_model(LOCAL_BUSINESSES)
)
def update_local_business(row_id: RowId, body: BusinessChange, caller: Curator) -> dict[str, Any]:
    """Correct facts of one business, or decide about it; what a person corrected does not expire."""
    return change(caller, LOCAL_BUSINESSES, row_id, body.model_dump(exclude_unset=True))
