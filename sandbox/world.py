"""World: towns, businesses and their hosts as a function of a size and a seed."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache

from sandbox.business import Business, Category, Town
from sandbox.categories import CATEGORIES, category_named
from sandbox.geography import TOWNS, town_named
from sandbox.hosts import companion_host, own_host
from sandbox.kinds import BY_NAME, chain_of, kind_of
from sandbox.making import Draft, finished, index_of_osm_id, place_id_of, sketched

_KEPT = 4096  # finished businesses; more would only help a benchmark


class World:
    """All businesses, each made when asked for. Kept are only hosts, ids and places on the map."""

    def __init__(self, size: int, seed: int = 1, *, town: str | None = None, category: str | None = None) -> None:
        if size < 0:
            raise ValueError(f"a world has 0 businesses or more, not {size}")
        self.size, self.seed = size, seed
        self.towns: tuple[Town, ...] = (town_named(town),) if town else TOWNS
        self.categories: tuple[Category, ...] = (category_named(category),) if category else CATEGORIES
        self._hosts: list[str | None] = []
        self._by_host: dict[str, int] = {}
        self._by_place_id = {place_id_of(seed, index): index for index in range(size)}
        self._latitudes, self._longitudes = array("d"), array("d")
        by_category: dict[str | None, list[int]] = {None: list(range(size))}
        for index in range(size):
            draft = self._draft(index)
            self._latitudes.append(draft.latitude)
            self._longitudes.append(draft.longitude)
            by_category.setdefault(draft.category.name, []).append(index)
            self._hosts.append(self._settle(draft))
        self._map = {name: self._from_south_to_north(members) for name, members in by_category.items()}
        self.business = lru_cache(_KEPT)(self._business)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Business]:
        return map(self._business, range(self.size))

    def business_at(self, host: str) -> Business | None:
        """Find the business that a host belongs to, with or without `www.`; the first one of a chain."""
        index = self._by_host.get(host.lower().removeprefix("www."))
        return None if index is None else self.business(index)

    def by_place_id(self, place_id: str) -> Business | None:
        """Find the business with this id of the provider."""
        index = self._by_place_id.get(place_id)
        return None if index is None else self.business(index)

    def by_osm_id(self, osm_id: int) -> Business | None:
        """Find the business with this number of OpenStreetMap's."""
        index = index_of_osm_id(self.seed, osm_id)
        return self.business(index) if index is not None and 0 <= index < self.size else None

    def location(self, index: int) -> tuple[float, float]:
        """Give latitude and longitude without making the business."""
        return self._latitudes[index], self._longitudes[index]

    def with_kind(self, kind: str) -> Business:
        """Give the first business with this kind of site."""
        if kind not in BY_NAME:
            raise KeyError(f"there is no kind {kind!r}")
        for index in range(self.size):
            if kind_of(index) == kind:
                return self.business(index)
        raise KeyError(f"a world of {self.size} businesses is too small to hold {kind!r}; 300 hold every kind")

    def branches(self, business: Business) -> tuple[Business, ...]:
        """List the businesses that share this one's domain, itself included, the first one first."""
        if business.site_kind != "shared-domain":
            return (business,)
        return tuple(self.business(index) for index in chain_of(business.index) if index < self.size)

    def inside(self, south: float, west: float, north: float, east: float, category: str | None = None) -> list[int]:
        """List who is in a box, edges included, by rising index; a west beyond the east crosses the date line."""
        latitudes, longitudes, members = self._map.get(category, ([], [], []))
        band = slice(bisect_left(latitudes, south), bisect_right(latitudes, north))
        places = zip(members[band], longitudes[band], strict=True)
        if west <= east:
            found = [index for index, longitude in places if west <= longitude <= east]
        else:
            found = [index for index, longitude in places if longitude >= west or longitude <= east]
        found.sort()
        return found

    def _from_south_to_north(self, members: list[int]) -> tuple[list[float], list[float], list[int]]:
        ordered = sorted(members, key=lambda index: self._latitudes[index])
        return [self._latitudes[i] for i in ordered], [self._longitudes[i] for i in ordered], ordered

    def _draft(self, index: int) -> Draft:
        leader = chain_of(index)[0] if kind_of(index) == "shared-domain" else index
        return sketched(self.seed, index, leader, self.towns, self.categories)

    def _settle(self, draft: Draft) -> str | None:
        """Give the business a host nobody has yet: a bigger world asks in the same order, so it gives the same."""
        host = own_host(draft, self._by_host)
        if host:
            self._by_host.setdefault(host, draft.leader)
        if other := companion_host(draft.kind, draft.index):
            self._by_host[other] = draft.index
        return host

    def _business(self, index: int) -> Business:
        if not 0 <= index < self.size:
            raise IndexError(f"the world has businesses 0 to {self.size - 1}, not {index}")
        return finished(self.seed, self._draft(index), self._hosts[index])
