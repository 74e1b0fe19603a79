"""A browser for the tests of this folder, and windows in which somebody is logged in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from settings import settings
from tests.accounts.residents import execute
from tests.api.conftest import db, houses, lived_in, people, url  # noqa: F401 - fixtures are found by name
from tests.api.people import People, Person
from tests.browser import chromium
from tests.browser.town import fill
from tests.browser.windows import PATIENCE_MS, Windows


# Not for the whole run: while Playwright runs, nothing else in this process can run a loop of its own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser. Where there is none a story is skipped with a line that says so, and fails where nobody reads it."""
    path = chromium.program()
    if path is None:
        (pytest.fail if chromium.is_needed() else pytest.skip)(f"Chromium is missing: {chromium.HOW}.")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, chromium_sandbox=os.geteuid() != 0)
        yield started
        started.close()


@pytest.fixture
def windows(browser: Browser, url: str) -> Iterator[Windows]:  # noqa: F811
    """A maker of windows; whatever went wrong in one of them fails the test."""
    made = Windows(browser, url)
    yield made
    assert made.troubles() == []


@pytest.fixture
def enter(windows: Windows, people: People) -> Callable[..., Page]:  # noqa: F811
    """A maker of windows in which one of the installation's own tenant is logged in: `enter("curator")`."""

    def open_one(role: str = "admin", *, dark: bool = False, width: int = 1280, may_be_refused: bool = False) -> Page:
        return windows.open(named(people.person(role)), dark=dark, width=width, may_be_refused=may_be_refused)

    return open_one


@pytest.fixture
def town(db: str, people: People) -> None:  # noqa: F811
    """A town full of businesses, seen by all who are logged in."""
    fill(db, settings().default_tenant_id, named(people.person("admin"), "anna").user_id)


def named(person: Person, name: str | None = None) -> Person:
    """Give somebody a name as people have it, for the pictures."""
    name = name or person.role
    values = (f"{name}@example.org", name.title(), person.user_id)
    execute("UPDATE users SET email = %s, name = %s WHERE id = %s", *values)
    return person
