"""`/api/v3/searches` over real HTTP: started, looked at, steered, and nobody else's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.doors import audited, execute, rows
from tests.api.people import Person

SEARCHES = "/api/v3/searches"
AUSTIN = {"what": "dentists", "where": "Austin, TX"}
BOX = {"south": 30.1, "west": -97.9, "north": 30.5, "east": -97.5}


@pytest.fixture(autouse=True)
def _somebody_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRAWLER_CONTACT", "me@example.org")


def start(person: Person, **order: Any) -> dict[str, Any]:
    answer = person.client.post(SEARCHES, json=AUSTIN | order)
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_a_search_is_started_queued_and_remembered_with_who_started_it(curator: Person) -> None:
    told = start(curator, what="  dentists \n", radius_meters=5000, budget_usd="1.5", max_places=50)
    assert (told["what"], told["where"], told["provider"], told["mode"]) == (
        "dentists", "Austin, TX", "openstreetmap", "auto"
    )  # fmt: skip
    assert (told["status"], told["budget_usd"], told["max_places"], told["places"]) == ("Queued", 1.5, 50, 0)
    (row,) = rows("SELECT * FROM searches")
    assert (row["tenant_id"], row["created_by_id"]) == (curator.tenant_id, curator.user_id)
    (work,) = rows("SELECT stage, entity_id, tenant_id, auto, sent_at FROM work")
    assert (work["stage"], work["entity_id"], work["tenant_id"], work["auto"]) == (
        "search", told["id"], curator.tenant_id, True
    )  # fmt: skip
    assert work["sent_at"] is not None
    (entry,) = rows("SELECT action, entity, entity_id, user_id, api_key_id FROM audit_entries")
    assert (entry["action"], entry["entity"], entry["entity_id"]) == ("start", "searches", told["id"])
    assert entry["user_id"] == curator.user_id
    assert entry["api_key_id"] is not None


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ({"where": None}, "Say where: either near a place"),
        ({"box": BOX}, "Say where: either near a place"),
        ({"where": None, "box": BOX | {"south": 31}}, "A box is SOUTH,WEST,NORTH,EAST"),
        ({"where": None, "box": BOX, "radius_meters": 100}, "A radius goes with the name of a place"),
        ({"radius_meters": 1}, "A radius is 50m to 200km."),
        ({"what": " "}, "What and where are words"),
        ({"what": "x" * 201}, "What and where are words"),
        ({"provider": "bing"}, "There is no provider 'bing'"),
        ({"provider": "google"}, "Google needs a key"),
        ({"provider": "sandbox"}, "No sandbox is set"),
        ({"mode": "wild"}, "There is no mode 'wild'"),
        ({"max_places": 0}, "A search brings 1 to 10000 places"),
        ({"budget_usd": -1}, "A budget is 0 to 100000 US dollars"),
        ({"budget_usd": "1e9"}, "A budget is 0 to 100000 US dollars"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_one_sentence_and_leaves_nothing(
    curator: Person, order: dict[str, Any], sentence: str
) -> None:
    for path in (SEARCHES, f"{SEARCHES}/estimate"):
        answer = curator.client.post(path, json=AUSTIN | order)
        assert answer.status_code == 400, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert sentence in answer.json()["detail"]
        assert "--" not in answer.json()["detail"]
    assert rows("SELECT 1 FROM searches UNION ALL SELECT 1 FROM work UNION ALL SELECT 1 FROM audit_entries") == []


@pytest.mark.parametrize(
    "body",
    [{}, {"what": "x", "where": "y", "colour": 1}, {"what": "a\x00b", "where": "x"}, {"what": 5, "where": "x"},
     AUSTIN | {"max_places": 2**40}, AUSTIN | {"budget_usd": "much"}, AUSTIN | {"box": [1, 2, 3, 4]}],
)  # fmt: skip
def test_a_body_that_is_none_is_refused(curator: Person, body: dict[str, Any]) -> None:
    answer = curator.client.post(SEARCHES, json=body)
    assert answer.status_code == 422
    assert answer.json()["faults"]


def test_an_estimate_says_what_it_may_cost_and_stores_nothing(curator: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    from settings import settings

    free = curator.client.post(f"{SEARCHES}/estimate", json=AUSTIN).json()
    assert (free["first_page_usd"], free["most_usd"], free["is_within_budget"]) == (0, 0, True)
    monkeypatch.setenv("GOOGLE_MAPS_API_KEY", "a-key")
    settings.cache_clear()
    few = curator.client.post(f"{SEARCHES}/estimate", json=AUSTIN | {"max_places": 20, "budget_usd": 100}).json()
    many = curator.client.post(f"{SEARCHES}/estimate", json=AUSTIN | {"max_places": 1000, "budget_usd": 100}).json()
    assert few["provider"] == "google"
    assert 0 < few["first_page_usd"] <= few["most_usd"] < many["most_usd"] <= 100
    tight = curator.client.post(f"{SEARCHES}/estimate", json=AUSTIN | {"budget_usd": "0.001"}).json()
    assert (tight["is_within_budget"], tight["most_usd"]) == (False, 0.001)
    assert rows("SELECT 1 FROM searches") == []


def _grown(curator: Person) -> int:
    """A search with two places, one of which went on to a domain."""
    search = int(start(curator)["id"])
    tenant = curator.tenant_id
    execute("UPDATE work SET status = 'Completed', finished_at = now()")
    execute(
        "INSERT INTO places (tenant_id, provider, provider_place_id, name)"
        f" SELECT '{tenant}', 'openstreetmap', 'node/' || nth, 'Place ' || nth FROM generate_series(1, 2) nth"
    )
    execute("INSERT INTO search_places (tenant_id, search_id, place_id) SELECT tenant_id, %s, id FROM places", search)
    execute(
        "INSERT INTO work (tenant_id, stage, entity_id, status, reason, parent_id) SELECT tenant_id, 'deep_scan', id,"
        " CASE WHEN provider_place_id = 'node/1' THEN 'Filtered' ELSE 'Queued' END,"
        " CASE WHEN provider_place_id = 'node/1' THEN 'closed' END, (SELECT min(id) FROM work) FROM places"
    )
    return search


def test_one_search_shows_progress_that_reconciles_and_the_reasons(curator: Person, viewer: Person) -> None:
    search = _grown(curator)
    told = viewer.client.get(f"{SEARCHES}/{search}").json()
    assert (told["status"], told["places"], told["today"]) == ("InProgress", 2, None)
    stages = {stage.pop("stage"): stage for stage in told["stages"]}
    assert list(stages) == ["search", "deep_scan"]
    for counts in stages.values():
        own = {name: many for name, many in counts.items() if name not in ("discovered", "held")}
        assert counts["discovered"] == sum(own.values())
    assert (stages["deep_scan"]["filtered"], stages["deep_scan"]["queued"]) == (1, 1)
    (reason,) = told["reasons"]
    assert (reason["stage"], reason["reason"], reason["count"], reason["example_name"]) == (
        "deep_scan", "closed", 1, "Place 1"
    )  # fmt: skip
    assert [(row["stage"], row["status"], row["count"]) for row in told["open"]] == [("deep_scan", "Queued", 1)]
    assert told["areas"] == {"searched": 0, "known": 0}


def test_what_a_provider_cost_all_tenants_together_is_for_operators_alone(admin: Person, stranger: Person) -> None:
    mine, theirs = start(admin)["id"], start(stranger)["id"]
    assert admin.client.get(f"{SEARCHES}/{mine}").json()["today"]["calls"] == 0
    assert stranger.client.get(f"{SEARCHES}/{theirs}").json()["today"] is None


def test_searches_are_listed_by_filter_and_order(curator: Person, stranger: Person) -> None:
    first, second = start(curator)["id"], start(curator, what="bakers", mode="curated")["id"]
    start(stranger)
    page = curator.client.get(SEARCHES).json()
    assert ([row["id"] for row in page["items"]], page["total"]) == ([second, first], 2)
    page = curator.client.get(SEARCHES, params={"where": "mode=curated"}).json()
    assert [row["what"] for row in page["items"]] == ["bakers"]


def test_a_search_is_paused_resumed_and_cancelled_with_all_below_it(curator: Person) -> None:
    search = _grown(curator)
    assert curator.client.post(f"{SEARCHES}/{search}/pause").json() == {"changed_count": 1, "status": "Paused"}
    assert curator.client.post(f"{SEARCHES}/{search}/pause").json() == {"changed_count": 0, "status": "Paused"}
    assert curator.client.post(f"{SEARCHES}/{search}/resume").json() == {"changed_count": 1, "status": "InProgress"}
    told = curator.client.post(f"{SEARCHES}/{search}/cancel").json()
    assert told["changed_count"] == 1
    assert rows("SELECT status, reason FROM work WHERE status = 'Cancelled'") == [
        {"status": "Cancelled", "reason": "cancelled"}
    ]
    assert [action for action, _ in audited(curator.tenant_id)] == ["start", "pause", "pause", "resume", "cancel"]


def test_new_limits_let_go_what_waited_for_them(curator: Person) -> None:
    search = _grown(curator)
    execute("UPDATE work SET reason = 'budget', due_at = now() + interval '1 hour' WHERE status = 'Queued'")
    execute("UPDATE work SET reason = 'enough-places' WHERE status = 'Filtered'")
    told = curator.client.patch(f"{SEARCHES}/{search}", json={"budget_usd": 5.25}).json()
    assert told["budget_usd"] == 5.25
    assert rows("SELECT count(*)::int AS n FROM work WHERE status = 'Queued' AND due_at <= clock_timestamp()") == [
        {"n": 1}
    ]
    curator.client.patch(f"{SEARCHES}/{search}", json={"max_places": 2})
    assert rows("SELECT reason FROM work WHERE status = 'Filtered'") == [{"reason": "enough-places"}]
    told = curator.client.patch(f"{SEARCHES}/{search}", json={"max_places": 900}).json()
    assert (told["max_places"], told["budget_usd"]) == (900, 5.25)
    assert rows("SELECT 1 FROM work WHERE status = 'Filtered'") == []
    for body, status in (({}, 400), ({"max_places": 0}, 400), ({"budget_usd": -1}, 400), ({"what": "x"}, 422)):
        assert curator.client.patch(f"{SEARCHES}/{search}", json=body).status_code == status


def test_coverage_gives_the_rectangles_and_how_each_stands(curator: Person) -> None:
    search = start(curator, where=None, box=BOX)["id"]
    for west, page, full, cut in ((-97.9, 0, None, False), (-97.9, 1, True, True), (-97.8, 0, False, False),
                                  (-97.7, 0, True, False), (-97.6, 0, None, False)):  # fmt: skip
        execute(
            "INSERT INTO search_areas (tenant_id, search_id, south, west, north, east, page, found, is_full, is_cut)"
            " VALUES (%s, %s, 30.1, %s, 30.5, %s, %s, 7, %s, %s)",
            curator.tenant_id, search, west, west + 0.1, page, full, cut,
        )  # fmt: skip
    told = curator.client.get(f"{SEARCHES}/{search}/coverage").json()
    assert [(area["west"], area["state"]) for area in told["rectangles"]] == [
        (-97.8, "covered"), (-97.7, "full"), (-97.6, "open")
    ]  # fmt: skip
    assert told["box"] == BOX


def test_nobody_else_sees_or_touches_a_search(curator: Person, stranger: Person, viewer: Person) -> None:
    search = _grown(curator)
    before = rows("SELECT * FROM work ORDER BY id"), rows("SELECT * FROM searches")
    calls = (("get", ""), ("get", "/coverage"), ("post", "/pause"), ("post", "/resume"), ("post", "/cancel"))
    for method, path in calls:
        answer = stranger.client.request(method, f"{SEARCHES}/{search}{path}")
        unknown = stranger.client.request(method, f"{SEARCHES}/{2**62}{path}")
        assert (answer.status_code, unknown.status_code) == (404, 404)
        assert answer.json()["detail"] == f"There is no search {search}."
    assert stranger.client.patch(f"{SEARCHES}/{search}", json={"max_places": 5}).status_code == 404
    for method, path in calls[2:]:
        assert viewer.client.request(method, f"{SEARCHES}/{search}{path}").status_code == 403
    assert viewer.client.post(SEARCHES, json=AUSTIN).status_code == 403
    assert (rows("SELECT * FROM work ORDER BY id"), rows("SELECT * FROM searches")) == before
    for bad in ("0", "-1", "x", str(2**63)):
        assert curator.client.get(f"{SEARCHES}/{bad}").status_code == 422
