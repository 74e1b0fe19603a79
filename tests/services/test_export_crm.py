"""What each CRM gets: its own headers, its required fields filled, and only rows that it can take."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from services.export_columns import CONTACT, LEAD, Column
from services.export_crm import CRMS
from services.lead import Seen
from services.lead_row import Business, ContactRow, Lead, Reach, reach_of

ANNA = Business(
    id=7, name="Anna's Bakery", category="bakery", address="1 Main St, Austin, TX 78701", street="1 Main St",
    city="Austin", region="TX", postal_code="78701", country="US", website="https://anna.example",
    domain="anna.example", attribution="© OpenStreetMap contributors",
)  # fmt: skip
FULL = Reach(
    "lead-7", ANNA, person="Anna Maria Low", title="Owner", email="anna@anna.example", phone="+15125550100",
    socials={"linkedin": "https://www.linkedin.com/company/anna"}, source_url="https://anna.example/contact",
    seen_at=datetime(2026, 1, 31, tzinfo=UTC), score=80,
)  # fmt: skip
NOTE = "Seen at https://anna.example/contact on 2026-01-31. © OpenStreetMap contributors"


def row_for(crm: str, reach: Reach) -> dict[str, Any]:
    return {column.name: column.of(reach) for column in CRMS[crm].columns if column.of(reach)}


def test_hubspot() -> None:
    assert row_for("hubspot", FULL) == {
        "Company name": "Anna's Bakery",
        "Company Domain Name": "anna.example",
        "Email": "anna@anna.example",
        "First Name": "Anna Maria",
        "Last Name": "Low",
        "Job Title": "Owner",
        "Phone Number": "+15125550100",
        "Website URL": "https://anna.example",
        "Street Address": "1 Main St",
        "City": "Austin",
        "State/Region": "TX",
        "Postal Code": "78701",
        "Country/Region": "US",
        "Industry": "bakery",
        "LinkedIn Company Page": "https://www.linkedin.com/company/anna",
        "Notes": NOTE,
    }


def test_salesforce_always_has_a_last_name_and_a_company() -> None:
    row = row_for("salesforce", FULL)
    assert (row["FirstName"], row["LastName"], row["Company"]) == ("Anna Maria", "Low", "Anna's Bakery")
    assert (row["LeadSource"], row["Description"]) == ("ScraperSky", NOTE)
    nameless = row_for("salesforce", Reach("lead-1", Business(domain="anna.example"), email="info@anna.example"))
    assert (nameless["LastName"], nameless["Company"]) == ("anna.example", "anna.example")
    long = row_for("salesforce", Reach("lead-1", Business(name="x" * 999)))
    assert (len(long["LastName"]), len(long["Company"])) == (80, 255)


def test_brevo_texts_only_what_is_certainly_a_mobile() -> None:
    american = row_for("brevo", FULL)
    assert (american.get("SMS"), american["LANDLINE_NUMBER"]) == (None, "+15125550100")
    german = row_for("brevo", Reach("lead-1", ANNA, email="a@anna.example", phone="+4915112345678"))
    assert (german["SMS"], german.get("LANDLINE_NUMBER")) == ("+4915112345678", None)
    assert row_for("brevo", Reach("lead-1", ANNA, email="a@anna.example", phone="=1")).get("SMS") is None


def test_pipedrive_names_the_company_where_there_is_nobody() -> None:
    assert row_for("pipedrive", FULL)["Person name"] == "Anna Maria Low"
    nobody = row_for("pipedrive", Reach("lead-1", Business(name="Anna's Bakery", city="Austin", country="US")))
    assert (nobody["Person name"], nobody["Address"]) == ("Anna's Bakery", "Austin, US")


@pytest.mark.parametrize(
    ("crm", "reach", "is_taken"),
    [
        ("hubspot", Reach("x", Business(domain="anna.example")), True),
        ("hubspot", Reach("x", Business(), phone="+15125550100"), False),
        ("salesforce", Reach("x", Business(), email="a@anna.example"), False),
        ("salesforce", Reach("x", Business(name="Anna")), True),
        ("brevo", Reach("x", ANNA), False),
        ("brevo", Reach("x", Business(), email="a@anna.example"), True),
        ("pipedrive", Reach("x", Business(), person="Anna"), True),
        ("pipedrive", Reach("x", Business(), email="a@anna.example"), False),
    ],
)
def test_rows_that_a_crm_would_refuse_are_left_out(crm: str, reach: Reach, is_taken: bool) -> None:
    assert CRMS[crm].takes(reach) is is_taken


def test_every_header_is_there_once() -> None:
    tables: list[Sequence[Column[Any]]] = [LEAD, CONTACT, *(crm.columns for crm in CRMS.values())]
    for columns in tables:
        names = [column.name for column in columns]
        assert len(names) == len(set(names))


def test_nothing_known_is_no_fault() -> None:
    empty, bare = Lead(Business(id=1)), ContactRow(1, Seen("social", "https://x.com/a"), Business())
    assert [column.name for column in LEAD if column.of(empty)] == ["id", "curation"]
    assert reach_of(bare).socials == {"other": "https://x.com/a"}
    assert reach_of(ContactRow(1, Seen("person", "Anna Low"), ANNA)).names == ("Anna", "Low")
    assert reach_of(ContactRow(1, Seen("phone", "+15125550100", "fax"), ANNA)).phone is None
