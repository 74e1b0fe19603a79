"""Metrics: every one that is declared is told, and tells what the rows say."""

from __future__ import annotations

import re

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from models.work import WORK_STATUSES
from operations import alarms, jobs, metrics
from operations.catalogue import METRICS
from pipeline import controls, meters, rescue
from pipeline.lease import Lease
from scheduling import invariants
from settings import PROJECT_ROOT, settings
from tests.pipeline.stagehand import Stagehand
from tests.puppets import first, second

Samples = dict[tuple[str, ...], float]


def families() -> dict[str, Metric]:
    """Tell what was counted, and read the text as Prometheus does."""
    meters.tell()
    return {family.name: family for family in text_string_to_metric_families(metrics.text())}


def samples() -> Samples:
    """Give every value by the metric's name and its labels' values, in the order in which they are declared."""
    found, told = {}, families()
    for metric in METRICS:
        for sample in told[metric.full_name.removesuffix("_total")].samples:
            labels = [sample.labels[label] for label in (*metric.labels, "le") if label in sample.labels]
            found[sample.name, *labels] = sample.value
    return found


@pytest.fixture
def cast(stagehand: Stagehand, worker: Lease) -> Stagehand:
    """Work that ended in several ways, some that waits, and some that runs."""
    stagehand.add("anna", "bert", first={"acts": ["filtered"]})
    stagehand.add("carl", first={"acts": ["final"]})
    stagehand.add("dora", stage=second, second={"acts": ["childless"]})
    stagehand.answer_all()
    stagehand.hold("emil")
    stagehand.add("fred", "gina")
    return stagehand


def test_every_declared_metric_is_told_with_its_kind_and_meaning(cast: Stagehand) -> None:
    found = families()
    for metric in METRICS:
        family = found[metric.full_name.removesuffix("_total")]
        assert (family.type, family.documentation) == (metric.kind, metric.says)
    assert len(found) == len(METRICS)


def test_labels_are_those_that_are_declared(cast: Stagehand) -> None:
    invariants.check_and_record()
    for metric in METRICS:
        for sample in families()[metric.full_name.removesuffix("_total")].samples:
            assert sample.labels.keys() - {"le"} == set(metric.labels)


def test_rows_are_counted_by_stage_and_status(cast: Stagehand) -> None:
    found = samples()
    counts = [found["scrapersky_work_rows", "first", status.lower()] for status in WORK_STATUSES]
    assert dict(zip(WORK_STATUSES, counts, strict=True)) == {
        "Queued": 2, "Processing": 1, "Completed": 0, "Filtered": 2, "Error": 1, "Cancelled": 0,
    }  # fmt: skip
    assert found["scrapersky_due_rows", "first"] == found["scrapersky_rung_rows", "first"] == 2
    assert found["scrapersky_window_rows", "first"] == first.window
    assert found["scrapersky_stage_paused", "first"] == 0
    controls.pause(first)
    assert samples()["scrapersky_stage_paused", "first"] == 1


def test_counters_and_histograms_are_what_the_workers_counted(cast: Stagehand) -> None:
    found = samples()
    assert found["scrapersky_outcomes_total", "first", "filtered", "not-wanted"] == 2
    assert found["scrapersky_outcomes_total", "first", "error", "refused"] == 1
    assert found["scrapersky_outcomes_total", "second", "completed", "no-children"] == 1
    assert found["scrapersky_attempts_total", "first"] == 4
    assert (
        found["scrapersky_run_seconds_count", "first"] == found["scrapersky_run_seconds_bucket", "first", "+Inf"] == 3
    )
    assert found["scrapersky_run_seconds_sum", "first"] > 0
    assert found["scrapersky_handoff_seconds_count", "first"] == 4


def test_buckets_rise_to_the_count(cast: Stagehand) -> None:
    meters.meters.ended("first", settings().default_tenant_id, "completed", None, 3.0)
    meters.meters.ended("first", settings().default_tenant_id, "completed", None, 7000.0)
    rising = [value for (name, *labels), value in samples().items()
              if name == "scrapersky_run_seconds_bucket" and labels[0] == "first"]  # fmt: skip
    assert rising == sorted(rising)
    assert (rising[-2], rising[-1]) == (4, 5)


def test_a_stage_that_did_nothing_counts_from_nought(stagehand: Stagehand) -> None:
    found = samples()
    assert found["scrapersky_attempts_total", "fifth"] == 0
    assert found["scrapersky_run_seconds_count", "fifth"] == 0
    assert found["scrapersky_late_finishes_total", "fifth"] == 0


def test_rescues_and_what_is_past_its_deadline_are_told(cast: Stagehand, worker: Lease) -> None:
    cast.execute("UPDATE work SET deadline_at = clock_timestamp() - interval '1 s' WHERE status = 'Processing'")
    assert samples()["scrapersky_overdue_rows", "first"] == 1
    rescue.rescue_overdue(first)
    assert samples()["scrapersky_rescues_total", "first", "deadline"] == 1
    assert samples()["scrapersky_overdue_rows", "first"] == 0


def test_workers_are_counted_by_the_stages_they_serve(stagehand: Stagehand) -> None:
    Lease(["first", "second"]).renew()
    Lease(["sweeps"]).renew()
    found = samples()
    assert found["scrapersky_stage_workers_alive", "first"] == 1
    assert found["scrapersky_stage_workers_alive", "third"] == 0
    assert found["scrapersky_workers_alive",] == 3


def test_money_hosts_jobs_rules_and_alarms_are_told(stagehand: Stagehand) -> None:
    stagehand.execute(
        "INSERT INTO provider_days (provider, day, calls, usd)"
        " VALUES ('google', (clock_timestamp() AT TIME ZONE 'UTC')::date, 3, 0.105), ('google', '2020-01-01', 9, 9)"
    )
    stagehand.execute(
        "INSERT INTO hosts (host, blocked_until) VALUES ('a.example', clock_timestamp() + interval '1 h')"
    )
    stagehand.execute(
        "INSERT INTO hosts (host, blocked_until) VALUES ('b.example', clock_timestamp() - interval '1 h')"
    )
    (work,) = stagehand.add("anna")
    stagehand.execute(
        "UPDATE work SET reason = 'budget', sent_at = NULL, due_at = clock_timestamp() + interval '1 h' WHERE id = %s",
        work,
    )
    jobs.report("sweep_first", "sweeper", "* * * * *", result="error", seconds=0.5, detail="x")
    stagehand.execute("UPDATE jobs SET next_run_at = clock_timestamp() - interval '100 s'")
    invariants.check_and_record()
    alarms.watch()
    found = samples()
    assert found["scrapersky_spent_today_usd", "google"] == 0.105
    assert found["scrapersky_calls_today", "google"] == 3
    assert found["scrapersky_calls_today", "openstreetmap"] == 0
    assert found["scrapersky_daily_budget_usd",] == float(settings().provider_daily_budget_usd)
    assert found["scrapersky_hosts_blocked",] == 1
    assert found["scrapersky_waiting_for_budget_rows", "first"] == 1
    assert found["scrapersky_job_failed", "sweep_first", "sweeper"] == 1
    assert 100 <= found["scrapersky_job_late_seconds", "sweep_first", "sweeper"] < 200
    assert found["scrapersky_job_age_seconds", "sweep_first", "sweeper"] < 100
    assert found["scrapersky_alarms", "job-failed"] == found["scrapersky_alarms", "budget-spent"] == 1
    assert all(found["scrapersky_invariant_violations", rule.name] == 0 for rule in invariants.RULES)


def test_a_reason_that_would_break_a_line_is_written_safely(stagehand: Stagehand) -> None:
    meters.meters.ended("first", settings().default_tenant_id, "error", 'a "quoted"\nline \\', 0.1)
    assert samples()["scrapersky_outcomes_total", "first", "error", 'a "quoted"\nline \\'] == 1


def test_who_asks_often_is_given_what_was_read_a_moment_ago(stagehand: Stagehand) -> None:
    before = metrics.scrape()
    stagehand.add("anna")
    assert metrics.scrape() == before
    assert metrics.text() != before


def test_another_database_is_never_given_the_first_ones_metrics(stagehand: Stagehand, database_url: str) -> None:
    from pipeline import database

    stagehand.add("anna")
    metrics.scrape()
    database.use(database_url)
    assert 'scrapersky_work_rows{stage="first",status="queued"} 0.0' in metrics.scrape()


def test_alert_rules_name_only_metrics_and_labels_that_exist(cast: Stagehand) -> None:
    (group,) = yaml.safe_load((PROJECT_ROOT / "deploy" / "alerts.yml").read_text())["groups"]
    known = {name for metric in METRICS for name in metric.samples}
    told = {name for name, *_ in samples()} | known
    named = set()
    for rule in group["rules"]:
        names = re.findall(r"\bscrapersky_\w+", rule["expr"])
        assert names, rule["alert"]
        assert [name for name in names if name not in known] == []
        labels = {label for metric in METRICS if metric.full_name in " ".join(names) for label in metric.labels}
        text = " ".join(rule["annotations"].values())
        assert set(re.findall(r"\$labels\.(\w+)", text)) <= labels, rule["alert"]
        named |= set(names)
    assert named <= told
    assert len({rule["alert"] for rule in group["rules"]}) == len(group["rules"])
