"""Listing: the query that lists take, and the page they give."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from api.contract import MOST_ROWS, Page
from pipeline.paging import Listed

Row = TypeVar("Row", bound=BaseModel)


class Listing(BaseModel):
    """How many rows of a list, from where on."""

    model_config = ConfigDict(extra="forbid")

    limit: int = Field(default=50, ge=1, le=MOST_ROWS, description="how many rows at most")
    cursor: str | None = Field(default=None, max_length=2000, description="`next_cursor` of the page before")
    total: Literal["exact", "none"] = Field(default="exact", description="whether all that matches is counted")

    @property
    def with_total(self) -> bool:
        """Whether the rows are counted."""
        return self.total == "exact"


def page_of(kind: type[Row], found: Listed[Any]) -> Page[Row]:
    """Show a page of rows."""
    return Page(items=[kind(**row) for row in found.rows], total=found.total, next_cursor=found.next_cursor)
