"""Boxes, circles and distances on the map."""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, cos, radians, sin, sqrt

EARTH_METRES = 6_371_009.0
METRES_PER_DEGREE = 111_195.0


@dataclass(frozen=True, slots=True)
class Box:
    """A closed box; it crosses the 180th meridian when `west` is greater than `east`."""

    south: float
    west: float
    north: float
    east: float

    def contains(self, latitude: float, longitude: float) -> bool:
        """Tell whether a point lies inside or on the edge."""
        if not self.south <= latitude <= self.north:
            return False
        if self.west <= self.east:
            return self.west <= longitude <= self.east
        return longitude >= self.west or longitude <= self.east

    def parts(self) -> tuple[Box, ...]:
        """Cut at the 180th meridian, so that west never exceeds east."""
        if self.west <= self.east:
            return (self,)
        return Box(self.south, self.west, self.north, 180.0), Box(self.south, -180.0, self.north, self.east)

    def overlap(self, other: Box) -> Box | None:
        """Give what two boxes share; neither may cross the 180th meridian."""
        south, north = max(self.south, other.south), min(self.north, other.north)
        west, east = max(self.west, other.west), min(self.east, other.east)
        return Box(south, west, north, east) if south <= north and west <= east else None

    def widened(self, share: float) -> Box:
        """Grow on every side by a share of the width and height."""
        tall, wide = (self.north - self.south) * share, (self.east - self.west) * share
        return Box(self.south - tall, self.west - wide, self.north + tall, self.east + wide)

    @property
    def centre(self) -> tuple[float, float]:
        """Latitude and longitude of the middle."""
        east = self.east if self.west <= self.east else self.east + 360.0
        middle = (self.west + east) / 2
        return (self.south + self.north) / 2, middle - 360.0 if middle > 180.0 else middle


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle on the ground."""

    latitude: float
    longitude: float
    radius: float  # metres

    def contains(self, latitude: float, longitude: float) -> bool:
        """Tell whether a point lies inside."""
        return distance(self.latitude, self.longitude, latitude, longitude) <= self.radius

    @property
    def centre(self) -> tuple[float, float]:
        """Latitude and longitude of the middle."""
        return self.latitude, self.longitude

    def box(self) -> Box:
        """Give a box that holds the whole circle."""
        tall = self.radius / METRES_PER_DEGREE * 1.01
        south, north = max(self.latitude - tall, -90.0), min(self.latitude + tall, 90.0)
        narrowest = cos(radians(max(abs(south), abs(north))))
        wide = tall / narrowest if narrowest > 0.001 else 360.0
        if wide >= 180.0:
            return Box(south, -180.0, north, 180.0)
        return Box(south, _around(self.longitude - wide), north, _around(self.longitude + wide))


def _around(longitude: float) -> float:
    if longitude < -180.0:
        return longitude + 360.0
    return longitude - 360.0 if longitude > 180.0 else longitude


def distance(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Measure the metres between two points."""
    rise = sin(radians(other_latitude - latitude) / 2)
    run = sin(radians(other_longitude - longitude) / 2)
    share = rise * rise + cos(radians(latitude)) * cos(radians(other_latitude)) * run * run
    return 2 * EARTH_METRES * asin(min(1.0, sqrt(share)))
