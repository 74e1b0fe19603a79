"""What must always hold: one rule each, a query that gives the offenders, checked by tests and every minute."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import structlog

from pipeline.database import statement
from pipeline.stage import all_stages

log = structlog.get_logger("invariants")

# Rules over finished rows look at the newest only, so that their cost does not grow with history.
NEWEST_ROWS = 10_000
UNSENT_GRACE_MINUTES = 2


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence that must be true, and the SQL that gives what makes it false."""

    name: str
    says: str
    offenders: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a rule stands."""

    rule: Rule
    violations: int
    detail: str | None


STAGES = "jsonb_to_recordset(%(stages)s) AS stage(name text, size int, has_successor boolean, limit_minutes int)"
CONTROLLED = f"{STAGES} LEFT JOIN stage_controls control ON control.stage = stage.name"
NEWEST = f"(SELECT * FROM work ORDER BY id DESC LIMIT {NEWEST_ROWS}) newest"

RULES = (
    Rule(
        "processing-is-owned",
        "Processing work has a worker, a token, a start and a deadline.",
        """SELECT id::text FROM work WHERE status = 'Processing'
           AND (worker_id IS NULL OR token < 1 OR started_at IS NULL OR deadline_at IS NULL)""",
    ),
    Rule(
        "one-finish-per-run",
        "There is one row per stage and entity, and what has ended belongs to no worker.",
        f"""SELECT 'no unique key on (stage, entity_id)' WHERE NOT EXISTS (
                SELECT 1 FROM pg_constraint WHERE conrelid = 'work'::regclass AND contype = 'u'
                AND pg_get_constraintdef(oid) = 'UNIQUE (stage, entity_id)')
            UNION ALL
            SELECT id::text FROM {NEWEST} WHERE status IN ('Completed', 'Filtered', 'Error', 'Cancelled')
            AND (worker_id IS NOT NULL OR deadline_at IS NOT NULL OR finished_at IS NULL)""",
    ),
    Rule(
        "completed-has-children-or-reason",
        "Work that completed in auto mode has children, or the reason for none.",
        f"""SELECT newest.id::text FROM {NEWEST} JOIN {STAGES} ON stage.name = newest.stage AND stage.has_successor
            WHERE newest.status = 'Completed' AND newest.auto AND newest.reason IS NULL
            AND NOT EXISTS (SELECT 1 FROM work child WHERE child.parent_id = newest.id)""",
    ),
    Rule(
        "ended-with-a-word",
        "Filtered, failed and cancelled work has its reason.",
        f"SELECT id::text FROM {NEWEST} WHERE status IN ('Filtered', 'Error', 'Cancelled') AND reason IS NULL",
    ),
    Rule(
        "tokens-only-grow",
        "No row has a smaller token than at an earlier check.",
        "SELECT id::text FROM token_marks JOIN work ON work.id = work_id WHERE work.token < token_marks.token",
    ),
    Rule(
        "window-is-kept",
        "A stage has no more rung than its window and one batch, which is half a window.",
        f"""SELECT stage.name || ' ' || rung.many FROM {CONTROLLED},
            LATERAL (SELECT count(*) AS many FROM work
                     WHERE work.stage = stage.name AND status = 'Queued' AND sent_at IS NOT NULL) rung
            WHERE rung.many > ceil(coalesce(control."window", stage.size) * 1.5)""",
    ),
    Rule(
        "lanes-are-kept",
        "A host's count of running visits is its Processing rows, and never more than its cap.",
        """SELECT coalesce(hosts.host, running.lane) FROM (
               SELECT lane, count(*) AS many FROM work WHERE status = 'Processing' AND lane IS NOT NULL GROUP BY lane
           ) running FULL JOIN (SELECT * FROM hosts WHERE inflight <> 0) hosts ON hosts.host = running.lane
           WHERE coalesce(hosts.inflight, 0) <> coalesce(running.many, 0) OR hosts.inflight > hosts.cap""",
    ),
    Rule(
        "nothing-due-is-forgotten",
        "Nothing due stays unrung for long while its stage is not paused, runs nothing and has room.",
        f"""SELECT waiting.id::text FROM {CONTROLLED},
            LATERAL (SELECT stage.limit_minutes * interval '1 minute' AS long) grace,
            LATERAL (
                SELECT work.id FROM work LEFT JOIN hosts ON hosts.host = work.lane
                WHERE work.stage = stage.name AND status = 'Queued' AND sent_at IS NULL
                AND due_at < clock_timestamp() - grace.long
                AND (work.lane IS NULL OR (
                    greatest(hosts.next_at, coalesce(hosts.blocked_until, hosts.next_at))
                        < clock_timestamp() - grace.long
                    AND NOT EXISTS (SELECT 1 FROM work busy WHERE busy.lane = work.lane AND busy.sent_at IS NOT NULL
                                    AND busy.status IN ('Queued', 'Processing'))))
                LIMIT 20) waiting
            WHERE NOT coalesce(control.paused, false)
            AND NOT EXISTS (SELECT 1 FROM work busy WHERE busy.stage = stage.name AND busy.status = 'Processing')
            AND coalesce(control."window", stage.size) >= 2 * (SELECT count(*) FROM (
                SELECT 1 FROM work rung WHERE rung.stage = stage.name AND rung.status = 'Queued'
                AND rung.sent_at IS NOT NULL LIMIT coalesce(control."window", stage.size)) r)""",
    ),
)

RECORD = b"""
INSERT INTO invariant_checks (name, violations, detail) VALUES (%(name)s, %(violations)s, %(detail)s)
ON CONFLICT (name) DO UPDATE SET violations = EXCLUDED.violations, detail = EXCLUDED.detail,
    checked_at = clock_timestamp()"""


# Marks for the newest rows only: older ones have ended.
MARK_TOKENS = f"""
INSERT INTO token_marks (work_id, token) SELECT id, token FROM {NEWEST}
ON CONFLICT (work_id) DO UPDATE SET token = EXCLUDED.token WHERE token_marks.token < EXCLUDED.token""".encode()
FORGET_MARKS = f"DELETE FROM token_marks WHERE work_id < (SELECT max(id) FROM work) - {2 * NEWEST_ROWS}".encode()


def check() -> list[Verdict]:
    """Check every rule now."""
    stages = json.dumps(_stages())
    return [_check(rule, stages) for rule in RULES]


def check_and_record() -> list[Verdict]:
    """Check every rule, keep the verdicts for `doctor` and metrics, and log what is broken."""
    verdicts = check()
    with statement() as connection:
        for verdict in verdicts:
            connection.execute(
                RECORD, {"name": verdict.rule.name, "violations": verdict.violations, "detail": verdict.detail}
            )
        connection.execute(MARK_TOKENS)
        connection.execute(FORGET_MARKS)
    for verdict in verdicts:
        if verdict.violations:
            log.error("invariant-broken", rule=verdict.rule.name, says=verdict.rule.says, detail=verdict.detail)
    return verdicts


def _check(rule: Rule, stages: str) -> Verdict:
    sql = f"SELECT count(*), string_agg(what, ', ') FROM ({rule.offenders} LIMIT 100) found(what)"
    with statement() as connection:
        row = connection.execute(sql.encode(), {"stages": stages}).fetchone()
    count, detail = row if row else (0, None)
    return Verdict(rule, count, None if detail is None else detail[:1000])


def _stages() -> list[dict[str, Any]]:
    return [
        {
            "name": stage.name,
            "size": stage.window,
            "has_successor": bool(stage.successors),
            "limit_minutes": stage.sweeper.interval_minutes + UNSENT_GRACE_MINUTES,
        }
        for stage in all_stages()
    ]
