"""Exports: contacts with their proof, files that hold what was asked for, and memory that does not grow with them."""

from __future__ import annotations

import csv
import io
import json
import sys
from typing import Any

import pytest

from errors import BadInput
from leads.exports import Exported, Order, prepare
from pipeline.database import statement
from tests.pipeline.lead_world import LeadWorld


@pytest.fixture
def world(db: str) -> LeadWorld:
    return LeadWorld()


def export(world: LeadWorld, **wishes: Any) -> tuple[bytes, Exported]:
    stream = io.BytesIO()
    exported = prepare(Order(world.tenant, **wishes)).write(stream)
    return stream.getvalue(), exported


def rows(world: LeadWorld, **wishes: Any) -> list[dict[str, Any]]:
    raw, _ = export(world, **({"subject": "contacts", "format": "jsonl"} | wishes))
    return [json.loads(line) for line in raw.decode().splitlines()]


def values(world: LeadWorld, *where: str, **wishes: Any) -> list[str]:
    return [row["value"] for row in rows(world, where=where, **wishes)]


def test_a_contact_is_exported_with_its_business_and_its_proof(world: LeadWorld) -> None:
    site = world.domain()
    world.business("Anna's", at=site, street="1 Main St", main_category="bakery", website="https://anna.example")
    world.contact(
        site, page_kind="contact", snippet="Write to info@anna.example", verdict="risky", verdict_reasons=["role"],
    )  # fmt: skip
    (row,) = rows(world)
    expected = {
        "kind": "email",
        "value": "info@anna.example",
        "label": "role",
        "verdict": "risky",
        "verdict_reasons": ["role"],
        "business": "Anna's",
        "businesses": 1,
        "category": "bakery",
        "street": "1 Main St",
        "website": "https://anna.example",
        "domain": "anna.example",
        "source_url": "https://anna.example/contact",
        "method": "mailto",
        "snippet": "Write to info@anna.example",
        "sightings": 1,
        "gone_at": None,
        "attribution": "© OpenStreetMap contributors",
    }
    assert {name: row[name] for name in expected} == expected
    assert row["first_seen_at"] <= row["last_seen_at"]


def test_a_contact_that_businesses_share_is_one_row(world: LeadWorld) -> None:
    site = world.domain()
    world.business("No", at=site, curation_status="Not a Fit")
    first = world.business("First", at=site)
    second = world.business("Second", at=site)
    world.contact(site)
    assert [(row["business"], row["businesses"]) for row in rows(world)] == [("First", 2)]
    search = world.search("bakeries", second)
    assert [row["business"] for row in rows(world, search_id=search)] == ["Second"]
    world.execute("UPDATE local_businesses SET curation_status = 'Archived' WHERE id = ANY(%s)", [first, second])
    assert rows(world) == []


def test_contacts_of_a_domain_without_a_business_are_exported_too(world: LeadWorld) -> None:
    world.contact(world.domain())
    business = world.business("Bert")
    world.contact(None, "https://x.com/bert", "social", business=business, label="x")
    assert [(row["value"], row["business"]) for row in rows(world)] == [
        ("info@anna.example", None), ("https://x.com/bert", "Bert"),
    ]  # fmt: skip


def test_what_was_turned_down_and_what_is_gone_stays_at_home(world: LeadWorld) -> None:
    site, archived = world.domain(), world.domain("old.example", curation_status="Archived")
    world.contact(site)
    world.contact(site, "no@anna.example", curation_status="Archived")
    world.contact(site, "gone@anna.example", gone_at="2026-01-01")
    world.contact(archived, "info@old.example")
    assert values(world) == ["info@anna.example"]
    assert values(world, with_gone=True) == ["info@anna.example", "gone@anna.example"]


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("kind=email", ["info@anna.example"]),
        ("kind!=email", ["+15125550100"]),
        ("verdict=unknown", ["+15125550100"]),
        ("label=role", ["info@anna.example"]),
        ("confidence>=0.95", ["+15125550100"]),
        ("method=mailto", ["info@anna.example", "+15125550100"]),
        ("domain~anna", ["info@anna.example", "+15125550100"]),
        ("city=austin", ["info@anna.example", "+15125550100"]),
        ("city!=austin", []),
        ("technology=Wix", ["info@anna.example", "+15125550100"]),
        ("last_seen<=2020-01-01", []),
        ("value=' OR true --", []),
    ],
)
def test_conditions_choose_contacts(world: LeadWorld, where: str, found: list[str]) -> None:
    site = world.domain(technologies=["Wix"])
    world.business(at=site)
    world.contact(site, verdict="valid")
    world.contact(site, "+15125550100", "phone", confidence=0.95)
    assert values(world, where) == found


def test_nothing_suppressed_is_in_a_row_or_in_the_text_around_it(world: LeadWorld) -> None:
    site, other = world.domain(), world.domain("bella.example")
    world.business(at=site)
    world.contact(site, "anna@anna.example", person_name="Anna Low")
    world.contact(site, "Anna Low", "person")
    world.contact(site, "+15125550100", "phone")
    world.contact(site, "https://x.com/annalow", "social", label="x", person_name="Anna Low")
    for value, snippet in {
        "one@anna.example": "anna@anna.example or one@anna.example",
        "two@anna.example": "Anna (at) anna (dot) example",
        "three@anna.example": "call (512) 555-0100",
        "four@anna.example": "ask for Anna LOW",
        "five@anna.example": "call (512) 555-0177, or write",
    }.items():
        world.contact(site, value, snippet=snippet, person_name="Anna Low")
    world.contact(other, "info@bella.example")
    world.suppress("anna@anna.example", "512-555-0100", "bella.example")
    assert {row["value"]: row["snippet"] for row in rows(world)} == {
        "one@anna.example": None,
        "two@anna.example": None,
        "three@anna.example": None,
        "four@anna.example": None,
        "five@anna.example": "call (512) 555-0177, or write",
    }
    assert {row["person"] for row in rows(world)} == {None}
    _, exported = export(world, subject="contacts")
    assert exported == Exported(rows=5, suppressed=5)


def test_a_file_for_a_crm_has_only_rows_that_it_takes(world: LeadWorld) -> None:
    site = world.domain()
    world.business(at=site)
    world.business("Bert")
    world.contact(site, person_name="Anna Low")
    raw, exported = export(world, target="brevo")
    (row,) = csv.DictReader(io.StringIO(raw.decode("utf-8-sig")))
    assert (row["EMAIL"], row["FIRSTNAME"], row["LASTNAME"]) == ("info@anna.example", "Anna", "Low")
    assert exported == Exported(rows=1, suppressed=0, skipped=1, lacks="an email")


@pytest.mark.parametrize("subject", ["leads", "contacts"])
@pytest.mark.parametrize("format_", ["csv", "xlsx", "jsonl", "vcard"])
@pytest.mark.parametrize("target", ["plain", "hubspot", "salesforce", "brevo", "pipedrive"])
def test_every_subject_format_and_crm_go_together(world: LeadWorld, subject: str, format_: str, target: str) -> None:
    site = world.domain()
    world.business("=1+1", at=site)
    world.contact(site, "info@anna.example")
    wishes = {"subject": subject, "format": format_, "target": target}
    if (format_, target) != ("vcard", "plain") and format_ == "vcard":
        with pytest.raises(BadInput, match="A vCard has fields of its own"):
            export(world, **wishes)
        return
    raw, exported = export(world, **wishes)
    assert exported.rows == 1
    assert raw


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        ({"format": "pdf"}, "There is no format 'pdf': use one of csv, xlsx, jsonl, vcard."),
        ({"target": "zoho"}, "There is no CRM 'zoho'"),
        ({"prefer": "both"}, "There is no preference 'both': use one of role, personal."),
        ({"subject": "pages"}, "There is no thing to export 'pages'"),
        ({"where": ["score>=high"]}, "score is compared with a number"),
        ({"where": ["score>=1"], "subject": "contacts"}, "There is no field 'score'"),
        ({"search_id": 2**62}, "There is no search 4611686018427387904"),
    ],
)
def test_what_cannot_be_done_is_explained(world: LeadWorld, wishes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput) as refused:
        export(world, **wishes)
    assert sentence in str(refused.value)


def test_a_limit_counts_rows_that_are_written(world: LeadWorld) -> None:
    for number in range(3):
        site = world.domain(f"site-{number}.example")
        world.business(at=site)
        world.contact(site, f"info@site-{number}.example", verdict="invalid" if number == 0 else None)
    _, exported = export(world, target="brevo", limit=1)
    assert (exported.rows, exported.skipped) == (1, 1)


MANY = """
WITH made AS (
    INSERT INTO places (tenant_id, provider, provider_place_id)
    SELECT %(tenant)s, 'openstreetmap', 'many/' || %(total)s - number
    FROM generate_series(1, %(many)s) AS number RETURNING id),
business AS (
    INSERT INTO local_businesses (tenant_id, place_id, name, city)
    SELECT %(tenant)s, id, 'Business ' || id, 'Austin' FROM made RETURNING id),
domain AS (
    INSERT INTO domains (tenant_id, name, title)
    SELECT %(tenant)s, 'site-' || id || '.example', repeat('welcome ', 20) FROM business RETURNING id, name),
numbered_business AS (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM business),
numbered_domain AS (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM domain),
link AS (
    INSERT INTO local_business_domains (tenant_id, local_business_id, domain_id)
    SELECT %(tenant)s, numbered_business.id, numbered_domain.id FROM numbered_business JOIN numbered_domain USING (nth))
INSERT INTO contacts (tenant_id, domain_id, owner_key, kind, value, label, confidence)
SELECT %(tenant)s, id, 'domain:' || id, 'email', 'info@' || name, 'role', 0.9 FROM domain"""


# What is freed meanwhile may hide what a small export takes; twenty thousand rows at once are some 400,000 blocks.
LEAST_BLOCKS = 30_000


class Nowhere(io.RawIOBase):
    """Takes everything, keeps nothing, and notes the most memory blocks that were in use."""

    def __init__(self) -> None:
        self.before = self.most = sys.getallocatedblocks()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.most = max(self.most, sys.getallocatedblocks())
        return len(data)


def peak(world: LeadWorld, subject: str, rows: int) -> int:
    """Give the most memory blocks that an export of so many rows holds; counting them costs nothing, unlike tracing."""
    stream = Nowhere()
    assert prepare(Order(world.tenant, subject)).write(stream).rows == rows  # type: ignore[arg-type]
    return stream.most - stream.before


def test_twenty_thousand_rows_take_no_more_memory_than_a_thousand(world: LeadWorld) -> None:
    few: dict[str, int] = {}
    for many, total in ((1_000, 1_000), (19_000, 20_000)):
        with statement() as connection:
            connection.execute(MANY.encode(), {"tenant": world.tenant, "many": many, "total": total})
            connection.execute("ANALYZE")
        for subject in ("leads", "contacts"):
            few.setdefault(subject, peak(world, subject, total))  # the first also loads what is loaded once
            assert peak(world, subject, total) < 1.5 * max(few[subject], LEAST_BLOCKS)
