"""Dead letters over HTTP: what has failed for good, by what went wrong, each with its history."""

from __future__ import annotations

from tests.api.labour import add_failure, add_work, execute
from tests.api.people import Person


def test_dead_letters_are_grouped_by_stage_and_reason(viewer: Person, stranger: Person) -> None:
    execute("INSERT INTO hosts (host) VALUES ('a.example'), ('b.example')")
    old = add_work(viewer.tenant_id, "a.example", "Error", reason="dns", lane="a.example")
    execute("UPDATE work SET finished_at = finished_at - interval '1 day' WHERE id = %s", old)
    add_work(viewer.tenant_id, "b.example", "Error", reason="dns", lane="b.example")
    last = add_work(viewer.tenant_id, "c.example", "Error", reason="dns", error="no address", lane="b.example")
    poison = add_work(viewer.tenant_id, "d.example", "Error", reason="poison", stage="page_ranking", crashes=3)
    add_work(viewer.tenant_id, "e.example", "Filtered", reason="parked")
    add_work(stranger.tenant_id, "z.example", "Error", reason="dns", lane="z.example")
    found = viewer.client.get("/api/v3/dead-letters").json()
    assert found["total"] == 2
    dns, poisoned = found["items"]
    assert (dns["stage"], dns["reason"], dns["count"]) == ("domain_metadata", "dns", 3)
    assert dns["meaning"] == "the site's name has no address"
    assert (dns["host_count"], dns["hosts"]) == (2, ["b.example", "a.example"])
    assert (dns["example_id"], dns["example_error"]) == (last, "no address")
    assert dns["oldest_at"] < dns["newest_at"]
    assert (poisoned["stage"], poisoned["reason"], poisoned["count"]) == ("page_ranking", "poison", 1)
    assert (poisoned["host_count"], poisoned["hosts"], poisoned["example_id"]) == (0, [], poison)


def test_each_dead_letter_has_its_history_and_pages_go_on(viewer: Person, stranger: Person) -> None:
    made = []
    for number in range(5):
        work = add_work(viewer.tenant_id, f"d{number}.example", "Error", reason="dns")
        for attempt in range(1, number + 1):
            add_failure(work, attempt, error=f"try {attempt}")
        made.append(work)
    add_work(viewer.tenant_id, "x.example", "Error", reason="tls")
    add_failure(add_work(stranger.tenant_id, "z.example", "Error", reason="dns"), 1)
    seen, cursor = [], None
    while True:
        query = {"reason": "dns", "limit": "2"} | ({"cursor": cursor} if cursor else {})
        page = viewer.client.get("/api/v3/dead-letters/rows", params=query).json()
        assert page["total"] == 5
        seen += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert [row["id"] for row in seen] == made[::-1]
    assert [len(row["failures"]) for row in seen] == [4, 3, 2, 1, 0]
    assert [one["error"] for one in seen[0]["failures"]] == ["try 1", "try 2", "try 3", "try 4"]
    assert seen[0]["entity_name"] == "d4.example"


def test_dead_letters_are_looked_for_by_stage_and_host(viewer: Person) -> None:
    one = add_work(viewer.tenant_id, "a.example", "Error", stage="page_ranking")
    two = add_work(viewer.tenant_id, "b.example", "Error", lane="b.example")
    path = "/api/v3/dead-letters/rows"
    by_stage = viewer.client.get(path, params={"stage": "page_ranking"}).json()["items"]
    by_host = viewer.client.get(path, params={"host": "b.example"}).json()["items"]
    assert [row["id"] for row in by_stage] == [one]
    assert [row["id"] for row in by_host] == [two]
    assert viewer.client.get(path, params={"stage": "nothing"}).status_code == 400
