"""The dashboard on a real socket, and browsers without scripts for people of every role."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.api.conftest import db, houses, lived_in, people, url  # noqa: F401 - fixtures are found by name
from tests.api.people import People
from tests.dashboard.browsers import Browser, browse


@pytest.fixture
def visit(people: People) -> Iterator[Callable[..., Browser]]:  # noqa: F811
    """A maker of browsers: `visit("curator")` is logged in as one of the installation's own tenant."""
    made: list[Browser] = []

    def make(role: str = "admin", *, is_stranger: bool = False) -> Browser:
        person = people.stranger(role) if is_stranger else people.person(role)
        made.append(browse(people.url, person))
        return made[-1]

    yield make
    for browser in made:
        browser.client.close()


@pytest.fixture
def admin(visit: Callable[..., Browser]) -> Browser:
    return visit("admin")


@pytest.fixture
def curator(visit: Callable[..., Browser]) -> Browser:
    return visit("curator")


@pytest.fixture
def viewer(visit: Callable[..., Browser]) -> Browser:
    return visit("viewer")


@pytest.fixture
def stranger(visit: Callable[..., Browser]) -> Browser:
    """An admin of another tenant."""
    return visit("admin", is_stranger=True)
