"""What is on the suppression list leaves the house in no cell, whoever wrote it there and whatever it is part of."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest

from leads.exports import Exported, Order, prepare
from tests.pipeline.lead_world import LeadWorld

NUMBER = r"512\D{0,3}555\D{0,3}0100"


@pytest.fixture
def world(db: str) -> LeadWorld:
    return LeadWorld()


def export(world: LeadWorld, subject: str, **wishes: Any) -> tuple[list[dict[str, Any]], Exported]:
    stream = io.BytesIO()
    exported = prepare(Order(world.tenant, subject, "jsonl", **wishes)).write(stream)
    return [json.loads(line) for line in stream.getvalue().splitlines()], exported


def showing(world: LeadWorld, pattern: str) -> list[tuple[str, str, Any]]:
    """Give the cells of all exports that show something."""
    return [
        (subject, name, value)
        for subject in ("leads", "contacts")
        for row in export(world, subject)[0]
        for name, value in row.items()
        if re.search(pattern, str(value), re.IGNORECASE)
    ]


def test_a_number_is_in_no_name_address_link_or_chat(world: LeadWorld) -> None:
    site = world.domain(title="Call 512 555 0100")
    world.business(
        "Anna 512-555-0100", at=site, phone="+15125550100", formatted_address="Rear, 512.555.0100",
        website="https://anna.example/?tel=5125550100",
    )  # fmt: skip
    at: dict[str, Any] = {"url": "https://anna.example/call/+1(512)5550100", "snippet": "call 512 555 0100"}
    world.contact(site, "+15125550100", "phone", **at)
    world.contact(site, "info@anna.example", person_title="Desk, 512 555 0100", **at)
    world.contact(site, "https://wa.me/15125550100", "social", label="whatsapp")
    world.contact(site, "https://wa.me/15125550199", "social", label="whatsapp", confidence=0.1)
    world.suppress("+15125550100")
    assert showing(world, NUMBER) == []
    (lead,) = export(world, "leads")[0]
    assert (lead["email"], lead["other_socials"]) == ("info@anna.example", ["https://wa.me/15125550199"])
    assert export(world, "contacts")[1].suppressed == 2


def test_an_address_is_in_no_name_or_link(world: LeadWorld) -> None:
    site = world.domain()
    world.business("Anna ann@anna.example", at=site, website="https://anna.example/?m=ann%40anna.example&x=1")
    world.contact(
        site, "info@anna.example", person_title="or ann@anna.example", url="https://anna.example/to/ann@anna.example"
    )
    world.contact(site, "Ann ann@anna.example", "person")
    world.suppress("ann@anna.example")
    assert showing(world, r"ann(@|%40)anna") == []
    assert export(world, "leads")[0][0]["email"] == "info@anna.example"


@pytest.mark.parametrize("state", [{"gone_at": "2026-01-01"}, {"curation_status": "Not a Fit"}])
def test_nobody_is_named_whose_address_is_listed_and_no_longer_exported(
    world: LeadWorld, state: dict[str, Any]
) -> None:
    site = world.domain()
    world.business(at=site)
    world.contact(site, "anna@anna.example", label="personal", person_name="Anna Low", **state)
    world.contact(site, "info@anna.example", person_name="Anna Low")
    world.contact(site, "Anna Low", "person")
    world.suppress("anna@anna.example")
    assert showing(world, "Anna Low") == []


def test_without_a_list_every_cell_is_as_it_was(world: LeadWorld) -> None:
    site = world.domain(title="Call 512 555 0100")
    world.business("Anna 512-555-0100", at=site)
    world.contact(site, "https://wa.me/15125550100", "social", label="whatsapp")
    assert len(showing(world, NUMBER)) == 5
    world.suppress("+15125550199", "bert@anna.example")
    assert len(showing(world, NUMBER)) == 5
