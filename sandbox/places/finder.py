"""Finds and ranks the businesses that answer a text search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice

from sandbox.business import Business, Town
from sandbox.places.body import DISTANCE, TextSearch
from sandbox.places.geometry import Box, Circle, distance
from sandbox.places.hours import is_open
from sandbox.places.place import PRICE_LEVELS
from sandbox.places.question import Question, Reader
from sandbox.places.words import words_of
from sandbox.world import World

MOST_RESULTS = 60
SMALL_POOL = 500
# `near` a town reaches beyond its edge by this share of its width.
NEARBY_SHARE = 0.25
EVERYWHERE = Box(-90.0, -180.0, 90.0, 180.0)


class Finder:
    """Answers searches from the world; everything is a function of the world and the search."""

    def __init__(self, world: World, reader: Reader) -> None:
        self._world = world
        self._reader = reader
        self._order = sorted(range(len(world)), key=prominence)
        self._points: dict[int, tuple[float, float]] = {}
        self._names: dict[int, frozenset[str]] = {}

    def find(self, search: TextSearch, at: float) -> list[int]:
        """List the businesses that match, best first, sixty at most."""
        question = self._reader.read(search.text, search.region)
        area = _area(search, question)
        if area is None or question.unknown_place:
            return []
        ranked = self._ranked(self._pool(search, question, area), search, question, area)
        if search.open_now or search.min_rating or search.price_levels:
            ranked = (index for index in ranked if _fits(self._world.business(index), search, at))
        return list(islice(ranked, MOST_RESULTS))

    def town(self, search: TextSearch) -> Town | None:
        """Give the town that a search names, when it names nothing else and is not kept to an area."""
        question = self._reader.read(search.text, search.region)
        is_more = question.categories or question.names or question.unknown_place or search.included_type
        return None if is_more or search.restriction else question.town

    def _pool(self, search: TextSearch, question: Question, area: Box) -> list[int]:
        if question.names:
            return self._named(search, question.names, area)
        typed = self._with_type(search.included_type)
        wanted = question.categories or (typed if search.included_type else frozenset())
        if search.strict and search.included_type:
            wanted &= typed
        return [
            index
            for category in sorted(wanted)
            for index in self._world.inside(area.south, area.west, area.north, area.east, category)
        ]

    def _named(self, search: TextSearch, names: tuple[str, ...], area: Box) -> list[int]:
        typed = self._with_type(search.included_type) if search.strict and search.included_type else None
        return [
            index
            for index in self._world.inside(area.south, area.west, area.north, area.east)
            if self._words(index).issuperset(names)
            and (typed is None or self._world.business(index).category.name in typed)
        ]

    def _words(self, index: int) -> frozenset[str]:
        words = self._names.get(index)
        if words is None:
            words = self._names[index] = frozenset(words_of(self._world.business(index).name))
        return words

    def _with_type(self, name: str) -> frozenset[str]:
        return frozenset(known.name for known in self._world.categories if name in (known.name, *known.other_types))

    def _ranked(self, pool: Sequence[int], search: TextSearch, question: Question, area: Box) -> Iterable[int]:
        """Order by distance when asked to, else by a prominence that has nothing to do with the place on the map."""
        bias = None if question.town else search.bias
        if search.rank == DISTANCE:
            latitude, longitude = (bias or area).centre
            return sorted(pool, key=lambda index: (distance(latitude, longitude, *self._point(index)), index))
        if bias is None:
            return self._by_prominence(pool)
        favoured = self._favoured(bias)
        return chain(
            self._by_prominence([index for index in pool if index in favoured]),
            self._by_prominence([index for index in pool if index not in favoured]),
        )

    def _by_prominence(self, pool: Sequence[int]) -> Iterable[int]:
        if len(pool) < SMALL_POOL:
            return sorted(pool, key=prominence)
        # Most of a large pool is never shown: walking down the list of all costs less than sorting it.
        members = set(pool)
        return (index for index in self._order if index in members)

    def _favoured(self, bias: Box | Circle) -> set[int]:
        box = bias if isinstance(bias, Box) else bias.box()
        inside = self._world.inside(box.south, box.west, box.north, box.east)
        return set(inside) if isinstance(bias, Box) else {one for one in inside if bias.contains(*self._point(one))}

    def _point(self, index: int) -> tuple[float, float]:
        # Making a business takes longer than everything else here, so its place is kept.
        point = self._points.get(index)
        if point is None:
            business = self._world.business(index)
            point = self._points[index] = (business.latitude, business.longitude)
        return point


def prominence(index: int) -> int:
    """Shuffle the businesses once and for all; no two are equal, as the factor is odd."""
    return (index + 1) * 2_654_435_761 % 2**32


def _area(search: TextSearch, question: Question) -> Box | None:
    town = question.town
    if town is None:
        return search.restriction or EVERYWHERE
    box = Box(town.south, town.west, town.north, town.east)
    if question.nearby:
        box = box.widened(NEARBY_SHARE)
    if search.restriction is None:
        return box
    shared = (part.overlap(box) for part in search.restriction.parts())
    return next((part for part in shared if part is not None), None)


def _fits(business: Business, search: TextSearch, at: float) -> bool:
    level = PRICE_LEVELS[business.price_level] if business.price_level else ""
    return (
        (business.rating or 0.0) >= search.min_rating
        and (not search.price_levels or level in search.price_levels)
        and (not search.open_now or is_open(business, at))
    )
