"""Search map: a search's box, its rectangles and its places, as shapes of a drawing that needs no tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, floor, log10, radians
from uuid import UUID

from pipeline import search_coverage
from pipeline.progress import Row

WIDTH, MOST_HEIGHT, LEAST_SIDE = 640.0, 520.0, 40.0
MOST_SPOTS, MOST_LISTED = 2_000, 100
STATES = {
    "covered": "searched to the end",
    "full": "holds more places than the provider lists",
    "open": "not searched to the end",
}
METERS_PER_DEGREE = 111_195.0  # of latitude
# Near the poles a degree of longitude is next to nothing; a picture still has a width.
LEAST_COSINE = 0.02


@dataclass(frozen=True, slots=True)
class Tile:
    """One rectangle as it is drawn, and what it says."""

    x: float
    y: float
    width: float
    height: float
    state: str
    found: int
    row: Row


@dataclass(frozen=True, slots=True)
class Dot:
    """One place as it is drawn."""

    x: float
    y: float
    name: str | None


@dataclass(frozen=True, slots=True)
class Bar:
    """The scale: a length in the picture and what it is on the ground."""

    length: float
    says: str


@dataclass(frozen=True, slots=True)
class SearchMap:
    """The whole drawing."""

    width: float
    height: float
    tiles: list[Tile]
    dots: list[Dot]
    radius: float | None
    bar: Bar
    outside: int
    km: tuple[float, float]

    def count(self, state: str) -> int:
        """Count the rectangles in a state."""
        return sum(tile.state == state for tile in self.tiles)


class Frame:
    """Turns degrees into places of the picture, with both directions at the same scale in its middle."""

    def __init__(self, box: Row) -> None:
        self.south, self.west, self.north, east = (float(box[edge]) for edge in ("south", "west", "north", "east"))
        self.degrees = (east - self.west) % 360 or 360.0
        self.cosine = max(LEAST_COSINE, cos(radians((self.south + self.north) / 2)))
        across, up = self.degrees * self.cosine, self.north - self.south
        self.scale = min(WIDTH / across, MOST_HEIGHT / up)
        self.width, self.height = (max(LEAST_SIDE, side * self.scale) for side in (across, up))

    def x(self, longitude: float) -> float:
        """Give how far to the right a longitude lies; what is a little west of the box lies left of it."""
        east = (longitude - self.west) % 360
        if east > self.degrees + (360 - self.degrees) / 2:
            east -= 360
        return round(east * self.cosine * self.scale, 1)

    def y(self, latitude: float) -> float:
        """Give how far down a latitude lies."""
        return round((self.north - latitude) * self.scale, 1)

    def pixels(self, meters: float) -> float:
        """Give how long a way on the ground is in the picture."""
        return round(meters / METERS_PER_DEGREE * self.scale, 1)

    def holds(self, x: float, y: float) -> bool:
        """Tell whether a point lies in the picture."""
        return 0 <= x <= self.width and 0 <= y <= self.height


def of_search(tenant_id: UUID, row: Row) -> SearchMap | None:
    """Draw a search; None while its area is not known."""
    if row["south"] is None:
        return None
    found = search_coverage.rectangles(row["id"], tenant_id=tenant_id)
    spots = search_coverage.spots(row["id"], MOST_SPOTS, tenant_id=tenant_id)
    return draw(row, found, spots)


def draw(row: Row, rectangles: Sequence[Row], spots: Sequence[Row]) -> SearchMap:
    """Draw rectangles and places inside the box of a search."""
    frame = Frame(row)
    dots = [Dot(frame.x(spot["longitude"]), frame.y(spot["latitude"]), spot["name"]) for spot in spots]
    inside = [dot for dot in dots if frame.holds(dot.x, dot.y)]
    meters = METERS_PER_DEGREE / 1000 / frame.scale
    return SearchMap(
        width=round(frame.width, 1),
        height=round(frame.height, 1),
        tiles=[_tile(frame, each) for each in rectangles],
        dots=inside,
        radius=frame.pixels(row["radius_meters"]) if row["radius_meters"] else None,
        bar=_bar(frame),
        outside=len(dots) - len(inside),
        km=(frame.width * meters, frame.height * meters),
    )


def _tile(frame: Frame, row: Row) -> Tile:
    x, y = frame.x(row["west"]), frame.y(row["north"])
    across = (row["east"] - row["west"]) % 360 or 360.0
    width, height = across * frame.cosine * frame.scale, (row["north"] - row["south"]) * frame.scale
    return Tile(x, y, round(width, 1), round(height, 1), row["state"], row["found"], row)


def _bar(frame: Frame) -> Bar:
    """Choose the longest round length that is at most a quarter of the picture."""
    most = frame.width / 4 / frame.scale * METERS_PER_DEGREE
    step = 10 ** floor(log10(most))
    meters = next(many * step for many in (5, 2, 1) if many * step <= most)
    says = f"{meters / 1000:,g} km" if meters >= 1000 else f"{meters:g} m"
    return Bar(frame.pixels(meters), says)
