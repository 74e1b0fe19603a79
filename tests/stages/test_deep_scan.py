"""deep_scan: Place → LocalBusiness; asks only for what is missing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from pipeline.curation import curate
from pipeline.stage import stage_named
from sandbox.business import Business
from sandbox.world import World
from settings import settings
from tests.stages.conftest import Sandbox
from tests.stages.scene import Scene

pytestmark = pytest.mark.usefixtures("no_sites")

Serve = Callable[..., Sandbox]
FEW = World(6, 3, town="Austin, TX", category="dentist")
HALL = World(300, 3, town="Austin, TX", category="dentist")
FACTS = (
    "name", "formatted_address", "street", "city", "region", "postal_code", "country_code", "phone", "website",
    "main_category", "categories", "rating", "review_count", "price_level", "opening_hours", "latitude", "longitude",
    "utc_offset_minutes", "business_status",
)  # fmt: skip


def add_place(scene: Scene, business: Business, **columns: Any) -> int:
    """Store a place as a search would have that was told nothing but the id."""
    given = {"provider": "google", "provider_place_id": business.place_id, "tenant_id": settings().default_tenant_id}
    given |= columns
    names, marks = ", ".join(given), ", ".join(["%s"] * len(given))
    return int(scene.one(f"INSERT INTO places ({names}) VALUES ({marks}) RETURNING id", *given.values())["id"])


def facts_of(scene: Scene, business: Business) -> dict[str, Any]:
    sql = (
        f"SELECT {', '.join(f'local_businesses.{name}' for name in FACTS)} FROM local_businesses JOIN places"
        " ON places.id = place_id WHERE provider_place_id = %s"
    )
    return scene.one(sql, business.place_id)


def check(facts: dict[str, Any], business: Business) -> None:
    assert facts["name"] == business.name
    assert facts["formatted_address"] == business.address
    assert facts["street"] == f"{business.house_number} {business.street}"
    assert (facts["city"], facts["region"], facts["country_code"]) == ("Austin", "TX", "US")
    assert (facts["postal_code"], facts["phone"], facts["website"]) == (
        business.postal_code,
        business.phone,
        business.website,
    )
    assert facts["rating"] == (None if business.rating is None else Decimal(str(business.rating)))
    assert (facts["main_category"], facts["business_status"]) == ("dentist", business.status)
    assert facts["price_level"] == business.price_level
    assert [list(span) for span in business.hours.get(1, ())] == facts["opening_hours"].get("monday", [])
    assert facts["latitude"] == pytest.approx(business.latitude, abs=1e-6)
    assert facts["utc_offset_minutes"] == business.town.utc_offset_minutes


def test_what_the_search_brought_is_not_asked_for_again(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(FEW)
    scene.search()
    scene.play()
    assert served.answered("details") == 0
    for business in FEW:
        check(facts_of(scene, business), business)


def test_a_place_known_by_its_id_alone_is_asked_about_once(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(FEW)
    business = FEW.business(2)
    place = add_place(scene, business)
    scene.start("deep_scan", place)
    scene.play()
    check(facts_of(scene, business), business)
    assert served.answered("details") == 1
    assert scene.one("SELECT calls, usd FROM provider_days") == {"calls": 1, "usd": Decimal("0.02")}


def test_only_the_missing_fields_are_asked_for_and_the_search_pays(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(FEW)
    search = scene.search(auto=False)
    scene.play()
    business = FEW.business(1)
    place = scene.one("SELECT id, raw FROM places WHERE provider_place_id = %s", business.place_id)
    raw = place["raw"] | {"fields": [name for name in place["raw"]["fields"] if name not in ("phone", "website")]}
    raw["facts"] = raw["facts"] | {"phone": None, "website": None}
    scene.execute("UPDATE places SET raw = %s WHERE id = %s", Jsonb(raw), place["id"])
    before = scene.one("SELECT calls FROM searches WHERE id = %s", search)["calls"]
    scene.start("deep_scan", place["id"])
    scene.play()
    check(facts_of(scene, business), business)
    books = served.books()
    assert books["values_bought_twice"] == 2, "the two fields that the search had been told after all"
    assert scene.one("SELECT calls FROM searches WHERE id = %s", search)["calls"] == before + 1


def test_facts_that_may_no_longer_be_kept_are_asked_for_anew(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(FEW)
    scene.search(auto=False)
    scene.play()
    place = scene.one("SELECT id, raw FROM places LIMIT 1")
    old = (datetime.now(UTC) - timedelta(days=31)).isoformat()
    scene.execute("UPDATE places SET raw = %s WHERE id = %s", Jsonb(place["raw"] | {"at": old}), place["id"])
    scene.start("deep_scan", place["id"])
    scene.play()
    assert served.answered("details") == 1
    assert scene.one("SELECT expires_at > now() + interval '29 days' AS fresh FROM local_businesses") == {"fresh": True}


def test_details_wait_for_the_budget(scene: Scene, sandbox: Serve) -> None:
    served = sandbox(FEW)
    scene.search(auto=False, budget_usd="0.07")
    scene.play()
    scene.execute("UPDATE places SET raw = NULL")
    scene.start("deep_scan", *(row["id"] for row in scene.rows("SELECT id FROM places")))
    scene.play()
    assert (scene.endings("deep_scan"), served.answered("details")) == ({"Queued budget": 6}, 0)


def test_every_fact_has_its_source_and_its_expiry(scene: Scene, sandbox: Serve) -> None:
    sandbox(FEW)
    scene.search()
    scene.play()
    for table, blank in (("places", {"address"}), ("local_businesses", {"formatted_address"})):
        row = scene.rows(f"SELECT * FROM {table} ORDER BY id")[0]
        known = {name for name in (*FACTS, "address") if row.get(name) not in (None, [], {})}
        assert row["field_sources"].keys() == known
        assert blank <= known
        assert {source["source"] for source in row["field_sources"].values()} == {"google"}
        expiries = {datetime.fromisoformat(source["expires_at"]) for source in row["field_sources"].values()}
        assert row["expires_at"] == min(expiries)
        assert timedelta(days=29) < row["expires_at"] - datetime.now(UTC) <= timedelta(days=30)
        assert row["attribution"] == "Google Maps"


def test_a_business_that_closed_for_good_is_filtered(scene: Scene, sandbox: Serve) -> None:
    sandbox(HALL)
    closed = [business for business in HALL if business.status == "closed-permanently"]
    places = [add_place(scene, business) for business in closed]
    scene.start("deep_scan", *places)
    scene.play()
    assert scene.endings("deep_scan") == {"Filtered closed": len(closed)}
    assert scene.many("local_businesses") == 0


def test_a_business_that_has_closed_since_says_so_and_keeps_its_decision(scene: Scene, sandbox: Serve) -> None:
    sandbox(HALL)
    closed = HALL.with_kind("closed-business")
    place = add_place(scene, closed)
    scene.execute(
        "INSERT INTO local_businesses (tenant_id, place_id, name, business_status, curation_status)"
        " VALUES (%s, %s, 'As it was', 'operational', 'Maybe')",
        settings().default_tenant_id,
        place,
    )
    scene.start("deep_scan", place)
    scene.play()
    row = scene.one("SELECT name, business_status, curation_status FROM local_businesses")
    assert row == {"name": closed.name, "business_status": "closed-permanently", "curation_status": "Maybe"}


def test_a_second_scan_updates_facts_and_touches_neither_decision_nor_later_stage(scene: Scene, sandbox: Serve) -> None:
    sandbox(FEW)
    scene.search()
    scene.play()
    scene.execute("UPDATE local_businesses SET name = 'Old Name', phone = NULL, curation_status = 'Archived'")
    later = scene.rows("SELECT * FROM work WHERE stage = 'domain_extraction' ORDER BY id")
    scene.start("deep_scan", *(row["id"] for row in scene.rows("SELECT id FROM places")))
    scene.play()
    for business in FEW:
        check(facts_of(scene, business), business)
    assert {row["curation_status"] for row in scene.rows("SELECT * FROM local_businesses")} == {"Archived"}
    assert scene.rows("SELECT * FROM work WHERE stage = 'domain_extraction' ORDER BY id") == later
    assert scene.many("local_businesses") == 6


def test_a_place_of_a_person_s_own_list_cannot_be_scanned(scene: Scene, sandbox: Serve) -> None:
    sandbox(FEW)
    scene.start("deep_scan", add_place(scene, FEW.business(0), provider="list"))
    scene.play()
    assert scene.endings("deep_scan") == {"Filtered no-provider": 1}


def test_in_curated_mode_each_stage_waits_for_a_person(scene: Scene, sandbox: Serve) -> None:
    sandbox(FEW)
    scene.search(auto=False)
    scene.play()
    assert scene.endings("deep_scan") == {}
    places = [row["id"] for row in scene.rows("SELECT id FROM places ORDER BY id")]
    curate(stage_named("deep_scan"), places[:2], "Selected")
    scene.play()
    assert (scene.many("local_businesses"), scene.endings("domain_extraction")) == (2, {})
    businesses = [row["id"] for row in scene.rows("SELECT id FROM local_businesses ORDER BY id")]
    curate(stage_named("domain_extraction"), businesses[:1], "Selected")
    scene.play()
    assert sum(scene.endings("domain_extraction").values()) == 1
