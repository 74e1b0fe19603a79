"""`POST /{entity}/curation`, `/operations` and undo over HTTP: what was counted happens, and can be taken back."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from pipeline.database import statement
from pipeline.hold import HELD_UNTIL
from tests.api.people import People, Person
from tests.pipeline.doors import add_place, insert
from tests.pipeline.together import together

MANY = 5_000
FILL = b"""
INSERT INTO pages (tenant_id, domain_id, url, host, kind, score)
SELECT %s, %s, '/' || n, 'anna.example', (ARRAY['contact', 'blog'])[1 + n %% 2], n %% 100
FROM generate_series(1, %s) n"""


def post(person: Person, path: str, **body: Any) -> httpx.Response:
    return person.client.post(f"/api/v3{path}", json=body)


def decided(person: Person, path: str, **body: Any) -> dict[str, Any]:
    answer = post(person, path, **body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def rows(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    with statement() as connection:
        return connection.execute(sql.encode(), values).fetchall()


def statuses(table: str = "places") -> dict[int, str]:
    return {row[0]: row[1] for row in rows(f"SELECT id, curation_status FROM {table}")}


@pytest.fixture
def pages(curator: Person) -> int:
    """Thousands of pages of one domain; gives how many are of the kind contact."""
    domain = insert("domains", name="anna.example")
    with statement() as connection:
        connection.execute(FILL, (curator.tenant_id, domain, MANY))
    return int(rows("SELECT count(*) FROM pages WHERE kind = 'contact'")[0][0])


def test_ids_are_decided_on_and_selected_ones_queued(curator: Person) -> None:
    one, two, three = (add_place(name) for name in "abc")
    done = decided(curator, "/places/curation", status="Selected", ids=[one, two, one])
    assert done == {"operation_id": done["operation_id"], "updated_count": 2, "queued_count": 2, "dry_run": False}
    assert statuses() == {one: "Selected", two: "Selected", three: "New"}
    assert rows("SELECT stage, entity_id, status, auto FROM work ORDER BY 2") == [
        ("deep_scan", one, "Queued", False),
        ("deep_scan", two, "Queued", False),
    ]
    assert rows("SELECT user_id, action, entity FROM audit_entries") == [(curator.user_id, "curate", "places")]


def test_thousands_that_match_are_counted_selected_and_taken_back(curator: Person, pages: int) -> None:
    wish = {"status": "Selected", "where": ["kind=contact", "curation_status=New"]}
    counted = decided(curator, "/pages/curation", **wish, dry_run=True)
    assert counted == {"operation_id": None, "updated_count": pages, "queued_count": pages, "dry_run": True}
    assert rows("SELECT 1 FROM work UNION ALL SELECT 1 FROM operations") == []
    done = decided(curator, "/pages/curation", **wish)
    assert (done["updated_count"], done["queued_count"]) == (pages, pages)
    assert rows("SELECT kind, curation_status, count(*) FROM pages GROUP BY 1, 2 ORDER BY 1") == [
        ("blog", "New", MANY - pages),
        ("contact", "Selected", pages),
    ]
    again = decided(curator, "/pages/curation", **wish)
    assert (again["updated_count"], again["queued_count"]) == (0, 0)
    undone = decided(curator, f"/operations/{done['operation_id']}/undo")
    assert undone == {"restored_count": pages, "cancelled_count": pages, "skipped_count": 0}
    assert set(statuses("pages").values()) == {"New"}
    assert rows("SELECT 1 FROM work") == []


@pytest.mark.parametrize("wish", [{}, {"where": []}, {"ids": []}, {"ids": None, "all": False}])
def test_a_filter_that_says_nothing_is_refused(curator: Person, wish: dict[str, Any]) -> None:
    place = add_place("a")
    answer = post(curator, "/places/curation", status="Archived", **wish)
    assert (answer.status_code, statuses()) == (400, {place: "New"})
    assert answer.json()["detail"].startswith(("This would touch every place", "The list of ids is empty"))


def test_everything_is_decided_on_when_that_is_said(curator: Person) -> None:
    places = [add_place(name) for name in "ab"]
    assert decided(curator, "/places/curation", status="Archived", all=True)["updated_count"] == 2
    assert statuses() == dict.fromkeys(places, "Archived")


@pytest.mark.parametrize("wish", [{"all": True}, {"ids": [1, 2, 3]}, {"where": ["id>=0"]}])
@pytest.mark.parametrize("dry_run", [False, True])
def test_another_tenants_rows_are_not_there(stranger: Person, wish: dict[str, Any], dry_run: bool) -> None:
    places = [add_place(name) for name in "abc"]
    done = decided(stranger, "/places/curation", status="Selected", dry_run=dry_run, **wish)
    assert (done["updated_count"], done["queued_count"]) == (0, 0)
    assert statuses() == dict.fromkeys(places, "New")
    assert rows("SELECT 1 FROM work") == []


def test_another_tenants_operations_are_not_there(curator: Person, stranger: Person) -> None:
    done = decided(curator, "/places/curation", status="Maybe", ids=[add_place("a")])
    path = f"/operations/{done['operation_id']}"
    assert post(stranger, f"{path}/undo").status_code == 404
    assert stranger.client.get(f"/api/v3{path}").status_code == 404
    assert stranger.client.get("/api/v3/operations").json() == {"items": [], "total": 0, "next_cursor": None}
    assert set(statuses().values()) == {"Maybe"}


def test_a_decision_is_shown_and_taken_back_once(curator: Person, viewer: Person) -> None:
    done = decided(curator, "/places/curation", status="Maybe", ids=[add_place("a")])
    path = f"/operations/{done['operation_id']}"
    shown = viewer.client.get(f"/api/v3{path}").json()
    assert (shown["entity"], shown["status"], shown["stage"], shown["updated_count"]) == (
        "places",
        "Maybe",
        "deep_scan",
        1,
    )
    assert (shown["user_id"], shown["undone_at"]) == (str(curator.user_id), None)
    assert decided(curator, f"{path}/undo")["restored_count"] == 1
    refused = post(curator, f"{path}/undo")
    assert refused.status_code == 409
    assert "undone already" in refused.json()["detail"]
    (listed,) = viewer.client.get("/api/v3/operations").json()["items"]
    assert listed["id"] == done["operation_id"]
    assert listed["undone_at"] is not None


def test_decisions_are_listed_page_by_page(curator: Person) -> None:
    add_place("a")
    made = [decided(curator, "/places/curation", status="Maybe", all=True)["operation_id"] for _ in range(5)]
    seen, cursor = [], None
    while True:
        page = curator.client.get("/api/v3/operations", params={"limit": 2} | ({"cursor": cursor} if cursor else {}))
        seen += [one["id"] for one in page.json()["items"]]
        cursor = page.json()["next_cursor"]
        if cursor is None:
            break
    assert seen == made[::-1]
    assert curator.client.get("/api/v3/operations", params={"cursor": "x"}).status_code == 400


def test_two_at_once_on_the_same_thousands_both_get_through(people: People, pages: int) -> None:
    who = [people.person("curator") for _ in range(2)]
    wishes: list[dict[str, Any]] = [{"status": "Selected", "where": ["score>=20"]}, {"status": "Maybe", "all": True}]
    done = together(lambda at: decided(who[at], "/pages/curation", **wishes[at]))
    assert [one["updated_count"] for one in done] == [4000, MANY]
    for one in sorted(done, key=lambda each: each["operation_id"], reverse=True):
        decided(who[0], f"/operations/{one['operation_id']}/undo")
    assert set(statuses("pages").values()) == {"New"}
    assert rows("SELECT 1 FROM work") == []


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/places/curation", {"all": True}, 422),
        ("/places/curation", {"status": "selected", "all": True}, 422),
        ("/places/curation", {"status": "New", "all": True, "colour": "red"}, 422),
        ("/places/curation", {"status": "New", "ids": [0]}, 422),
        ("/places/curation", {"status": "New", "ids": [2**63]}, 422),
        ("/places/curation", {"status": "New", "where": ["name=\x00"]}, 422),
        ("/places/curation", {"status": "New", "where": ["colour=red"]}, 400),
        ("/places/curation", {"status": "New", "where": ["'; DROP TABLE places; --"]}, 400),
        ("/places/curation", {"status": "Selected", "all": True, "stage": "page_curation"}, 400),
        ("/searches/curation", {"status": "New", "all": True}, 422),
        ("/operations/0/undo", {}, 422),
        ("/operations/7/undo", {}, 404),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(curator: Person, path: str, body: dict[str, Any], status: int) -> None:
    place = add_place("a")
    answer = post(curator, path, **body)
    assert answer.status_code == status, answer.text
    assert answer.json()["detail"]
    assert statuses() == {place: "New"}


def test_who_may_only_look_decides_nothing(viewer: Person) -> None:
    place = add_place("a")
    assert post(viewer, "/places/curation", status="Maybe", ids=[place]).status_code == 403
    assert post(viewer, "/operations/1/undo").status_code == 403
    assert statuses() == {place: "New"}


def test_what_somebody_has_paused_stays_paused_when_it_is_selected(curator: Person) -> None:
    place = add_place("a")
    decided(curator, "/places/curation", status="Selected", ids=[place])
    with statement() as connection:
        connection.execute(f"UPDATE work SET due_at = {HELD_UNTIL}".encode())
    for dry_run in (True, False):
        assert decided(curator, "/places/curation", status="Selected", all=True, dry_run=dry_run)["queued_count"] == 0
    assert rows(f"SELECT status, due_at = {HELD_UNTIL} FROM work") == [("Queued", True)]
