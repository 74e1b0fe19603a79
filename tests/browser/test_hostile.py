"""A script in the name of a business does nothing: it is read as a name, wherever it is shown, whatever is touched."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import settle
from tests.browser.town_found import HACK

# Where the name of the second business, or of something else that bears it, is shown.
SHOWN = (
    "/curate/local_businesses?where=curation_status%3DMaybe",
    "/businesses/2",
    "/businesses/2/edit",
    "/journey/business/2",
    "/journey?value=%3Cscript%3E",
    "/searches",
    "/failures/rows",
)
# What stands in the page as a script of its own, or in an attribute that is run.
STRANGE = """
() => [...document.querySelectorAll("script:not([src]), [src=x], [onerror], [onmouseover], [href^='javascript:' i]")]
  .map((each) => each.outerHTML)"""


@pytest.mark.usefixtures("town")
def test_a_script_in_a_name_is_only_read(enter: Callable[..., Page]) -> None:
    page = enter("curator")
    for address in SHOWN:
        page.goto(address)
        settle(page)
        expect(page.get_by_text(HACK).first).to_be_attached()
        for named in page.locator("main").get_by_text("hacked").all()[:5]:
            named.dispatch_event("mouseover")
        assert page.evaluate(STRANGE) == [], address
        assert page.evaluate("window.hacked") is None, address


@pytest.mark.usefixtures("town")
def test_nor_does_one_that_a_dialog_or_a_note_repeats(enter: Callable[..., Page]) -> None:
    page = enter("curator")
    page.goto("/curate/places?where=name~window.hacked")
    page.keyboard.press("x")
    expect(page.locator("[data-said]")).to_contain_text("1 place")
    page.get_by_role("link", name="Decide on all that match").click()
    expect(page.get_by_role("dialog")).to_contain_text("window.hacked")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url("/curate/places")
    assert page.evaluate("window.hacked") is None
