"""Contacts by hand: created in the stored form, changed with an entry that tells how it was, never another tenant's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from errors import BadInput
from leads import contacts, erasure
from leads.contacts import Wanted
from leads.erasure import Target
from models import Contact
from pipeline import doorbell
from pipeline.database import statement
from services.suppression import Subject
from settings import settings
from tests.pipeline.doors import add_domain, declared
from tests.pipeline.stagehand import Bells

OTHER = UUID("00000000-0000-4000-8000-00000000abcf")


@pytest.fixture(autouse=True)
def _empty(db: str) -> Iterator[None]:
    with statement() as connection:
        connection.execute("INSERT INTO tenants (id, name) VALUES (%s, 'other') ON CONFLICT DO NOTHING", (OTHER,))
    yield
    with statement() as connection:
        connection.execute(b"TRUNCATE suppressions, audit_entries, domains, contacts CASCADE")


@pytest.fixture
def domain() -> int:
    return add_domain("acme.example")


def tenant() -> UUID:
    return settings().default_tenant_id


def create(domain: int, value: str = "Ann@ACME.example", kind: str = "email", **facts: str) -> dict[str, Any]:
    return contacts.create(tenant(), kind, value, domain_id=domain, facts=facts)


def entries() -> list[tuple[Any, ...]]:
    with statement() as connection:
        return connection.execute(b"SELECT action, entity_id, detail FROM audit_entries ORDER BY id").fetchall()


def test_a_contact_is_created_in_the_stored_form_with_a_sighting(domain: int) -> None:
    row = create(domain, person_name=" Ann Low ", note="met at a fair")
    assert (row["value"], row["label"], row["person_name"], row["domain"]) == (
        "ann@acme.example", "personal", "Ann Low", "acme.example",
    )  # fmt: skip
    assert [seen["method"] for seen in contacts.get(tenant(), row["id"])["sightings"]] == ["manual"]
    assert create(domain, "(512) 555-0100", "phone")["value"] == "+15125550100"
    assert entries()[0][:2] == ("create", row["id"])


@pytest.mark.parametrize(
    ("kind", "value", "sentence"),
    [
        ("email", "ann at home", "is no email: write it like"),
        ("phone", "12", "is no phone: write it like"),
        ("social", "facebook", "is no social: write the profile's whole address"),
        ("person", "123", "is no person: write a name"),
        ("emial", "a@b.example", "Did you mean email?"),
    ],
)
def test_what_is_no_contact_is_refused(domain: int, kind: str, value: str, sentence: str) -> None:
    with pytest.raises(BadInput) as fault:
        create(domain, value, kind)
    assert sentence in str(fault.value)
    assert entries() == []


def test_the_same_contact_twice_is_refused(domain: int) -> None:
    create(domain)
    with pytest.raises(BadInput, match="has this email already"):
        create(domain, "ANN@acme.example")
    assert len(entries()) == 1


@pytest.mark.parametrize("subject", [Subject("email", "ann@acme.example"), Subject("domain", "acme.example")])
def test_what_was_erased_is_not_created(domain: int, subject: Subject) -> None:
    erasure.erase(tenant(), Target(subject))
    with pytest.raises(BadInput, match="was erased on somebody's request"):
        create(domain)


def test_nothing_is_changed_into_what_was_erased(domain: int) -> None:
    erasure.erase(tenant(), Target(Subject("email", "ann@acme.example")))
    erasure.erase(tenant(), Target(Subject("domain", "acme.example"), "Ann Low"))
    row = create(domain, "bob@other.example", person_name="Bob Ray")
    for change in ({"value": "ann@acme.example"}, {"person_name": "ANN  LOW"}):
        with pytest.raises(BadInput, match="was erased"):
            contacts.update(tenant(), row["id"], change)
    with pytest.raises(BadInput, match="This person was erased"):
        contacts.create(tenant(), "person", "Low, Ann", domain_id=domain)


def test_a_change_keeps_how_it_was(domain: int) -> None:
    row = create(domain, person_name="Ann")
    changed = contacts.update(
        tenant(), row["id"], {"person_name": "", "curation_status": "not a fit", "value": "b@c.example"}
    )
    assert (changed["person_name"], changed["curation_status"], changed["value"]) == (None, "Not a Fit", "b@c.example")
    assert entries()[-1][2]["before"] == {
        "person_name": "Ann", "curation_status": "New", "value": "ann@acme.example",
    }  # fmt: skip


def test_a_change_into_another_contact_is_refused_and_nothing_is_changed(domain: int) -> None:
    create(domain)
    other = create(domain, "bob@acme.example")
    with pytest.raises(BadInput, match="another contact with this value"):
        contacts.update(tenant(), other["id"], {"note": "x", "value": "Ann@acme.example"})
    assert contacts.get(tenant(), other["id"])["note"] is None
    with pytest.raises(BadInput, match="cannot be set"):
        contacts.update(tenant(), other["id"], {"tenant_id": "x"})
    with pytest.raises(BadInput, match="Say what to change"):
        contacts.update(tenant(), other["id"], {})


def test_what_is_new_selected_or_corrected_is_validated(domain: int, bells: Bells) -> None:
    def queued() -> int:
        with statement() as connection:
            connection.execute(b"UPDATE work SET status = 'Completed' WHERE status = 'Queued' RETURNING id")
            row = connection.execute(b"SELECT count(*) FROM work WHERE stage = 'contact_validation'").fetchone()
        return int(row[0] if row else 0) * len(bells.take())

    doorbell.install(bells)
    with declared(contact_validation=Contact):
        row = create(domain)
        assert queued() == 1
        contacts.update(tenant(), row["id"], {"note": "x", "curation_status": "Maybe"})
        assert queued() == 0
        contacts.update(tenant(), row["id"], {"curation_status": "Selected"})
        assert queued() == 1
        contacts.update(tenant(), row["id"], {"value": "bob@acme.example"})
        assert queued() == 1


def test_a_deletion_keeps_what_it_takes_to_undo_it(domain: int) -> None:
    row = create(domain)
    contacts.delete(tenant(), row["id"])
    action, contact, detail = entries()[-1]
    assert (action, contact, detail["before"]["value"]) == ("delete", row["id"], "ann@acme.example")
    with pytest.raises(BadInput, match="There is no contact"):
        contacts.get(tenant(), row["id"])


def test_another_tenants_contact_is_not_there(domain: int) -> None:
    row = create(domain)
    for act in (contacts.get, contacts.delete):
        with pytest.raises(BadInput, match="There is no contact"):
            act(OTHER, row["id"])
    with pytest.raises(BadInput, match="There is no contact"):
        contacts.update(OTHER, row["id"], {"note": "x"})
    with pytest.raises(BadInput, match="There is no domain"):
        contacts.create(OTHER, "email", "x@y.example", domain_id=domain)
    assert contacts.list_contacts(OTHER, Wanted()).rows == []


@pytest.mark.parametrize("sort", ["id", "value", "last_seen_at"])
@pytest.mark.parametrize("descending", [False, True])
def test_pages_of_a_list_hold_each_contact_once(domain: int, sort: str, descending: bool) -> None:
    ids = {create(domain, f"p{nth % 4}{nth}@acme.example")["id"] for nth in range(7)}
    seen: list[Any] = []
    after = None
    while after or not seen:
        page = contacts.list_contacts(tenant(), Wanted(sort=sort, descending=descending, after=after, limit=3))
        seen += [(row[sort], row["id"]) for row in page.rows]
        after = page.next
    assert seen == sorted(seen, reverse=descending)
    assert {contact for _, contact in seen} == ids
    assert len(seen) == 7


def test_a_list_is_narrowed_down(domain: int) -> None:
    create(domain, person_name="Ann Low")
    create(domain, "+1 512 555 0100", "phone")
    create(add_domain("other.example"), "bob@other.example")

    def values(**wanted: Any) -> list[str]:
        return [row["value"] for row in contacts.list_contacts(tenant(), Wanted(**wanted)).rows]

    assert values(kind="phone") == ["+15125550100"]
    assert values(domain="Other.example") == ["bob@other.example"]
    assert values(text="ANN l") == ["ann@acme.example"]
    assert values(curation_status="maybe") == []
    with pytest.raises(BadInput, match="cannot be sorted by 'price'"):
        values(sort="price")
    assert len(values(verdict="Unknown")) == 3
    assert values(verdict="valid") == []
    with pytest.raises(BadInput, match="There is no verdict 'good'"):
        values(verdict="good")
