"""Journeys: the way of whatever a value names, from the search that began it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from api.caller import Reader
from api.contract import Text
from leads.journey import Journey, journeys

router = APIRouter(tags=["journeys"])


@router.get("/journeys", summary="The journeys of what a value names")
def find_journeys(
    caller: Reader,
    value: Annotated[
        Text,
        Query(
            min_length=1,
            description="an email, a phone, a link, a domain, a name, or the id of work",
            examples=["info@acme.example"],
        ),
    ],
) -> list[Journey]:
    """Tell how each contact, page, domain, business, place or piece of work that a value names came about."""
    return journeys(caller.tenant_id, value)
