"""The funnel over HTTP: every step adds up, and each drop has its reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.people import Person
from tests.entities.world import World

API = "/api/v3"


@pytest.fixture
def world(db: str, viewer: Person) -> Iterator[World]:
    made = World(db, viewer.tenant_id)
    yield made
    made.close()


def steps(person: Person, path: str = "funnel") -> dict[str, Any]:
    answer = person.client.get(f"{API}/{path}")
    assert answer.status_code == 200
    found = {step["entity"]: step for step in answer.json()["steps"]}
    for step in found.values():
        assert step["total"] == step["led_on"] + step["open"] + step["waiting"] + step["dropped"]
        told = {
            fate: sum(one["count"] for one in step["reasons"] if one["fate"] == fate) for fate in ("open", "dropped")
        }
        assert told == {"open": step["open"], "dropped": step["dropped"]}
    return found


def search_with_all(world: World) -> int:
    """Make a search of four places, of which one leads to a contact."""
    search = world.search()
    world.work("search", search)
    good, closed, waits, runs = (world.place(search) for _ in range(4))
    world.work("deep_scan", good)
    world.work("deep_scan", closed, "Filtered", reason="closed")
    world.work("deep_scan", runs, "Processing")
    assert waits
    business = world.business(good)
    world.work("domain_extraction", business)
    domain = world.domain(business)
    world.work("domain_metadata", domain)
    world.work("sitemap_analysis", domain)
    parked = world.domain(business)
    world.work("domain_metadata", parked, "Filtered", reason="parked")
    sitemap = world.sitemap_file(domain)
    world.work("sitemap_import", sitemap)
    shown, blank, over = world.page(domain), world.page(domain), world.page(domain, decision_reason="over-budget")
    for page in (shown, blank, over):
        world.insert("sitemap_pages", sitemap_file_id=sitemap, page_id=page)
    world.work("page_curation", shown)
    world.work("page_curation", blank, "Error", reason="timeout")
    contact = world.contact(domain, verdict="valid")
    world.contact(domain, verdict="invalid")
    world.insert("sightings", contact_id=contact, page_id=shown, url="https://x.example", method="mailto")
    return search


def test_the_funnel_of_a_search_tells_where_everything_went(viewer: Person, world: World) -> None:
    search = search_with_all(world)
    search_with_all(world)
    found = steps(viewer, f"searches/{search}/funnel")
    counts = {name: (step["total"], step["led_on"], step["dropped"]) for name, step in found.items()}
    assert counts == {
        "searches": (1, 1, 0),
        "places": (4, 1, 1),
        "local_businesses": (1, 1, 0),
        "domains": (2, 1, 1),
        "sitemap_files": (1, 1, 0),
        "pages": (3, 1, 2),
        "contacts": (2, 1, 1),
    }
    assert (found["places"]["open"], found["places"]["waiting"], found["places"]["drop_off"]) == (1, 1, 0.25)
    reasons = {one["reason"]: one for step in found.values() for one in step["reasons"] if one["fate"] == "dropped"}
    assert set(reasons) == {"closed", "parked", "over-budget", "timeout", "invalid"}
    assert (reasons["parked"]["stage"], reasons["parked"]["status"]) == ("domain_metadata", "Filtered")
    assert reasons["closed"]["meaning"]


def test_the_funnel_of_everything_counts_all_searches(viewer: Person, world: World) -> None:
    search_with_all(world)
    search_with_all(world)
    world.place(curation_status="Not a Fit")
    found = steps(viewer)
    assert (found["searches"]["total"], found["places"]["total"], found["contacts"]["total"]) == (2, 9, 4)
    assert "Not a Fit" in {one["reason"] for one in found["places"]["reasons"]}


def test_strangers_see_an_empty_funnel(stranger: Person, world: World) -> None:
    search = search_with_all(world)
    assert {step["total"] for step in steps(stranger).values()} == {0}
    assert stranger.client.get(f"{API}/searches/{search}/funnel").status_code == 404
