"""Journeys over HTTP: from any entity, and by whatever a person knows of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.people import Person
from tests.entities.world import World

API = "/api/v3"


class Way(World):
    """One whole way from a search to a contact."""

    def walk(self) -> dict[str, int]:
        self.search_id = self.search()
        root = self.work("search", self.search_id)
        place = self.place(self.search_id, name="Acme Dental")
        scanned = self.work("deep_scan", place, parent_id=root)
        business = self.business(place, name="Acme Dental")
        extracted = self.work("domain_extraction", business, parent_id=scanned)
        domain = self.domain(business, name="acme.example")
        self.work("domain_metadata", domain, parent_id=extracted)
        sitemap = self.sitemap_file(domain)
        self.work("sitemap_import", sitemap, "Error", reason="timeout", error="too slow")
        page = self.page(domain, url="https://acme.example/contact", decision_reason="chosen")
        self.work_id = self.work("page_curation", page)
        contact = self.contact(domain, value="info@acme.example")
        self.insert("sightings", contact_id=contact, page_id=page, url="https://acme.example/contact", method="mailto")
        return {
            "places": place, "local_businesses": business, "domains": domain, "sitemap_files": sitemap, "pages": page,
            "contacts": contact,
        }  # fmt: skip


@pytest.fixture
def way(db: str, viewer: Person) -> Iterator[Way]:
    made = Way(db, viewer.tenant_id)
    yield made
    made.close()


def test_every_entity_tells_its_journey(viewer: Person, way: Way) -> None:
    for name, row_id in way.walk().items():
        told = viewer.client.get(f"{API}/{name}/{row_id}/journey")
        assert told.status_code == 200, told.text
        journey = told.json()
        assert journey["answer"], name
        assert [origin["id"] for origin in journey["origins"]] == [way.search_id], name
        assert "search" in {hop["stage"] for hop in journey["hops"]}, name


def test_a_sitemap_that_failed_says_so(viewer: Person, way: Way) -> None:
    journey = viewer.client.get(f"{API}/sitemap_files/{way.walk()['sitemap_files']}/journey").json()
    assert "sitemap_import" in journey["answer"]
    assert "timeout" in journey["answer"]


def test_a_journey_is_found_by_what_people_know(viewer: Person, way: Way) -> None:
    way.walk()
    known = ("info@acme.example", "acme.example", "https://acme.example/contact", "Acme Dental", str(way.work_id))
    for value in known:
        told = viewer.client.get(f"{API}/journeys", params={"value": value})
        assert len(told.json()) == 1, value
    assert viewer.client.get(f"{API}/journeys", params={"value": "nobody@nowhere.example"}).json() == []
    assert viewer.client.get(f"{API}/journeys").status_code == 422


def test_strangers_are_told_nothing(stranger: Person, way: Way) -> None:
    ids = way.walk()
    for value in ("info@acme.example", "acme.example", "https://acme.example/contact", "Acme Dental", str(way.work_id)):
        assert stranger.client.get(f"{API}/journeys", params={"value": value}).json() == [], value
    for name, row_id in ids.items():
        assert stranger.client.get(f"{API}/{name}/{row_id}/journey").status_code == 404, name
