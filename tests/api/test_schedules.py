"""/schedules: add, look at, change, pause, fire and remove standing orders, each tenant its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.rows import dict_row

from scheduling import fire
from tests.api.people import People, Person

SCHEDULES = "/api/v3/schedules"
ADD_SEARCH = "INSERT INTO searches (tenant_id, what, where_text, provider) VALUES (%s, 'dentists', 'Austin', 'sandbox')"


def rows(db: str, sql: str, *values: object) -> list[dict[str, Any]]:
    with psycopg.connect(db, autocommit=True, row_factory=dict_row) as connection:
        return connection.execute(sql.encode(), values).fetchall()


@pytest.fixture
def search(admin: Person, db: str) -> int:
    return search_of(db, admin.tenant_id)


def search_of(db: str, tenant_id: UUID) -> int:
    return int(rows(db, f"{ADD_SEARCH} RETURNING id", tenant_id)[0]["id"])


def body(search: int, **given: Any) -> dict[str, Any]:
    made = {"name": "Mondays", "entity_id": search, "cron": "0 9 * * 1", "timezone": "Europe/Berlin"} | given
    return {name: value for name, value in made.items() if value is not ...}


def add(person: Person, search: int, **given: Any) -> dict[str, Any]:
    answer = person.client.post(SCHEDULES, json=body(search, **given))
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def test_a_schedule_is_added_with_its_next_times_in_both_clocks(curator: Person, search: int) -> None:
    made = add(curator, search)
    assert (made["action"], made["stage"], made["entity_id"], made["enabled"]) == ("run", "search", search, True)
    assert (made["catch_up"], made["misfire_grace_seconds"], made["last_fire"]) == ("last", 3600, None)
    assert made["created_by_id"] == str(curator.user_id)
    times = [(datetime.fromisoformat(run["at"]), datetime.fromisoformat(run["local"])) for run in made["next_runs"]]
    assert len(times) == 5
    for at, local in times:
        assert at == local
        assert at.utcoffset() == timedelta(0)
        assert (local.weekday(), local.hour, local.minute) == (0, 9, 0)
        assert local.utcoffset() in (timedelta(hours=1), timedelta(hours=2))


def test_an_interval_is_counted_from_its_start(curator: Person, search: int) -> None:
    start = (datetime.now(UTC) + timedelta(days=3)).replace(microsecond=0)
    made = add(curator, search, cron=..., interval_seconds=7200, starts_at=start.isoformat())
    assert [datetime.fromisoformat(run["at"]) for run in made["next_runs"]][:2] == [start, start + timedelta(hours=2)]


@pytest.mark.parametrize(
    ("given", "status", "says"),
    [
        ({"cron": "99 9 * * *"}, 400, "is no cron line"),
        ({"cron": "every day"}, 400, "is no cron line"),
        ({"cron": "0 0 30 2 *"}, 400, "names no day that will ever come"),
        ({"cron": ...}, 400, "by a cron line or by an interval"),
        ({"interval_seconds": 3600}, 400, "by a cron line or by an interval"),
        ({"cron": ..., "interval_seconds": 59}, 422, "60"),
        ({"cron": ..., "interval_seconds": 10**12}, 422, "31622400"),
        ({"timezone": "Europe/Atlantis"}, 400, "There is no time zone"),
        ({"timezone": "../../etc/passwd"}, 400, "There is no time zone"),
        ({"entity_id": 999_999}, 404, "There is nothing numbered 999999"),
        ({"entity_id": 0}, 422, "entity_id"),
        ({"stage": "serch"}, 400, "Did you mean search?"),
        ({"stage": "deep_scan", "action": "refresh"}, 400, "Only what a search has found"),
        ({"stage": "webhook_delivery"}, 400, "not told on a schedule"),
        ({"starts_at": "2026-12-01T09:00:00"}, 422, "timezone"),
        ({"starts_at": "9999-12-31T23:59:59-12:00"}, 400, "ten years from now"),
        ({"starts_at": "0001-01-01T00:00:00+12:00"}, 400, "ten years from now"),
        ({"name": ""}, 422, "name"),
        ({"name": "   "}, 400, "needs a name"),
        ({"name": "a\x00b"}, 422, "name"),
        ({"catch_up": "some"}, 422, "catch_up"),
        ({"misfire_grace_seconds": -1}, 422, "misfire_grace_seconds"),
        ({"every": "day"}, 422, "every"),
    ],
    ids=str,
)
def test_what_could_never_work_is_refused_in_words(
    curator: Person, search: int, db: str, given: dict[str, Any], status: int, says: str
) -> None:
    answer = curator.client.post(SCHEDULES, json=body(search, **given))
    assert answer.status_code == status, answer.text
    assert says in answer.json()["detail"]
    assert rows(db, "SELECT * FROM schedules") == rows(db, "SELECT * FROM audit_entries WHERE action = 'create'") == []


def test_a_name_is_used_once_in_a_tenant(curator: Person, stranger: Person, search: int, db: str) -> None:
    add(curator, search)
    answer = curator.client.post(SCHEDULES, json=body(search))
    assert answer.status_code == 409
    assert answer.json()["detail"] == "There is a schedule named 'Mondays' already: choose another name."
    add(stranger, search_of(db, stranger.tenant_id))


def test_a_schedule_is_listed_and_found_by_filter_page_by_page(curator: Person, search: int) -> None:
    numbers = [add(curator, search, name=f"number {nth}")["id"] for nth in range(5)]
    curator.client.post(f"{SCHEDULES}/{numbers[0]}/pause")
    seen, cursor = [], None
    while True:
        given = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = curator.client.get(SCHEDULES, params=given).json()
        seen += [row["id"] for row in page["items"]]
        assert page["total"] == 5
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == numbers
    for filtered, expected in [
        ("enabled=false", numbers[:1]),
        (f"entity_id={search}", numbers),
        ("stage=deep_scan", []),
    ]:
        found = curator.client.get(f"{SCHEDULES}?{filtered}").json()
        assert ([row["id"] for row in found["items"]], found["total"]) == (expected, len(expected))


@pytest.mark.parametrize("cursor", ["x", "null", "W10", "WyIiLCIiLDFd"])
def test_a_cursor_that_is_not_ours_is_refused(curator: Person, search: int, cursor: str) -> None:
    number = add(curator, search)["id"]
    for path in ("", f"/{number}/fires"):
        assert curator.client.get(f"{SCHEDULES}{path}", params={"cursor": cursor}).status_code == 400


def test_a_change_keeps_the_rest_and_takes_the_place_of_the_other_kind(curator: Person, search: int, db: str) -> None:
    number = add(curator, search)["id"]
    changed = curator.client.patch(f"{SCHEDULES}/{number}", json={"interval_seconds": 3600, "catch_up": "all"}).json()
    assert (changed["cron"], changed["interval_seconds"], changed["catch_up"]) == (None, 3600, "all")
    assert (changed["name"], changed["timezone"]) == ("Mondays", "Europe/Berlin")
    (entry,) = rows(db, "SELECT * FROM audit_entries WHERE action = 'update' AND entity = 'schedules'")
    assert (entry["entity_id"], entry["user_id"]) == (number, curator.user_id)
    assert entry["detail"] == {"before": {"interval_seconds": None, "catch_up": "last"}}


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"cron": None}, 400),
        ({"cron": "0 9 * * *", "interval_seconds": 60}, 400),
        ({"cron": "nonsense"}, 400),
        ({"timezone": "Nowhere"}, 400),
        ({"name": None}, 422),
        ({"enabled": None}, 422),
        ({"starts_at": None}, 422),
        ({"entity_id": 7}, 422),
        ({"name": "taken"}, 409),
    ],
    ids=str,
)
def test_a_change_that_could_never_work_changes_nothing(
    curator: Person, search: int, given: dict[str, Any], status: int
) -> None:
    add(curator, search, name="taken")
    number = add(curator, search)["id"]
    before = curator.client.get(f"{SCHEDULES}/{number}").json()
    assert curator.client.patch(f"{SCHEDULES}/{number}", json=given).status_code == status
    assert curator.client.get(f"{SCHEDULES}/{number}").json() == before


def test_a_change_of_times_owes_nothing_from_before_and_a_new_name_changes_no_times(
    curator: Person, search: int, db: str
) -> None:
    number = add(curator, search)["id"]
    rows(db, "UPDATE schedules SET settled_until = now() - interval '1 day' RETURNING 1")
    curator.client.patch(f"{SCHEDULES}/{number}", json={"name": "Tuesdays"})
    assert rows(db, "SELECT settled_until < now() - interval '1 hour' AS owes FROM schedules") == [{"owes": True}]
    curator.client.patch(f"{SCHEDULES}/{number}", json={"cron": "0 9 * * 2"})
    assert rows(db, "SELECT settled_until < now() - interval '1 hour' AS owes FROM schedules") == [{"owes": False}]


def test_paused_it_is_never_due_and_resumed_it_owes_nothing(curator: Person, search: int, db: str) -> None:
    number = add(curator, search, cron="* * * * *")["id"]
    paused = curator.client.post(f"{SCHEDULES}/{number}/pause").json()
    assert (paused["enabled"], paused["next_runs"]) == (False, [])
    rows(db, "UPDATE schedules SET settled_until = now() - interval '1 day' RETURNING 1")
    resumed = curator.client.post(f"{SCHEDULES}/{number}/resume").json()
    assert (resumed["enabled"], len(resumed["next_runs"])) == (True, 5)
    fire.settle(number)
    assert rows(db, "SELECT * FROM schedule_fires WHERE result = 'missed'") == []
    actions = [row["action"] for row in rows(db, "SELECT action FROM audit_entries ORDER BY id")]
    assert actions == ["create", "pause", "resume"]


def test_run_now_queues_at_once_and_is_in_the_history(curator: Person, search: int, db: str) -> None:
    number = add(curator, search)["id"]
    answer = curator.client.post(f"{SCHEDULES}/{number}/run-now")
    assert answer.status_code == 202
    assert (answer.json()["result"], answer.json()["queued_count"], answer.json()["by_hand"]) == ("queued", 1, True)
    assert curator.client.post(f"{SCHEDULES}/{number}/run-now").json()["result"] == "still-running"
    assert rows(db, "SELECT stage, entity_id, status, sent_at IS NOT NULL AS rung FROM work") == [
        {"stage": "search", "entity_id": search, "status": "Queued", "rung": True}
    ]
    fires = curator.client.get(f"{SCHEDULES}/{number}/fires").json()
    assert ([row["result"] for row in fires["items"]], fires["total"]) == (["still-running", "queued"], 2)
    assert curator.client.get(f"{SCHEDULES}/{number}").json()["last_fire"]["result"] == "still-running"


def test_the_history_is_given_page_by_page(curator: Person, search: int) -> None:
    number = add(curator, search)["id"]
    ids = [curator.client.post(f"{SCHEDULES}/{number}/run-now").json()["id"] for _ in range(3)]
    first = curator.client.get(f"{SCHEDULES}/{number}/fires", params={"limit": 2}).json()
    given = {"limit": 2, "cursor": first["next_cursor"]}
    second = curator.client.get(f"{SCHEDULES}/{number}/fires", params=given).json()
    assert [row["id"] for row in first["items"] + second["items"]] == ids[::-1]
    assert second["next_cursor"] is None


def test_a_schedule_outlives_its_search_and_says_so(curator: Person, search: int, db: str) -> None:
    number = add(curator, search)["id"]
    rows(db, "DELETE FROM searches RETURNING 1")
    fired = curator.client.post(f"{SCHEDULES}/{number}/run-now").json()
    assert (fired["result"], fired["queued_count"]) == ("no-entity", 0)
    shown = curator.client.get(f"{SCHEDULES}/{number}").json()
    assert (shown["last_fire"]["result"], len(shown["next_runs"])) == ("no-entity", 5)


def test_a_row_that_cannot_be_read_is_shown_with_its_trouble(curator: Person, search: int, db: str) -> None:
    number = add(curator, search)["id"]
    rows(db, "UPDATE schedules SET timezone = 'Europe/Atlantis' RETURNING 1")
    (shown,) = curator.client.get(SCHEDULES).json()["items"]
    assert (shown["id"], shown["next_runs"]) == (number, [])
    assert shown["trouble"].startswith("There is no time zone 'Europe/Atlantis'")


def test_a_schedule_is_removed_with_its_history(curator: Person, search: int, db: str) -> None:
    number = add(curator, search)["id"]
    curator.client.post(f"{SCHEDULES}/{number}/run-now")
    answer = curator.client.delete(f"{SCHEDULES}/{number}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert curator.client.delete(f"{SCHEDULES}/{number}").status_code == 404
    assert rows(db, "SELECT * FROM schedule_fires") == []
    (entry,) = rows(db, "SELECT detail FROM audit_entries WHERE action = 'delete'")
    assert (entry["detail"]["before"]["name"], entry["detail"]["before"]["cron"]) == ("Mondays", "0 9 * * 1")


def test_a_viewer_looks_and_changes_nothing(people: People, curator: Person, search: int) -> None:
    number = add(curator, search)["id"]
    viewer = people.person("viewer").client
    assert [viewer.get(f"{SCHEDULES}{path}").status_code for path in ("", f"/{number}", f"/{number}/fires")] == [
        200
    ] * 3
    tries = [
        viewer.post(SCHEDULES, json=body(search, name="mine")),
        viewer.patch(f"{SCHEDULES}/{number}", json={"name": "mine"}),
        viewer.delete(f"{SCHEDULES}/{number}"),
        *(viewer.post(f"{SCHEDULES}/{number}/{verb}") for verb in ("pause", "resume", "run-now")),
    ]
    assert {answer.status_code for answer in tries} == {403}


def test_another_tenant_sees_and_touches_nothing(curator: Person, stranger: Person, search: int, db: str) -> None:
    number = add(curator, search)["id"]
    before = rows(db, "SELECT * FROM schedules")
    theirs = stranger.client
    assert theirs.get(SCHEDULES).json() == {"items": [], "total": 0, "next_cursor": None}
    tries = [
        theirs.get(f"{SCHEDULES}/{number}"),
        theirs.get(f"{SCHEDULES}/{number}/fires"),
        theirs.patch(f"{SCHEDULES}/{number}", json={"name": "mine"}),
        theirs.delete(f"{SCHEDULES}/{number}"),
        *(theirs.post(f"{SCHEDULES}/{number}/{verb}") for verb in ("pause", "resume", "run-now")),
        theirs.post(SCHEDULES, json=body(search)),
    ]
    assert {answer.status_code for answer in tries} == {404}
    assert theirs.get(f"{SCHEDULES}/{number}").json() == theirs.get(f"{SCHEDULES}/{number + 1}").json() | {
        "detail": f"There is no schedule {number}."
    }
    assert rows(db, "SELECT * FROM schedules") == before


def test_a_schedule_from_before_that_cannot_be_read_is_shown_and_paused(curator: Person, search: int, db: str) -> None:
    number = add(curator, search)["id"]
    rows(db, "UPDATE schedules SET name = %s, timezone = 'Mars/Base' WHERE id = %s RETURNING id", "x" * 300, number)
    (shown,) = curator.client.get(SCHEDULES).json()["items"]
    assert (shown["name"], shown["next_runs"]) == ("x" * 300, [])
    assert "There is no time zone 'Mars/Base'" in shown["trouble"]
    assert curator.client.post(f"{SCHEDULES}/{number}/pause").json()["enabled"] is False
    assert curator.client.post(f"{SCHEDULES}/{number}/resume").status_code == 400
