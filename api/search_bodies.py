"""What callers say and see of searches."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, Field

from api.contract import Body, Text
from api.progress import Ending, Open, StageProgress, Waiting
from pipeline.search_order import Order, check, check_budget, provider_meant, words_of
from pipeline.searches import Found

Small = Annotated[int, Field(ge=0, le=2**31 - 1)]
Degrees = Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)]
CENT_OF_A_CENT = Decimal("0.0001")


class Box(Body):
    """The edges of an area in degrees."""

    south: Degrees = Field(examples=[30.1])
    west: Degrees = Field(examples=[-97.9])
    north: Degrees = Field(examples=[30.5])
    east: Degrees = Field(examples=[-97.5])


class Edges(BaseModel):
    """The edges of an area in degrees, as it was searched."""

    south: float = Field(examples=[30.1])
    west: float = Field(examples=[-97.9])
    north: float = Field(examples=[30.5])
    east: float = Field(examples=[-97.5])


class SearchOrder(Body):
    """What to look for, where, from whom, and the limits."""

    what: Text = Field(description="what to look for", examples=["dentists"])
    where: Text | None = Field(default=None, description="a town or address", examples=["Austin, TX"])
    box: Box | None = Field(default=None, description="instead of `where`: the edges of the area")
    radius_meters: Small | None = Field(default=None, description="how far around `where`", examples=[10_000])
    provider: Text | None = Field(
        default=None, description="google, openstreetmap or sandbox; else google where there is a key"
    )
    mode: Text = Field(default="auto", description="auto goes straight on; curated lets you decide at each stage")
    max_places: Small = Field(default=200, description="at most so many places")
    budget_usd: Decimal = Field(default=Decimal(2), description="at most so many US dollars for the provider")

    def order(self) -> Order:
        """Read it, or say in one sentence why it cannot be searched for."""
        box = self.box.model_dump() if self.box else {}
        given = Order(
            what=words_of(self.what),
            where_text=None if self.where is None else words_of(self.where),
            **box,
            radius_meters=self.radius_meters,
            provider=provider_meant(self.provider),
            mode=self.mode.strip().lower(),
            max_places=self.max_places,
            budget_usd=money(self.budget_usd),
        )
        check(given)
        return given


def money(usd: Decimal) -> Decimal:
    """Read an amount as it is stored."""
    check_budget(usd)
    return usd.quantize(CENT_OF_A_CENT)


class SearchChange(Body):
    """New limits of a search; what is left out stays."""

    budget_usd: Decimal | None = Field(default=None, description="at most so many US dollars", examples=[5])
    max_places: Small | None = Field(default=None, description="at most so many places", examples=[500])


class Estimate(BaseModel):
    """What a search may cost, before it is started."""

    provider: str = Field(examples=["google"])
    first_page_usd: float = Field(description="until it has its first page of places", examples=[0.035])
    most_usd: float = Field(description="for all places wanted at the most, within the budget", examples=[0.945])
    budget_usd: float | None = Field(examples=[2.0])
    is_within_budget: bool = Field(description="whether the budget suffices for the first page at least")


class SearchState(BaseModel):
    """A search and what it has found so far."""

    id: int = Field(examples=[1])
    what: str = Field(examples=["dentists"])
    where: str | None = Field(examples=["Austin, TX"])
    box: Edges | None = Field(description="the area, once it is known")
    radius_meters: int | None = Field(examples=[None])
    provider: str = Field(examples=["openstreetmap"])
    mode: str = Field(examples=["auto"])
    status: str = Field(
        description="Queued, InProgress, Completed, Error, ManualReview, Cancelled or Paused", examples=["InProgress"]
    )
    max_places: int = Field(examples=[200])
    budget_usd: float | None = Field(examples=[2.0])
    spent_usd: float = Field(examples=[0.42])
    calls: int = Field(description="to the provider", examples=[12])
    coverage: float | None = Field(description="share of the area searched to the end, 0 to 1", examples=[0.8])
    places: int = Field(examples=[120])
    businesses: int = Field(examples=[98])
    domains: int = Field(examples=[71])
    created_at: datetime
    created_by_id: UUID | None
    searched_at: datetime | None


class Areas(BaseModel):
    """The calls that the area was cut into, and those whose answer is stored."""

    searched: int = Field(examples=[12])
    known: int = Field(examples=[15])


class Today(BaseModel):
    """What a provider has cost on this day of UTC, of all searches together."""

    calls: int = Field(examples=[340])
    usd: float = Field(examples=[11.9])
    limit_usd: float = Field(examples=[25.0])


class SearchDetail(SearchState):
    """A search with its progress: the counts of every stage reconcile."""

    stages: list[StageProgress]
    waiting: list[Waiting]
    reasons: list[Ending]
    open: list[Open]
    areas: Areas
    begun_elsewhere: int = Field(description="places whose work an earlier search had begun", examples=[0])
    today: Today | None = Field(description="for operators of the installation alone")


class Steered(BaseModel):
    """What pausing, resuming or cancelling did."""

    changed_count: int = Field(description="pieces of work", examples=[42])
    status: str = Field(description="the search's status now", examples=["Paused"])


class Rectangle(Edges):
    """One rectangle of the area."""

    state: str = Field(
        description="covered, full (it holds more than the provider lists) or open", examples=["covered"]
    )
    found: int = Field(description="places that its pages brought", examples=[17])
    depth: int = Field(description="how often the area was cut to get here", examples=[1])
    searched_at: datetime | None


class Coverage(BaseModel):
    """How much of the area was searched, rectangle by rectangle, for a map."""

    coverage: float | None = Field(description="share of the area searched to the end, 0 to 1", examples=[0.8])
    box: Edges | None
    rectangles: list[Rectangle]


def state_of(found: Found) -> dict[str, Any]:
    """Give a search's row under the names callers know."""
    row = found.row
    edges = {name: row[name] for name in ("south", "west", "north", "east")}
    own = {"where": row["where_text"], "box": None if row["south"] is None else Edges(**edges), "status": found.status}
    return {name: row[name] for name in SearchState.model_fields if name in row} | own
