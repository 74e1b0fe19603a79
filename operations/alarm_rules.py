"""Alarm rules: what an operator should look at, one rule each, and a query that gives whatever makes it ring."""

from __future__ import annotations

from dataclasses import dataclass

from operations.readings import OVERDUE, WAITING_FOR_BUDGET

# How long work may be due without a worker, so that a restart of all of them makes no noise.
WITHOUT_WORKER_MINUTES = 2
FAILING_MINUTES = 10
# A job is late when it should have run so long ago; one that nobody has heard of for days is no longer there.
LATE_MINUTES, GONE_DAYS = 5, 3


@dataclass(frozen=True, slots=True)
class Rule:
    """What it means when the alarm rings, the SQL that gives its subjects, and a sentence about each."""

    name: str
    means: str
    rings: str
    sentence: str


CONTROLLED = """
    jsonb_to_recordset(%(stages)s::jsonb) AS stage(name text, interval_minutes int)
    LEFT JOIN stage_controls control ON control.stage = stage.name"""

# Due, and its host may be asked. What is rung and what is not have an index each, so each is asked for; and not with
# EXISTS, for which Postgres may read all that is queued at once.
READY = """(
    SELECT true FROM work LEFT JOIN hosts ON hosts.host = work.lane
    WHERE work.stage = stage.name AND work.status = 'Queued' AND work.sent_at {rung}
      AND work.due_at < clock_timestamp() - {minutes} * interval '1 minute'
      AND (work.lane IS NULL
           OR greatest(hosts.next_at, coalesce(hosts.blocked_until, hosts.next_at)) < clock_timestamp())
    LIMIT 1) IS TRUE"""

SERVED = "EXISTS (SELECT 1 FROM workers WHERE expires_at > clock_timestamp() AND stage.name = ANY(queues))"
RUNS = """EXISTS (
    SELECT 1 FROM work busy
    WHERE busy.stage = stage.name AND busy.status = 'Processing' AND busy.deadline_at > clock_timestamp())"""


def _unrung(minutes: str) -> str:
    return READY.format(rung="IS NULL", minutes=minutes)


def _ready(minutes: str) -> str:
    return f"({_unrung(minutes)} OR {READY.format(rung='IS NOT NULL', minutes=minutes)})"


RULES = (
    Rule(
        "nothing-finishes",
        "Work of a stage is due and nothing of it has finished for ALARM_SILENT_MINUTES, though a worker serves it.",
        f"""SELECT stage.name AS subject, %(silent)s::int AS minutes FROM {CONTROLLED}
            WHERE NOT coalesce(control.paused, false) AND {SERVED} AND NOT {RUNS}
            AND {_ready("%(silent)s")}
            AND NOT EXISTS (
                SELECT 1 FROM stage_minutes ended WHERE ended.stage = stage.name
                AND ended.minute > clock_timestamp() - (%(silent)s + 1) * interval '1 minute'
                AND ended.completed + ended.filtered + ended.error > 0)""",
        "nothing of {subject} has finished for {minutes} minutes, though its work is due: look at the workers' log",
    ),
    Rule(
        "no-worker",
        "Work is due and no living worker serves its stage.",
        f"""SELECT '' AS subject, string_agg(stage.name, ', ' ORDER BY stage.name) AS stages FROM {CONTROLLED}
            WHERE NOT coalesce(control.paused, false) AND NOT {SERVED}
            AND {_ready(str(WITHOUT_WORKER_MINUTES))}
            HAVING count(*) > 0""",
        "no worker is alive for work that is due, of {stages}: start workers with `scrapersky up`",
    ),
    Rule(
        "past-deadline",
        "Work runs past its deadline by ALARM_STUCK_MINUTES, and no sweeper has given it back.",
        f"SELECT stage AS subject, many FROM ({OVERDUE}) AS late",
        "{many} of {subject} run past their deadline: run `scrapersky sweep {subject}`, and see whether sweepers run",
    ),
    Rule(
        "due-and-unrung",
        "Work is due for ALARM_STUCK_MINUTES longer than a sweep may take, and nobody has rung for it.",
        f"""SELECT stage.name AS subject FROM {CONTROLLED}
            WHERE NOT coalesce(control.paused, false) AND NOT {RUNS}
            AND NOT EXISTS (SELECT 1 FROM work rung
                            WHERE rung.stage = stage.name AND rung.status = 'Queued' AND rung.sent_at IS NOT NULL)
            AND {_unrung("(%(stuck)s + stage.interval_minutes)")}""",
        "work of {subject} is due and not rung for: run `scrapersky sweep {subject}`, and see whether sweepers run",
    ),
    Rule(
        "stage-failing",
        f"ALARM_ERROR_PERCENT of what a stage ended in {FAILING_MINUTES} minutes, at least ALARM_ERROR_LEAST, failed.",
        f"""SELECT stage AS subject, sum(error) AS errors, sum(completed + filtered + error) AS ended FROM stage_minutes
            WHERE minute > clock_timestamp() - {FAILING_MINUTES} * interval '1 minute' GROUP BY stage
            HAVING sum(completed + filtered + error) >= %(least)s
            AND sum(error) * 100 >= %(percent)s * sum(completed + filtered + error)""",
        f"{{errors}} of {{ended}} that {{subject}} ended in {FAILING_MINUTES} minutes failed:"
        " see `scrapersky work list --stage {subject} --status error`",
    ),
    Rule(
        "budget-spent",
        "Work of a stage waits because a search's money, or the day's of a provider, is spent.",
        f"SELECT stage AS subject, many, whose FROM ({WAITING_FOR_BUDGET}) AS unpaid",
        "{many} of {subject} wait for money: {whose}",
    ),
    Rule(
        "invariant-broken",
        "A rule that must always hold does not.",
        "SELECT name AS subject, violations AS many, left(detail, 500) AS detail FROM invariant_checks"
        " WHERE violations > 0",
        "{subject} is broken by {many}: {detail}",
    ),
    Rule(
        "job-late",
        f"A sweeper or a job of the clock should have run {LATE_MINUTES} minutes ago.",
        f"""SELECT name AS subject, extract(epoch FROM clock_timestamp() - next_run_at)::int / 60 AS minutes FROM jobs
            WHERE next_run_at < clock_timestamp() - {LATE_MINUTES} * interval '1 minute'
            AND reported_at > clock_timestamp() - {GONE_DAYS} * interval '1 day'""",
        "{subject} should have run {minutes} minutes ago: see whether the sweeper, recovery and clock processes run",
    ),
    Rule(
        "job-failed",
        "The last run of a sweeper or a job of the clock ended in an error.",
        f"""SELECT name AS subject, left(coalesce(last_detail, 'see the log'), 500) AS detail FROM jobs
            WHERE last_result = 'error' AND reported_at > clock_timestamp() - {GONE_DAYS} * interval '1 day'""",
        "the last run of {subject} failed: {detail}",
    ),
)
