"""Places: list them, look at one, decide about it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from api.caller import Curator
from api.entity_models import details_model
from api.entity_routes import Decision, RowId, add_reading
from entities.catalog import PLACES
from entities.change import change

router = APIRouter(tags=["places"])
add_reading(router, PLACES)


@router.patch("/places/{row_id}", summary="Decide about a place", response_model=details_model(PLACES))
def update_place(row_id: RowId, body: Decision, caller: Curator) -> dict[str, Any]:
    """Set the decision on one place; `Selected` queues its work."""
    return change(caller, PLACES, row_id, body.model_dump(exclude_unset=True))
