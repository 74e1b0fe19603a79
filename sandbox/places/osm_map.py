"""The map that OpenStreetMap's volunteers have drawn of the world, and how queries run over it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from sandbox.business import Category
from sandbox.places.areas import Area, areas_of
from sandbox.places.elements import Element, corner_elements, element_of, fixed_tags, on_the_map
from sandbox.places.geometry import Box, Circle
from sandbox.places.ql_tree import (
    AreaFilter,
    Down,
    Filter,
    IdFilter,
    Out,
    Program,
    Query,
    Recall,
    SetFilter,
    Statement,
    TagFilter,
    Union,
)
from sandbox.world import World

EVERYWHERE = Box(-90.0, -180.0, 90.0, 180.0)
Found = dict[tuple[str, int], Element | Area]


class OsmMap:
    """Holds a share of the world's businesses, always the same ones."""

    def __init__(self, world: World, percent: int) -> None:
        self._world = world
        self._percent = percent
        self.areas = areas_of(world.towns)
        self._keys = frozenset(key for category in world.categories for key in fixed_tags(category))
        self._numbers: dict[int, int] | None = None
        self._element = lru_cache(20_000)(self._draw)

    def _draw(self, index: int) -> Element | None:
        business = self._world.business(index)
        return element_of(business) if on_the_map(business, self._percent) else None

    def inside(self, box: Box, tags: Sequence[TagFilter]) -> Iterable[Element]:
        """List the elements of a box that pass the filters."""
        for category in self._categories(tags):
            for index in self._world.inside(box.south, box.west, box.north, box.east, category.name):
                element = self._element(index)
                if element is not None and all(tag.passes(element.tags) for tag in tags):
                    yield element

    def numbered(self, ids: Iterable[int], tags: Sequence[TagFilter]) -> Iterable[Element]:
        """List the elements with these numbers that pass the filters."""
        if self._numbers is None:
            self._numbers = {business.osm_id: business.index for business in self._world}
        for index in [self._numbers[number] for number in ids if number in self._numbers]:
            element = self._element(index)
            if element is not None and all(tag.passes(element.tags) for tag in tags):
                yield element

    def _categories(self, tags: Sequence[TagFilter]) -> list[Category]:
        """Leave out the trades whose own tags fail already: nobody else's elements need to be drawn."""
        sure = [tag for tag in tags if tag.key in self._keys]
        known = self._world.categories
        return [category for category in known if all(tag.passes(fixed_tags(category)) for tag in sure)]


class Run:
    """One run of a query: its named sets and what it puts out."""

    def __init__(self, osm_map: OsmMap, program: Program) -> None:
        self._map = osm_map
        self._program = program
        self._sets: dict[str, Found] = {}
        self.outs: list[tuple[Out, list[Element | Area]]] = []

    def go(self) -> None:
        """Run every statement in turn."""
        for statement in self._program.statements:
            self._do(statement)

    def _do(self, statement: Statement) -> Found:
        if isinstance(statement, Out):
            self.outs.append((statement, list(self._sets.get(statement.source, {}).values())))
            return {}
        found = self._found(statement)
        self._sets[statement.into] = found
        return found

    def _found(self, statement: Query | Recall | Down | Union) -> Found:
        if isinstance(statement, Union):
            together: Found = {}
            for member in statement.members:
                together |= self._do(member)
            return together
        if isinstance(statement, Recall):
            return dict(self._sets.get(statement.source, {}))
        if isinstance(statement, Down):
            return self._corners(statement.source)
        return self._areas(statement) if "area" in statement.types else self._query(statement)

    def _corners(self, source: str) -> Found:
        ways = (element for element in self._sets.get(source, {}).values() if isinstance(element, Element))
        return _by_id(corner for way in ways for corner in corner_elements(way))

    def _areas(self, query: Query) -> Found:
        tags = [filter_ for filter_ in query.filters if isinstance(filter_, TagFilter)]
        ids = [filter_.ids for filter_ in query.filters if isinstance(filter_, IdFilter)]
        return _by_id(
            area
            for area in self._map.areas
            if all(tag.passes(area.tags) for tag in tags) and all(area.id in wanted for wanted in ids)
        )

    def _query(self, query: Query) -> Found:
        tags = [filter_ for filter_ in query.filters if isinstance(filter_, TagFilter)]
        others = [filter_ for filter_ in query.filters if not isinstance(filter_, TagFilter)]
        return _by_id(
            element
            for element in self._pool(others, tags)
            if element.type in query.types and all(self._passes(element, filter_) for filter_ in others)
        )

    def _pool(self, others: Sequence[Filter], tags: Sequence[TagFilter]) -> Iterable[Element]:
        """Start from the narrowest filter: a set, then numbers, then boxes."""
        for filter_ in others:
            if isinstance(filter_, SetFilter):
                known = self._sets.get(filter_.source, {}).values()
                return [one for one in known if isinstance(one, Element) and all(tag.passes(one.tags) for tag in tags)]
        for filter_ in others:
            if isinstance(filter_, IdFilter):
                return self._map.numbered(sorted(filter_.ids), tags)
        return [element for box in self._boxes(others) for element in self._map.inside(box, tags)]

    def _boxes(self, filters: Sequence[Filter]) -> list[Box]:
        """Give the boxes to look into: those of the first filter that has any."""
        for filter_ in filters:
            if isinstance(filter_, Box):
                return [filter_]
            if isinstance(filter_, Circle):
                return [filter_.box()]
            if isinstance(filter_, AreaFilter):
                return self._area_boxes(filter_)
        return [self._program.box or EVERYWHERE]

    def _area_boxes(self, filter_: AreaFilter) -> list[Box]:
        if isinstance(filter_.source, int):
            return [box for area in self._map.areas if area.id == filter_.source for box in area.boxes]
        known = self._sets.get(filter_.source, {}).values()
        return [box for area in known if isinstance(area, Area) for box in area.boxes]

    def _passes(self, element: Element, filter_: Filter) -> bool:
        if isinstance(filter_, Box | Circle):
            return filter_.contains(element.latitude, element.longitude)
        if isinstance(filter_, AreaFilter):
            return any(box.contains(element.latitude, element.longitude) for box in self._area_boxes(filter_))
        if isinstance(filter_, SetFilter):
            return (element.type, element.id) in self._sets.get(filter_.source, {})
        return not isinstance(filter_, IdFilter) or element.id in filter_.ids


def _by_id(found: Iterable[Element | Area]) -> Found:
    return {(one.type if isinstance(one, Element) else "area", one.id): one for one in found}
