"""Every page about leads: for everybody, in light, in dark and on a phone; also while there is nothing to show yet."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.every_page import LEADS, addresses
from tests.browser.looking import look_at

FIRST_SEEN = ("/", "/searches", "/curate/places", "/failures", "/batches", "/schedules", "/system")


@pytest.mark.usefixtures("town")
@pytest.mark.parametrize("address", addresses(LEADS))
def test_a_page_is_for_everybody_and_runs_nothing_that_was_scraped(enter: Callable[..., Page], address: str) -> None:
    assert look_at(enter("admin"), address) == []


@pytest.mark.parametrize("address", FIRST_SEEN)
def test_a_page_with_nothing_on_it_yet_is_for_everybody_too(enter: Callable[..., Page], address: str) -> None:
    assert look_at(enter("admin"), f"{address}?empty") == []
