"""The contract that all routes share: pages of rows, counts of what a change did, ways to choose many rows."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Row = TypeVar("Row")

MOST_ROWS = 500
MOST_IDS = 100_000
LARGEST_ID = 2**63 - 1

Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="how many rows at most")]
Cursor = Annotated[str | None, Query(max_length=6000, description="`next_cursor` of the page before")]
# NUL cannot be stored.
Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$", max_length=2000)]


class Body(BaseModel):
    """A request's body: what is not known is refused, so that a typing error is no silent success."""

    model_config = ConfigDict(extra="forbid")


class Page(BaseModel, Generic[Row]):
    """One page of rows in a stable order."""

    items: list[Row]
    total: int | None = Field(description="how many rows match; null when the total was not asked for")
    next_cursor: str | None = Field(description="give it as `cursor` for the next page; null on the last")


class Done(BaseModel):
    """What a change did."""

    updated_count: int = Field(ge=0)
