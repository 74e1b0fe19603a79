"""Many tabs: those that nobody sees hold no stream, so that every other tab loads; looked at again, they live again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from api import stream
from embedded.processes import wait_until

# As many connections as a browser has to one server.
MOST_CONNECTIONS = 6
HIDE = """is_hidden => {
  Object.defineProperty(document, "hidden", {configurable: true, get: () => is_hidden});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def home(enter: Callable[..., Page]) -> Page:
    page = enter("curator")
    page.goto("/")
    expect(page.locator("[data-live]")).to_have_text("live")
    return page


def test_a_tab_that_nobody_sees_rests_and_wakes(home: Page) -> None:
    home.evaluate(HIDE, True)
    expect(home.locator("[data-live]")).to_have_text("not live while nobody looks")
    assert wait_until(lambda: not stream._open, 20)
    for _ in range(2):  # also a second time
        home.evaluate("document.querySelector('[sse-swap=drawn]').replaceChildren()")
        home.evaluate(HIDE, False)
        expect(home.locator("[data-live]")).to_have_text("live")
        expect(home.locator("[sse-swap=drawn] *").first).to_be_attached()
        assert len(stream._open) == 1
        home.evaluate(HIDE, True)
        expect(home.locator("[data-live]")).to_have_text("not live while nobody looks")


def test_a_look_elsewhere_for_a_moment_changes_nothing(home: Page) -> None:
    (before,) = stream._open
    home.evaluate(HIDE, True)
    home.evaluate(HIDE, False)
    home.wait_for_timeout(6000)
    assert set(stream._open) == {before}


def test_one_tab_more_than_a_browser_has_connections_loads(home: Page) -> None:
    for _ in range(MOST_CONNECTIONS):
        home.evaluate(HIDE, True)
        home = home.context.new_page()
        home.goto("/")
        expect(home.locator("[data-live]")).to_have_text("live")
