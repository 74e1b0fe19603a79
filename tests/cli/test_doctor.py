"""`scrapersky doctor`: one line per check, what to do, and 1 when something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.checks import Finding, check_database, check_postgres
from cli.main import app
from embedded import Servers
from pipeline import controls
from scheduling import invariants
from settings import settings
from tests.cli.terminal import scrapersky
from tests.models.pooler import pretending_to_be_a_pooler
from tests.pipeline.stagehand import Stagehand
from tests.puppets import first, second


def test_a_sound_system(house: Stagehand, tmp_path: Path, db: str, servers: Servers) -> None:
    invariants.check_and_record()
    result = scrapersky(tmp_path, "doctor", DATABASE_URL=db, REDIS_URL=servers.broker_url)
    assert (result.returncode, result.stderr) == (0, "")
    levels = {line.split(":")[0].split()[1]: line.split()[0] for line in result.stdout.splitlines()}
    assert levels.pop("errors") == "warn"
    assert set(levels) == {
        "settings", "postgresql", "schema", "broker", "stages", "workers", "sweepers", "rules", "doorbells", "rows",
        "retention", "alarms", "disk",
    }  # fmt: skip
    assert set(levels.values()) == {"ok"}
    assert "refused 2" in result.stdout
    assert "reached directly" in result.stdout


def test_nothing_runs_and_nothing_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = _doctor(monkeypatch, SCRAPERSKY_DIR=str(tmp_path / "new"))
    assert "fail postgresql: The embedded PostgreSQL is not running: run `scrapersky up`" in said
    assert "fail broker: The embedded Valkey is not running: run `scrapersky up`" in said
    assert list(tmp_path.iterdir()) == []


def test_bad_settings_are_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _doctor(monkeypatch, WEB_PORT="many").startswith("fail settings: WEB_PORT is 'many'")


def test_a_bad_broker_password_is_a_finding(tmp_path: Path, db: str, servers: Servers) -> None:
    broker = servers.broker_url.replace("unix://", "unix://nobody:hunter2@")
    result = scrapersky(tmp_path, "doctor", DATABASE_URL=db, REDIS_URL=broker)
    assert result.returncode == 1
    assert "fail broker: The broker at unix://nobody:***@" in result.stdout
    assert "hunter2" not in result.stdout + result.stderr


def test_a_pooler_is_noticed(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pretending_to_be_a_pooler(db) as url:
        monkeypatch.setenv("DATABASE_URL", url)
        settings.cache_clear()
        finding = next(check_postgres())
    assert finding.says.endswith("reached through a pooler, so statements are not prepared")


def test_what_is_wrong_with_the_work_is_found(house: Stagehand) -> None:
    house.execute("UPDATE workers SET expires_at = clock_timestamp() - interval '1 minute'")
    house.execute("UPDATE work SET sent_at = sent_at - interval '10 minutes', due_at = due_at - interval '1 hour'")
    house.execute("UPDATE work SET stage = 'sixth' WHERE id = 5")
    house.execute("UPDATE work SET finished_at = NULL WHERE id = 2")
    house.execute("INSERT INTO invariant_checks VALUES ('x', clock_timestamp() - interval '1 hour', 0)")
    found = {finding.what: finding for finding in check_database()}
    assert _short(found["workers"]) == "fail none is alive and work has waited for 1h"
    assert _short(found["sweepers"]) == "warn they last ran 1h ago: run `scrapersky up`"[:47]
    assert found["one-finish-per-run"].says.endswith("Broken by 1: 2")
    assert _short(found["doorbells"]) == "warn rung over 5m ago and not taken: first 1; a"
    assert found["rows"].says.endswith("not declared: sixth")


def test_a_paused_stage_is_mentioned_with_its_reason(house: Stagehand) -> None:
    controls.pause(first, "the provider refuses the key")
    controls.pause(second)
    found = {finding.what: finding for finding in check_database()}
    assert (found["first"].level, found["first"].says) == ("warn", "paused: the provider refuses the key")
    assert found["second"].says == "paused: run `scrapersky resume second` to let it go on"


def test_facts_that_are_kept_too_long_are_mentioned(house: Stagehand) -> None:
    tenant = settings().default_tenant_id
    for hours in (2, 4):
        house.execute(
            "INSERT INTO places (tenant_id, provider, provider_place_id, expires_at)"
            " VALUES (%s, 'google', %s, clock_timestamp() - %s * interval '1 hour')", tenant, str(hours), hours
        )  # fmt: skip
    found = {finding.what: finding for finding in check_database()}
    assert _short(found["retention"]) == "warn 1 rows hold facts that had to be gone by n"


def _short(finding: Finding) -> str:
    return f"{finding.level} {finding.says}"[:47].rstrip(": ")


def _doctor(monkeypatch: pytest.MonkeyPatch, **given: str) -> str:
    """Run it in this process, where it finds something wrong."""
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("STAGE_MODULES", "tests.puppets")
    settings.cache_clear()
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 1
    return result.output
