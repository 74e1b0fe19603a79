"""The system page: what is there, what runs by itself and how that went; for operators, and kept up to date."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from operations import jobs
from pipeline import doorbell
from scheduling.invariants import RULES
from scheduling.sweeper import all_sweepers
from settings import settings
from tests.api.doors import audited, execute, rows
from tests.dashboard.browsers import Browser
from tests.pipeline.stagehand import Bells

HOSTILE = "<script>alert(1)</script>"
RING = "INSERT INTO alarms (name, subject, says, ended_at) VALUES (%s, %s, %s, {})"
WORKER = """
INSERT INTO workers (id, host, pid, queues, started_at, beat_at, expires_at)
VALUES (gen_random_uuid(), %s, 4711, '{"deep_scan"}', now(), now(), now() + interval '1 hour')"""


@pytest.fixture
def bells(url: str) -> Iterator[Bells]:
    made = Bells()
    doorbell.install(made)
    yield made
    doorbell.install(Bells())


def words(browser: Browser, path: str) -> str:
    """Give what a page says, with a space between any two of its parts."""
    body = browser.see(path).body
    return " ".join(body.text(separator=" ").split()) if body else ""


def test_it_shows_alarms_rules_jobs_and_workers(admin: Browser) -> None:
    execute("INSERT INTO invariant_checks (name, violations, detail) VALUES ('lanes-are-kept', 3, %s)", HOSTILE)
    execute(RING.format("NULL"), "stage-failing", "deep_scan", f"{HOSTILE} fails")
    execute(RING.format("clock_timestamp()"), "no-worker", "", "nobody was there")
    execute(WORKER, HOSTILE)
    jobs.report("sweep_deep_scan", "sweeper", "*/5 * * * *", None, "error", 1.5, HOSTILE)
    page, shown = admin.see("/system"), words(admin, "/system")
    assert page.css("main script") == []
    assert "stage-failing deep_scan since" in shown
    assert f"{HOSTILE} fails" in shown
    assert "1 alarm that is over" in shown
    assert "nobody was there" in shown
    assert "broken by 3" in shown
    assert all(rule.says in shown for rule in RULES)
    assert f"{HOSTILE} 4711 alive" in shown
    assert "took 1.5 s" in shown
    assert len(page.css("button[hx-post^='/system/sweepers/']")) == len(all_sweepers())


def test_what_takes_longer_comes_in_parts(admin: Browser) -> None:
    checks = words(admin, "/system/checks")
    assert "Database ready PostgreSQL answers." in checks
    assert "Worker not ready No worker is alive" in checks
    facts = words(admin, "/system/facts")
    assert "PostgreSQL Version" in facts
    assert "fastapi" in facts
    assert "Schema needed the same" in facts
    assert "Memory" in facts


def test_it_is_kept_up_to_date(admin: Browser) -> None:
    with admin.client.stream("GET", "/system/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.iter_lines()
        assert "event: drawn" in lines
        execute(WORKER, "a-machine-that-came-later")
        assert next(line for line in lines if "a-machine-that-came-later" in line)


def test_a_sweeper_is_run_by_hand_where_that_is_allowed(
    admin: Browser, bells: Bells, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = admin.send("/system/sweepers/check-invariants", htmx=True)
    assert (done.status_code, done.headers["HX-Redirect"]) == (204, "/system")
    assert "check-invariants has run: nothing to repair." in admin.text("/system")
    assert len(rows("SELECT name FROM invariant_checks")) == len(RULES)
    assert audited(admin.person.tenant_id)[-1] == ("run", "sweepers")
    assert admin.send("/system/sweepers/everything").status_code == 404
    monkeypatch.setenv("ENVIRONMENT", "production")
    monkeypatch.setenv("CRAWLER_CONTACT", "ops@acme.example")
    settings.cache_clear()
    assert admin.see("/system").css("button[hx-post]") == []
    refused = admin.send("/system/sweepers/check-invariants", htmx=True)
    assert (refused.status_code, "DEV_TOOLS=true" in refused.text) == (403, True)


def test_only_operators_look_and_run(viewer: Browser, curator: Browser, stranger: Browser) -> None:
    for browser in (viewer, curator, stranger):
        for path in ("/system", "/system/events", "/system/checks", "/system/facts"):
            assert browser.client.get(path).status_code == 403
        assert browser.send("/system/sweepers/check-invariants").status_code == 403
    assert rows("SELECT name FROM invariant_checks") == []
