"""search: Search → SearchArea."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from sandbox.geography import town_named
from sandbox.world import World
from services.place import Area, distance_m
from tests.stages.conftest import Sandbox
from tests.stages.scene import Scene

pytestmark = pytest.mark.usefixtures("no_sites")

AUSTIN = town_named("Austin, TX")
EMPTY = World(0, town="Austin, TX", category="dentist")
Serve = Callable[..., Sandbox]


def box_of(scene: Scene, table: str) -> Area:
    row = scene.one(f"SELECT south, west, north, east FROM {table}")
    return Area(**row)


def test_the_box_of_a_town_is_asked_for_once_and_kept(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(EMPTY)
    search = scene.search()
    scene.play()
    assert box_of(scene, "searches").contains(AUSTIN.south, AUSTIN.west)
    assert box_of(scene, "searches") == box_of(scene, "search_areas")
    assert scene.one("SELECT calls, spent_usd FROM searches") == {"calls": 2, "spent_usd": Decimal("0.067")}
    scene.start("search", search)
    scene.play()
    assert scene.endings("search") == {"Completed no-new-children": 1}
    assert (served.answered(), scene.many("search_areas")) == (2, 1)


def test_a_radius_is_a_circle_around_the_town(scene: Scene, sandbox: Serve) -> None:
    sandbox(EMPTY)
    scene.search(radius_meters=5000)
    scene.play()
    box = box_of(scene, "search_areas")
    latitude, longitude = box.centre
    assert distance_m(latitude, longitude, box.north, longitude) == pytest.approx(5000, rel=0.01)
    assert AUSTIN.south < latitude < AUSTIN.north


def test_a_box_needs_no_call(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(EMPTY)
    scene.search(where_text=None, south=30.1, west=-97.9, north=30.5, east=-97.5)
    scene.play()
    assert box_of(scene, "search_areas") == Area(30.1, -97.9, 30.5, -97.5)
    assert served.answered() == 1


def test_a_town_that_nobody_knows_ends_the_search(scene: Scene, sandbox: Serve) -> None:
    sandbox(EMPTY)
    scene.search(where_text="Nowhere-upon-Nothing")
    scene.play()
    assert scene.endings("search") == {"Error unknown-place": 1}


def test_no_results_is_a_completed_search_with_its_reason(scene: Scene, sandbox: Serve) -> None:
    sandbox(EMPTY)
    scene.search()
    scene.play()
    assert scene.counts() == {"search Completed": 1, "search_area Completed": 1}
    assert scene.endings("search_area") == {"Completed no-places": 1}
    assert scene.one("SELECT coverage, searched_at IS NOT NULL AS done FROM searches") == {
        "coverage": 1.0,
        "done": True,
    }


def test_openstreetmap_serves_people_without_a_key(
    scene: Scene, sandbox: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(40, 3, town="Austin, TX", category="dentist")
    sandbox(world)
    search = scene.search(provider="openstreetmap")
    scene.play()
    assert 15 < len(scene.found(search)) < 40
    row = scene.one("SELECT calls, spent_usd, coverage FROM searches")
    assert row == {"calls": 2, "spent_usd": Decimal(0), "coverage": 1.0}
    places = scene.rows("SELECT DISTINCT attribution, expires_at FROM places")
    assert places == [{"attribution": "© OpenStreetMap contributors, ODbL 1.0", "expires_at": None}]
    assert scene.endings("deep_scan").keys() == {"Completed"}


def test_the_sandbox_stands_in_for_google(scene: Scene, sandbox: Serve) -> None:
    sandbox(World(5, 3, town="Austin, TX", category="dentist"), key="not-used-here")
    assert len(scene.found(_played(scene, scene.search(provider="sandbox")))) == 5
    assert scene.rows("SELECT provider FROM provider_days") == [{"provider": "sandbox"}]


def _played(scene: Scene, search: int) -> int:
    scene.play()
    return search
