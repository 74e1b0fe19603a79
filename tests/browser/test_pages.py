"""Every page, light, dark and on a phone: readable and usable by everybody, its picture kept to be looked at."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.every_page import LEADS, MACHINE, NOT_PAGES, OPEN, PAGES, addresses, name_of, routes
from tests.browser.looking import faults, settle
from tests.browser.windows import Windows


def test_no_page_is_forgotten() -> None:
    assert set(PAGES) | NOT_PAGES == routes()
    assert set(PAGES) & NOT_PAGES == set()


@pytest.mark.usefixtures("town")
@pytest.mark.parametrize("address", addresses(LEADS | MACHINE))
def test_a_page_is_for_everybody_and_runs_nothing_that_was_scraped(enter: Callable[..., Page], address: str) -> None:
    page = enter("admin")
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 200
    settle(page)
    assert faults(page, name_of(address)) == []


@pytest.mark.parametrize("address", addresses(OPEN))
def test_a_page_before_the_log_in_is_for_everybody(windows: Windows, address: str) -> None:
    page = windows.open()
    page.goto(address)
    assert faults(page, name_of(address)) == []
