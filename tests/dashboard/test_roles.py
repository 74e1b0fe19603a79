"""Who may see and do what: every route as everybody, beside a table that was written by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.api.planted import Planted
from tests.dashboard.asking import Told, ask, form_of, path_of, query_of
from tests.dashboard.browsers import Browser
from tests.dashboard.routes import ROUTES
from tests.dashboard.test_open import OPEN

# The least that a visitor must be. An operator is an admin of the installation's own tenant.
LEAST = {
    "viewer": """
        POST /logout
        GET /account
        POST /account/password
    """,
    "curator": """
    """,
    "admin": """
    """,
    "operator": """
    """,
}
RANKS = tuple(LEAST)
EXPECTED = {line.strip(): rank for rank, lines in LEAST.items() for line in lines.splitlines() if line.strip()}
CHANGE_ONLY_THEIR_OWN = {"POST /logout", "POST /account/password"}
# Ends what the others need.
LAST = "POST /logout"


@pytest.fixture
def own(admin: Browser, db: str) -> Iterator[Planted]:
    """The rows of the installation's own tenant."""
    made = Planted(db, admin.person.tenant_id, admin.person.user_id)
    yield made
    made.close()


def test_every_route_is_in_the_table() -> None:
    assert {str(route) for route in ROUTES} == set(EXPECTED) | OPEN


def test_viewers_change_nothing_but_what_is_their_own() -> None:
    unsafe = {name for name, rank in EXPECTED.items() if rank == "viewer" and not name.startswith("GET ")}
    assert unsafe == CHANGE_ONLY_THEIR_OWN


@pytest.mark.parametrize("role", RANKS)
def test_every_route_lets_in_whom_the_table_says(visit: Callable[..., Browser], own: Planted, role: str) -> None:
    """Refused exactly where the role is too low; what comes after being let in is another test's."""
    browser = visit("admin" if role == "operator" else role, is_stranger=role == "admin")
    wrong = {}
    for route in sorted(ROUTES, key=lambda route: str(route) == LAST):
        if str(route) in EXPECTED:
            told = ask(
                browser.client, route, path_of(route, own), query=query_of(route, own), form=form_of(route, own),
                csrf=browser.csrf if not route.is_safe else None,
            )  # fmt: skip
            if said := misjudged(str(route), role, told):
                wrong[str(route)] = said
    assert wrong == {}


def misjudged(name: str, role: str, told: Told) -> str | None:
    should_be = RANKS.index(role) < RANKS.index(EXPECTED[name])
    is_refused = told.status == 403
    return None if is_refused == should_be and told.status < 500 else f"{told.status}: {told.text[-300:]}"
