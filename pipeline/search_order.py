"""A search as a person orders it, refused in one sentence when it cannot be searched."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from errors import BadInput
from models.search import MODES
from pipeline.children import clean
from settings import Settings, settings

MOST_PLACES = 10_000
LARGEST_BUDGET_USD = Decimal(100_000)
SMALLEST_RADIUS_METERS, LARGEST_RADIUS_METERS = 50, 200_000
LONGEST_WORDS = 200
# What a call brings where places are crowded and a full rectangle must be cut: `make bench-tiling` finds eleven.
LEAST_PLACES_A_CALL = 8


PROVIDERS_ASKED = ("google", "openstreetmap", "sandbox")
PROVIDER_NAMES = {"google": "google", "osm": "openstreetmap", "openstreetmap": "openstreetmap", "sandbox": "sandbox"}


@dataclass(frozen=True, slots=True)
class Order:
    """What a person asks for: what, where, from whom, and the limits."""

    what: str
    where_text: str | None = None
    south: float | None = None
    west: float | None = None
    north: float | None = None
    east: float | None = None
    radius_meters: int | None = None
    provider: str = "openstreetmap"
    mode: str = "auto"
    max_places: int = 200
    budget_usd: Decimal | None = Decimal(2)

    @property
    def has_box(self) -> bool:
        return self.south is not None


def provider_meant(name: str | None) -> str:
    """Give the provider by any of its names; without one Google where there is a key, else the one that is free."""
    if name is None:
        return "google" if settings().google_maps_api_key else "openstreetmap"
    return PROVIDER_NAMES.get(name.strip().lower(), name)


def lack_of(provider: str) -> str | None:
    """Say what has to be set before a provider can be asked here; None when nothing has."""
    try:
        _check_provider(provider)
    except BadInput as lack:
        return str(lack)
    return None


def words_of(text: str) -> str:
    """Write words on one line with single spaces."""
    return clean(" ".join(text.split()))


def check(order: Order) -> None:
    """Refuse what cannot be searched, in one sentence, before anything is written; what has to be set comes last."""
    _check_words(order)
    _check_where(order)
    if order.mode not in MODES:
        raise BadInput(f"There is no mode {order.mode[:40]!r}: a search is {' or '.join(MODES)}.")
    check_most(order.max_places)
    if order.budget_usd is not None:
        check_budget(order.budget_usd)
    _check_provider(order.provider)


def check_most(places: int) -> None:
    """Refuse a number of places that no search brings."""
    if not 1 <= places <= MOST_PLACES:
        raise BadInput(f"A search brings 1 to {MOST_PLACES} places, not {places}.")


def check_budget(budget: Decimal) -> None:
    """Refuse an amount that nobody can mean."""
    if not (budget.is_finite() and 0 <= budget <= LARGEST_BUDGET_USD):
        raise BadInput(f"A budget is 0 to {LARGEST_BUDGET_USD} US dollars, not {float(budget):.10g}.")


def first_page_usd(order: Order) -> Decimal:
    """Give what a search costs until it has its first page of places; only OpenStreetMap is free."""
    if order.provider == "openstreetmap":
        return Decimal(0)
    return settings().google_search_usd + (0 if order.has_box else settings().google_area_usd)


def most_usd(order: Order) -> Decimal:
    """Estimate from above what a search costs until it has all the places that are wanted, within its budget."""
    if order.provider == "openstreetmap":
        return Decimal(0)
    calls = 1 + -(-order.max_places // LEAST_PLACES_A_CALL)
    usd = first_page_usd(order) + (calls - 1) * settings().google_search_usd
    return usd if order.budget_usd is None else min(usd, order.budget_usd)


def _check_provider(provider: str) -> None:
    if provider == "google" and settings().google_maps_api_key is None:
        raise BadInput(
            "Google needs a key: set GOOGLE_MAPS_API_KEY, or let OpenStreetMap be the provider, which needs none."
        )
    if provider == "sandbox" and settings().sandbox_address is None:
        raise BadInput("No sandbox is set: run `scrapersky sandbox serve` and set SANDBOX_ADDRESS to its address.")
    if provider == "openstreetmap" and settings().crawler_contact is None and _asks_volunteers():
        raise BadInput(
            "OpenStreetMap's public servers want to know who asks: set CRAWLER_CONTACT to your email address or URL."
        )
    if provider not in PROVIDERS_ASKED:
        raise BadInput(f"There is no provider {provider[:40]!r}: use google, openstreetmap (osm) or sandbox.")


def _asks_volunteers() -> bool:
    """Tell whether one of the servers is still the one that volunteers run for everybody."""
    return any(
        getattr(settings(), name) == Settings.model_fields[name].default for name in ("overpass_url", "nominatim_url")
    )


def _check_words(order: Order) -> None:
    for words in (order.what, order.where_text):
        if words is not None and not (words.strip() and len(words) <= LONGEST_WORDS and words.isprintable()):
            raise BadInput(f"What and where are words of 1 to {LONGEST_WORDS} characters, such as dentists.")


def _check_where(order: Order) -> None:
    if (order.where_text is None) == (not order.has_box):
        raise BadInput("Say where: either near a place such as 'Austin, TX', or in a box SOUTH,WEST,NORTH,EAST.")
    radius = order.radius_meters
    if radius is not None and order.has_box:
        raise BadInput("A radius goes with the name of a place; a box has its own edges.")
    if radius is not None and not SMALLEST_RADIUS_METERS <= radius <= LARGEST_RADIUS_METERS:
        raise BadInput(f"A radius is {SMALLEST_RADIUS_METERS}m to {LARGEST_RADIUS_METERS // 1000}km.")
    if order.has_box:
        _check_box(order)


def _check_box(order: Order) -> None:
    south, west, north, east = (float(edge or 0) for edge in (order.south, order.west, order.north, order.east))
    if not (-90 <= south < north <= 90 and -180 <= west <= 180 and -180 <= east <= 180 and west != east):
        raise BadInput(
            "A box is SOUTH,WEST,NORTH,EAST in degrees with the south below the north, such as 30.1,-97.9,30.5,-97.5."
        )
