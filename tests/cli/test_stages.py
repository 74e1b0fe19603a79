"""`scrapersky stages`, `pause`, `resume`, `window`, `sweep`, `workers` and `metrics`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from embedded import Servers
from errors import BadInput
from operations.figures import by_stage
from pipeline import controls
from scheduling import invariants
from settings import PROJECT_ROOT
from tests.cli.terminal import run_here, scrapersky
from tests.pipeline.stagehand import Stagehand
from tests.puppets import first


def test_stages_shows_the_graph_and_the_counts(house: Stagehand) -> None:
    lines = [line.split() for line in run_here("stages").splitlines()]
    assert ["third", "puppets", "host", "fourth", "3", "30s", "64", "every", "1m,", "50", "at", "a", "time"] in lines
    counted = next(line for line in lines if line[:3] == ["first", "1", "1"])
    assert counted[1:8] == ["1", "1", "1", "1", "2", "1", "1"]
    assert counted[-1] == "running"


def test_stages_as_json_is_one_object_a_line(house: Stagehand) -> None:
    rows = [json.loads(line) for line in run_here("stages", "--json").splitlines()]
    assert [row["stage"] for row in rows] == ["first", "second", "third", "fourth", "fifth"]
    assert rows[0]["counts"] == {
        "queued": 1, "processing": 1, "completed": 1, "filtered": 1, "error": 2, "cancelled": 1
    }  # fmt: skip
    assert rows[0]["rung"] == 1
    assert rows[0]["oldest_due_seconds"] >= 0


def test_stages_works_without_a_database(tmp_path: Path) -> None:
    result = scrapersky(tmp_path, "stages", "--json", DATABASE_URL="postgresql://me:hunter2@127.0.0.1:1/x")
    assert result.returncode == 0
    assert [json.loads(line)["counts"] for line in result.stdout.splitlines()] == [None] * 5
    assert result.stderr.startswith("Without counts: PostgreSQL at 127.0.0.1:1/x cannot be used")


def test_stages_says_when_none_is_declared(tmp_path: Path) -> None:
    result = scrapersky(tmp_path, "stages", STAGE_MODULES="fetching_nothing", PYTHONPATH=_with_module(tmp_path))
    assert (result.returncode, result.stdout) == (0, "")
    assert "No stage is declared in STAGE_MODULES=fetching_nothing" in result.stderr


def test_stages_mentions_work_of_stages_that_are_gone(house: Stagehand) -> None:
    house.execute("UPDATE work SET stage = 'sixth' WHERE id = 2")
    assert "not declared: sixth" in run_here("stages")


def test_pause_and_resume(house: Stagehand) -> None:
    assert "first is paused" in run_here("pause", "first")
    assert by_stage()["first"].paused
    assert "paused" in run_here("stages")
    house.bells.take()
    assert "first is running again" in run_here("resume", "first")
    assert [ring.stage for ring in house.bells.take()] == ["first"]


def test_a_pause_says_why_until_the_stage_is_resumed(house: Stagehand) -> None:
    controls.pause(first, "the provider refuses the key\x00: correct it")
    assert "first is paused: the provider refuses the key: correct it" in run_here("stages")
    assert (
        json.loads(run_here("stages", "--json").splitlines()[0])["note"] == "the provider refuses the key: correct it"
    )
    run_here("resume", "first")
    assert by_stage()["first"].note is None
    run_here("pause", "first")
    assert "first is paused:" not in run_here("stages")


def test_window_is_shown_changed_and_reset(house: Stagehand) -> None:
    assert "a window of 64, declared as 64" in run_here("window", "first")
    assert "a window of 8, declared as 64" in run_here("window", "first", "8")
    assert "8 (declared 64)" in run_here("stages")
    assert "a window of 64, declared as 64" in run_here("window", "first", "default")


@pytest.mark.parametrize("size", ["0", "many", "1000000", "-0", "9" * 30, "٣"])
def test_a_window_that_is_no_number_is_refused(house: Stagehand, size: str) -> None:
    with pytest.raises(BadInput, match="A window is a number from 1 to 100000"):
        run_here("window", "--", "first", size)


def test_sweep_says_what_it_repaired(house: Stagehand, tmp_path: Path, db: str, servers: Servers) -> None:
    house.execute("UPDATE workers SET expires_at = clock_timestamp() - interval '1 second'")
    result = scrapersky(tmp_path, "sweep", "all", DATABASE_URL=db, REDIS_URL=servers.broker_url)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[0] == "first: rescued 1"
    assert result.stdout.splitlines()[4] == "fifth: nothing to repair"


def test_workers_shows_who_is_alive_and_what_runs(house: Stagehand) -> None:
    house.execute(
        "INSERT INTO workers (id, host, pid, queues, expires_at)"
        " VALUES (gen_random_uuid(), 'gone', 7, '{first}', clock_timestamp() - interval '1 minute')"
    )
    alive, dead = [line for line in run_here("workers").splitlines() if "first" in line]
    assert "alive" in alive
    assert "first 10 (" in alive
    assert dead.split()[:3] == ["gone", "7", "dead"]


def test_workers_as_json(house: Stagehand) -> None:
    (row,) = [json.loads(line) for line in run_here("workers", "--json").splitlines()]
    assert row["alive"] is True
    assert [work["work"] for work in row["running"]] == [10]


def test_workers_says_when_there_is_none(configured: str) -> None:
    assert run_here("workers") == "No worker has a lease: start some with `scrapersky up`.\n"


def test_metrics_are_valid_prometheus_text(house: Stagehand) -> None:
    invariants.check_and_record()
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(run_here("metrics"))
        for sample in family.samples
    }
    assert samples["scrapersky_work_rows", "first", "error"] == 2
    assert samples["scrapersky_work_rows", "fifth", "queued"] == 0
    assert samples["scrapersky_rung_rows", "first"] == 1
    assert samples["scrapersky_window_rows", "third"] == 64
    assert samples["scrapersky_oldest_due_age_seconds", "first"] > 0
    assert samples["scrapersky_workers_alive",] == 1
    assert samples["scrapersky_failures_last_hour", "final"] == 2
    for rule in invariants.RULES:
        assert samples["scrapersky_invariant_violations", rule.name] == 0
        assert samples["scrapersky_invariant_check_age_seconds", rule.name] < 60


def _with_module(place: Path) -> str:
    (place / "fetching_nothing.py").write_text('"""No stage here."""\n')
    return os.pathsep.join([str(PROJECT_ROOT), str(place)])
