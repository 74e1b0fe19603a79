"""A failed group is retried: found on the page, counted before anything happens, and queued afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.accounts.residents import value

OF_GROUP = "SELECT count(*) FROM work WHERE stage = 'domain_metadata' AND reason = 'timeout' AND status = 'Error'"
FAILED = "SELECT count(*) FROM work WHERE status = 'Error'"
ANEW = "SELECT count(*) FROM work WHERE stage = 'domain_metadata' AND status = 'Queued' AND attempts = 0"


@pytest.mark.usefixtures("town")
def test_a_group_is_retried_after_it_was_counted(enter: Callable[..., Page]) -> None:
    many, failed = value(OF_GROUP), value(FAILED)
    assert many > 1
    page = enter("admin")
    page.goto("/failures")
    group = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Domain metadata: timeout"))
    expect(group).to_contain_text("did not answer")
    group.get_by_role("link", name="Retry all").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"{many} pieces of work match")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert value(OF_GROUP) == many  # a question changes nothing
    group.get_by_role("link", name="Retry all").click()
    dialog.get_by_role("button", name=f"Retry {many}").click()
    expect(page.get_by_role("status").filter(has_text=str(many)).first).to_be_visible()
    assert (value(OF_GROUP), value(FAILED), value(ANEW)) == (0, failed - many, many)
    page.goto("/failures")
    expect(group).to_have_count(0)


@pytest.mark.usefixtures("town")
def test_only_what_was_ticked_is_retried(enter: Callable[..., Page]) -> None:
    failed = value(FAILED)
    page = enter("admin")
    page.goto("/failures/rows?stage=page_curation")
    expect(page.get_by_role("button", name="Retry chosen")).to_be_disabled()
    for nth in (0, 2):
        page.locator("input[name=id]").nth(nth).check()
    page.get_by_role("button", name="Retry chosen").click()
    expect(page.get_by_role("status").filter(has_text="2").first).to_be_visible()
    assert value(FAILED) == failed - 2
