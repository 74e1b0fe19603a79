"""The first day: `scrapersky up` on a fresh machine, its one-time link, a search, and contacts that arrive."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cli.demo import HASTE
from embedded import stop
from embedded.processes import wait_until
from sandbox import serving
from sandbox.world import World
from tests.browser.windows import Windows
from tests.cli.terminal import free_port
from tests.whole.conftest import start  # noqa: F401 - a fixture is found by name
from tests.whole.stage_door import LONGEST_SECONDS, Command

LONGEST_MS = LONGEST_SECONDS * 1000
PASSWORD = "correct horse battery"
LINK = re.compile(r"^(http://\S+?)(/login\S*#\S+)$", re.MULTILINE)
TOWN = "Austin, TX"
WORLD = World(12, 5, town=TOWN, category="dentist")


@pytest.fixture
def machine(start: Callable[..., Command], tmp_path: Path) -> Iterator[Command]:  # noqa: F811
    """Everything that `scrapersky up` starts, beside a made-up internet."""
    with serving(WORLD) as served:
        address = f"{served.address[0]}:{served.address[1]}"
        own = {"SCRAPERSKY_DIR": str(tmp_path / "data"), "SANDBOX_ADDRESS": address, "WEB_PORT": str(free_port())}
        yield start("up", **HASTE, **own, WORKER_PROCESSES="1")
    stop(tmp_path / "data")


@pytest.fixture
def front_door(machine: Command, browser: Browser) -> Iterator[tuple[Windows, str]]:
    """Windows on that machine, and the link that it has shown."""
    assert wait_until(lambda: LINK.search(machine.output) is not None, LONGEST_SECONDS), machine.output
    found = LINK.search(machine.output)
    assert found is not None
    windows = Windows(browser, found[1])
    assert wait_until(lambda: "web-listens" in machine.output, LONGEST_SECONDS), machine.output
    yield windows, found[2]
    assert windows.troubles() == []


def test_from_the_first_link_to_contacts_that_arrive(front_door: tuple[Windows, str]) -> None:
    windows, link = front_door
    page = windows.open()
    _set_password(page, link)
    _start_search(page)
    _watch_contacts_arrive(page)


def _set_password(page: Page, link: str) -> None:
    page.goto(link)
    expect(page).to_have_url(re.compile(r"/login/link$"))  # no history keeps the token
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("The same again").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("Your password is set, and you are logged in.")).to_be_visible()


def _start_search(page: Page) -> None:
    page.get_by_role("link", name="Start your first search").first.click()
    page.get_by_label("What to look for").fill("dentists")
    page.get_by_label("Near").fill(TOWN)
    page.get_by_role("radio", name="sandbox").check()
    page.get_by_label("At most so many places").fill(str(len(WORLD)))
    page.get_by_label("At most so many US dollars").fill("100")
    cost = page.locator("#estimate")
    expect(cost).to_contain_text("at the most")  # before anything is asked
    expect(cost).to_contain_text(f"Up to{len(WORLD)} places")
    page.get_by_role("button", name="Start the search").click()
    expect(page).to_have_url(re.compile(r"/searches/1$"))


def _watch_contacts_arrive(page: Page) -> None:
    """Look on without touching anything: the page is never loaded again."""
    page.evaluate("window.isTheSame = true")
    expect(page.locator("[data-live]")).to_have_text("live")
    contacts = page.locator(".tile").filter(has_text="Contacts").locator(".tile-value")
    expect(contacts).to_have_text(re.compile(r"^[1-9]"), timeout=LONGEST_MS)
    expect(page.locator("[data-state]").get_by_text("Completed", exact=True).first).to_be_visible(timeout=LONGEST_MS)
    expect(page.locator(".tile").filter(has_text="Businesses").locator(".tile-value")).to_have_text(str(len(WORLD)))
    expect(page.locator("[id^=contact-]")).to_have_count(10)
    expect(page.get_by_role("img", name=re.compile("north on top"))).to_be_visible()
    assert page.evaluate("window.isTheSame")
    page.locator("[id^=business-of-]").first.click()
    expect(page).to_have_url(re.compile(r"/businesses/\d+$"))
    expect(page.locator("mark").first).to_be_visible()  # the proof: where it stood on the page
