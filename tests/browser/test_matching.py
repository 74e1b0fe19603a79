"""All that match: five thousand pages are counted first, decided on at once, and taken back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.accounts.residents import execute, value
from tests.browser.town_found import PAGES

STATUS = "SELECT count(*) FROM pages WHERE curation_status = %s"
QUEUED = "SELECT count(*) FROM work WHERE stage = 'page_curation' AND status = 'Queued'"


@pytest.mark.usefixtures("town")
def test_five_thousand_pages_are_counted_decided_on_and_taken_back(enter: Callable[..., Page]) -> None:
    execute("DELETE FROM work WHERE stage = 'page_curation'")
    page = enter("curator")
    page.goto("/curate/pages")
    page.get_by_role("link", name="Decide on all that match").click()
    dialog = page.get_by_role("dialog").filter(has_text="Decide on all that match")
    dialog.get_by_label("Decision").select_option("Selected")
    expect(dialog).to_contain_text(f"{PAGES:,}")
    assert value(STATUS, "New") == PAGES  # counting changes nothing
    dialog.get_by_role("button", name=f"Set {PAGES:,} pages to Selected").click()
    expect(page.get_by_text(f"{PAGES:,} pages").first).to_be_visible()
    expect(page.locator("tr[data-id]:not([data-status=Selected])")).to_have_count(0)
    assert (value(STATUS, "Selected"), value(QUEUED)) == (PAGES, PAGES)
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("tr[data-id]:not([data-status=New])")).to_have_count(0)
    assert (value(STATUS, "New"), value(QUEUED)) == (PAGES, 0)


@pytest.mark.usefixtures("town")
def test_a_condition_narrows_what_is_decided_on(enter: Callable[..., Page]) -> None:
    contacts = value("SELECT count(*) FROM pages WHERE kind = 'contact'")
    assert 0 < contacts < PAGES
    page = enter("curator")
    page.goto("/curate/pages?where=kind+%3D+contact")
    page.get_by_role("link", name="Decide on all that match").click()
    dialog = page.get_by_role("dialog").filter(has_text="Decide on all that match")
    dialog.get_by_label("Decision").select_option("Archived")
    dialog.get_by_role("button", name=f"Set {contacts:,} pages to Archived").click()
    expect(page.locator("tr[data-id]:not([data-status=Archived])")).to_have_count(0)
    assert value(STATUS, "Archived") == contacts
