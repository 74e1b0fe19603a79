"""search_area: SearchArea → Place, one call at a time; nothing lost, nothing paid for twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest

import settings
from models import SearchArea
from pipeline import controls, rescue, run
from pipeline.lease import Lease
from pipeline.stage import stage_named
from sandbox.world import World
from scheduling.retention import blank_expired
from services.place import Area, distance_m
from tests.stages.conftest import Sandbox
from tests.stages.scene import Scene

pytestmark = pytest.mark.usefixtures("no_sites")

Serve = Callable[..., Sandbox]
SMALL = World(45, 3, town="Austin, TX", category="dentist")  # three pages
LARGE = World(150, 3, town="Austin, TX", category="dentist")  # more than one rectangle shows


def ids_of(world: World) -> set[str]:
    return {business.place_id for business in world}


def use(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    settings.settings.cache_clear()


def test_every_page_is_one_row_and_one_call(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(SMALL)
    search = scene.search()
    scene.play()
    pages = scene.rows("SELECT page, found_before, found, is_full, is_cut FROM search_areas ORDER BY page")
    assert [tuple(row.values()) for row in pages] == [
        (0, 0, 20, None, False),
        (1, 20, 20, None, False),
        (2, 40, 5, False, False),
    ]
    assert (scene.found(search), served.answered()) == (ids_of(SMALL), 4)
    assert scene.one("SELECT calls, coverage FROM searches") == {"calls": 4, "coverage": 1.0}
    assert scene.one("SELECT min(rank) AS first, max(rank) AS last FROM search_places") == {"first": 1, "last": 45}


def test_a_full_rectangle_is_cut_and_everything_is_found(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(LARGE)
    search = scene.search()
    scene.play()
    assert scene.found(search) == ids_of(LARGE)
    assert scene.one("SELECT count(*) AS cut FROM search_areas WHERE is_cut")["cut"] >= 1
    row = scene.one("SELECT calls, spent_usd::float8 AS usd, coverage FROM searches")
    assert (row["calls"], row["usd"]) == (served.books()["calls"], served.books()["usd"])
    assert row["coverage"] == pytest.approx(1.0)
    assert served.books()["paid_twice"] == {}


def test_coverage_grows_with_what_was_seen(scene: Scene, sandbox: Serve) -> None:
    sandbox(LARGE)
    scene.search()
    seen = []
    while rings := scene.bells.take():
        for ring in rings:
            run.answer(stage_named(ring.stage), ring.work_id)
            seen.append(scene.one("SELECT coverage FROM searches")["coverage"] or 0.0)
    assert seen == sorted(seen)
    assert any(0 < share < 1 for share in seen)


def test_places_outside_the_circle_are_left_out(scene: Scene, sandbox: Serve) -> None:
    sandbox(LARGE)
    search = scene.search(radius_meters=8000)
    scene.play()
    found = scene.found(search)
    assert 0 < len(found) < 150
    corners = scene.one("SELECT south, west, north, east FROM searches")
    centre = Area(**corners).centre
    near = {b.place_id for b in LARGE if distance_m(*centre, round(b.latitude, 7), round(b.longitude, 7)) <= 8000}
    assert found == near


def test_asking_an_area_again_adds_nothing(scene: Scene, sandbox: Serve) -> None:
    sandbox(SMALL)
    search = scene.search()
    scene.play()
    before = scene.counts(), scene.many("places"), scene.many("search_places"), scene.many("local_businesses")
    scene.start("search_area", *(row["id"] for row in scene.rows("SELECT id FROM search_areas")))
    scene.play()
    after = scene.counts(), scene.many("places"), scene.many("search_places"), scene.many("local_businesses")
    assert (after, scene.found(search)) == (before, ids_of(SMALL))
    assert scene.endings("search_area") == {"Completed no-new-children": 3}


def test_two_searches_that_overlap_share_places_and_work(scene: Scene, sandbox: Serve) -> None:
    sandbox(SMALL)
    first, second = scene.search(), scene.search("dental clinic")
    scene.play()
    assert scene.found(first) == scene.found(second) == ids_of(SMALL)
    assert (scene.many("places"), scene.many("search_places")) == (45, 90)
    assert scene.counts()["deep_scan Completed"] == 45


def test_what_waits_for_a_person_goes_on_when_an_auto_search_finds_it(scene: Scene, sandbox: Serve) -> None:
    sandbox(SMALL)
    scene.search(auto=False)
    scene.play()
    assert scene.endings("deep_scan") == {}
    scene.search("dental clinic")
    scene.play()
    assert scene.endings("deep_scan") == {"Completed": 45}


def test_two_searches_at_the_same_moment_share_places_and_work(scene: Scene, sandbox: Serve) -> None:
    sandbox(SMALL)
    searches = [scene.search(), scene.search("dental clinic")]
    for ring in scene.bells.take():
        run.answer(stage_named(ring.stage), ring.work_id)
    scene.answer(*scene.bells.take())
    scene.play()
    assert [scene.found(search) for search in searches] == [ids_of(SMALL)] * 2
    assert (scene.many("places"), scene.counts()["deep_scan Completed"]) == (45, 45)


def test_a_place_that_changed_is_updated_and_keeps_the_decision(scene: Scene, sandbox: Serve) -> None:
    sandbox(World(3, 3, town="Austin, TX", category="dentist"))
    scene.search()
    scene.play()
    scene.execute("UPDATE places SET name = 'Old Name', phone = NULL, raw = NULL, curation_status = 'Not a Fit'")
    again = scene.search()
    scene.play()
    rows = scene.rows("SELECT name, phone, raw IS NULL AS is_blank, curation_status FROM places")
    assert "Old Name" not in {row["name"] for row in rows}
    assert {(row["is_blank"], row["curation_status"]) for row in rows} == {(False, "Not a Fit")}
    assert len(scene.found(again)) == 3
    assert scene.endings("search_area") == {"Completed": 1, "Completed no-new-children": 1}


@pytest.mark.parametrize("good", [1, 2, 3])
def test_a_provider_that_fails_midway_loses_nothing_and_is_not_paid_twice(
    scene: Scene, sandbox: Serve, good: int
) -> None:
    served = sandbox(SMALL, key=f"sandbox-fail-once-after-{good}")
    search = scene.search()
    scene.play()
    assert len(scene.found(search)) == 20 * (good - 1)
    assert scene.failures(scene.one("SELECT id FROM work WHERE reason = 'server-error'")["id"]) == [
        ("passing", "server-error")
    ]
    scene.hurry()
    assert scene.found(search) == ids_of(SMALL)
    books = served.books()
    assert (books["paid_twice"], books["values_bought_twice"], served.answered()) == ({}, 0, 4)
    assert scene.endings("search_area") == {"Completed": 3}
    # What failed may have been charged for all we know.
    assert scene.one("SELECT calls FROM searches") == {"calls": 5}


def test_a_used_up_quota_is_waited_for_without_spending_attempts_or_money(
    scene: Scene, sandbox: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = sandbox(SMALL, key="sandbox-quota-2")
    search = scene.search()
    scene.play()
    waiting = scene.one(
        "SELECT reason, attempts, due_at - clock_timestamp() AS wait FROM work WHERE stage = 'search_area'"
        " AND status = 'Queued'"
    )
    assert (waiting["reason"], waiting["attempts"]) == ("rate-limited", 0)
    assert waiting["wait"] > timedelta(seconds=20)
    assert scene.one("SELECT calls FROM searches") == {"calls": 2}
    use(monkeypatch, GOOGLE_MAPS_API_KEY="sandbox-key")
    scene.hurry()
    assert scene.found(search) == ids_of(SMALL)
    assert served.books()["paid_twice"] == {}


def test_a_search_stops_at_its_budget_and_goes_on_when_it_is_raised(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(SMALL)
    search = scene.search(budget_usd="0.11")
    scene.play()
    assert served.answered() == 3
    assert scene.one("SELECT spent_usd FROM searches") == {"spent_usd": Decimal("0.102")}
    waiting = scene.one("SELECT status, attempts, error FROM work WHERE reason = 'budget'")
    assert (waiting["status"], waiting["attempts"]) == ("Queued", 0)
    assert "raise it with `scrapersky search budget" in waiting["error"]
    scene.hurry()
    assert served.answered() == 3
    scene.execute("UPDATE searches SET budget_usd = 1")
    scene.hurry()
    assert (scene.found(search), served.answered()) == (ids_of(SMALL), 4)


def test_the_day_s_limit_holds_for_all_searches(scene: Scene, sandbox: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    served = sandbox(SMALL)
    use(monkeypatch, PROVIDER_DAILY_BUDGET_USD="0.20")
    scene.search()
    scene.search("dental clinic")
    scene.play()
    assert served.books()["usd"] <= 0.20
    assert scene.one("SELECT usd FROM provider_days")["usd"] <= Decimal("0.20")
    waiting = scene.rows("SELECT reason FROM work WHERE status = 'Queued' AND stage <> 'domain_metadata'")
    assert {row["reason"] for row in waiting} == {"budget"}


@pytest.mark.parametrize("most", [1, 20, 33])
def test_a_search_hands_on_no_more_than_it_wants(scene: Scene, sandbox: Serve, most: int) -> None:
    served = sandbox(LARGE)
    search = scene.search(max_places=most)
    scene.play()
    assert len(scene.found(search)) == scene.many("places") == most
    assert sum(scene.endings("deep_scan").values()) == most
    assert "Filtered enough-places" in scene.endings("search_area")
    assert served.answered() == 1 + -(-most // 20)
    assert scene.one("SELECT coverage FROM searches")["coverage"] < 1


def test_areas_that_end_at_once_hand_on_no_more_than_is_wanted(scene: Scene, sandbox: Serve) -> None:
    sandbox(LARGE)
    search = scene.search()
    while scene.many("search_areas WHERE depth > 0") == 0:
        for ring in scene.bells.take():
            if ring.stage.startswith("search"):
                run.answer(stage_named(ring.stage), ring.work_id)
    scene.execute("UPDATE searches SET max_places = 63")
    rings = [ring for ring in scene.bells.take() if ring.stage == "search_area"]
    assert len(rings) > 2
    scene.answer(*rings)
    assert len(scene.found(search)) == 63
    assert sum(scene.endings("deep_scan").values()) == scene.many("places") == 63
    scene.play()
    assert len(scene.found(search)) == 63


@pytest.mark.parametrize("key", ["forbidden", "no-key-of-ours"])
def test_a_bad_key_pauses_the_stage_with_one_message(
    scene: Scene, sandbox: Serve, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = sandbox(SMALL)
    search = scene.search()
    run.answer(stage_named("search"), scene.bells.take()[0].work_id)
    use(monkeypatch, GOOGLE_MAPS_API_KEY=key)
    scene.play()
    assert controls.paused_stages() == {"search_area", "domain_metadata"}
    note = scene.one("SELECT note FROM stage_controls WHERE stage = 'search_area'")["note"]
    assert note.startswith("Google refuses the key of GOOGLE_MAPS_API_KEY: HTTP 40")
    assert note.endswith("; correct it and run `scrapersky resume search_area`")
    work = scene.one("SELECT status, reason, attempts FROM work WHERE stage = 'search_area'")
    assert work == {"status": "Queued", "reason": "bad-key", "attempts": 0}
    assert scene.one("SELECT calls FROM searches") == {"calls": 1}
    use(monkeypatch, GOOGLE_MAPS_API_KEY="sandbox-key")
    controls.resume(stage_named("search_area"))
    scene.hurry()
    assert (scene.found(search), served.books()["paid_twice"]) == (ids_of(SMALL), {})


def test_in_curated_mode_areas_go_on_and_places_wait(scene: Scene, sandbox: Serve) -> None:
    sandbox(LARGE)
    search = scene.search(auto=False)
    scene.play()
    assert scene.found(search) == ids_of(LARGE)
    assert set(scene.counts()) == {"search Completed", "search_area Completed"}
    assert scene.many("work WHERE auto") == 0
    assert scene.many("places WHERE curation_status = 'New'") == 150


def test_a_worker_killed_after_the_answer_repeats_that_one_call(scene: Scene, sandbox: Serve, worker: Lease) -> None:
    served = sandbox(SMALL)
    search = scene.search()
    while scene.many("search_areas") < 2:
        (ring,) = [ring for ring in scene.bells.take() if ring.stage.startswith("search")]
        run.answer(stage_named(ring.stage), ring.work_id)
    work = scene.one("SELECT id FROM work WHERE stage = 'search_area' AND status = 'Queued'")["id"]
    turn = scene.claim(work, stage_named("search_area"))
    run.perform(turn)
    rescue.hand_back(worker.id)
    scene.play()
    assert scene.found(search) == ids_of(SMALL)
    assert sum(served.books()["paid_twice"].values()) == 2, "page 1, before and after the kill"
    assert scene.one("SELECT calls FROM searches") == {"calls": 5}


def test_a_page_whose_token_went_stale_is_reached_from_the_first(scene: Scene, sandbox: Serve) -> None:
    sandbox(SMALL)
    search = scene.search()
    while scene.many("search_areas") < 3:
        for ring in scene.bells.take():
            if ring.stage.startswith("search"):
                run.answer(stage_named(ring.stage), ring.work_id)
    scene.execute("UPDATE search_areas SET page_token = 'stale' WHERE page = 2")
    scene.play()
    assert scene.found(search) == ids_of(SMALL)
    assert scene.endings("search_area") == {"Completed": 3}
    assert scene.one("SELECT calls FROM searches") == {"calls": 6}


def test_a_search_that_is_gone_ends_its_areas(scene: Scene, sandbox: Serve) -> None:
    sandbox(SMALL)
    search = scene.search()
    run.answer(stage_named("search"), scene.bells.take()[0].work_id)
    scene.execute("UPDATE searches SET south = NULL, west = NULL, north = NULL, east = NULL WHERE id = %s", search)
    scene.play()
    assert scene.endings(SearchArea.__tablename__.rstrip("s")) == {"Error entity-missing": 1}


def test_a_place_found_again_after_its_facts_were_blanked_is_scanned_again(scene: Scene, sandbox: Serve) -> None:
    sandbox(SMALL)
    scene.search()
    scene.play()
    names = scene.rows("SELECT name FROM local_businesses ORDER BY id")
    scene.execute("UPDATE work SET finished_at = finished_at - interval '31 days'")
    for table in ("places", "local_businesses"):
        scene.execute(
            f"""UPDATE {table} SET expires_at = now(), field_sources = (
                    SELECT jsonb_object_agg(name, source || '{{"expires_at": "2026-01-01T00:00:00+00:00"}}')
                    FROM jsonb_each(field_sources) AS fact(name, source))"""
        )
    blank_expired()
    assert scene.rows("SELECT name FROM local_businesses WHERE name IS NOT NULL") == []
    scene.search()
    scene.play()
    assert scene.rows("SELECT name FROM local_businesses ORDER BY id") == names
