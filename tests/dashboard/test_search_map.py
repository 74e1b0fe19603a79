"""The map of a search: both directions at one scale, across the 180th meridian, and a scale that is true."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.search_map import Frame, draw
from services.place import distance_m


def box(south: float, west: float, north: float, east: float, **more: Any) -> dict[str, Any]:
    return {"south": south, "west": west, "north": north, "east": east, "radius_meters": None} | more


@pytest.mark.parametrize("edges", [(30.0, -98.0, 30.5, -97.5), (59.0, 10.0, 60.0, 11.0), (-1.0, 179.5, 1.0, -179.5)])
def test_a_way_is_as_long_in_the_picture_whatever_its_direction(edges: tuple[float, float, float, float]) -> None:
    south, west, north, east = edges
    frame = Frame(box(*edges))
    middle = (south + north) / 2
    across = distance_m(middle, west, middle, east) / (frame.x(east) - frame.x(west))
    down = distance_m(south, west, north, west) / (frame.y(south) - frame.y(north))
    assert across == pytest.approx(down, rel=0.01)
    assert frame.pixels(distance_m(south, west, north, west)) == pytest.approx(frame.height, rel=0.01)


@pytest.mark.parametrize(
    "edges", [(30.0, -98.0, 30.5, -97.5), (-90.0, -180.0, 90.0, 180.0), (30.0, 10.0, 30.00001, 10.00001),
              (10.0, 170.0, 12.0, -170.0), (89.0, 0.0, 90.0, 1.0), (0.0, 0.0, 0.001, 180.0)],
)  # fmt: skip
def test_every_box_fits_into_the_picture_with_a_scale(edges: tuple[float, float, float, float]) -> None:
    drawn = draw(box(*edges), [box(*edges, state="covered", found=3)], [])
    assert 0 < drawn.width <= 640.1
    assert 0 < drawn.height <= 520.1
    assert 0 < drawn.bar.length <= drawn.width / 4 + 0.1
    (tile,) = drawn.tiles
    assert (tile.x, tile.y) == (0, 0)
    assert tile.width <= drawn.width + 0.1


def test_places_lie_where_they_are_and_those_outside_are_counted() -> None:
    spots = [{"name": "a", "latitude": 0.0, "longitude": longitude} for longitude in (179.6, -179.6, 179.4, -170.0)]
    drawn = draw(box(-0.5, 179.5, 0.5, -179.5), [], spots)
    assert [dot.name for dot in drawn.dots] == ["a", "a"]
    assert drawn.dots[0].x < drawn.width / 2 < drawn.dots[1].x
    assert {dot.y for dot in drawn.dots} == {drawn.height / 2}
    assert drawn.outside == 2


def test_a_radius_is_a_circle_that_touches_the_edges() -> None:
    from services.place import Area

    area = Area.around(30.27, -97.74, 5000)
    drawn = draw(box(area.south, area.west, area.north, area.east, radius_meters=5000), [], [])
    assert drawn.radius == pytest.approx(drawn.width / 2, rel=0.01)
    assert drawn.radius == pytest.approx(drawn.height / 2, rel=0.01)
