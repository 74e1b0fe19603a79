"""The contact store: each contact once for its owner, with a sighting for each address and method."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from pipeline import contact_store
from pipeline.contact_store import Sheet
from pipeline.database import transaction
from services.contacts import FoundContact
from settings import settings
from tests.pipeline.together import together
from tests.stages.scene import Scene

URL = "https://anna.example/contact"


def email(value: str = "info@anna.example", *methods: str, **facts: Any) -> FoundContact:
    given = {"label": "role", "methods": methods or ("mailto",)} | facts
    return FoundContact("email", value, (methods or ("mailto",))[0], "Write to us", 0.9, **given)


def sheet(scene: Scene, name: str = "anna.example", url: str = URL) -> Sheet:
    sql = (
        "INSERT INTO domains (tenant_id, name) VALUES (%s, %s) ON CONFLICT (tenant_id, name)"
        " DO UPDATE SET name = EXCLUDED.name RETURNING id"
    )
    tenant: UUID = settings().default_tenant_id
    return Sheet(tenant, url, domain_id=scene.one(sql, tenant, name)["id"])


def on_page(scene: Scene, url: str = URL) -> Sheet:
    """Give the sheet of a page of its own, which was not redirected."""
    home = sheet(scene, url=url)
    sql = "INSERT INTO pages (tenant_id, domain_id, url, host) VALUES (%s, %s, %s, 'anna.example') RETURNING id"
    page_id = scene.one(sql, home.tenant_id, home.domain_id, url)["id"]
    return replace(home, page_id=page_id, is_own_url=True)


def store(sheet: Sheet, *found: FoundContact) -> None:
    with transaction() as (session, _):
        contact_store.store(session, sheet, found)


def test_a_contact_is_stored_once_with_a_sighting_for_each_method(scene: Scene) -> None:
    page = sheet(scene)
    for _ in range(2):
        store(page, email("info@anna.example", "mailto", "text"))
    contact = scene.one("SELECT * FROM contacts")
    assert (contact["kind"], contact["value"], contact["label"], contact["domain_id"]) == (
        "email", "info@anna.example", "role", page.domain_id,
    )  # fmt: skip
    assert contact["last_seen_at"] > contact["first_seen_at"]
    sightings = scene.rows("SELECT url, method, snippet, extractor_version FROM sightings ORDER BY method")
    assert [(row["url"], row["method"]) for row in sightings] == [(URL, "mailto"), (URL, "text")]
    assert {row["snippet"] for row in sightings} == {"Write to us"}


def test_another_owner_has_a_contact_of_its_own(scene: Scene) -> None:
    store(sheet(scene), email())
    store(sheet(scene, "bella.example"), email())
    assert scene.many("contacts") == 2


def test_what_was_known_stays_and_what_is_new_is_added(scene: Scene) -> None:
    page = sheet(scene)
    store(page, email(label=""))
    scene.execute("UPDATE contacts SET curation_status = 'Maybe', gone_at = now(), verdict = 'valid'")
    store(page, email(name="Anna Low", title="Owner"))
    store(page, email(label="personal", name="Somebody Else", title="Cook"))
    row = scene.one("SELECT * FROM contacts")
    assert (row["label"], row["person_name"], row["person_title"]) == ("role", "Anna Low", "Owner")
    assert (row["curation_status"], row["gone_at"], row["verdict"]) == ("Maybe", None, "valid")


def test_a_page_that_has_not_changed_shows_its_contacts_still(scene: Scene) -> None:
    page, other = sheet(scene), on_page(scene, "https://anna.example/other")
    store(page, email())
    store(other, email("other@anna.example"))
    before = {row["value"]: row["last_seen_at"] for row in scene.rows("SELECT * FROM contacts")}
    scene.execute("UPDATE contacts SET gone_at = now()")
    with transaction() as (session, _):
        contact_store.see_again(session, page)
    after = {row["value"]: row for row in scene.rows("SELECT * FROM contacts")}
    assert after["info@anna.example"]["last_seen_at"] > before["info@anna.example"]
    assert after["info@anna.example"]["gone_at"] is None
    assert after["other@anna.example"]["last_seen_at"] == before["other@anna.example"]


def test_what_cannot_be_stored_is_left_out_and_the_rest_is_cleaned(scene: Scene) -> None:
    long, odd = (
        FoundContact("person", "x" * 2000, "card", "", 0.9),
        FoundContact("person", "A\x00\ud800", "card", "\x00", 0.9),
    )
    store(sheet(scene), long, odd, FoundContact("person", "", "card", "", 0.9), email())
    assert {row["value"] for row in scene.rows("SELECT value FROM contacts")} == {"A?", "info@anna.example"}


def test_pages_of_one_owner_stored_at_once_do_not_lock_each_other_out(scene: Scene) -> None:
    found = [email(f"{letter}@anna.example") for letter in "abcdefgh"]
    page = sheet(scene)
    together(lambda nth: store(page, *(found if nth % 2 else found[::-1])), 6)
    assert (scene.many("contacts"), scene.many("sightings")) == (8, 8)
