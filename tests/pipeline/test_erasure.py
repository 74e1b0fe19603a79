"""Erasure: no copy of a value is left in any table, what was somebody else's stays, and it is not stored again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import Thread
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import ARRAY, Text
from sqlalchemy.dialects.postgresql import DOMAIN, JSONB
from sqlalchemy.types import String, TypeEngine

from errors import Filtered
from leads import erasure, suppression_list
from leads.erasure import Target
from models import Base
from pipeline import contact_store, domain_links
from pipeline.contact_store import Sheet
from pipeline.database import statement, transaction
from pipeline.erasure_columns import COVERED, kept
from services.contacts import FoundContact
from services.suppression import subject_of
from settings import settings
from tests.pipeline.doors import add_business, add_domain, add_place, add_work, insert

ANN, PHONE, ACME = "ann@acme.example", "+15125550100", "acme.example"
URL = "https://acme.example/team"


@pytest.fixture(autouse=True)
def _empty(db: str) -> Iterator[None]:
    yield
    with statement() as connection:
        connection.execute(
            b"TRUNCATE suppressions, audit_entries, places, domains, contacts, batches, searches CASCADE"
        )


def tenant() -> UUID:
    return settings().default_tenant_id


def rows(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    with statement() as connection:
        return connection.execute(sql.encode(), values).fetchall()


def scalar(sql: str, *values: Any) -> Any:
    return rows(sql, *values)[0][0]


def target(text: str, person: str | None = None) -> Target:
    subject = subject_of(text)
    assert subject is not None
    return Target(subject, person)


def dump() -> str:
    """Everything that the database holds, as one text."""
    tables = [table.name for table in Base.metadata.sorted_tables if table.name not in ("users", "tenants")]
    return "\n".join(str(row[0]) for name in tables for row in rows(f"SELECT to_jsonb({name})::text FROM {name}"))


def add_contact(domain: int, kind: str, value: str, snippet: str = "", **columns: Any) -> int:
    contact = insert("contacts", domain_id=domain, owner_key=f"domain:{domain}", kind=kind, value=value, **columns)
    insert("sightings", contact_id=contact, url=URL, method="text", snippet=snippet)
    return contact


def fill_every_text(text: str) -> None:
    """Put a text into every column that erasure covers."""
    place = insert("places", provider="list", provider_place_id=f"key {text}")
    business = add_business(place, "Anna")
    domain = add_domain("third.example", business)
    contact = add_contact(domain, "email", "info@third.example")
    insert("pages", domain_id=domain, url=f"https://third.example/?q={text}", host="third.example")
    insert("sitemap_files", domain_id=domain, url=f"https://third.example/{text}/s.xml", host="third.example")
    insert("searches", what="dentists", where_text="Austin", provider="google")
    batch = insert("batches", kind="domain", name="x")
    insert("batch_items", batch_id=batch, row_number=1)
    work = add_work("first", 1)
    insert("audit_entries", action="set", entity="pages")
    insert("suppressions", kind="email", value_hash="0" * 64)
    insert("saved_views", user_id=settings().scheduler_system_user_id, entity="contacts", name=f"view {text}")
    schedule = insert("schedules", name="x", stage="first", entity_id=1, cron="* * * * *")
    insert("schedule_fires", schedule_id=schedule, fire_at="2026-11-15T09:00Z")
    with statement() as connection:
        connection.execute(
            "INSERT INTO failures (work_id, attempt, kind, reason) VALUES (%s, 1, 'passing', 'timeout')", (work,)
        )
        connection.execute(b"INSERT INTO hosts (host) VALUES ('third.example')")
        connection.execute(b"INSERT INTO stage_controls (stage) VALUES ('first')")
        for table, columns in COVERED.items():
            for column, how in columns.items():
                if how == "marked" or (table, column) == ("local_businesses", "phone"):
                    continue
                value = json.dumps([{"deep": [text]}]) if how == "json" else f"before {text} after"
                connection.execute(f"UPDATE {table} SET {column} = %s".encode(), (value,))
    assert contact


def test_every_text_of_every_table_is_covered_or_said_to_be_impossible() -> None:
    def is_text(kind: TypeEngine[Any]) -> bool:
        if isinstance(kind, DOMAIN):
            return is_text(kind.data_type)
        return isinstance(kind, String | Text | JSONB | ARRAY)

    tables = [table for table in Base.metadata.sorted_tables if not table.name.startswith("puppet")]
    texts = {f"{table.name}.{column.name}" for table in tables for column in table.columns if is_text(column.type)}
    covered = {f"{table}.{column}" for table, columns in COVERED.items() for column in columns}
    assert texts == covered | kept().keys()
    assert not covered & kept().keys()


@pytest.mark.parametrize(
    ("value", "spelt"),
    [
        (ANN, "Ann@ACME.example"),
        (ANN, "ann%40acme.example"),
        (PHONE, "(512) 555-0100"),
        (ACME, "https://www.acme.example/x"),
    ],
)
def test_no_text_keeps_a_value_in_any_spelling(value: str, spelt: str) -> None:
    fill_every_text(spelt)
    assert dump().count(spelt) >= sum(len(columns) for columns in COVERED.values()) - 4
    erasure.erase(tenant(), target(value))
    left = dump()
    assert spelt not in left
    assert "third.example" in left


def test_the_business_and_the_place_lose_the_number() -> None:
    place = add_place("a")
    business = add_business(place, "Anna")
    with statement() as connection:
        connection.execute("UPDATE local_businesses SET phone = %s WHERE id = %s", (PHONE, business))
        connection.execute("UPDATE places SET phone = '(512) 555-0100' WHERE id = %s", (place,))
    erasure.erase(tenant(), target("512-555-0100"))
    assert rows("SELECT b.phone, p.phone FROM local_businesses b, places p") == [(None, None)]


def test_an_email_goes_with_its_person_and_leaves_the_desk_without_a_name() -> None:
    domain, other = add_domain(ACME), add_domain("other.example")
    ann = {"person_name": "Ann Low", "person_title": "Owner"}
    add_contact(domain, "email", ANN, **ann, label="personal")
    add_contact(domain, "person", "Ann Low", **ann)
    add_contact(domain, "phone", PHONE, **ann)
    add_contact(domain, "email", "info@acme.example", f"Ann Low, write to {ANN} or 512 555 0100", **ann, label="role")
    add_contact(domain, "email", "bob@acme.example", person_name="Bob Ray", label="personal")
    add_contact(other, "person", "Ann Low", person_name="Ann Low")
    add_contact(other, "email", ANN)
    insert("pages", domain_id=domain, url=f"{URL}/ann-low", host=ACME, title="Ann Low - Acme")
    seen = erasure.preview(tenant(), target(ANN))
    assert scalar("SELECT count(*) FROM contacts") == 7
    assert scalar("SELECT count(*) FROM suppressions") == 0
    done = erasure.erase(tenant(), target(ANN))
    assert done.counts == seen.counts
    assert done.along == [("person", "Ann Low"), ("phone", PHONE)]
    left = rows("SELECT kind, value, person_name, person_title FROM contacts ORDER BY id")
    assert left == [
        ("email", "info@acme.example", None, None), ("email", "bob@acme.example", "Bob Ray", None),
        ("person", "Ann Low", "Ann Low", None),
    ]  # fmt: skip
    snippet = scalar("SELECT snippet FROM sightings JOIN contacts ON contacts.id = contact_id WHERE label = 'role'")
    assert snippet == "[erased], write to [erased] or [erased]"
    ((title, url),) = rows("SELECT title, url FROM pages")
    assert title == "[erased] - Acme"
    assert "ann-low" not in url
    assert set(rows("SELECT kind, is_erased FROM suppressions")) == {("email", True), ("phone", True), ("person", True)}


def test_a_person_is_erased_by_name_at_one_site_only() -> None:
    for name in (ACME, "other.example"):
        domain = add_domain(name)
        add_contact(domain, "person", "Ann Low", person_name="Ann Low")
        add_contact(domain, "email", f"ann@{name}", person_name="Ann Low", label="personal")
    erasure.erase(tenant(), target(ACME, "ann low"))
    assert [row[0] for row in rows("SELECT value FROM contacts ORDER BY kind")] == ["ann@other.example", "Ann Low"]


def test_a_domain_is_left_as_an_empty_archived_row() -> None:
    domain, other = add_domain(ACME), add_domain("other.example")
    add_contact(domain, "phone", PHONE)
    add_contact(other, "email", "x@mail.acme.example")
    add_contact(other, "email", "x@notacme.example")
    insert("pages", domain_id=domain, url=URL, host=ACME)
    with statement() as connection:
        connection.execute("UPDATE domains SET title = 'Acme', links = '[\"/x\"]' WHERE id = %s", (domain,))
    erasure.erase(tenant(), target("www.acme.example"))
    assert [row[0] for row in rows("SELECT value FROM contacts")] == ["x@notacme.example"]
    assert rows("SELECT title, links, curation_status FROM domains WHERE id = %s", domain) == [(None, [], "Archived")]
    assert scalar("SELECT count(*) FROM pages") == 0
    assert scalar("SELECT url FROM sightings") == f"https://[erased-{scalar('SELECT id FROM sightings')}]"


def test_a_link_that_opens_a_chat_with_the_number_goes_too() -> None:
    domain = add_domain(ACME)
    add_contact(domain, "social", "https://wa.me/15125550100")
    add_contact(domain, "social", "https://wa.me/15125550101")
    erasure.erase(tenant(), target(PHONE))
    assert [row[0] for row in rows("SELECT value FROM contacts")] == ["https://wa.me/15125550101"]


def test_another_tenants_copy_stays() -> None:
    other = UUID("00000000-0000-4000-8000-00000000abce")
    with statement() as connection:
        connection.execute("INSERT INTO tenants (id, name) VALUES (%s, 'other') ON CONFLICT DO NOTHING", (other,))
    theirs = insert("domains", name=ACME, tenant_id=other)
    insert("contacts", domain_id=theirs, owner_key=f"domain:{theirs}", kind="email", value=ANN, tenant_id=other)
    erasure.erase(tenant(), target(ANN))
    assert scalar("SELECT count(*) FROM contacts") == 1


def test_the_audit_entry_tells_counts_and_the_hash_but_never_the_value() -> None:
    contact = add_contact(add_domain(ACME), "email", ANN)
    insert("audit_entries", action="update", entity="contacts", entity_id=contact, detail='{"person_name": "Ann Low"}')
    done = erasure.erase(tenant(), target(ANN))
    entry = scalar("SELECT detail FROM audit_entries WHERE action = 'erase'")
    assert entry == {"hashes": done.hashes, "rows": dict(done.counts)}
    assert done.hashes == [row[0] for row in rows("SELECT value_hash FROM suppressions")]
    text = str(rows("SELECT detail FROM audit_entries"))
    assert "ann@" not in text
    assert "Ann" not in text


def test_what_was_erased_is_not_stored_when_it_is_found_again() -> None:
    domain = add_domain(ACME)
    add_contact(domain, "email", ANN)
    erasure.erase(tenant(), target(ANN))
    found = [FoundContact("email", value, "text", "Write", 0.9) for value in ("Ann@acme.example", "bob@acme.example")]
    with transaction() as (session, _):
        contact_store.store(session, Sheet(tenant(), URL, domain_id=domain), found)
    assert [row[0] for row in rows("SELECT value FROM contacts")] == ["bob@acme.example"]


def test_what_is_being_stored_while_it_is_erased_is_erased_too() -> None:
    domain = add_domain(ACME)
    erasing = Thread(target=erasure.erase, args=(tenant(), target(ANN)))
    with transaction() as (session, _):
        found = [FoundContact("email", ANN, "text", "Write", 0.9)]
        contact_store.store(session, Sheet(tenant(), URL, domain_id=domain), found)
        erasing.start()
        while not waits_for("ShareRowExclusiveLock"):
            assert erasing.is_alive()
    erasing.join()
    assert scalar("SELECT count(*) FROM contacts") == 0
    assert scalar("SELECT count(*) FROM suppressions WHERE is_erased") == 1


def waits_for(mode: str) -> bool:
    return bool(scalar("SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = %s", mode))


def test_a_look_at_what_would_be_erased_waits_for_nobody() -> None:
    domain = add_domain(ACME)
    add_contact(domain, "email", ANN, person_name="Ann Low")
    seen: list[Any] = []
    looking = Thread(target=lambda: seen.append(erasure.preview(tenant(), target(ANN)).counts))
    with transaction() as (_, connection):
        connection.execute(b"LOCK TABLE contacts, sightings, domains IN SHARE ROW EXCLUSIVE MODE")
        connection.execute(b"SELECT 1 FROM contacts, sightings, domains FOR UPDATE")
        looking.start()
        while looking.is_alive():
            assert not scalar("SELECT count(*) FROM pg_locks WHERE NOT granted")
    assert seen == [{"contacts": 1, "sightings": 1}]
    assert scalar("SELECT count(*) FROM contacts") == 1


def test_contacts_are_stored_while_an_erasure_goes_through_the_texts() -> None:
    domain, batch = add_domain(ACME), insert("batches", kind="domain", name=f"of {ANN}")
    erasing = Thread(target=erasure.erase, args=(tenant(), target(ANN)))
    with transaction() as (_, connection):
        connection.execute("SELECT 1 FROM batches WHERE id = %s FOR UPDATE", (batch,))
        erasing.start()
        while not waits_for("ShareLock"):
            assert erasing.is_alive()
        with transaction() as (session, _):
            found = [FoundContact("email", value, "text", "Write", 0.9) for value in (ANN, "bob@acme.example")]
            contact_store.store(session, Sheet(tenant(), URL, domain_id=domain), found)
        assert erasing.is_alive()
        assert [row[0] for row in rows("SELECT value FROM contacts")] == ["bob@acme.example"]
    erasing.join()
    assert scalar("SELECT name FROM batches") == "of [erased]"


def test_the_facts_of_a_site_that_is_erased_while_it_is_read_are_not_stored() -> None:
    domain, told = add_domain(ACME), list[str]()

    def keep() -> None:
        try:
            with transaction() as (session, _):
                domain_links.keep_facts(session, domain, {"title": "Acme"})
        except Filtered as outcome:
            told.append(outcome.reason)

    keeping = Thread(target=keep)
    with transaction() as (_, connection):
        erasure._erase(erasure._Hand(connection, tenant(), acts=True), target(ACME))
        keeping.start()
        while not waits_for("ShareLock"):
            assert keeping.is_alive()
    keeping.join()
    assert told == ["erased"]
    assert scalar("SELECT title FROM domains") is None


def test_what_was_suppressed_before_becomes_erased() -> None:
    subject = target(ANN).subject
    suppression_list.add(tenant(), [subject], reason="asked")
    erasure.erase(tenant(), target(ANN))
    assert rows("SELECT reason, is_erased FROM suppressions") == [("asked", True)]
