"""World: towns, businesses and their hosts as a function of a size and a seed."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import lru_cache

from sandbox.business import Business, Category, Town
from sandbox.categories import CATEGORIES, category_named
from sandbox.chart import Chart
from sandbox.geography import TOWNS, town_named
from sandbox.hosts import companion_host, own_host
from sandbox.kinds import BY_NAME, chain_of, kind_of
from sandbox.making import Draft, finished, place_id_of, sketched

_KEPT = 1024  # finished businesses


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
        self._charts = {
            name: Chart(members, self._latitudes, self._longitudes) for name, members in by_category.items()
        }
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
        chart = self._charts.get(category)
        return chart.inside(south, west, north, east) if chart else []

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
