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

PASSWORD = "correct horse battery"
LINK = re.compile(r"^(http://\S+?)(/login\S*#\S+)$", re.MULTILINE)
WORLD = World(12, 5, town="Austin, TX", category="dentist")


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
    expect(page).to_have_url(re.compile(r"/login/link$"))  # the token is in no address that a proxy or a history keeps
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("The same again").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("Your password is set, and you are logged in.")).to_be_visible()


def _start_search(page: Page) -> None:
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Searches").click()


def _watch_contacts_arrive(page: Page) -> None:
    pass
