"""Lead map: a position as a small drawing without any map service, and in words."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, radians

from leads.lead_position import Box, Position

WIDTH = 320.0
SMALLEST_HEIGHT, LARGEST_HEIGHT = 120.0, 360.0
MARGIN = 8.0
AROUND = 0.01  # degrees
KM_A_DEGREE = 111.2
NEAR_KM = 0.5


@dataclass(frozen=True, slots=True)
class Drawing:
    """The numbers of a drawing, and the words for whoever cannot see it."""

    width: float
    height: float
    spot: tuple[float, float]
    others: tuple[tuple[float, float], ...]
    coordinates: str
    words: str
    search_id: int | None
    search: str | None


def draw(position: Position) -> Drawing:
    """Put a position and its neighbours into a frame."""
    frame = _Frame(_box(position))
    spot = frame.place(position.latitude, position.longitude)
    others = [frame.place(*other) for other in position.others if frame.holds(*other)]
    return Drawing(
        WIDTH,
        frame.height,
        spot,
        tuple(dict.fromkeys(others)),
        coordinates(position.latitude, position.longitude),
        _words(position),
        position.search_id,
        position.search,
    )


def coordinates(latitude: float, longitude: float) -> str:
    """Write where something is."""
    north, east = "N" if latitude >= 0 else "S", "E" if longitude >= 0 else "W"
    return f"{abs(latitude):.5f}° {north}, {abs(longitude):.5f}° {east}"


class _Frame:
    """Turns degrees into places of the drawing; a box across the line of dates goes on past 180 degrees."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.wide = (box.east - box.west) % 360 or 360.0
        self.high = box.north - box.south
        shape = self.high / (self.wide * max(0.05, cos(radians((box.north + box.south) / 2))))
        self.height = round(min(max(WIDTH * shape, SMALLEST_HEIGHT), LARGEST_HEIGHT), 1)

    def place(self, latitude: float, longitude: float) -> tuple[float, float]:
        right = ((longitude - self.box.west) % 360) / self.wide
        down = (self.box.north - latitude) / self.high
        return (
            round(MARGIN + right * (WIDTH - 2 * MARGIN), 1),
            round(MARGIN + down * (self.height - 2 * MARGIN), 1),
        )

    def holds(self, latitude: float, longitude: float) -> bool:
        return self.box.south <= latitude <= self.box.north and (longitude - self.box.west) % 360 <= self.wide


def _box(position: Position) -> Box:
    """Give the box of the search when the spot lies in it, else one around all that is known."""
    if position.box and _Frame(position.box).holds(position.latitude, position.longitude):
        return position.box
    spots = [(position.latitude, position.longitude), *position.others]
    norths, easts = [spot[0] for spot in spots], [spot[1] for spot in spots]
    return Box(min(norths) - AROUND, min(easts) - AROUND, max(norths) + AROUND, max(easts) + AROUND)


def _words(position: Position) -> str:
    """Say how far and in which direction from the middle of the search's area it lies."""
    if position.box is None:
        return ""
    box = position.box
    north = position.latitude - (box.north + box.south) / 2
    middle = box.west + ((box.east - box.west) % 360) / 2
    east = ((position.longitude - middle + 180) % 360 - 180) * cos(radians(position.latitude))
    far = hypot(north, east) * KM_A_DEGREE
    if far < NEAR_KM:
        return "in the middle of the searched area"
    return f"{far:,.1f} km {_direction(north, east)} of the middle of the searched area"


def _direction(north: float, east: float) -> str:
    """Name one of eight directions; a slope of 0.414 is that of 22.5 degrees."""
    upright = "" if abs(north) < 0.414 * abs(east) else "north" if north > 0 else "south"
    across = "" if abs(east) < 0.414 * abs(north) else "east" if east > 0 else "west"
    return "-".join(filter(None, (upright, across)))
