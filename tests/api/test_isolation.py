"""Two tenants on every route: whatever one guesses and sends, nothing of the other's is seen or changed."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.api.bodies import BODIES, sent
from tests.api.people import People, Person
from tests.api.planted import Planted
from tests.api.routes import OF_API, Route

# Answers that name nothing of the path's: words that all tenants share.
SHARED = {"name", "entity", "kind", "sweeper"}
STREAMS = "GET /events"


@pytest.fixture
def victim(people: People, db: str) -> Iterator[Planted]:
    """A tenant whose rows are none of the others' business."""
    person = people.stranger()
    made = Planted(db, person.tenant_id, person.user_id)
    yield made
    made.close()


@pytest.fixture
def thief(people: People, db: str) -> Iterator[Person]:
    """An admin of another tenant, which has rows of its own."""
    person = people.stranger()
    own = Planted(db, person.tenant_id, person.user_id)
    yield person
    own.close()


def test_a_body_is_known_for_every_route_that_takes_one() -> None:
    assert {str(route) for route in OF_API if route.takes_body} == set(BODIES)


def test_nothing_of_another_tenant_is_seen_or_changed(victim: Planted, thief: Person) -> None:
    before = victim.dump()
    assert sum(map(len, before.values())) > 25
    leaks = {str(route): said for route in OF_API if (said := leak(thief.client, route, victim))}
    assert leaks == {}
    assert victim.dump() == before


def leak(client: httpx.Client, route: Route, victim: Planted) -> str | None:
    """Call a route with another tenant's ids everywhere, and give what is wrong with the answer."""
    answer = client.request(
        route.method, victim.path(route), params=guesses(route, victim), **sent(str(route), victim), timeout=60
    )
    was_sent = answer.status_code >= 400 and victim.mark in str(answer.request.url)  # a refusal repeats what it refuses
    if victim.mark in answer.text and not was_sent:
        return f"{answer.status_code}: {answer.text[:300]}"
    names_a_row = bool(set(route.parameters) - SHARED)
    if names_a_row and answer.status_code not in (403, 404):
        return f"{answer.status_code} for another's row"
    return f"{answer.status_code}" if answer.status_code >= 500 and answer.status_code != 503 else None


def guesses(route: Route, victim: Planted) -> dict[str, str]:
    """Fill the query with the other's ids and words."""
    rows = victim.ids["rows"]
    known = {
        "search": rows["searches"], "user_id": victim.user_id, "entity_id": rows["searches"], "value": victim.mark,
        "parent_id": victim.ids["work_id"], "seconds": 1, "tenants": "own",
    }  # fmt: skip
    names = [query["name"] for query in route.queries]
    return {name: str(known[name]) for name in names if name in known}


@pytest.mark.parametrize("entity", ["places", "local_businesses", "domains", "sitemap_files", "pages", "contacts"])
def test_a_filter_finds_nothing_of_another_tenant(victim: Planted, thief: Person, entity: str) -> None:
    rows = victim.ids["rows"]
    for condition in (f"id={rows[entity]}", f"search={rows['searches']}", "curation_status=New"):
        answer = thief.client.get(f"/api/v3/{entity}", params={"where": condition})
        if answer.status_code == 400:
            continue  # this entity has no such field
        assert victim.mark not in answer.text
        assert rows[entity] not in [row["id"] for row in answer.json()["items"]]


def test_the_owner_sees_all_of_it(victim: Planted, people: People) -> None:
    """So that the silence above means something."""
    owner = people.person("admin", tenant_id=victim.tenant)
    silent = set()
    for route in OF_API:
        if route.method == "GET" and str(route) != STREAMS:
            params = {"value": f"info@{victim.mark}.example"} if str(route) == "GET /journeys" else {}
            answer = owner.client.get(victim.path(route), params=params)
            if victim.mark not in answer.text:
                silent.add(str(route))
    assert silent == SAYS_NOTHING_OF_ROWS


SAYS_NOTHING_OF_ROWS = {
    # words and counts
    "GET /healthz",
    "GET /readyz",
    "GET /openapi.json",
    "GET /auth/me",
    "GET /funnel",
    "GET /searches/{row_id}/funnel",
    "GET /searches/{search_id}/coverage",
    "GET /stages",
    "GET /stages/{name}",
    "GET /suppressions/check",
    # the installation's, refused here
    "GET /alarms",
    "GET /dev-tools/scheduler_status",
    "GET /metrics",
    "GET /workers",
}
