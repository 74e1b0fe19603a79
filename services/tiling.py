"""Tiling: cover a box with a provider that shows a few dozen places of a rectangle, in as few calls as can be.

One call at a time: what to do next follows from the rectangle and what its pages brought, so the rectangles of a
search may be asked for in any order, by anybody. A wrong guess costs calls, never places: only a rectangle that was
read to its end counts as covered.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, cos, radians

from services.place import Area, FoundPlace, distance_m

# In how many parts a full rectangle is cut, by depth. How many places it holds is unknown, and each part that is full
# again has cost three calls for nothing: these did best from 60 to 3,000 places in benchmarks/tiling.
PARTS = (5, 5, 4)
MOST_DEPTH = 12
# Providers now and then leave out a result or two of the most they could show.
FULL_SHARE = 0.95
LEAST_SIDE_M = 25.0
METERS_PER_DEGREE = 111_195.0
# Up to here the point of a rectangle that is nearest in degrees is also nearest on the ground, but for the margin.
WIDEST_CIRCLE_M = 300_000.0
MARGIN = 1.05
LEAST_DEGREES = 1e-9  # a tenth of a millimetre: nothing is narrower

Spot = tuple[float, float]
"""Latitude and longitude."""


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle on the ground."""

    latitude: float
    longitude: float
    radius_m: float

    def contains(self, latitude: float, longitude: float) -> bool:
        """Tell whether a point lies inside."""
        return distance_m(self.latitude, self.longitude, latitude, longitude) <= self.radius_m

    def touches(self, area: Area) -> bool:
        """Tell whether any of an area may lie inside; in doubt it does."""
        if self.radius_m > WIDEST_CIRCLE_M:
            return True
        latitude = min(max(self.latitude, area.south), area.north)
        is_beside = area.contains(latitude, self.longitude)
        nearest = (self.longitude,) if is_beside else (area.west, area.east)
        metres = min(distance_m(self.latitude, self.longitude, latitude, longitude) for longitude in nearest)
        return metres <= self.radius_m * MARGIN


@dataclass(frozen=True, slots=True)
class NextPage:
    """The rectangle has more to show: ask for its next page."""


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing more is asked about the rectangle; `is_covered` tells whether it was read to its end."""

    is_covered: bool


@dataclass(frozen=True, slots=True)
class Split:
    """The rectangle holds more than the provider shows: ask for each of these parts, which together make it up."""

    areas: tuple[Area, ...]


def next_step(
    area: Area,
    *,
    depth: int,
    page_number: int,
    found: int,
    has_next: bool,
    spots: Sequence[Spot] = (),
    page_size: int = 20,
    most_results: int = 60,
    max_depth: int = MOST_DEPTH,
    circle: Circle | None = None,
) -> Finished | NextPage | Split:
    """Say what follows a page of a rectangle.

    `page_number` counts from 1, `found` is what this page and those before it brought. `spots` is where these places
    lie, as far as that is known: the more of them, the better the cut. 0 as `most_results` is a provider without limit.
    Parts that lie outside the circle are left out.
    """
    if not most_results:
        return NextPage() if has_next else Finished(is_covered=True)
    if has_next and found < most_results and page_number < ceil(most_results / page_size):
        return NextPage()
    if not has_next and found < most_results * FULL_SHARE:
        return Finished(is_covered=True)
    if depth >= max_depth or _is_tiny(area):
        return Finished(is_covered=False)
    areas = cut(area, spots, PARTS[min(depth, len(PARTS) - 1)])
    return Split(tuple(part for part in areas if circle is None or circle.touches(part)))


def cut(area: Area, spots: Sequence[Spot], parts: int) -> tuple[Area, ...]:
    """Cut an area into parts that hold about as many of the spots each; no edge runs through a spot if avoidable."""
    plane = [
        (latitude, _east_of(area, longitude)) for latitude, longitude in spots if area.contains(latitude, longitude)
    ]
    tight = _around_one_spot(area, plane)
    return tuple(tight or _cut(area, plane, parts))


def clip(found: Iterable[FoundPlace], whole: Area, circle: Circle | None = None) -> list[FoundPlace]:
    """Keep each place once and only what lies in the area searched for; one without a known spot is kept."""
    kept: dict[str, FoundPlace] = {}
    for place in found:
        if place.provider_place_id not in kept and _is_wanted(place, whole, circle):
            kept[place.provider_place_id] = place
    return list(kept.values())


def coverage(searched: Iterable[Area], missing: Iterable[Area]) -> float:
    """Give the share of the ground that was searched to its end, from 0 to 1."""
    done = sum(area.square_meters for area in searched)
    lacking = sum(area.square_meters for area in missing)
    return done / (done + lacking) if done else 0.0


def _is_wanted(place: FoundPlace, whole: Area, circle: Circle | None) -> bool:
    if place.latitude is None or place.longitude is None:
        return True
    spot = (place.latitude, place.longitude)
    return whole.contains(*spot) and (circle is None or circle.contains(*spot))


def _cut(area: Area, plane: list[Spot], parts: int) -> list[Area]:
    """Halve the area again and again; spots are (latitude, degrees east of the area's west)."""
    if parts == 1:
        return [area]
    fewer = parts // 2
    axis, at = _line(area, plane, fewer / parts)
    low, high = _halves(area, axis, at)
    below = [spot for spot in plane if spot[axis] < at]
    above = [spot if axis == 0 else (spot[0], spot[1] - at) for spot in plane if spot[axis] >= at]
    return _cut(low, below, fewer) + _cut(high, above, parts - fewer)


def _line(area: Area, plane: list[Spot], share: float) -> tuple[int, float]:
    """Choose where to cut: across the longer side, half-way between the two spots that part the shares best."""
    height, width = _sides_m(area)
    longer = 0 if height >= width else 1
    for axis in (longer, 1 - longer):
        along = sorted(spot[axis] for spot in plane)
        gaps = [(low + high) / 2 for low, high in pairwise(along) if low < high]
        start, end = (area.south, area.north) if axis == 0 else (0.0, area.width)
        inner = [gap for gap in gaps if start + LEAST_DEGREES < gap < end - LEAST_DEGREES]
        if inner:
            wanted = len(along) * share
            return axis, min(inner, key=lambda gap: abs(bisect_left(along, gap) - wanted))
    start, end = (area.south, area.north) if longer == 0 else (0.0, area.width)
    return longer, start + (end - start) * share


def _halves(area: Area, axis: int, at: float) -> tuple[Area, Area]:
    if axis == 0:
        return Area(area.south, area.west, at, area.east), Area(at, area.west, area.north, area.east)
    middle = _longitude(area, at)
    return Area(area.south, area.west, area.north, middle), Area(area.south, middle, area.north, area.east)


def _around_one_spot(area: Area, plane: list[Spot]) -> list[Area]:
    """Frame a crowd at one spot, such as a medical centre, at once: halving would take a dozen full rectangles."""
    ups, alongs = [spot[0] for spot in plane], [spot[1] for spot in plane]
    reach = LEAST_SIDE_M / METERS_PER_DEGREE / 2
    across = reach / max(cos(radians(area.centre[0])), 0.01)
    if not plane or max(ups) - min(ups) > reach or max(alongs) - min(alongs) > across:
        return []
    south, north = max(min(ups) - reach, area.south), min(max(ups) + reach, area.north)
    left, right = max(min(alongs) - across, 0.0), min(max(alongs) + across, area.width)
    boxes = (
        (area.south, south, 0.0, area.width),
        (north, area.north, 0.0, area.width),
        (south, north, 0.0, left),
        (south, north, left, right),
        (south, north, right, area.width),
    )
    parts = [
        Area(low, _longitude(area, start), high, _longitude(area, end))
        for low, high, start, end in boxes
        if high - low > LEAST_DEGREES and end - start > LEAST_DEGREES
    ]
    return parts if len(parts) > 1 else []


def _is_tiny(area: Area) -> bool:
    return max(_sides_m(area)) <= LEAST_SIDE_M * 2


def _sides_m(area: Area) -> tuple[float, float]:
    latitude = (area.south + area.north) / 2
    return (area.north - area.south) * METERS_PER_DEGREE, area.width * METERS_PER_DEGREE * cos(radians(latitude))


def _east_of(area: Area, longitude: float) -> float:
    """Count the degrees from an area's west edge, so that the 180th meridian is nothing special."""
    return (longitude - area.west) % 360


def _longitude(area: Area, east: float) -> float:
    if east >= area.width:
        return area.east
    longitude = area.west + east
    return longitude - 360 if longitude > 180 else longitude
