"""Pages: list them, look at one, correct its kind, decide about it."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter
from pydantic import Field

from api.caller import Curator
from api.entity_models import details_model
from api.entity_routes import Decision, RowId, add_reading
from entities.catalog import PAGES
from entities.change import change

router = APIRouter(tags=["pages"])
add_reading(router, PAGES)

PageKind = Literal[
    "home", "contact", "about", "team", "location", "legal", "careers", "services", "pricing", "blog", "product",
    "media", "other",
]  # fmt: skip


class PageChange(Decision):
    """What a person may correct of a page; what is left out stays."""

    kind: PageKind | None = Field(default=None, description="what the page is about", examples=["contact"])


@router.patch("/pages/{row_id}", summary="Change a page", response_model=details_model(PAGES))
def update_page(row_id: RowId, body: PageChange, caller: Curator) -> dict[str, Any]:
    """Correct the kind of one page, or decide about it; `Selected` queues its visit."""
    return change(caller, PAGES, row_id, body.model_dump(exclude_unset=True))
