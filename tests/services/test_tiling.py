"""Tiling covers a box with few calls, and says so when it could not."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.tiling import Town, Walk, ours, quarters, search
from services.place import Area, FoundPlace
from services.tiling import Circle, Finished, NextPage, Split, Spot, clip, coverage, cut, next_step

AUSTIN = Area(30.0987, -97.9384, 30.5169, -97.5614)
FIJI = Area(-20.0, 176.0, -15.0, -178.0)
MOST_CALLS = 88  # for 900 places; 900 / 20 = 45 would need to know where they are


class Crowd(Town):
    """A provider whose places are given."""

    def __init__(self, spots: list[Spot]) -> None:
        self.spots = spots

    def page(self, area: Area, number: int) -> tuple[list[int], bool]:
        shown = [index for index, spot in enumerate(self.spots) if area.contains(*spot)][:60]
        return shown[number * 20 - 20 : number * 20], number * 20 < len(shown)


def step(found: int, *, has_next: bool = False, page: int = 3, depth: int = 0) -> Finished | NextPage | Split:
    return next_step(AUSTIN, depth=depth, page_number=page, found=found, has_next=has_next)


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_town_with_900_dentists_is_covered_with_few_calls(seed: int) -> None:
    town = Town(900, seed)
    walk, simple = search(town, ours), search(town, quarters)
    print(f"tiling: seed={seed} calls={walk.calls} found={len(walk.found) / 9:.2f}% simple={simple.calls}")  # noqa: T201 `pytest -s` shows it
    assert len(walk.found) >= 891
    assert walk.coverage == 1.0
    assert walk.calls <= MOST_CALLS < simple.calls


@pytest.mark.parametrize(("size", "most_calls"), [(0, 1), (20, 1), (56, 3), (60, 8), (200, 21), (3000, 320)])
def test_calls_grow_with_the_town(size: int, most_calls: int) -> None:
    walk = search(Town(size, 1), ours)
    assert len(walk.found) == size
    assert walk.calls <= most_calls


def test_a_rectangle_is_read_page_by_page_and_cut_when_it_is_full() -> None:
    assert step(20, has_next=True, page=1) == NextPage()
    assert step(40, has_next=True, page=2) == NextPage()
    assert step(0, page=1) == Finished(is_covered=True)
    assert step(45) == Finished(is_covered=True)
    assert isinstance(step(60), Split)
    assert isinstance(step(58), Split)  # a result or two are left out now and then
    assert isinstance(step(60, has_next=True), Split)


def test_pages_without_end_have_an_end() -> None:
    assert isinstance(step(0, has_next=True, page=3), Split)


def test_a_full_rectangle_that_cannot_be_cut_is_not_covered() -> None:
    assert step(60, depth=12) == Finished(is_covered=False)
    tiny = Area(30.0, -97.0, 30.0001, -96.9999)
    assert next_step(tiny, depth=1, page_number=3, found=60, has_next=False) == Finished(is_covered=False)


def test_a_provider_without_a_limit_is_never_cut() -> None:
    assert next_step(AUSTIN, depth=0, page_number=1, found=5000, has_next=False, most_results=0) == Finished(True)
    assert next_step(AUSTIN, depth=0, page_number=9, found=5000, has_next=True, most_results=0) == NextPage()


def test_a_crowd_at_one_spot_is_framed_at_once_and_named_as_uncovered() -> None:
    around = [(30.11 + n * 0.004, -97.93 + n * 0.003) for n in range(100)]
    walk = search(Crowd([(30.3, -97.7)] * 90 + around), ours, AUSTIN)
    assert walk.found >= set(range(90, 190))
    assert len(walk.uncovered) == 1
    assert walk.uncovered[0].contains(30.3, -97.7)
    assert 0.999 < walk.coverage < 1.0
    assert walk.calls <= 40


def test_a_place_on_an_edge_is_not_lost() -> None:
    on_edges = [(AUSTIN.south, AUSTIN.west), (AUSTIN.north, AUSTIN.east), AUSTIN.centre]
    grid = [(30.1 + i * 0.04, -97.93 + j * 0.03) for i in range(10) for j in range(10)]
    assert len(search(Crowd(on_edges + grid), ours, AUSTIN).found) == 103


def test_a_box_across_the_date_line_is_cut_like_any_other() -> None:
    spots = [(-19.9 + n * 0.04, (176.1 + n * 0.045 + 180) % 360 - 180) for n in range(120)]
    walk = search(Crowd(spots), ours, FIJI)
    assert len(walk.found) == 120
    assert walk.coverage == 1.0


@given(
    st.lists(st.tuples(st.floats(30.0, 30.6), st.floats(-98.0, -97.5)), max_size=60),
    st.integers(2, 9),
    st.sampled_from([AUSTIN, Area(30.2, -97.8, 30.2004, -97.7996)]),
)
def test_parts_make_up_the_whole_and_overlap_nowhere(spots: list[Spot], parts: int, area: Area) -> None:
    pieces = cut(area, spots, parts)
    assert math.isclose(sum(piece.square_meters for piece in pieces), area.square_meters, rel_tol=1e-6)
    assert all(piece.south >= area.south and piece.north <= area.north for piece in pieces)
    assert all(any(piece.contains(*spot) for piece in pieces) for spot in spots if area.contains(*spot))


@given(st.lists(st.tuples(st.floats(-20, -15), st.floats(-180, 180)), max_size=60))
def test_parts_make_up_a_whole_across_the_date_line(spots: list[Spot]) -> None:
    pieces = cut(FIJI, spots, 5)
    assert math.isclose(sum(piece.square_meters for piece in pieces), FIJI.square_meters, rel_tol=1e-6)
    assert all(any(piece.contains(*spot) for piece in pieces) for spot in spots if FIJI.contains(*spot))


@given(st.lists(st.tuples(st.floats(30.1, 30.5), st.floats(-97.9, -97.6)), max_size=300))
def test_whatever_is_where_it_is_found_or_its_rectangle_is_named(spots: list[Spot]) -> None:
    walk: Walk = search(Crowd(spots), ours, AUSTIN)
    lost = set(range(len(spots))) - walk.found
    assert all(any(area.contains(*spots[index]) for area in walk.uncovered) for index in lost)


def test_parts_outside_the_circle_are_left_out() -> None:
    circle = Circle(30.3, -97.75, 5_000)
    spots = [(30.1 + n * 0.007, -97.93 + n * 0.006) for n in range(60)]
    split = next_step(AUSTIN, depth=0, page_number=3, found=60, has_next=False, spots=spots, circle=circle)
    assert isinstance(split, Split)
    assert 0 < len(split.areas) < 5
    assert any(area.contains(30.3, -97.75) for area in split.areas)


@given(st.floats(-60, 60), st.floats(-180, 180), st.floats(0.01, 1), st.floats(0, 360), st.floats(0, 0.999))
def test_an_area_with_a_point_of_the_circle_touches_it(
    latitude: float, longitude: float, side: float, bearing: float, share: float
) -> None:
    circle = Circle(latitude, longitude, 20_000)
    up = 20_000 * share / 111_195 * math.cos(math.radians(bearing))
    along = 20_000 * share / 111_195 * math.sin(math.radians(bearing))
    point = (latitude + up, longitude + along / math.cos(math.radians(latitude)))
    wrapped = (point[1] + 180) % 360 - 180
    area = Area.around(point[0] + side / 2, wrapped, side * 60_000)
    if area.contains(point[0], wrapped) and circle.contains(point[0], wrapped):
        assert circle.touches(area)


def test_clip_keeps_each_place_once_and_only_inside() -> None:
    def place(name: str, latitude: float | None, longitude: float | None) -> FoundPlace:
        return FoundPlace(provider_place_id=name, fields=frozenset(), latitude=latitude, longitude=longitude)

    found = [
        place("centre", 30.3, -97.75), place("centre", 30.3, -97.75), place("corner", 30.5, -97.6),
        place("outside", 31.0, -97.75), place("somewhere", None, None),
    ]  # fmt: skip
    assert [one.provider_place_id for one in clip(found, AUSTIN)] == ["centre", "corner", "somewhere"]
    near = Circle(30.3, -97.75, 5_000)
    assert [one.provider_place_id for one in clip(found, AUSTIN, near)] == ["centre", "somewhere"]


def test_coverage_is_the_share_of_the_ground_searched() -> None:
    first, *others = AUSTIN.quarters()
    assert coverage([], [AUSTIN]) == 0.0
    assert coverage([first], others) == pytest.approx(0.25, abs=0.01)
    assert coverage(AUSTIN.quarters(), []) == 1.0
