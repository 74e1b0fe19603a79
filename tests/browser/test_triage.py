"""Curating by keyboard: a hundred places decided on as fast as one can type, and all of it taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.accounts.residents import execute, value

MANY = 100
# What is typed, and what it decides.
KEYS = {"s": "Selected", "m": "Maybe", "x": "Not a Fit", "a": "Archived"}
TYPED = [list(KEYS)[nth % 4] for nth in range(MANY)]
DECIDED = "SELECT jsonb_object_agg(id, curation_status) FROM places"
OPERATIONS = "SELECT count(*) FROM operations WHERE entity = 'places' AND undone_at IS NULL"
QUEUED = "SELECT count(*) FROM work WHERE stage = 'deep_scan' AND status = 'Queued'"


@pytest.fixture
def page(enter: Callable[..., Page], town: None) -> Page:
    """A curator before the first hundred places, of which nobody has decided on any, and whose work is to begin."""
    execute("DELETE FROM operations")
    execute("DELETE FROM work WHERE stage = 'deep_scan'")
    opened = enter("curator")
    opened.goto(f"/curate/places?limit={MANY}")
    return opened


def ids_in_order(page: Page) -> list[str]:
    found: list[str] = page.locator("tr[data-id]").evaluate_all("(rows) => rows.map((row) => row.dataset.id)")
    return found


def statuses() -> dict[str, str]:
    found: dict[str, str] = value(DECIDED)
    return found


def wait_for(page: Page, condition: Callable[[], bool]) -> None:
    """Wait for the database, with an eye on the page."""
    for _ in range(600):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError("what was typed has not arrived")


def test_a_hundred_places_are_decided_on_by_keys_and_taken_back(page: Page) -> None:
    ids = ids_in_order(page)
    assert len(ids) == MANY
    for key in TYPED:  # faster than the answers come: none may be lost, and none be counted twice
        page.keyboard.press(key)
    meant = {row: KEYS[key] for row, key in zip(ids, TYPED, strict=True)}
    wait_for(page, lambda: value(OPERATIONS) == MANY)
    assert {row: status for row, status in statuses().items() if row in meant} == meant
    assert Counter(statuses().values())["New"] == len(statuses()) - MANY
    assert value(QUEUED) == TYPED.count("s")
    shown = page.locator("tr[data-id]").evaluate_all(
        "(rows) => rows.map((row) => [row.dataset.id, row.dataset.status])"
    )
    assert dict(shown) == meant

    for _ in range(MANY):
        page.keyboard.press("z")
    wait_for(page, lambda: value(OPERATIONS) == 0)
    assert set(statuses().values()) == {"New"}
    assert value(QUEUED) == 0
    expect(page.locator("tr[data-id]:not([data-status=New])")).to_have_count(0)


def test_the_checked_rows_are_decided_on_together(page: Page) -> None:
    ids = ids_in_order(page)
    for key in ("j", "Shift+J", "Shift+J", "k", "k", "x"):
        page.keyboard.press(key)
    wait_for(page, lambda: value(OPERATIONS) == 1)
    chosen = {row for row, status in statuses().items() if status == "Not a Fit"}
    assert chosen == set(ids[1:4])
    page.get_by_role("button", name="Undo").first.click()
    wait_for(page, lambda: value(OPERATIONS) == 0)
    assert set(statuses().values()) == {"New"}


def test_a_viewer_decides_nothing(enter: Callable[..., Page], town: None) -> None:
    before = value(OPERATIONS)
    page = enter("viewer")
    page.goto("/curate/places")
    for key in ("j", "s", "x", "z"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="Select")).to_have_count(0)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url("/curate/places")
    assert value(OPERATIONS) == before
    assert set(statuses().values()) == {"New"}
