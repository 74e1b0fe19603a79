"""Why a domain has no contacts: whoever asks, from whichever page, is two steps away from one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.entities.world import World

NAME = "silent.example"
ANSWER = re.compile(r"No contact was found because .*did not answer in time", re.DOTALL)


@pytest.fixture(autouse=True)
def silent(db: str) -> Iterator[None]:
    """A business whose site never answered, beside one that did."""
    world = World(db)
    search = world.search(what="dentists")
    root = world.work("search", search)
    for name, ending in ((NAME, "Error"), ("talks.example", "Completed")):
        place = world.place(search, name=f"Dentist of {name}")
        scanned = world.work("deep_scan", place, parent_id=root)
        business = world.business(place, name=f"Dentist of {name}", website=f"https://{name}/")
        read = world.work("domain_extraction", business, parent_id=scanned)
        domain = world.domain(business, name=name)
        error = {"reason": "timeout", "error": f"{name} did not answer in time"} if ending == "Error" else {}
        world.work("domain_metadata", domain, ending, parent_id=read, attempts=5, finished_at="now", **error)
    world.contact(domain, value="info@talks.example")
    yield
    world.close()


def answer(page: Page) -> None:
    """The sentence stands on top of the page, where nobody has to look for it."""
    said = page.get_by_role("region", name="How it stands")
    expect(said).to_contain_text(ANSWER)
    expect(said).to_be_in_viewport()
    expect(page.get_by_text("Attempt").or_(page.get_by_text("5 attempts")).first).to_be_visible()


def test_from_the_flow_by_its_stage_and_reason(enter: Callable[..., Page]) -> None:
    page = enter("viewer")
    page.goto("/")
    page.get_by_role("link", name="Domain metadata", exact=True).click()
    page.get_by_role("link", name="Error: timeout").click()
    page.get_by_role("rowheader").get_by_role("link", name=NAME).click()
    answer(page)


def test_from_the_table_of_domains(enter: Callable[..., Page]) -> None:
    page = enter("viewer")
    page.goto("/curate/domains")
    row = page.get_by_role("row").filter(has_text=NAME)
    expect(row).to_contain_text("timeout")
    expect(row).to_contain_text("5 attempts")
    row.get_by_role("link", name=NAME).first.click()
    answer(page)


def test_from_anywhere_by_its_name(enter: Callable[..., Page]) -> None:
    page = enter("viewer")
    page.goto("/account")
    page.keyboard.press("/")
    page.keyboard.type(NAME)
    page.keyboard.press("Enter")
    answer(page)


def test_from_the_business_that_has_no_contact(enter: Callable[..., Page]) -> None:
    page = enter("viewer")
    page.goto("/businesses/1")
    expect(page.get_by_role("region", name="Why there is no contact")).to_contain_text(ANSWER)
