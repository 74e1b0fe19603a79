"""Sitemap files: list them, look at one, decide about it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from api.caller import Curator
from api.entity_models import details_model
from api.entity_routes import Decision, RowId, add_reading
from entities.catalog import SITEMAP_FILES
from entities.change import change

router = APIRouter(tags=["sitemap-files"])
add_reading(router, SITEMAP_FILES)


@router.patch(
    "/sitemap_files/{row_id}", summary="Decide about a sitemap file", response_model=details_model(SITEMAP_FILES)
)
def update_sitemap_file(row_id: RowId, body: Decision, caller: Curator) -> dict[str, Any]:
    """Set the decision on one sitemap file; `Selected` queues its work."""
    return change(caller, SITEMAP_FILES, row_id, body.model_dump(exclude_unset=True))
