"""A search that a schedule runs again asks anew, finds what is new, and pays for nothing twice in a row."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pipeline.database import transaction
from sandbox.world import World
from scheduling import errand, fire
from scheduling.errand import Errand, Outcome
from settings import settings
from tests.stages.conftest import Sandbox
from tests.stages.scene import Scene

pytestmark = pytest.mark.usefixtures("no_sites")

Serve = Callable[..., Sandbox]
SMALL = World(45, 3, town="Austin, TX", category="dentist")  # three pages
LARGE = World(150, 3, town="Austin, TX", category="dentist")  # more than one rectangle shows


def ids_of(world: World) -> set[str]:
    return {business.place_id for business in world}


def run_again(scene: Scene, search: int) -> Outcome:
    """Do what a tick does."""
    with transaction() as (_, connection):
        outcome = errand.carry_out(connection, Errand(settings().default_tenant_id, "run", "search", search))
    fire.ring(outcome)
    scene.play()
    return outcome


def an_hour_passes(scene: Scene) -> None:
    scene.execute(
        "UPDATE work SET queued_at = queued_at - interval '1 hour', finished_at = finished_at - interval '1 hour'"
    )
    scene.execute("UPDATE search_places SET last_found_at = last_found_at - interval '1 hour'")


def test_every_area_is_asked_again_and_the_place_is_not_looked_up_again(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(SMALL)
    search = scene.search()
    scene.play()
    an_hour_passes(scene)
    assert run_again(scene, search).result == "queued"
    assert served.answered() == 4 + 3
    assert scene.found(search) == ids_of(SMALL)
    assert scene.many("search_places WHERE last_found_at > first_found_at") == 45
    assert scene.counts()["deep_scan Completed"] == 45
    assert scene.one("SELECT calls, coverage FROM searches") == {"calls": 7, "coverage": 1.0}


def test_what_is_new_is_found_and_goes_on(scene: Scene, sandbox: Serve) -> None:
    sandbox(SMALL)
    search = scene.search()
    scene.play()
    an_hour_passes(scene)
    unknown = "(SELECT id FROM places ORDER BY id LIMIT 5)"
    scene.execute(f"DELETE FROM work WHERE stage = 'deep_scan' AND entity_id IN {unknown}")
    scene.execute(f"DELETE FROM places WHERE id IN {unknown}")
    assert len(scene.found(search)) == 40
    run_again(scene, search)
    assert scene.found(search) == ids_of(SMALL)
    assert scene.endings("deep_scan") == {"Completed": 45}


def test_run_twice_in_a_row_it_asks_once(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(SMALL)
    search = scene.search()
    scene.play()
    run_again(scene, search)
    assert served.answered() == 4
    assert scene.endings("search") == {"Completed no-new-children": 1}


def test_each_run_may_bring_as_many_as_are_wanted(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(LARGE)
    search = scene.search(max_places=33)
    scene.play()
    an_hour_passes(scene)
    before, calls = scene.found(search), served.answered()
    run_again(scene, search)
    assert served.answered() == calls + 2
    assert scene.found(search) == before
    assert "Filtered enough-places" in scene.endings("search_area")


def test_a_curated_search_stays_curated(scene: Scene, sandbox: Serve) -> None:
    sandbox(SMALL)
    search = scene.search(auto=False)
    scene.play()
    an_hour_passes(scene)
    run_again(scene, search)
    assert scene.many("work WHERE auto") == 0
    assert scene.endings("deep_scan") == {}


def test_a_search_that_runs_is_left_alone(scene: Scene, sandbox: Serve) -> None:
    sandbox(SMALL)
    search = scene.search()
    assert run_again(scene, search).result == "still-running"
