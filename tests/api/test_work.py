"""Work over HTTP: one's own alone, in any order, with its whole story; retried and cancelled exactly as counted."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.api.labour import add_failure, add_work, execute, rows, status_of
from tests.api.people import People, Person

WORK = "/api/v3/work"
SORTS = ("id", "-id", "due_at", "-due_at", "finished_at", "-finished_at")


def listed(person: Person, **query: Any) -> list[int]:
    answer = person.client.get(WORK, params=query)
    assert answer.status_code == 200, answer.text
    assert answer.json()["total"] == len(answer.json()["items"])
    return [row["id"] for row in answer.json()["items"]]


def post(person: Person, path: str, **body: Any) -> httpx.Response:
    return person.client.post(f"{WORK}{path}", json=body)


def counted(answer: httpx.Response) -> tuple[int, int]:
    assert answer.status_code == 200, answer.text
    found = answer.json()
    return found["matched_count"], found["changed_count"]


def test_a_list_holds_ones_own_work_with_its_name_the_newest_first(viewer: Person, stranger: Person) -> None:
    first = add_work(viewer.tenant_id, "a.example")
    second = add_work(viewer.tenant_id, "b.example", "Error", error="too slow", lane="b.example")
    theirs = add_work(stranger.tenant_id, "z.example")
    assert listed(viewer) == [second, first]
    assert listed(stranger) == [theirs]
    row = viewer.client.get(WORK).json()["items"][0]
    assert (row["entity"], row["entity_name"], row["host"]) == ("domains", "b.example", "b.example")
    assert (row["status"], row["reason"], row["error"]) == ("Error", "timeout", "too slow")


def test_work_is_found_by_every_condition_and_by_several_at_once(viewer: Person) -> None:
    worker = uuid4()
    old = add_work(viewer.tenant_id, "old.example", "Error", reason="dns", error="No such HOST", lane="old.example")
    execute("UPDATE work SET finished_at = finished_at - interval '2 days'")
    new = add_work(viewer.tenant_id, "new.example", "Error", reason="dns", parent_id=old)
    runs = add_work(viewer.tenant_id, "old.example", "Processing", stage="sitemap_analysis", worker_id=worker)
    assert listed(viewer, stage="sitemap_analysis") == [runs]
    assert listed(viewer, status="Error") == [new, old]
    assert listed(viewer, reason="dns", error="such host") == [old]
    assert listed(viewer, host="old.example") == [old]
    assert listed(viewer, older_than_seconds=86_400) == [old]
    assert listed(viewer, worker_id=str(worker)) == [runs]
    assert listed(viewer, parent_id=old) == [new]
    assert listed(viewer, reason="dns", stage="sitemap_analysis") == []


@pytest.mark.parametrize("sort", SORTS)
def test_pages_give_everything_once_in_any_order(viewer: Person, stranger: Person, sort: str) -> None:
    """With ties, and with work that has not ended; also when more is added meanwhile."""
    made = []
    for number in range(12):
        work = add_work(viewer.tenant_id, f"d{number}.example", ("Queued", "Error", "Completed")[number % 3])
        execute(
            "UPDATE work SET due_at = timestamptz '2026-01-01' + %s * interval '1 h' WHERE id = %s", number % 4, work
        )
        made.append(work)
    execute("UPDATE work SET finished_at = now() WHERE status = 'Error'")
    add_work(stranger.tenant_id, "z.example")
    keys, seen, cursor = [], [], None
    while True:
        query: dict[str, Any] = {"sort": sort, "limit": 5, "total": "none"} | ({"cursor": cursor} if cursor else {})
        page = viewer.client.get(WORK, params=query).json()
        assert page["total"] is None
        seen += [row["id"] for row in page["items"] if row["id"] in made]
        keys += [(row[sort.removeprefix("-")], row["id"]) for row in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
        add_work(viewer.tenant_id, f"late{len(seen)}.example")
    assert sorted(seen) == made
    there = [key for key in keys if key[0] is not None]
    assert there == sorted(there, reverse=sort.startswith("-"))
    assert keys[: len(there)] == there


def test_a_cursor_of_another_list_is_refused(viewer: Person) -> None:
    for number in range(3):
        add_work(viewer.tenant_id, f"d{number}.example")
    cursor = viewer.client.get(WORK, params={"limit": 1}).json()["next_cursor"]
    assert viewer.client.get(WORK, params={"limit": 1, "cursor": cursor}).status_code == 200
    for other in ({"sort": "id"}, {"status": "Queued"}):
        answer = viewer.client.get(WORK, params={"limit": 1, "cursor": cursor, **other})
        assert answer.status_code == 400
        assert "another filter or order" in answer.json()["detail"]


@pytest.mark.parametrize("cursor", ["x", "!!!", "W10", "WyJhIiwgImIiLCAxXQ", "ä", "bnVsbA", "", "W1tbW1tb"])
def test_what_is_no_cursor_is_refused_in_words(viewer: Person, cursor: str) -> None:
    assert viewer.client.get(WORK, params={"cursor": cursor}).status_code == 400


def test_what_cannot_be_looked_for_is_refused(viewer: Person) -> None:
    unknown = viewer.client.get(WORK, params={"stage": "domain_metdata"})
    assert unknown.status_code == 400
    assert "Did you mean domain_metadata?" in unknown.json()["detail"]
    for query in ({"status": "done"}, {"stagge": "search"}, {"sort": "error"}, {"limit": 501}, {"reason": "\x00"}):
        assert viewer.client.get(WORK, params=query).status_code == 422


def test_a_piece_of_work_tells_its_story(viewer: Person) -> None:
    root = add_work(viewer.tenant_id, "a.example", "Completed", stage="page_ranking")
    work = add_work(viewer.tenant_id, "a.example", "Error", reason="dns", error="gone", attempts=2, parent_id=root)
    add_failure(work, 1, "passing", "timeout", "too slow")
    add_failure(work, 2, "final", "dns", "gone")
    for name, status in (("b", "Completed"), ("c", "Completed"), ("d", "Queued")):
        add_work(viewer.tenant_id, f"{name}.example", status, stage="sitemap_analysis", parent_id=work)
    found = viewer.client.get(f"{WORK}/{work}").json()
    assert (found["entity"], found["entity_name"]) == ("domains", "a.example")
    assert [(one["attempt"], one["kind"], one["reason"], one["error"]) for one in found["failures"]] == [
        (1, "passing", "timeout", "too slow"),
        (2, "final", "dns", "gone"),
    ]
    assert [(one["id"], one["stage"]) for one in found["ancestors"]] == [(root, "page_ranking")]
    assert found["children"] == [
        {"stage": "sitemap_analysis", "status": "Completed", "count": 2},
        {"stage": "sitemap_analysis", "status": "Queued", "count": 1},
    ]


def test_another_tenants_work_is_as_if_it_did_not_exist(admin: Person, stranger: Person) -> None:
    theirs = add_work(stranger.tenant_id, "z.example", "Error")
    queued = add_work(stranger.tenant_id, "y.example")
    missing = admin.client.get(f"{WORK}/999999").json()["detail"]
    for path in (f"{WORK}/{theirs}",):
        answer = admin.client.get(path)
        assert answer.status_code == 404
        assert answer.json()["detail"] == missing.replace("999999", str(theirs))
    assert post(admin, f"/{theirs}/retry").status_code == 404
    assert post(admin, f"/{queued}/cancel").status_code == 404
    assert counted(post(admin, "/retry", ids=[theirs])) == (0, 0)
    assert counted(post(admin, "/cancel", all=True)) == (0, 0)
    assert (status_of(theirs), status_of(queued)) == ("Error", "Queued")
    assert rows("SELECT 1 FROM audit_entries") == []


def test_lineage_stops_at_the_tenant(admin: Person, stranger: Person) -> None:
    """Nothing makes such a lineage; should it exist all the same, it shows nothing of others."""
    theirs = add_work(stranger.tenant_id, "z.example", "Completed")
    ours = add_work(admin.tenant_id, "a.example", "Completed", parent_id=theirs)
    add_work(stranger.tenant_id, "y.example", parent_id=ours)
    found = admin.client.get(f"{WORK}/{ours}").json()
    assert (found["ancestors"], found["children"]) == ([], [])


@pytest.mark.parametrize(
    ("choice", "names"),
    [
        ({"stage": "domain_metadata"}, "ab"),
        ({"reason": "dns"}, "a"),
        ({"error": "TLS"}, "b"),
        ({"status": "Filtered"}, "c"),
        ({"all": True}, "ab"),
        ({"older_than_seconds": 86_400}, "b"),
        ({"host": "a.example"}, "a"),
        ({"ids": []}, ""),
    ],
    ids=str,
)
def test_a_retry_touches_what_was_counted_and_nothing_of_others(
    admin: Person, stranger: Person, choice: dict[str, Any], names: str
) -> None:
    def make(person: Person) -> dict[str, int]:
        a = add_work(person.tenant_id, "a.example", "Error", reason="dns", lane="a.example")
        b = add_work(person.tenant_id, "b.example", "Error", reason="tls", error="bad tls")
        execute("UPDATE work SET finished_at = finished_at - interval '2 days' WHERE id = %s", b)
        c = add_work(person.tenant_id, "c.example", "Filtered", reason="parked")
        return {"a": a, "b": b, "c": c, "d": add_work(person.tenant_id, "d.example", "Cancelled", reason="cancelled")}

    execute("INSERT INTO hosts (host) VALUES ('a.example')")
    ours, theirs = make(admin), make(stranger)
    before = rows("SELECT * FROM work ORDER BY id")
    assert counted(post(admin, "/retry", **choice, dry_run=True)) == (len(names), 0)
    assert rows("SELECT * FROM work ORDER BY id") == before
    assert rows("SELECT 1 FROM audit_entries") == []
    assert counted(post(admin, "/retry", **choice)) == (len(names), len(names))
    assert {name for name, work in ours.items() if status_of(work) == "Queued"} == set(names)
    assert rows("SELECT * FROM work WHERE tenant_id = %s ORDER BY id", stranger.tenant_id) == [
        row for row in before if row["id"] in theirs.values()
    ]
    noted = rows("SELECT user_id, action, entity, detail FROM audit_entries")
    assert len(noted) == (1 if names else 0)
    if noted:
        assert (noted[0]["user_id"], noted[0]["action"], noted[0]["entity"]) == (admin.user_id, "retry", "work")
        assert noted[0]["detail"] == {"changed_count": len(names), **choice}


def test_no_condition_at_all_is_refused(admin: Person) -> None:
    work = add_work(admin.tenant_id, "a.example")
    for path in ("/retry", "/cancel"):
        answer = post(admin, path)
        assert answer.status_code == 400
        assert "all=true" in answer.json()["detail"]
    assert status_of(work) == "Queued"


def test_thousands_are_cancelled_in_one_request(admin: Person, stranger: Person) -> None:
    add_work(stranger.tenant_id, "z.example")
    execute(
        "INSERT INTO work (tenant_id, stage, entity_id)"
        " SELECT %s, 'sitemap_analysis', n FROM generate_series(1, 5000) n",
        admin.tenant_id,
    )
    assert counted(post(admin, "/cancel", stage="sitemap_analysis", dry_run=True)) == (5000, 0)
    assert counted(post(admin, "/cancel", stage="sitemap_analysis")) == (5000, 5000)
    found = rows("SELECT status, reason, count(*) AS n FROM work GROUP BY 1, 2 ORDER BY 1")
    assert [tuple(row.values()) for row in found] == [("Cancelled", "cancelled", 5000), ("Queued", None, 1)]


def test_one_piece_is_retried_and_cancelled_as_its_status_allows(admin: Person) -> None:
    work = add_work(admin.tenant_id, "a.example", "Error", error="gone", attempts=5)
    add_failure(work, 1)
    again = post(admin, f"/{work}/retry").json()
    assert (again["status"], again["error"], again["attempts"], len(again["failures"])) == ("Queued", None, 0, 1)
    refused = post(admin, f"/{work}/retry")
    assert refused.status_code == 409
    assert refused.json()["detail"] == f"Work {work} is Queued: only work that has ended can be retried."
    assert post(admin, f"/{work}/cancel").json()["status"] == "Cancelled"
    assert post(admin, f"/{work}/cancel").status_code == 409
    noted = rows("SELECT action, entity_id FROM audit_entries ORDER BY id")
    assert [tuple(row.values()) for row in noted] == [("retry", work), ("cancel", work)]


def test_who_only_reads_or_curates_changes_nothing(people: People) -> None:
    work = add_work(people.person().tenant_id, "a.example", "Error")
    for person in (people.person("viewer"), people.person("curator")):
        assert post(person, "/retry", ids=[work]).status_code == 403
        assert post(person, "/cancel", all=True).status_code == 403
        assert post(person, f"/{work}/retry").status_code == 403
    assert status_of(work) == "Error"


def test_an_admin_of_any_tenant_retries_their_own(stranger: Person) -> None:
    work = add_work(stranger.tenant_id, "z.example", "Error")
    assert counted(post(stranger, "/retry", ids=[work])) == (1, 1)
    assert [row["tenant_id"] for row in rows("SELECT tenant_id FROM audit_entries")] == [stranger.tenant_id]


@pytest.mark.parametrize(
    "body",
    [{"ids": [0]}, {"ids": ["a"]}, {"ids": [2**63]}, {"idz": [1]}, {"error": "a\x00b"}, {"older_than_seconds": -1}, []],
    ids=str,
)
def test_a_choice_that_cannot_be_read_is_refused(admin: Person, body: Any) -> None:
    assert admin.client.post(f"{WORK}/retry", json=body).status_code == 422
