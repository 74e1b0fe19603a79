"""Two tenants on every page: whatever one guesses and sends, nothing of the other's is seen or changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.dashboard.asking import ask, form_of, path_of, paths_of, query_of
from tests.dashboard.browsers import Browser
from tests.dashboard.forms import WORDS, Furnished, guesses
from tests.dashboard.routes import ROUTES, Route
from tests.dashboard.test_open import OPEN
from tests.dashboard.test_roles import LAST

ASKED = [route for route in sorted(ROUTES, key=lambda route: str(route) == LAST) if str(route) not in OPEN]


@pytest.fixture
def owner(visit: Callable[..., Browser]) -> Browser:
    """An admin of a tenant whose rows are none of the others' business."""
    return visit("admin", is_stranger=True)


@pytest.fixture
def victim(owner: Browser, db: str) -> Iterator[Furnished]:
    made = Furnished(db, owner.person.tenant_id, owner.person.user_id)
    yield made
    made.close()


@pytest.fixture
def thief(visit: Callable[..., Browser], db: str) -> Iterator[Browser]:
    """An admin of another tenant, which has rows of its own."""
    browser = visit("admin", is_stranger=True)
    own = Furnished(db, browser.person.tenant_id, browser.person.user_id)
    yield browser
    own.close()


def test_nothing_of_another_tenant_is_seen_or_changed(victim: Furnished, thief: Browser) -> None:
    before = victim.dump()
    assert sum(map(len, before.values())) > 25
    leaks = {
        f"{route.method} {path}": said
        for route in ASKED
        for path in paths_of(route, victim)
        if (said := leak(thief, route, path, victim))
    }
    assert leaks == {}
    assert victim.dump() == before


def leak(thief: Browser, route: Route, path: str, victim: Furnished) -> str | None:
    """Ask with another tenant's ids everywhere, and give what is wrong with the answer."""
    told = ask(
        thief.client, route, path, query=query_of(route, victim) | guesses(route, victim),
        form=form_of(route, victim), csrf=None if route.is_safe else thief.csrf,
    )  # fmt: skip
    if victim.mark in told.text and not was_sent(victim, route, told.target):
        return f"{told.status}: {around(told.text, victim.mark)}"
    names_a_row = bool(set(route.parameters) - set(WORDS))
    if names_a_row and told.status not in (403, 404):
        return f"{told.status} for another's row"
    return f"{told.status}" if told.status >= 500 and told.status != 503 else None


def was_sent(victim: Furnished, route: Route, target: str) -> bool:
    """Tell whether the answer may repeat what was asked with."""
    return victim.mark in target or victim.mark in str(form_of(route, victim))


def around(text: str, mark: str) -> str:
    at = text.index(mark)
    return text[max(0, at - 150) : at + 150]


def test_the_owner_sees_all_of_it(victim: Furnished, owner: Browser) -> None:
    """So that the silence above means something."""
    silent = set()
    for route in ASKED:
        if route.is_safe:
            told = ask(owner.client, route, path_of(route, victim), query=query_of(route, victim))
            silent |= {str(route)} if victim.mark not in told.text else set()
    assert silent == SAYS_NOTHING_OF_ROWS


SAYS_NOTHING_OF_ROWS = {
    # words and counts
    "GET /",
    "GET /flow/events",
    "GET /stages/{name}/events",
    "GET /stages/{name}/{verb}",
    "GET /searches/{search_id}/funnel",
    "GET /searches/{search_id}/endings",
    "GET /searches/{search_id}/map",
    "GET /curate/{entity}/matching",
    "GET /curate/{entity}/matching/count",
    "GET /curate/{entity}/count",
    "GET /businesses/{business_id}/history",
    "GET /failures/waiting",
    "GET /failures/ask",
    "GET /batches/new",
    "GET /batches/{batch_id}/events",
    "GET /schedules/preview",
    # leads on to another
    "GET /curate",
    "GET /curate/{entity}/filter",
    "GET /journey",
    # the installation's, refused here
    "GET /settings",
    "GET /system",
    "GET /system/events",
    "GET /system/checks",
    "GET /system/facts",
}
