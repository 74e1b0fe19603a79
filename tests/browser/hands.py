"""Hands on a keyboard: there is no mouse."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

MOST_STEPS = 400


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until something has the focus; fail when the whole page was gone through without reaching it."""
    for _ in range(MOST_STEPS):
        page.keyboard.press("Tab")
        if wanted.evaluate("(each) => each === document.activeElement"):
            return
    raise AssertionError(f"Tab does not lead to {wanted}")


def focused(page: Page) -> str:
    """Tell what has the focus, in its own words."""
    said: str = page.evaluate("document.activeElement.textContent.trim()")
    return said
