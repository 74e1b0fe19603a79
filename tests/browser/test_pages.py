"""Every page of the machine and of its people: for everybody, in light, in dark and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.every_page import MACHINE, NOT_PAGES, OPEN, PAGES, addresses, routes
from tests.browser.looking import look_at
from tests.browser.windows import Windows


def test_no_page_is_forgotten() -> None:
    assert set(PAGES) | NOT_PAGES == routes()
    assert set(PAGES) & NOT_PAGES == set()


@pytest.mark.usefixtures("town")
@pytest.mark.parametrize("address", addresses(MACHINE))
def test_a_page_is_for_everybody_and_runs_nothing_that_was_scraped(enter: Callable[..., Page], address: str) -> None:
    assert look_at(enter("admin"), address) == []


@pytest.mark.parametrize("address", addresses(OPEN))
def test_a_page_before_the_log_in_is_for_everybody(windows: Windows, address: str) -> None:
    assert look_at(windows.open(), address) == []
