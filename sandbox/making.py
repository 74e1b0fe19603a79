"""How a business is made: first the draft that its host and place depend on, then the rest."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from random import Random

from sandbox.business import Business, Category, Town
from sandbox.categories import CATEGORIES, CATEGORY_WEIGHTS
from sandbox.chance import chance
from sandbox.geography import TOWN_WEIGHTS, TOWNS, address, spot
from sandbox.hosts import website
from sandbox.kinds import kind_of
from sandbox.names import business_name
from sandbox.phones import phone

_TOWN_WEIGHT = {town.name: weight for town, weight in zip(TOWNS, TOWN_WEIGHTS, strict=True)}
_CATEGORY_WEIGHT = {trade.name: weight for trade, weight in zip(CATEGORIES, CATEGORY_WEIGHTS, strict=True)}
_WEEKDAYS = range(1, 6)
_SHIFTS = (
    (("09:00", "17:00"),),
    (("08:00", "18:00"),),
    (("08:30", "12:00"), ("13:00", "17:30")),
    (("10:00", "19:00"),),
    (("07:00", "15:00"),),
)


@dataclass(frozen=True, slots=True)
class Draft:
    """What of a business its host and its place on the map depend on."""

    index: int
    leader: int  # the first branch of its chain; itself when it is in none
    kind: str
    name: str
    category: Category
    town: Town
    latitude: float
    longitude: float
    building: int | None


def sketched(seed: int, index: int, leader: int, towns: tuple[Town, ...], categories: tuple[Category, ...]) -> Draft:
    """Make the draft. Branches of a chain have their leader's name, trade and town and a place of their own."""
    dice = chance(seed, leader, "draft")
    town = dice.choices(towns, [_TOWN_WEIGHT[town.name] for town in towns])[0]
    category = dice.choices(categories, [_CATEGORY_WEIGHT[category.name] for category in categories])[0]
    name = business_name(category, town, dice)
    if index != leader:
        dice = chance(seed, index, "branch")
    latitude, longitude, building = spot(town, dice)
    return Draft(index, leader, kind_of(index), name, category, town, latitude, longitude, building)


def finished(seed: int, draft: Draft, host: str | None) -> Business:
    """Make the whole business from its draft."""
    dice = chance(seed, draft.index, "facts")
    house_number, street, postal_code = address(draft.town, draft.building, dice)
    number, written = phone(draft.town, seed, draft.index)
    reviews = int(dice.paretovariate(0.9) * 4) % 2500 if dice.random() < 0.93 else 0
    return Business(
        index=draft.index,
        place_id=place_id_of(seed, draft.index),
        osm_id=1_000_000_000 + draft.index * 10_007 + seed % 10_007,
        name=draft.name,
        category=draft.category,
        town=draft.town,
        house_number=house_number,
        street=street,
        postal_code=postal_code,
        latitude=draft.latitude,
        longitude=draft.longitude,
        phone=number,
        phone_national=written,
        rating=round(min(5.0, max(1.0, dice.gauss(4.4, 0.5))), 1) if reviews else None,
        review_count=reviews,
        price_level=dice.choice((1, 2, 2, 3, 4)) if draft.category.name in ("restaurant", "hotel") else None,
        hours=_hours(draft.category, dice),
        status=_status(draft.kind, dice),
        site_kind=draft.kind,
        website=website(draft, host, dice),
        host=host,
    )


def place_id_of(seed: int, index: int) -> str:
    """Give an id that looks like Google's: `ChIJ` and 23 characters."""
    return "ChIJ" + urlsafe_b64encode(blake2b(f"{seed}:{index}".encode(), digest_size=18).digest()).decode()[:23]


def _hours(category: Category, dice: Random) -> Mapping[int, tuple[tuple[str, str], ...]]:
    if category.name == "hotel":
        return dict.fromkeys(range(7), (("00:00", "24:00"),))
    if category.name == "restaurant":
        closed = dice.randrange(7)
        return {day: (("11:30", "14:30"), ("17:30", "22:00")) for day in range(7) if day != closed}
    shift = dice.choice(_SHIFTS)
    saturday = {6: (("09:00", "13:00"),)} if dice.random() < 0.4 else {}
    return dict.fromkeys(_WEEKDAYS, shift) | saturday


def _status(kind: str, dice: Random) -> str:
    if kind == "closed-business":
        return "closed-permanently"
    return "closed-temporarily" if dice.random() < 0.01 else "operational"
