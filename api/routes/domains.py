"""Domains: list them, look at one, decide about it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from api.caller import Curator
from api.entity_models import details_model
from api.entity_routes import Decision, RowId, add_reading
from entities.catalog import DOMAINS
from entities.change import change

router = APIRouter(tags=["domains"])
add_reading(router, DOMAINS)


@router.patch("/domains/{row_id}", summary="Decide about a domain", response_model=details_model(DOMAINS))
def update_domain(row_id: RowId, body: Decision, caller: Curator) -> dict[str, Any]:
    """Set the decision on one domain; `Selected` queues its work."""
    return change(caller, DOMAINS, row_id, body.model_dump(exclude_unset=True))
