"""Chart: who is inside a box on the map."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right


class Chart:
    """Places in two orders: from south to north for small boxes, by index for boxes that hold most of them."""

    def __init__(self, members: list[int], latitudes: array[float], longitudes: array[float]) -> None:
        self._members = members
        self._latitudes = [latitudes[index] for index in members]
        self._longitudes = [longitudes[index] for index in members]
        self._westmost, self._eastmost = min(self._longitudes, default=0.0), max(self._longitudes, default=0.0)
        rising = sorted((latitudes[index], index) for index in members)
        self._rising = [latitude for latitude, _ in rising]
        self._rising_members = [index for _, index in rising]
        self._rising_longitudes = [longitudes[index] for _, index in rising]

    def inside(self, south: float, west: float, north: float, east: float) -> list[int]:
        """List the indices in a box, edges included, rising; a west beyond the east crosses the date line."""
        start, stop = bisect_left(self._rising, south), bisect_right(self._rising, north)
        if stop - start == len(self._members) and west <= self._westmost and self._eastmost <= east:
            return self._members[:]
        if west > east:
            return sorted(self.inside(south, -180, north, east) + self.inside(south, west, north, 180))
        if (stop - start) * 3 > len(self._members):  # sorting that many would take longer than looking at all
            columns = zip(self._members, self._latitudes, self._longitudes, strict=True)
            return [index for index, up, along in columns if west <= along <= east and south <= up <= north]
        band = zip(self._rising_members[start:stop], self._rising_longitudes[start:stop], strict=True)
        return sorted([index for index, along in band if west <= along <= east])
