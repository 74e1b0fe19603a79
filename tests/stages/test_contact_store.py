"""The contact store: each contact once for its owner, with a sighting for each address and method."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

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


def gone(scene: Scene) -> set[str]:
    return {row["value"] for row in scene.rows("SELECT value FROM contacts WHERE gone_at IS NOT NULL")}


def test_a_homepage_that_has_moved_takes_its_sightings_along(scene: Scene) -> None:
    store(sheet(scene, url="http://anna.example/"), email("old@anna.example"), email())
    store(sheet(scene, url="https://www.anna.example/"), email())
    assert gone(scene) == {"old@anna.example"}
    alive = scene.rows("SELECT url FROM sightings WHERE gone_at IS NULL")
    assert [row["url"] for row in alive] == ["https://www.anna.example/"]


def test_a_method_that_no_longer_finds_a_contact_does_not_make_it_gone(scene: Scene) -> None:
    page = on_page(scene)
    store(page, email("info@anna.example", "mailto", "text"))
    store(page, email("info@anna.example", "text"))
    methods = {row["method"]: row["gone_at"] for row in scene.rows("SELECT method, gone_at FROM sightings")}
    assert methods["text"] is None
    assert methods["mailto"] is not None
    assert gone(scene) == set()


def test_what_a_person_added_is_never_gone(scene: Scene) -> None:
    page = on_page(scene)
    scene.execute(
        "WITH contact AS (INSERT INTO contacts (tenant_id, domain_id, owner_key, kind, value)"
        "     SELECT tenant_id, id, 'domain:' || id, 'email', 'by-hand@anna.example' FROM domains RETURNING *)"
        " INSERT INTO sightings (tenant_id, contact_id, url, method)"
        " SELECT tenant_id, id, 'manual', 'manual' FROM contact"
    )
    store(page, email())
    with transaction() as (session, _):
        contact_store.lose(session, page)
    store(sheet(scene), email("new@anna.example"))
    store(sheet(scene))
    assert gone(scene) == {"info@anna.example", "new@anna.example"}


def test_seeing_a_page_again_does_not_bring_back_what_it_had_lost(scene: Scene) -> None:
    page = on_page(scene)
    store(page, email("old@anna.example"))
    store(page, email())
    with transaction() as (session, _):
        contact_store.see_again(session, page)
    assert gone(scene) == {"old@anna.example"}


VALUES = [f"{letter}@anna.example" for letter in "abcd"]
READINGS = st.lists(
    st.tuples(st.integers(0, 2), st.one_of(st.none(), st.just("again"), st.sets(st.sampled_from(VALUES)))), max_size=10
)


@hypothesis_settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(readings=READINGS)
def test_a_contact_is_gone_exactly_when_no_page_shows_it(
    scene: Scene, readings: list[tuple[int, set[str] | str | None]]
) -> None:
    scene.execute("DELETE FROM domains")
    pages = [on_page(scene, f"https://anna.example/{at}") for at in range(3)]
    shown: dict[int, set[str]] = {}
    known: set[str] = set()
    for at, reading in readings:
        with transaction() as (session, _):
            if reading is None:
                contact_store.lose(session, pages[at])
                shown[at] = set()
            elif isinstance(reading, str):
                contact_store.see_again(session, pages[at])
            else:
                contact_store.store(session, pages[at], [email(value) for value in sorted(reading)])
                shown[at] = reading
                known |= reading
    alive = set().union(*shown.values()) if shown else set()
    assert gone(scene) == known - alive
    rows = scene.rows(
        "SELECT value, page_id FROM sightings JOIN contacts ON contacts.id = contact_id WHERE sightings.gone_at IS NULL"
    )
    assert {(row["value"], row["page_id"]) for row in rows} == {
        (value, pages[at].page_id) for at, values in shown.items() for value in values
    }
