"""Dialogs: for everybody too, closed by one key, and whoever opened one is back where they were."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import tab_to
from tests.browser.looking import barriers, settle

# The page, and what opens the dialog.
OPENED = {
    "matching": ("/curate/pages", "Decide on all that match"),
    "retry": ("/failures", "Retry all"),
    "cancel": ("/stages/domain_metadata?status=Queued", "Cancel matching"),
}


@pytest.mark.usefixtures("town")
@pytest.mark.parametrize("name", OPENED)
def test_a_dialog_can_be_read_used_and_left_by_keyboard(enter: Callable[..., Page], name: str) -> None:
    address, words = OPENED[name]
    page = enter("admin")
    page.goto(address)
    settle(page)
    opener = page.locator("main").get_by_role("link", name=words).first
    tab_to(page, opener)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    settle(page)
    assert dialog.evaluate("(each) => each.contains(document.activeElement)")
    assert barriers(page, f"dialog-{name}") == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()


@pytest.mark.usefixtures("town")
def test_the_keys_are_one_key_away(enter: Callable[..., Page]) -> None:
    page = enter("curator")
    page.goto("/curate/places")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert barriers(page, "dialog-keys") == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
