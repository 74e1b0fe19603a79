"""Who may see and do what: every route as everybody, beside a table that was written by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.dashboard.asking import Told, ask, form_of, path_of, query_of
from tests.dashboard.browsers import Browser
from tests.dashboard.forms import Furnished
from tests.dashboard.routes import ROUTES
from tests.dashboard.test_open import OPEN

# The least that a visitor must be. An operator is an admin of the installation's own tenant.
LEAST = {
    "viewer": """
        GET /
        GET /flow/events
        GET /stages/{name}
        GET /stages/{name}/events
        GET /searches
        GET /searches/{search_id}
        GET /searches/{search_id}/row
        GET /searches/{search_id}/now
        GET /searches/{search_id}/events
        GET /searches/{search_id}/funnel
        GET /searches/{search_id}/endings
        GET /searches/{search_id}/map
        GET /curate
        GET /curate/operations
        GET /curate/{entity}
        GET /curate/{entity}/count
        GET /curate/{entity}/filter
        POST /views
        POST /views/{view_id}/rename
        POST /views/{view_id}/delete
        GET /businesses/{business_id}
        GET /businesses/{business_id}/history
        GET /contacts/{contact_id}
        GET /journey
        GET /journey/{kind}/{row_id}
        GET /failures
        GET /failures/waiting
        GET /failures/rows
        GET /batches
        GET /batches/counts
        GET /batches/{batch_id}
        GET /batches/{batch_id}/events
        GET /batches/{batch_id}/progress
        GET /schedules
        GET /schedules/preview
        GET /schedules/{schedule_id}
        GET /people
        GET /people/keys
        POST /people/keys
        POST /people/keys/{key_id}/revoke
        GET /suppressions
        GET /account
        POST /account/password
        POST /logout
    """,
    "curator": """
        GET /searches/new
        POST /searches
        POST /searches/estimate
        POST /searches/{search_id}/pause
        POST /searches/{search_id}/resume
        POST /searches/{search_id}/cancel
        POST /searches/{search_id}/limits
        GET /exports/leads
        GET /exports/contacts
        GET /curate/{entity}/matching
        GET /curate/{entity}/matching/count
        POST /curate/{entity}/matching
        POST /curate/{entity}/decide
        POST /curate/undo/{operation_id}
        POST /businesses/{business_id}/decide
        GET /businesses/{business_id}/edit
        POST /businesses/{business_id}/edit
        GET /businesses/{business_id}/suppress
        POST /businesses/{business_id}/suppress
        POST /businesses/{business_id}/unsuppress
        POST /businesses/{business_id}/contacts
        GET /businesses/{business_id}/vcard
        POST /contacts/{contact_id}/edit
        POST /contacts/{contact_id}/decide
        POST /contacts/{contact_id}/delete
        GET /contacts/{contact_id}/suppress
        POST /contacts/{contact_id}/suppress
        POST /contacts/{contact_id}/unsuppress
        GET /batches/new
        POST /batches/uploads
        GET /batches/{batch_id}/result.csv
        GET /schedules/new
        POST /schedules
        GET /schedules/{schedule_id}/edit
        POST /schedules/{schedule_id}/edit
        POST /schedules/{schedule_id}/pause
        POST /schedules/{schedule_id}/resume
        POST /schedules/{schedule_id}/run
        POST /schedules/{schedule_id}/delete
        POST /suppressions
        POST /suppressions/uploads
        POST /suppressions/{suppression_id}/delete
    """,
    "admin": """
        GET /stages/{name}/{verb}
        POST /stages/{name}/{verb}
        POST /work/{work_id}/retry
        POST /work/{work_id}/cancel
        GET /failures/ask
        POST /failures/act
        POST /people/users
        GET /people/users/{user_id}
        POST /people/users/{user_id}
        POST /people/users/{user_id}/let-go
        POST /people/users/{user_id}/let-in
        POST /people/users/{user_id}/link
        GET /audit
        GET /people/webhooks
        POST /people/webhooks
        GET /people/webhooks/{webhook_id}
        POST /people/webhooks/{webhook_id}
        POST /people/webhooks/{webhook_id}/test
        POST /people/webhooks/{webhook_id}/rotate
        POST /people/webhooks/{webhook_id}/delete
        POST /people/webhooks/deliveries/{delivery_id}/redeliver
    """,
    "operator": """
        POST /stages/{name}/pause
        POST /stages/{name}/resume
        POST /stages/{name}/window
        GET /settings
        GET /system
        GET /system/events
        GET /system/checks
        GET /system/facts
        POST /system/sweepers/{name}
    """,
}
RANKS = tuple(LEAST)
EXPECTED = {line.strip(): rank for rank, lines in LEAST.items() for line in lines.splitlines() if line.strip()}
CHANGE_ONLY_THEIR_OWN = {
    "POST /logout", "POST /account/password", "POST /people/keys", "POST /people/keys/{key_id}/revoke",
    "POST /views", "POST /views/{view_id}/rename", "POST /views/{view_id}/delete",
}  # fmt: skip
# Ends what the others need.
LAST = "POST /logout"


@pytest.fixture
def own(admin: Browser, db: str) -> Iterator[Furnished]:
    """The rows of the installation's own tenant."""
    made = Furnished(db, admin.person.tenant_id, admin.person.user_id)
    yield made
    made.close()


def test_every_route_is_in_the_table() -> None:
    assert {str(route) for route in ROUTES} == set(EXPECTED) | OPEN


def test_viewers_change_nothing_but_what_is_their_own() -> None:
    unsafe = {name for name, rank in EXPECTED.items() if rank == "viewer" and not name.startswith("GET ")}
    assert unsafe == CHANGE_ONLY_THEIR_OWN


@pytest.mark.parametrize("role", RANKS)
def test_every_route_lets_in_whom_the_table_says(visit: Callable[..., Browser], own: Furnished, role: str) -> None:
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
