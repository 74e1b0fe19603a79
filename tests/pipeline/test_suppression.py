"""Suppression: Python and SQL hash alike, and agree on what the list covers."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from errors import BadInput
from leads import suppression_list
from leads.suppression_import import Reading, import_list
from pipeline.database import statement
from pipeline.suppressions import NOT_SUPPRESSED, PHONE_NOT_SUPPRESSED, Suppressed, hash_sql, salt_of
from services.suppression import Subject, digest_of, subject_of
from settings import settings
from tests.pipeline.doors import add_business, add_domain, add_place, insert

CONTACTS = [
    ("email", "Ann@acme.example"),
    ("email", "bob@mail.acme.example"),
    ("email", "carl@other.example"),
    ("phone", "+15125550100"),
    ("phone", "+15125550101"),
    ("social", "https://facebook.com/acme"),
    ("person", "Ann Low"),
]


@pytest.fixture(autouse=True)
def _empty(db: str) -> Iterator[None]:
    yield
    with statement() as connection:
        connection.execute(b"TRUNCATE suppressions, audit_entries, places, domains, contacts CASCADE")


def tenant() -> UUID:
    return settings().default_tenant_id


def scalar(sql: str, *values: Any) -> Any:
    with statement() as connection:
        return (connection.execute(sql.encode(), values).fetchone() or [None])[0]


def subjects(*texts: str) -> list[Subject]:
    return [found for found in map(subject_of, texts) if found is not None]


def add_contact(domain_id: int, kind: str, value: str) -> int:
    return insert("contacts", domain_id=domain_id, owner_key=f"domain:{domain_id}", kind=kind, value=value)


def allowed_in_sql() -> set[tuple[str, str, str]]:
    sql = f"""SELECT contact.kind, contact.value, domain.name FROM contacts contact
              LEFT JOIN domains domain ON domain.id = contact.domain_id WHERE {NOT_SUPPRESSED}"""
    with statement() as connection:
        return {(row[0], row[1], row[2]) for row in connection.execute(sql.encode()).fetchall()}


@given(st.sampled_from(["email", "phone", "domain"]), st.text(st.characters(codec="ascii", exclude_characters="\x00")))
@profile(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_python_and_sql_hash_alike(db: str, kind: str, value: str) -> None:
    salt = salt_of(tenant())
    in_sql = scalar(f"SELECT {hash_sql('%s::text', '%s::text', '%s::uuid')}", salt, kind, value)
    assert in_sql == digest_of(salt, kind, value).hex()


@pytest.mark.parametrize(
    "listed",
    [[], ["ann@ACME.example"], ["(512) 555-0100"], ["acme.example"], ["other.example", "bob@mail.acme.example"]],
)
def test_sql_and_python_agree_on_what_a_list_covers(listed: list[str]) -> None:
    for name in ("acme.example", "third.example"):
        domain = add_domain(name)
        for kind, value in CONTACTS:
            add_contact(domain, kind, value)
    everything = allowed_in_sql()
    assert len(everything) == 2 * len(CONTACTS)
    suppression_list.add(tenant(), subjects(*listed))
    covered = Suppressed.load(tenant())
    assert allowed_in_sql() == {row for row in everything if not covered.covers(*row)}
    assert bool(listed) == (allowed_in_sql() != everything)


def test_a_domain_covers_its_contacts_and_every_address_at_it() -> None:
    suppression_list.add(tenant(), subjects("www.acme.example"))
    listed = Suppressed.load(tenant())
    assert listed.email("x@mail.acme.example")
    assert listed.covers("phone", "+15125550100", "acme.example")
    assert not listed.email("x@notacme.example")
    assert not listed.covers("phone", "+15125550100", "other.example")


def test_the_number_that_a_provider_gave_is_covered_too() -> None:
    business = add_business(add_place("a"), "Anna")
    with statement() as connection:
        connection.execute("UPDATE local_businesses SET phone = '+15125550100' WHERE id = %s", (business,))
    sql = f"SELECT count(*) FROM local_businesses business WHERE {PHONE_NOT_SUPPRESSED}"
    assert scalar(sql) == 1
    suppression_list.add(tenant(), subjects("+1 512 555 0100"))
    assert scalar(sql) == 0


def test_one_tenants_list_is_nothing_to_another() -> None:
    other = UUID("00000000-0000-4000-8000-00000000abcd")
    with statement() as connection:
        connection.execute("INSERT INTO tenants (id, name) VALUES (%s, 'other') ON CONFLICT DO NOTHING", (other,))
    suppression_list.add(other, subjects("ann@acme.example"))
    assert not Suppressed.load(tenant()).email("ann@acme.example")
    assert Suppressed.load(other).email("ann@acme.example")
    hashes = {scalar("SELECT value_hash FROM suppressions WHERE tenant_id = %s", other)}
    assert hashes != {subjects("ann@acme.example")[0].digest(salt_of(tenant())).hex()}


def test_the_value_itself_is_nowhere_stored() -> None:
    suppression_list.add(tenant(), subjects("ann@acme.example"), reason="asked by letter")
    stored = scalar(
        "SELECT suppressions::text || (SELECT string_agg(detail::text, '') FROM audit_entries) FROM suppressions"
    )
    assert "ann" not in stored
    assert "acme" not in stored
    assert scalar("SELECT count(*) FROM audit_entries WHERE action = 'suppress'") == 1


def test_what_was_erased_is_taken_off_only_when_that_is_said() -> None:
    suppression_list.add(tenant(), subjects("ann@acme.example"))
    with statement() as connection:
        connection.execute(b"UPDATE suppressions SET is_erased = true")
    with pytest.raises(BadInput, match="say `erased`"):
        suppression_list.remove(tenant(), subjects("ann@acme.example"))
    assert scalar("SELECT count(*) FROM suppressions") == 1
    assert suppression_list.remove(tenant(), subjects("ann@acme.example"), erased=True)
    assert scalar("SELECT count(*) FROM suppressions") == 0


def test_a_list_of_thousands_is_brought_in_bulk_with_a_result_for_each_row() -> None:
    rows = [f"p{nth}@list.example" for nth in range(5000)] + ["P7@LIST.example", "nobody", "(512) 555-0100", ""]
    suppression_list.add(tenant(), subjects("p1@list.example"))
    read = import_list(tenant(), io.BytesIO("\n".join(["Email", *rows]).encode()), "x.csv", Reading())
    assert read.counts == {
        ("added", None): 5000, ("duplicate", "known-already"): 1, ("duplicate", "repeated"): 1,
        ("rejected", "no-address"): 1,
    }  # fmt: skip
    assert [(row.line, reason) for row, reason in read.rejected] == [(5003, "no-address")]
    assert scalar("SELECT count(*) FROM suppressions") == 5001
