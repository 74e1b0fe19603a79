"""Stages over HTTP: what is in them of one's own, how fast they go, and who may lay a hand on them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from embedded import Servers
from embedded.processes import wait_until
from pipeline.stage import all_stages
from tests.api.labour import add_work, execute, rows
from tests.api.people import People, Person
from tests.cli.terminal import PROGRAM, environment, free_port

STAGE = "/api/v3/stages/domain_metadata"
EMPTY = {"queued": 0, "processing": 0, "completed": 0, "filtered": 0, "error": 0, "cancelled": 0}


def stage_of(person: Person, name: str = "domain_metadata", **query: Any) -> dict[str, Any]:
    answer = person.client.get(f"/api/v3/stages/{name}", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_every_stage_is_listed_in_pipeline_order(viewer: Person) -> None:
    found = viewer.client.get("/api/v3/stages").json()
    assert [stage["name"] for stage in found["items"]] == [stage.name for stage in all_stages()]
    assert found["total"] == len(found["items"]) > 5
    by_name = {stage["name"]: stage for stage in found["items"]}
    assert by_name["domain_metadata"]["entity"] == "domains"
    assert "sitemap_analysis" in by_name["domain_metadata"]["successors"]
    assert by_name["domain_metadata"]["counts"] == EMPTY
    assert by_name["domain_metadata"]["oldest_due_seconds"] is None


def test_each_tenant_counts_its_own_work_alone(viewer: Person, stranger: Person) -> None:
    for name, status in (("a", "Completed"), ("b", "Completed"), ("c", "Error"), ("d", "Queued")):
        add_work(viewer.tenant_id, f"{name}.example", status)
    add_work(stranger.tenant_id, "z.example", "Filtered", reason="parked")
    assert stage_of(viewer)["counts"] == EMPTY | {"completed": 2, "error": 1, "queued": 1}
    assert stage_of(stranger)["counts"] == EMPTY | {"filtered": 1}
    assert stage_of(stranger)["due_count"] == 0
    assert stage_of(stranger)["reasons"] == [{"status": "Filtered", "reason": "parked", "count": 1}]


def test_an_operator_may_see_all_tenants_together(admin: Person, stranger: Person, viewer: Person) -> None:
    add_work(admin.tenant_id, "a.example", "Completed")
    add_work(stranger.tenant_id, "z.example", "Error", reason="dns")
    assert stage_of(admin, tenants="all")["counts"] == EMPTY | {"completed": 1, "error": 1}
    assert stage_of(admin)["counts"] == EMPTY | {"completed": 1}
    for person in (stranger, viewer):
        for path in ("/api/v3/stages", STAGE):
            assert person.client.get(path, params={"tenants": "all"}).status_code == 403


def test_depth_is_what_is_due_and_not_what_waits_for_its_time_or_is_held(viewer: Person) -> None:
    due = add_work(viewer.tenant_id, "due.example")
    add_work(viewer.tenant_id, "fresh.example")
    add_work(viewer.tenant_id, "later.example", due_at="9998-01-01 00:00+00")
    add_work(viewer.tenant_id, "held.example", due_at="9999-01-01 00:00+00")
    execute("UPDATE work SET due_at = clock_timestamp() - interval '10 minutes' WHERE id = %s", due)
    found = stage_of(viewer)
    assert (found["due_count"], found["later_count"], found["counts"]["queued"]) == (2, 2, 4)
    assert found["oldest_due_seconds"] >= 600


def test_the_rate_is_what_ended_in_the_last_minutes(viewer: Person, stranger: Person, admin: Person) -> None:
    add = """
    INSERT INTO stage_minutes (stage, minute, tenant_id, completed, filtered, error, retried, seconds)
    VALUES ('domain_metadata', date_trunc('minute', clock_timestamp()) - %s * interval '1 minute',
            %s, %s, %s, %s, %s, %s)"""
    execute(add, 1, viewer.tenant_id, 60, 20, 20, 25, 250.0)
    execute(add, 600, viewer.tenant_id, 10_000, 0, 0, 0, 1.0)
    execute(add, 1, stranger.tenant_id, 0, 0, 300, 0, 3.0)
    found = stage_of(viewer, minutes=10)
    assert 100 / 11 <= found["ended_per_minute"] <= 10
    assert 25 / 11 <= found["retried_per_minute"] <= 2.5
    assert found["error_rate"] == pytest.approx(0.2)
    assert found["mean_seconds"] == pytest.approx(2.0)
    assert stage_of(stranger, minutes=10)["error_rate"] == 1
    assert stage_of(admin, minutes=10, tenants="all")["error_rate"] == pytest.approx(320 / 400)
    assert stage_of(viewer, "sitemap_import")["ended_per_minute"] == 0


def test_reasons_are_counted_with_the_most_frequent_first(viewer: Person) -> None:
    for name, reason in (("a", "dns"), ("b", "timeout"), ("c", "dns")):
        add_work(viewer.tenant_id, f"{name}.example", "Error", reason=reason)
    assert stage_of(viewer)["reasons"] == [
        {"status": "Error", "reason": "dns", "count": 2},
        {"status": "Error", "reason": "timeout", "count": 1},
    ]


def test_a_stage_that_does_not_exist_is_not_found(admin: Person) -> None:
    calls = (("GET", ""), ("POST", "/pause"), ("POST", "/resume"))
    for method, tail in calls:
        answer = admin.client.request(method, f"/api/v3/stages/domain_metdata{tail}")
        assert answer.status_code == 404
        assert "Did you mean domain_metadata?" in answer.json()["detail"]
    assert rows("SELECT 1 FROM stage_controls") == []


def test_an_operator_pauses_and_resumes_a_stage_and_everyone_sees_why(admin: Person, stranger: Person) -> None:
    answer = admin.client.post(f"{STAGE}/pause", json={"note": "the provider is down"})
    assert answer.status_code == 200
    assert answer.json()["is_paused"]
    seen = stage_of(stranger)
    assert (seen["is_paused"], seen["note"]) == (True, "the provider is down")
    assert admin.client.post(f"{STAGE}/resume").json()["is_paused"] is False
    assert stage_of(stranger)["note"] is None
    noted = rows("SELECT user_id, action, entity, detail FROM audit_entries ORDER BY id")
    assert [(row["user_id"], row["action"], row["entity"]) for row in noted] == [
        (admin.user_id, "pause", "stage"),
        (admin.user_id, "resume", "stage"),
    ]
    assert noted[0]["detail"] == {"stage": "domain_metadata", "note": "the provider is down"}


def test_a_stage_can_be_paused_without_a_word(admin: Person) -> None:
    assert admin.client.post(f"{STAGE}/pause").json()["is_paused"]


def test_only_operators_lay_a_hand_on_a_stage(people: People, stranger: Person) -> None:
    for person in (stranger, people.person("curator"), people.person("viewer"), people.person(scopes=["read"])):
        assert person.client.post(f"{STAGE}/pause", json={"note": "no"}).status_code == 403
        assert person.client.post(f"{STAGE}/resume").status_code == 403
        assert person.client.put(f"{STAGE}/window", json={"size": 1}).status_code == 403
    assert rows("SELECT 1 FROM stage_controls") == []
    assert rows("SELECT 1 FROM audit_entries") == []


def test_a_window_is_changed_and_given_back(admin: Person) -> None:
    declared = stage_of(admin)["window"]
    changed = admin.client.put(f"{STAGE}/window", json={"size": 7}).json()
    assert (changed["window"], changed["declared_window"]) == (7, declared)
    assert admin.client.put(f"{STAGE}/window", json={"size": None}).json()["window"] == declared
    assert [row["detail"]["size"] for row in rows("SELECT detail FROM audit_entries ORDER BY id")] == [7, None]


@pytest.mark.parametrize("body", [{"size": 0}, {"size": 100_001}, {"size": "many"}, {}, {"size": 1, "more": 2}])
def test_a_window_that_cannot_be_is_refused(admin: Person, body: dict[str, Any]) -> None:
    assert admin.client.put(f"{STAGE}/window", json=body).status_code == 422
    assert rows("SELECT 1 FROM stage_controls") == []


def test_the_web_process_knows_the_stages(db: str, servers: Servers, tmp_path: Path) -> None:
    """In this process tests declare them; the product's own must do so by itself."""
    port = free_port()
    own = {"DATABASE_URL": db, "REDIS_URL": servers.broker_url, "WEB_PORT": port, "STAGE_MODULES": "actors"}
    people = People(f"http://127.0.0.1:{port}", db)
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen([PROGRAM, "serve"], cwd=tmp_path, env=environment(**own), stdout=log, stderr=log) as process,
    ):
        try:
            assert wait_until(lambda: _answers(port), 60), (tmp_path / "log").read_text()
            names = [stage["name"] for stage in people.person("viewer").client.get("/api/v3/stages").json()["items"]]
        finally:
            people.close()
            process.terminate()
    assert "page_curation" in names


def _answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/api/v3/stages").status_code == 401
    except httpx.TransportError:
        return False
