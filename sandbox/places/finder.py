"""Finds and ranks the businesses that answer a text search."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from itertools import islice

from sandbox.business import Business
from sandbox.places.body import DISTANCE, TextSearch
from sandbox.places.geometry import Box, Circle, distance
from sandbox.places.hours import is_open
from sandbox.places.place import PRICE_LEVELS
from sandbox.places.question import Question, Reader
from sandbox.places.words import words_of
from sandbox.world import World

MOST_RESULTS = 60
# `near` a town reaches beyond its edge by this share of its width.
NEARBY_SHARE = 0.25
EVERYWHERE = Box(-90.0, -180.0, 90.0, 180.0)


class Finder:
    """Answers searches from the world; everything is a function of the world and the search."""

    def __init__(self, world: World, reader: Reader) -> None:
        self._world = world
        self._reader = reader
        self._points: dict[int, tuple[float, float]] = {}
        self._names: dict[str, set[int]] | None = None

    def find(self, search: TextSearch, at: float) -> list[int]:
        """List the businesses that match, best first, sixty at most."""
        question = self._reader.read(search.text, search.region)
        area = _area(search, question)
        if area is None or question.unknown_place:
            return []
        pool = self._pool(search, question, area)
        rank = self._rank(search, question, area)
        if not (search.open_now or search.min_rating or search.price_levels):
            return heapq.nsmallest(MOST_RESULTS, pool, key=rank)
        fitting = (index for index in sorted(pool, key=rank) if _fits(self._world.business(index), search, at))
        return list(islice(fitting, MOST_RESULTS))

    def _pool(self, search: TextSearch, question: Question, area: Box) -> Iterable[int]:
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
        found = set.intersection(*(self._name_index().get(name, set()) for name in names))
        return [
            index
            for index in sorted(found)
            if area.contains(*self._point(index))
            and (typed is None or self._world.business(index).category.name in typed)
        ]

    def _name_index(self) -> dict[str, set[int]]:
        if self._names is None:
            self._names = {}
            for business in self._world:
                for word in words_of(business.name):
                    self._names.setdefault(word, set()).add(business.index)
        return self._names

    def _with_type(self, name: str) -> frozenset[str]:
        return frozenset(known.name for known in self._world.categories if name in (known.name, *known.other_types))

    def _rank(self, search: TextSearch, question: Question, area: Box) -> Callable[[int], float | tuple[object, ...]]:
        """Order by distance when asked to, else by a prominence that has nothing to do with the place on the map."""
        bias = None if question.town else search.bias
        if search.rank == DISTANCE:
            latitude, longitude = (bias or area).centre
            return lambda index: (distance(latitude, longitude, *self._point(index)), index)
        if isinstance(bias, Box | Circle):
            favoured = self._favoured(bias)
            return lambda index: (index not in favoured, prominence(index))
        return prominence

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
