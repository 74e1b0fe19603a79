"""Areas of OpenStreetMap: towns, regions and countries, by their boxes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from sandbox.business import Town
from sandbox.places.geometry import Box
from sandbox.places.regions import TOWN_SPELLINGS, region_name

# An area made of a relation has the relation's number plus this.
FIRST_AREA = 3_600_000_000


@dataclass(frozen=True, slots=True)
class Area:
    """An area with its tags; a region or country is the sum of its towns."""

    id: int
    tags: dict[str, str]
    boxes: tuple[Box, ...]


def relation_id(name: str) -> int:
    """Give the number of a boundary: the same for the same name for ever."""
    return 100_000 + int.from_bytes(hashlib.blake2b(name.encode(), digest_size=4).digest()) % 9_000_000


def box_of(town: Town) -> Box:
    """Give a town's box."""
    return Box(town.south, town.west, town.north, town.east)


def areas_of(towns: Iterable[Town]) -> tuple[Area, ...]:
    """List every town, every region and every country."""
    areas: dict[int, Area] = {}
    for town in towns:
        region = region_name(town.country, town.region)
        iso = f"{town.country}-{town.region}"
        _add(areas, town.label, town, {**_town_names(town), "admin_level": "8", "place": "city"})
        if region:
            _add(areas, iso, town, {"name": region, "admin_level": "4", "ISO3166-2": iso})
        _add(areas, town.country, town, {"name": town.country_name, "admin_level": "2", "ISO3166-1": town.country})
    return tuple(areas.values())


def _town_names(town: Town) -> dict[str, str]:
    return {"name": town.name, "name:en": TOWN_SPELLINGS.get(town.name, town.name)}


def _add(areas: dict[int, Area], key: str, town: Town, tags: dict[str, str]) -> None:
    number = FIRST_AREA + relation_id(key)
    before = areas[number].boxes if number in areas else ()
    extra = {"boundary": "administrative", "type": "boundary"}
    if "ISO3166-1" in tags:
        extra["ISO3166-1:alpha2"] = tags["ISO3166-1"]
    areas[number] = Area(number, tags | extra, (*before, box_of(town)))
