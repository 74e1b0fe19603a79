"""A business as OpenStreetMap has it: by volunteers, with gaps and in many spellings."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sandbox.business import Business, Category
from sandbox.places.hours import opening_hours
from sandbox.places.place import international

WAY_HALF_DEGREES = 0.0001  # half the side of a building's outline
# Numbers of the corners of outlines; no business has one that high.
FIRST_CORNER = 10**12


@dataclass(frozen=True, slots=True)
class Element:
    """A node, or a way with its outline."""

    type: str
    id: int
    latitude: float
    longitude: float
    tags: dict[str, str]
    corners: tuple[int, ...] = ()


class Chance:
    """Throws of dice that are the same for the same business for ever."""

    def __init__(self, business: Business) -> None:
        self._bytes = hashlib.blake2b(f"osm:{business.place_id}".encode(), digest_size=32).digest()
        self._next = 0

    def below(self, percent: int) -> bool:
        """Tell whether the next throw is below so many percent."""
        self._next += 1
        return self._bytes[self._next] * 100 < percent * 256

    def choose(self, options: tuple[str, ...]) -> str:
        """Choose one."""
        self._next += 1
        return options[self._bytes[self._next] % len(options)]


def on_the_map(business: Business, percent: int) -> bool:
    """Tell whether a volunteer has entered the business; closed ones are taken off."""
    return business.status != "closed-permanently" and Chance(business).below(percent)


def element_of(business: Business) -> Element:
    """Give the element; three in ten are buildings, drawn as ways."""
    dice = Chance(business)
    dice.below(100)
    is_way = dice.below(30)
    return Element(
        "way" if is_way else "node",
        business.osm_id,
        round(business.latitude, 7),
        round(business.longitude, 7),
        _tags(business, dice),
        tuple(FIRST_CORNER + business.osm_id * 4 + corner for corner in range(4)) if is_way else (),
    )


def corner_elements(element: Element) -> list[Element]:
    """Give the nodes of a way's outline."""
    shifts = ((-1, -1), (-1, 1), (1, 1), (1, -1))
    return [
        Element(
            "node",
            corner,
            round(element.latitude + down * WAY_HALF_DEGREES, 7),
            round(element.longitude + across * WAY_HALF_DEGREES, 7),
            {},
        )
        for corner, (down, across) in zip(element.corners, shifts, strict=False)
    ]


def fixed_tags(category: Category) -> dict[str, str]:
    """Give the tags that every business of a trade has."""
    tags = {category.osm_key: category.osm_value}
    return tags | {"leisure": "fitness_centre"} if category.osm_key == "sport" else tags


def _tags(business: Business, dice: Chance) -> dict[str, str]:
    tags = {"name": business.name, **fixed_tags(business.category)}
    if business.category.name == "dentist" and dice.below(40):
        tags["healthcare"] = "dentist"
    if dice.below(70):
        tags |= _address(business, dice)
    if business.phone and dice.below(60):
        tags[dice.choose(("phone", "phone", "contact:phone"))] = _phone(business, dice)
    if business.website and dice.below(65):
        tags[dice.choose(("website", "website", "website", "contact:website", "url"))] = _website(business, dice)
    if any(business.hours.values()) and dice.below(45):
        tags["opening_hours"] = opening_hours(business)
    if business.host and dice.below(10):
        tags[dice.choose(("email", "contact:email"))] = f"info@{business.host}"
    return dict(sorted(tags.items()))


def _address(business: Business, dice: Chance) -> dict[str, str]:
    tags = {"addr:housenumber": business.house_number, "addr:street": business.street}
    if dice.below(85):
        tags["addr:city"] = business.town.name
    if business.postal_code and dice.below(80):
        tags["addr:postcode"] = business.postal_code
    if business.town.region and dice.below(50):
        tags["addr:state"] = business.town.region
    if dice.below(35):
        tags["addr:country"] = business.town.country
    return tags


def _phone(business: Business, dice: Chance) -> str:
    spaced = international(business) or business.phone
    return dice.choose(
        (
            spaced,
            business.phone,
            business.phone_national,
            spaced.replace(" ", "-"),
            f"{spaced};{business.phone_national}",
        )
    )


def _website(business: Business, dice: Chance) -> str:
    website = business.website or ""
    bare = website.removeprefix("https://").removeprefix("http://")
    return dice.choose((website, website, website, bare))
