"""Dev tools over HTTP: what runs on a clock and how it went, and every sweeper by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from operations import jobs
from pipeline import doorbell
from pipeline.stage import all_stages
from scheduling.sweeper import all_sweepers
from settings import settings
from tests.api.doors import audited
from tests.api.labour import add_work, execute, rows
from tests.api.people import People, Person
from tests.pipeline.stagehand import Bells

STATUS = "/api/v3/dev-tools/scheduler_status"
RUN = "/api/v3/dev-tools"


@pytest.fixture
def bells(url: str) -> Iterator[Bells]:
    """Every ring of this process, which serves the application."""
    made = Bells()
    doorbell.install(made)
    yield made
    doorbell.install(Bells())


def job(person: Person, name: str) -> dict[str, Any]:
    answer = person.client.get(STATUS)
    assert answer.status_code == 200, answer.text
    (found,) = [job for job in answer.json()["jobs"] if job["name"] == name]
    assert isinstance(found, dict)
    return found


def test_every_sweeper_is_listed_also_those_that_never_ran(admin: Person) -> None:
    found = admin.client.get(STATUS).json()
    names = [job["name"] for job in found["jobs"]]
    assert names == [sweeper.name for sweeper in all_sweepers()]
    assert {f"sweep_{stage.name}" for stage in all_stages()} | {"check_invariants", "blank_expired"} <= set(names)
    for each in found["jobs"]:
        assert (each["kind"], each["last_run_at"], each["last_result"]) == ("sweeper", None, None)
        assert each["next_run_at"] > found["now"]
    assert job(admin, "sweep_deep_scan")["trigger"] == "*/5 * * * *"


def test_the_jobs_of_the_clocks_are_listed_with_how_they_went(admin: Person) -> None:
    at = datetime(2030, 1, 1, tzinfo=UTC)
    jobs.report("schedule 7", "clock", "cron 0 9 * * *", at, "missed", detail="the machine slept")
    found = job(admin, "schedule 7")
    assert (found["kind"], found["trigger"], found["next_run_at"]) == (
        "clock",
        "cron 0 9 * * *",
        "2030-01-01T00:00:00Z",
    )
    assert (found["last_result"], found["last_detail"], found["last_run_at"]) == ("missed", "the machine slept", None)
    assert found["by_hand"] is None


def test_a_sweep_by_hand_rings_again_what_was_lost_and_is_remembered(admin: Person, bells: Bells) -> None:
    work = add_work(admin.tenant_id, "a.example", stage="page_ranking", sends=1)
    execute("UPDATE work SET sent_at = clock_timestamp() - interval '1 hour'")
    answer = admin.client.post(f"{RUN}/process-pending-page-ranking")
    assert answer.status_code == 200, answer.text
    done = answer.json()
    assert done["name"] == "sweep_page_ranking"
    assert done["repaired"]["rung_again"] == 1
    assert done["says"] == "rung again 1"
    assert [ring.work_id for ring in bells.take()] == [work]
    assert rows("SELECT sends FROM work")[0]["sends"] == 2
    kept = job(admin, "sweep_page_ranking")
    assert (kept["last_result"], kept["last_detail"]) == ("executed", "rung again 1")
    assert kept["last_seconds"] >= 0
    assert kept["last_run_at"] is not None
    assert admin.client.post(f"{RUN}/process-pending-page-ranking").json()["says"] == "nothing to repair"
    assert audited(admin.tenant_id) == [("run", "sweepers"), ("run", "sweepers")]


def test_every_sweeper_can_be_run_by_hand(admin: Person, bells: Bells) -> None:
    for each in admin.client.get(STATUS).json()["jobs"]:
        assert admin.client.post(f"{RUN}/{each['by_hand']}").status_code == 200
    assert {each["last_result"] for each in admin.client.get(STATUS).json()["jobs"]} == {"executed"}


def test_the_description_names_every_sweeper(admin: Person) -> None:
    paths = admin.client.get("/api/v3/openapi.json").json()["paths"]
    (parameter,) = paths["/api/v3/dev-tools/{sweeper}"]["post"]["parameters"]
    assert "process-pending-deep-scan" in parameter["schema"]["enum"]
    assert "blank-expired" in parameter["schema"]["enum"]


def test_a_sweeper_that_does_not_exist_is_not_found(admin: Person) -> None:
    answer = admin.client.post(f"{RUN}/process-pending-everything")
    assert answer.status_code == 404
    assert "process-pending-deep-scan" in answer.json()["detail"]


def test_only_operators_come_in(people: People, stranger: Person) -> None:
    for person in (stranger, people.person("curator"), people.person("viewer")):
        assert person.client.get(STATUS).status_code == 403
        assert person.client.post(f"{RUN}/check-invariants").status_code == 403
    assert rows("SELECT 1 FROM jobs") == []


def test_production_keeps_them_closed_unless_it_says_otherwise(admin: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVIRONMENT", "production")
    monkeypatch.setenv("CRAWLER_CONTACT", "crawler@example.org")
    settings.cache_clear()
    for answer in (admin.client.get(STATUS), admin.client.post(f"{RUN}/blank-expired")):
        assert answer.status_code == 403
        assert "DEV_TOOLS=true" in answer.json()["detail"]
    assert rows("SELECT 1 FROM jobs") == []
    monkeypatch.setenv("DEV_TOOLS", "true")
    settings.cache_clear()
    assert admin.client.get(STATUS).status_code == 200
    assert admin.client.post(f"{RUN}/blank-expired").status_code == 200
