"""domain_extraction: LocalBusiness → Domain, or the reason why it has none of its own."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline import run
from pipeline.stage import stage_named
from settings import settings
from tests.stages.scene import Scene

pytestmark = pytest.mark.usefixtures("no_sites")


def add_business(scene: Scene, website: str | None, **columns: Any) -> int:
    tenant = settings().default_tenant_id
    place = scene.one(
        "INSERT INTO places (tenant_id, provider, provider_place_id) VALUES (%s, 'list', gen_random_uuid()::text)"
        " RETURNING id",
        tenant,
    )
    given = {"tenant_id": tenant, "place_id": place["id"], "website": website, "name": "Anna's"} | columns
    names, marks = ", ".join(given), ", ".join(["%s"] * len(given))
    sql = f"INSERT INTO local_businesses ({names}) VALUES ({marks}) RETURNING id"
    return int(scene.one(sql, *given.values())["id"])


def extract(scene: Scene, *businesses: int) -> None:
    scene.start("domain_extraction", *businesses)
    scene.play()


def links(scene: Scene) -> list[tuple[Any, ...]]:
    sql = (
        "SELECT local_business_id, name, website FROM local_business_domains JOIN domains ON domains.id = domain_id"
        " ORDER BY local_business_id, name"
    )
    return [tuple(row.values()) for row in scene.rows(sql)]


def test_the_domain_is_stored_and_linked_with_the_website_as_given(scene: Scene) -> None:
    website = "HTTPS://www.Anna-Dental.example:443/contact?utm_source=gmb#top"
    business = add_business(scene, website)
    extract(scene, business)
    assert links(scene) == [(business, "anna-dental.example", website)]
    assert scene.endings("domain_extraction") == {"Completed": 1}


def test_several_businesses_share_one_domain(scene: Scene) -> None:
    sites = ("https://chain.example/austin", "chain.example/dallas", "http://WWW.chain.example")
    businesses = [add_business(scene, website) for website in sites]
    extract(scene, *businesses)
    assert links(scene) == [(each, "chain.example", site) for each, site in zip(businesses, sites, strict=True)]
    assert scene.many("domains") == 1


def test_businesses_of_one_domain_at_the_same_moment(scene: Scene) -> None:
    businesses = [add_business(scene, f"https://chain.example/{nth}") for nth in range(6)]
    scene.start("domain_extraction", *businesses)
    scene.answer(*scene.bells.take())
    assert (scene.many("domains"), len(links(scene))) == (1, 6)
    assert scene.endings("domain_extraction") == {"Completed": 1, "Completed no-new-children": 5}


def test_a_known_domain_keeps_its_facts_and_its_decision(scene: Scene) -> None:
    scene.execute(
        "INSERT INTO domains (tenant_id, name, title, curation_status) VALUES (%s, 'anna.example', 'Hello', 'Maybe')",
        settings().default_tenant_id,
    )
    extract(scene, add_business(scene, "https://anna.example"))
    assert scene.one("SELECT title, curation_status FROM domains") == {"title": "Hello", "curation_status": "Maybe"}


@pytest.mark.parametrize(("age", "ending"), [("29 days", "Completed"), ("31 days", "Queued")])
def test_a_known_domain_is_read_again_only_when_it_is_stale(scene: Scene, age: str, ending: str) -> None:
    extract(scene, add_business(scene, "https://anna.example"))
    aged = "UPDATE work SET status = 'Completed', finished_at = now() - %s::interval WHERE stage = 'domain_metadata'"
    scene.execute(aged, age)
    extract(scene, add_business(scene, "https://anna.example/more"))
    assert scene.endings("domain_metadata") == {ending: 1}
    assert len(links(scene)) == 2


def test_a_business_whose_domain_has_moved_is_linked_to_where_it_went(scene: Scene) -> None:
    sql = "INSERT INTO domains (tenant_id, name, redirects_to_id) VALUES (%s, %s, %s) RETURNING id"
    leads_to = None
    for name in ("newest.example", "newer.example", "old.example"):
        leads_to = scene.one(sql, settings().default_tenant_id, name, leads_to)["id"]
    business = add_business(scene, "https://old.example")
    extract(scene, business)
    assert [name for _, name, _ in links(scene)] == ["newer.example", "newest.example", "old.example"]


@pytest.mark.parametrize(
    ("website", "ending"),
    [
        (None, "Filtered no-website"),
        ("", "Filtered no-website"),
        ("n/a", "Filtered no-website"),
        ("http://192.168.1.10/", "Filtered bad-website"),
        ("http://intranet/", "Filtered bad-website"),
        ("https://co.uk", "Filtered bad-website"),
        ("https://www.facebook.com/annadental", "Filtered shared-host"),
    ],
)
def test_what_is_no_domain_of_its_own_says_why(scene: Scene, website: str | None, ending: str) -> None:
    extract(scene, add_business(scene, website))
    assert scene.endings("domain_extraction") == {ending: 1}
    assert scene.many("domains") == 0


def test_a_profile_on_a_shared_host_is_kept_as_a_contact_of_the_business(scene: Scene) -> None:
    website = "https://www.facebook.com/annadental/?ref=page_internal"
    business = add_business(scene, website)
    extract(scene, business)
    contact = scene.one("SELECT * FROM contacts")
    assert (contact["kind"], contact["value"], contact["label"]) == (
        "social",
        "https://www.facebook.com/annadental",
        "facebook",
    )
    assert (contact["local_business_id"], contact["domain_id"]) == (business, None)
    sighting = scene.one("SELECT contact_id, url, method FROM sightings")
    assert sighting == {"contact_id": contact["id"], "url": website, "method": "website"}
    assert scene.one("SELECT error FROM work") == {"error": website}


def test_running_twice_adds_nothing_twice(scene: Scene) -> None:
    businesses = [add_business(scene, "https://anna.example"), add_business(scene, "https://instagram.com/anna")]
    for _ in range(2):
        extract(scene, *businesses)
    tables = ("domains", "local_business_domains", "contacts", "sightings")
    assert [scene.many(table) for table in tables] == [1, 1, 1, 1]


def test_the_profile_and_the_ending_are_stored_together_or_not_at_all(scene: Scene) -> None:
    business = add_business(scene, "https://instagram.com/anna")
    scene.start("domain_extraction", business)
    scene.execute("ALTER TABLE sightings ADD CONSTRAINT refuse CHECK (false)")
    try:
        run.answer(stage_named("domain_extraction"), scene.bells.take()[0].work_id)
        assert scene.endings("domain_extraction") == {"Queued save-failed": 1}
        assert scene.many("contacts") == 0
    finally:
        scene.execute("ALTER TABLE sightings DROP CONSTRAINT refuse")


def test_facts_that_had_to_go_are_not_taken_for_a_business_without_a_website(scene: Scene) -> None:
    extract(scene, add_business(scene, None, name=None, scanned_at="2024-01-01T00:00:00Z"))
    assert scene.endings("domain_extraction") == {"Filtered expired": 1}


def test_a_website_of_a_stranger_s_making_is_stored_safely(scene: Scene) -> None:
    website = "https://anna.example/" + "ä" * 900 + "?q=%00"
    business = add_business(scene, website)
    extract(scene, business)
    assert links(scene) == [(business, "anna.example", website)]
