"""Who may do what: every route as everybody, beside a table that was written by hand."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.api.bodies import sent
from tests.api.people import People, Person
from tests.api.planted import Planted
from tests.api.routes import OF_API

# The least that a caller must be. An operator is an admin of the installation's own tenant.
LEAST = {
    "open": """
        GET /healthz
        POST /auth/login
        POST /auth/refresh
        POST /auth/link
    """,
    "viewer": """
        GET /readyz
        GET /openapi.json
        POST /auth/logout
        POST /auth/password
        GET /auth/me
        GET /keys
        POST /keys
        DELETE /keys/{key_id}
        GET /searches
        GET /searches/{search_id}
        GET /searches/{search_id}/coverage
        GET /searches/{row_id}/funnel
        GET /places
        GET /places/{row_id}
        GET /places/{row_id}/journey
        GET /local_businesses
        GET /local_businesses/{row_id}
        GET /local_businesses/{row_id}/journey
        GET /domains
        GET /domains/{row_id}
        GET /domains/{row_id}/journey
        GET /sitemap_files
        GET /sitemap_files/{row_id}
        GET /sitemap_files/{row_id}/journey
        GET /pages
        GET /pages/{row_id}
        GET /pages/{row_id}/journey
        GET /contacts
        GET /contacts/{row_id}
        GET /contacts/{row_id}/journey
        GET /operations
        GET /operations/{operation_id}
        GET /funnel
        GET /journeys
        GET /batches
        GET /batches/{batch_id}
        GET /batches/{batch_id}/rows
        GET /schedules
        GET /schedules/{schedule_id}
        GET /schedules/{schedule_id}/fires
        GET /events
        GET /stages
        GET /stages/{name}
        GET /work
        GET /work/{work_id}
        GET /dead-letters
        GET /dead-letters/rows
        GET /suppressions
        GET /suppressions/check
    """,
    "curator": """
        POST /searches
        POST /searches/estimate
        PATCH /searches/{search_id}
        POST /searches/{search_id}/pause
        POST /searches/{search_id}/resume
        POST /searches/{search_id}/cancel
        PATCH /places/{row_id}
        PATCH /local_businesses/{row_id}
        PATCH /domains/{row_id}
        PATCH /sitemap_files/{row_id}
        PATCH /pages/{row_id}
        POST /contacts
        PATCH /contacts/{row_id}
        DELETE /contacts/{row_id}
        POST /{entity}/curation
        POST /operations/{operation_id}/undo
        POST /batches
        POST /batches/{kind}/uploads
        GET /batches/{batch_id}/result.csv
        GET /exports/leads
        GET /exports/contacts
        POST /suppressions
        POST /suppressions/uploads
        DELETE /suppressions
        DELETE /suppressions/{suppression_id}
        POST /schedules
        PATCH /schedules/{schedule_id}
        DELETE /schedules/{schedule_id}
        POST /schedules/{schedule_id}/pause
        POST /schedules/{schedule_id}/resume
        POST /schedules/{schedule_id}/run-now
    """,
    "admin": """
        GET /users
        POST /users
        GET /users/{user_id}
        PATCH /users/{user_id}
        POST /users/{user_id}/link
        GET /audit
        POST /erasures
        GET /webhooks
        POST /webhooks
        GET /webhooks/{webhook_id}
        PATCH /webhooks/{webhook_id}
        DELETE /webhooks/{webhook_id}
        POST /webhooks/{webhook_id}/rotate-secret
        POST /webhooks/{webhook_id}/test
        GET /webhooks/{webhook_id}/deliveries
        POST /webhook-deliveries/{delivery_id}/redeliver
        POST /work/retry
        POST /work/cancel
        POST /work/{work_id}/retry
        POST /work/{work_id}/cancel
    """,
    "operator": """
        POST /stages/{name}/pause
        POST /stages/{name}/resume
        PUT /stages/{name}/window
        GET /workers
        GET /alarms
        GET /metrics
        GET /dev-tools/scheduler_status
        POST /dev-tools/{sweeper}
    """,
}
RANKS = tuple(LEAST)
EXPECTED = {line.strip(): rank for rank, lines in LEAST.items() for line in lines.splitlines() if line.strip()}


@pytest.fixture
def own(people: People, admin: Person, db: str) -> Iterator[Planted]:
    """The rows of the installation's own tenant."""
    made = Planted(db, admin.tenant_id, admin.user_id)
    yield made
    made.close()


def test_every_route_is_in_the_table() -> None:
    assert {str(route) for route in OF_API} == set(EXPECTED)


def test_viewers_change_nothing_but_their_own_keys_and_log_in() -> None:
    unsafe = {name for name, rank in EXPECTED.items() if rank == "viewer" and not name.startswith("GET ")}
    assert unsafe == {"POST /auth/logout", "POST /auth/password", "POST /keys", "DELETE /keys/{key_id}"}


@pytest.mark.parametrize("role", ["nobody", "viewer", "curator", "admin", "operator"])
def test_every_route_lets_in_whom_the_table_says(people: People, own: Planted, role: str) -> None:
    """Refused exactly where the role is too low; what comes after being let in is another test's."""
    wrong = {}
    with client_of(people, role) as client:
        for route in OF_API:
            answer = client.request(
                route.method, own.path(route), params={"seconds": 1} if route.path.endswith("/events") else None,
                **sent(str(route), own),
            )  # fmt: skip
            if said := misjudged(str(route), role, answer):
                wrong[str(route)] = said
    assert wrong == {}


def client_of(people: People, role: str) -> httpx.Client:
    if role == "nobody":
        return httpx.Client(base_url=people.url, timeout=60)
    if role == "admin":  # of a tenant that shares the installation
        return people.stranger("admin").client
    return people.person("admin" if role == "operator" else role).client


def misjudged(name: str, role: str, answer: httpx.Response) -> str | None:
    least = EXPECTED[name]
    if role == "nobody":
        expected = 401 if least != "open" or name != "GET /healthz" else 200
        return None if answer.status_code == expected or least == "open" else f"{answer.status_code}"
    rank = RANKS.index("admin" if role == "admin" else role)
    is_refused = answer.status_code == 403
    should_be = rank < RANKS.index(least)
    return None if is_refused == should_be else f"{answer.status_code}: {answer.text[:200]}"


# Of the routes for more than looking, what a key must be allowed to do.
SCOPES = {
    "export": "GET /batches/{batch_id}/result.csv, GET /exports/leads, GET /exports/contacts",
    "submit": """POST /searches, POST /searches/estimate, PATCH /searches/{search_id}, POST /searches/{search_id}/pause,
        POST /searches/{search_id}/resume, POST /searches/{search_id}/cancel, POST /batches,
        POST /batches/{kind}/uploads, POST /schedules, PATCH /schedules/{schedule_id}, DELETE /schedules/{schedule_id},
        POST /schedules/{schedule_id}/pause, POST /schedules/{schedule_id}/resume,
        POST /schedules/{schedule_id}/run-now""",
    "administer": """GET /users, POST /users, GET /users/{user_id}, PATCH /users/{user_id}, POST /users/{user_id}/link,
        GET /audit, POST /erasures, GET /webhooks, POST /webhooks, GET /webhooks/{webhook_id},
        PATCH /webhooks/{webhook_id}, DELETE /webhooks/{webhook_id}, POST /webhooks/{webhook_id}/rotate-secret,
        POST /webhooks/{webhook_id}/test, GET /webhooks/{webhook_id}/deliveries,
        POST /webhook-deliveries/{delivery_id}/redeliver""",
    "operate": """POST /work/retry, POST /work/cancel, POST /work/{work_id}/retry, POST /work/{work_id}/cancel,
        POST /stages/{name}/pause, POST /stages/{name}/resume, PUT /stages/{name}/window, GET /workers, GET /alarms,
        GET /metrics, GET /dev-tools/scheduler_status, POST /dev-tools/{sweeper}""",
}
OF_SCOPE = {scope: {name.strip() for name in names.split(",")} for scope, names in SCOPES.items()}
GUARDED = {name for name, rank in EXPECTED.items() if RANKS.index(rank) >= RANKS.index("curator")}
OF_SCOPE |= {"read": set(), "curate": GUARDED - set().union(*OF_SCOPE.values())}

# Whom a key lets in may do no more than it.
LETS_IN = {"POST /users", "POST /users/{user_id}/link"}


@pytest.mark.parametrize("scope", sorted(OF_SCOPE))
def test_a_key_reaches_no_further_than_its_scope(people: People, own: Planted, scope: str) -> None:
    client = people.person("admin", scopes=[scope]).client
    reached = set()
    for route in OF_API:
        if str(route) in GUARDED:
            answer = client.request(route.method, own.path(route), **sent(str(route), own))
            reached |= {str(route)} if answer.status_code != 403 else set()
    assert reached == OF_SCOPE[scope] - LETS_IN
