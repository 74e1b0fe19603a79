"""The theatre around the machine: a clock that can be pushed, a picture of every row, and what must always hold."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from pipeline import lanes
from pipeline.database import statement
from pipeline.stage import Turn, all_stages
from pipeline.window import shares
from scheduling import invariants
from tests.pipeline.stagehand import Bells, Stagehand

FINISHED = {"Completed", "Filtered", "Error", "Cancelled"}
OPEN = {"Queued", "Processing"}
TABLES = "work, failures, puppets, puppet_visits, hosts, workers, stage_controls"
UNSENT_RULE = "nothing-due-is-forgotten"

# Time passes for everyone at once: rows, hosts and leases.
PASS_TIME = b"""
WITH old_work AS (
    UPDATE work SET due_at = due_at - %(by)s, queued_at = queued_at - %(by)s, sent_at = sent_at - %(by)s,
           started_at = started_at - %(by)s, deadline_at = deadline_at - %(by)s, finished_at = finished_at - %(by)s),
old_hosts AS (UPDATE hosts SET next_at = next_at - %(by)s, blocked_until = blocked_until - %(by)s)
UPDATE workers SET beat_at = beat_at - %(by)s, expires_at = expires_at - %(by)s"""

STATE = """
SELECT (SELECT jsonb_agg(to_jsonb(work) ORDER BY id) FROM work),
       (SELECT jsonb_agg(to_jsonb(hosts) ORDER BY host) FROM hosts),
       (SELECT jsonb_agg(to_jsonb(puppets) ORDER BY id) FROM puppets)"""

# What a late finish may never change: everything but when rows are rung and when their hosts may be asked.
FATES = """
SELECT (SELECT jsonb_agg(to_jsonb(work) - '{sent_at,sends}'::text[] ORDER BY id) FROM work),
       (SELECT jsonb_agg(to_jsonb(hosts) - 'next_at' ORDER BY host) FROM hosts),
       (SELECT jsonb_agg(to_jsonb(puppets) ORDER BY id) FROM puppets)"""

# What a server that crashed before a claim was on its disk knows afterwards. Only while the window has room: rows come
# back as rung, and how many is up to the crash.
FORGET_CLAIM = b"""
WITH forgotten AS (
    UPDATE work SET status = 'Queued', token = token - 1, attempts = attempts - 1, worker_id = NULL,
           started_at = NULL, deadline_at = NULL
    WHERE id = %(id)s AND status = 'Processing' AND token = %(token)s AND worker_id = %(worker)s
      AND (SELECT count(*) FROM work rung WHERE rung.stage = work.stage AND rung.status = 'Queued'
           AND rung.sent_at IS NOT NULL)
        < (SELECT "window" FROM stage_controls WHERE stage_controls.stage = work.stage)
    RETURNING lane),
left_lane AS (
    UPDATE hosts SET inflight = inflight - 1, next_at = clock_timestamp() FROM forgotten WHERE host = forgotten.lane)
SELECT lane FROM forgotten"""

# An unanswered ring of a running stage, for a row outside lanes that is due.
AWAITS_AN_ANSWER = """
SELECT id FROM work WHERE id = %s AND status = 'Queued' AND lane IS NULL AND sent_at <= clock_timestamp()
AND due_at <= clock_timestamp()
AND NOT EXISTS (SELECT 1 FROM stage_controls WHERE stage_controls.stage = work.stage AND paused)"""

Row = dict[str, Any]


class Theatre:
    """One empty house per example."""

    def __init__(self) -> None:
        self.bells = Bells()
        self.hand = Stagehand(self.bells)
        self.hand.execute(f"TRUNCATE {TABLES} RESTART IDENTITY")
        shares.forget()
        lanes._last_lane.clear()
        self.passed = timedelta(0)
        self.rows: dict[int, Row] = {}
        self.puppets: list[int] = []
        self.completions: dict[int, int] = {}
        self.runs: dict[int, int] = {}
        self.last_visit: dict[str, tuple[int, datetime]] = {}

    def pass_time(self, by: timedelta) -> None:
        """Make everything older by so much."""
        with statement() as connection:
            connection.execute(PASS_TIME, {"by": by})
        self.passed += by
        shares.forget()

    def state(self) -> Any:
        """Everything a finish could change, to prove that it changed nothing."""
        with statement() as connection:
            return connection.execute(STATE.encode()).fetchone()

    def fates(self) -> Any:
        """Everything a finish could change but rings."""
        with statement() as connection:
            return connection.execute(FATES.encode()).fetchone()

    def awaits_an_answer(self, work_id: int) -> bool:
        return bool(self.hand.rows(AWAITS_AN_ANSWER, work_id))

    def forget_claim(self, turn: Turn) -> None:
        """Let the server crash before this turn's claim was on its disk; when the host was asked is forgotten too."""
        values = {"id": turn.work_id, "token": turn.token, "worker": turn.worker_id}
        with statement() as connection:
            rows = connection.execute(FORGET_CLAIM, values).fetchall()
        for (lane,) in rows:
            self.rows[turn.work_id]["token"] -= 1
            self.last_visit.pop(lane, None)

    def work(self) -> dict[int, Row]:
        return {row["id"]: row for row in self.hand.rows("SELECT * FROM work ORDER BY id")}

    def check(self, *, reopened_by: str | None) -> None:
        """Compare the rows with the last picture and with what must always hold."""
        rows = self.work()
        self.check_nothing_disappeared(rows)
        for work_id, row in rows.items():
            self.check_step(self.rows.get(work_id), row, reopened_by)
            self.check_row(row)
        self.check_hosts(rows)
        self.check_gaps(rows)
        self.rows = rows
        self.puppets = [row["id"] for row in self.hand.rows("SELECT id FROM puppets ORDER BY id")]
        assert broken_rules() == []

    def check_nothing_disappeared(self, rows: dict[int, Row]) -> None:
        assert self.rows.keys() <= rows.keys()
        assert len({(row["stage"], row["entity_id"]) for row in rows.values()}) == len(rows)
        for stage in all_stages():
            discovered = [row for row in rows.values() if row["stage"] == stage.name]
            assert len(discovered) == sum(row["status"] in OPEN | FINISHED for row in discovered)

    def check_step(self, before: Row | None, after: Row, reopened_by: str | None) -> None:
        """A run ends once; only a person or a schedule starts another."""
        work_id = after["id"]
        was = before["status"] if before else "Queued"
        assert before is None or after["token"] >= before["token"]
        if was in FINISHED and after["status"] not in FINISHED:
            assert reopened_by in ("add", "retry", "curate"), f"work {work_id} reopened by {reopened_by}"
            self.runs[work_id] = self.runs.get(work_id, 0) + 1
            self.completions[work_id] = 0
        elif was in FINISHED:
            assert before is not None
            assert (after["status"], after["token"]) == (was, before["token"])
        elif after["status"] == "Completed":
            self.completions[work_id] = self.completions.get(work_id, 0) + 1
            assert self.completions[work_id] == 1

    def check_row(self, row: Row) -> None:
        assert min(row["attempts"], row["crashes"], row["sends"]) >= 0
        if row["status"] == "Processing":
            assert row["attempts"] >= 1
        if row["status"] in FINISHED:
            assert row["finished_at"] is not None
            assert row["worker_id"] is None
        else:
            assert row["finished_at"] is None

    def check_hosts(self, rows: dict[int, Row]) -> None:
        for host in self.hand.rows("SELECT host, inflight, cap FROM hosts"):
            lane = [row for row in rows.values() if row["lane"] == host["host"]]
            running = sum(row["status"] == "Processing" for row in lane)
            assert host["inflight"] == running <= host["cap"]

    def check_gaps(self, rows: dict[int, Row]) -> None:
        """Two visits to one host begin at least its gap apart."""
        for row in rows.values():
            if row["lane"] is None or row["status"] != "Processing":
                continue
            began = row["started_at"] + self.passed
            token, last = self.last_visit.get(row["lane"], (0, None))
            if last is not None and (token, last) != (row["token"], began):
                assert began - last >= timedelta(seconds=1), f"{row['lane']} visited after {began - last}"
            self.last_visit[row["lane"]] = (row["token"], began)

    def open_work(self) -> list[Row]:
        return [row for row in self.work().values() if row["status"] in OPEN]


def broken_rules(*, after_a_sweep: bool = False) -> list[str]:
    """Name the rules that do not hold, in one round trip; what is due may wait only until the next sweep."""
    asked = [rule for rule in invariants.RULES if after_a_sweep or rule.name != UNSENT_RULE]
    each = [f"SELECT '{rule.name} ' || what FROM ({rule.offenders}) broken(what)" for rule in asked]
    with statement() as connection:
        rows = connection.execute(" UNION ALL ".join(each).encode(), {"stages": _stages()}).fetchall()
    return [broken for (broken,) in rows]


@cache
def _stages() -> str:
    return json.dumps(invariants._stages())
