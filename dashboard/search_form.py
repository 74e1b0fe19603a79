"""Search form: what was typed, kept as it was typed; read as an order, or refused in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from math import isfinite
from typing import Annotated, Any, NoReturn

from fastapi import Form
from pydantic import ValidationError

from api.search_bodies import SearchChange, SearchOrder
from errors import BadInput
from pipeline.progress import Row
from pipeline.search_order import LARGEST_RADIUS_METERS, MOST_PLACES, PROVIDERS_ASKED, Order, lack_of, provider_meant

EDGES = ("south", "west", "north", "east")
NO_RADIUS = "A radius is a number of kilometres, such as 10."
# Said of a field that cannot be read at all; what can be read but not searched says so itself.
UNREADABLE: Mapping[str, str] = {
    "what": "What to look for is words, such as dentists.",
    "where": "Where is the name of a town or an address, such as Austin, TX.",
    "max_places": f"Places are a whole number from 1 to {MOST_PLACES:,}.",
    "budget_usd": "A budget is an amount of US dollars, such as 2.00.",
    "box": "The edges of a box are four numbers of degrees, such as 30.1: fill in all four, or none.",
    "radius_meters": NO_RADIUS,
}
NOT_SO = "This cannot be read: load the page again and repeat."
ABOUT: Mapping[str, str] = {
    "google": "Google Places: the most places; each call costs money.",
    "openstreetmap": "OpenStreetMap: free; what volunteers have mapped.",
    "sandbox": "The sandbox: an invented town for trying things out; its money is play money.",
}
MODES: Mapping[str, str] = {
    "auto": "Goes straight on from places to contacts.",
    "curated": "Waits for your decision before each stage.",
}

Field = Annotated[str, Form(max_length=500)]


@dataclass(frozen=True, slots=True)
class Typed:
    """The fields of the form."""

    what: str = ""
    where: str = ""
    radius_km: str = ""
    south: str = ""
    west: str = ""
    north: str = ""
    east: str = ""
    provider: str = ""
    mode: str = "auto"
    max_places: str = "200"
    budget_usd: str = "2.00"

    @property
    def edges(self) -> dict[str, str]:
        """The edges of the box, as typed."""
        return {name: getattr(self, name).strip() for name in EDGES}

    @property
    def has_box(self) -> bool:
        return any(self.edges.values())

    @property
    def is_begun(self) -> bool:
        """Whether what and where are said, so that it can be read as an order."""
        return bool(self.what.strip() and (self.where.strip() or self.has_box))


def typed(
    what: Field = "",
    where: Field = "",
    radius_km: Field = "",
    south: Field = "",
    west: Field = "",
    north: Field = "",
    east: Field = "",
    provider: Field = "",
    mode: Field = "",
    max_places: Field = "",
    budget_usd: Field = "",
) -> Typed:
    """Take the fields as they come."""
    return Typed(what, where, radius_km, south, west, north, east, provider, mode, max_places, budget_usd)


def blank() -> Typed:
    """Give the form as nobody has touched it: the provider that needs nothing more, if there is one."""
    usable = [name for name in PROVIDERS_ASKED if lack_of(name) is None]
    meant = provider_meant(None)
    return Typed(provider=meant if meant in usable or not usable else usable[0])


def like(row: Row) -> Typed:
    """Give the form filled in as a search was ordered."""
    named = row["where_text"] is not None
    radius = row["radius_meters"]
    said = {
        "what": row["what"],
        "where": row["where_text"],
        "radius_km": f"{radius / 1000:g}" if radius else None,
        "provider": row["provider"] if row["provider"] in PROVIDERS_ASKED else blank().provider,
        "mode": row["mode"],
        "max_places": str(row["max_places"]),
        "budget_usd": amount(row["budget_usd"]) or None,
    } | ({} if named else {name: f"{row[name]:g}" for name in EDGES if row[name] is not None})
    return Typed(**asdict(Typed()) | {name: value for name, value in said.items() if value is not None})


def amount(usd: Decimal | None) -> str:
    """Write an amount as it is typed; nothing for no limit."""
    if usd is None:
        return ""
    return f"{usd:.2f}" if usd == round(usd, 2) else f"{usd.normalize():f}"


def read(given: Typed) -> Order:
    """Read what was typed, or say in one sentence why it cannot be searched for."""
    said: dict[str, Any] = {
        "what": given.what,
        "where": given.where.strip() or None,
        "box": given.edges if given.has_box else None,
        "radius_meters": _meters(given.radius_km),
        "provider": given.provider or None,
        "mode": given.mode or "auto",
        "max_places": given.max_places.strip(),
        "budget_usd": given.budget_usd.strip().removeprefix("$"),
    }
    try:
        return SearchOrder.model_validate(said).order()
    except ValidationError as fault:
        _refuse(fault)


def read_change(max_places: str, budget_usd: str) -> SearchChange:
    """Read new limits; what is left empty stays."""
    said = {"max_places": max_places.strip() or None, "budget_usd": budget_usd.strip().removeprefix("$") or None}
    try:
        return SearchChange.model_validate(said)
    except ValidationError as fault:
        _refuse(fault)


def providers() -> list[tuple[str, str, str | None]]:
    """Give every provider, what it is, and what it lacks here."""
    return [(name, ABOUT[name], lack_of(name)) for name in PROVIDERS_ASKED]


def _refuse(fault: ValidationError) -> NoReturn:
    field = str(next(iter(fault.errors()))["loc"][0])
    raise BadInput(UNREADABLE.get(field, NOT_SO)) from None


def _meters(kilometres: str) -> int | None:
    text = kilometres.strip()
    if not text:
        return None
    try:
        meters = float(Decimal(text)) * 1000
    except ArithmeticError:
        raise BadInput(NO_RADIUS) from None
    if not (isfinite(meters) and 0 <= meters <= 10 * LARGEST_RADIUS_METERS):
        raise BadInput(f"A radius is 0.05 to {LARGEST_RADIUS_METERS // 1000} kilometres.")
    return round(meters)
