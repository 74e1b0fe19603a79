"""The clock: fires people's schedules. Schedules are rows; one APScheduler computes when, wakes up and reports.

Any number of clocks may run: whoever is first settles a tick, see `scheduling.fire`. Every few seconds each clock reads
the rows again, and so takes up what changed, what another clock left undone, and what nobody could do while the
database was away.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_EXECUTED, EVENT_JOB_MISSED, JobExecutionEvent
from apscheduler.job import Job
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.blocking import BlockingScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.interval import IntervalTrigger
from psycopg.rows import dict_row

import logs
from errors import BadInput
from operations import jobs
from pipeline.database import statement
from pipeline.stage import load_stages
from scheduling import fire, ticks
from scheduling.catch_up import Policy
from scheduling.ticks import Timing

log = structlog.get_logger("clock")

READ = "read-schedules"
READ_AGAIN_SECONDS = 10
RESULTS = {EVENT_JOB_EXECUTED: "executed", EVENT_JOB_ERROR: "error", EVENT_JOB_MISSED: "missed"}

SCHEDULES = b"""
SELECT id, cron, interval_seconds, starts_at, timezone, settled_until, catch_up, misfire_grace_seconds,
       clock_timestamp() AS now
FROM schedules WHERE enabled ORDER BY id"""


class Ticking(BaseTrigger):  # type: ignore[misc] # APScheduler is untyped
    """Tells APScheduler when a schedule is due next."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime | None:
        """Give the next tick after both the previous one and now."""
        return next(iter(ticks.upcoming(self.timing, max(previous or now, now), 1)), None)

    def __str__(self) -> str:
        return str(self.timing)


@dataclass(frozen=True, slots=True)
class Plan:
    """A schedule's row as this clock knows it, and its oldest tick that is not settled."""

    timing: Timing
    policy: Policy
    settled_until: datetime
    due_at: datetime | None


class Clock:
    """Keeps APScheduler's jobs the same as the schedules in the database, and tells how each run went."""

    def __init__(self) -> None:
        self.scheduler = BlockingScheduler(timezone=UTC)
        self.scheduler.add_listener(self.note, EVENT_JOB_EXECUTED | EVENT_JOB_ERROR | EVENT_JOB_MISSED)
        self.plans: dict[int, Plan] = {}
        self.refused: dict[int, str] = {}
        self.reported: dict[str, datetime | None] = {}
        self.seconds: dict[str, float] = {}

    def run(self) -> None:
        """Read the schedules now and again, and fire until told to stop."""
        every = IntervalTrigger(seconds=READ_AGAIN_SECONDS)
        self.scheduler.add_job(self.read, every, id=READ, next_run_time=datetime.now(UTC), misfire_grace_time=None)
        self.scheduler.start()

    def read(self) -> str:
        """Add, change and drop jobs after what the rows say, and run those that owe a tick already."""
        with statement() as connection:
            rows = connection.cursor(row_factory=dict_row).execute(SCHEDULES).fetchall()
        for schedule_id in (self.plans.keys() | self.refused.keys()) - {row["id"] for row in rows}:
            self._drop(schedule_id)
        for row in rows:
            self._follow(row)
        self._report_jobs()
        return f"{len(self.plans)} schedules, {len(self.refused)} unreadable"

    def _follow(self, row: dict[str, Any]) -> None:
        known = self.plans.get(row["id"])
        try:
            plan = plan_of(row, known)
        except BadInput as fault:
            self._refuse(row["id"], str(fault))
            return
        self.plans[row["id"]] = plan
        self.refused.pop(row["id"], None)
        is_due = plan.due_at is not None and plan.due_at <= row["now"]
        if is_due or known is None or (known.timing, known.policy) != (plan.timing, plan.policy):
            self._schedule(row["id"], plan, is_due=is_due)

    def _schedule(self, schedule_id: int, plan: Plan, *, is_due: bool) -> None:
        self.scheduler.add_job(
            self.tick,
            Ticking(plan.timing),
            args=[schedule_id],
            id=name_of(schedule_id),
            replace_existing=True,
            coalesce=True,
            misfire_grace_time=int(plan.policy.patience.total_seconds()),
            **({"next_run_time": datetime.now(UTC)} if is_due else {}),
        )

    def _drop(self, schedule_id: int) -> None:
        self.refused.pop(schedule_id, None)
        self.plans.pop(schedule_id, None)
        self.reported.pop(name_of(schedule_id), None)
        with suppress(JobLookupError):  # one that is never due again leaves by itself
            self.scheduler.remove_job(name_of(schedule_id))

    def _refuse(self, schedule_id: int, why: str) -> None:
        """Leave out a schedule that cannot be read, and say so once."""
        if self.refused.get(schedule_id) != why:
            self._drop(schedule_id)
            self.refused[schedule_id] = why
            log.error("schedule-unreadable", schedule=schedule_id, error=why)
            jobs.report(name_of(schedule_id), "clock", result="error", detail=why)

    def tick(self, schedule_id: int) -> str | None:
        """Settle what a schedule owes by now, and tell how; None when another clock has done so."""
        began = time.monotonic()
        try:
            done = fire.settle(schedule_id)
        finally:
            self.seconds[name_of(schedule_id)] = time.monotonic() - began
        told = Counter(step.fired.result for step in done if step.fired is not None)
        told["missed"] = sum(step.missed for step in done)
        return ", ".join(f"{many} {result}" for result, many in told.items() if many) or None

    def note(self, event: JobExecutionEvent) -> None:
        """Keep how a job's run went: executed, error or missed."""
        result, job = RESULTS[event.code], self.scheduler.get_job(event.job_id)
        detail = event.retval if event.exception is None else f"{type(event.exception).__name__}: {event.exception}"
        if result != "executed":
            log.warning(f"job-{result}", job=event.job_id, due=event.scheduled_run_time.isoformat(), error=detail)
        if result != "executed" or detail is not None:
            self._report(event.job_id, job, result=result, seconds=self.seconds.pop(event.job_id, None), detail=detail)

    def _report_jobs(self) -> None:
        """Tell when each job runs next, where that has changed; forget those of schedules that are gone."""
        listed = {job.id: job for job in self.scheduler.get_jobs()}
        told = dict(self.reported)  # other threads add to it
        for name, job in listed.items():
            if name != READ and (name not in told or told[name] != job.next_run_time):
                self._report(name, job)
        jobs.forget_all_but("clock", [*listed, *map(name_of, self.refused)])

    def _report(self, name: str, job: Job | None, **run: Any) -> None:
        next_run_at = None if job is None else job.next_run_time
        self.reported[name] = next_run_at
        jobs.report(name, "clock", None if job is None else str(job.trigger), next_run_at, **run)


def name_of(schedule_id: int) -> str:
    """Give the name under which a schedule's job is known."""
    return f"schedule-{schedule_id}"


def plan_of(row: dict[str, Any], known: Plan | None) -> Plan:
    """Read a row; what is due next is computed only when it may have changed."""
    timing = Timing(row["cron"], row["interval_seconds"], row["starts_at"], row["timezone"])
    policy = Policy(row["catch_up"], timedelta(seconds=row["misfire_grace_seconds"]))
    if known is not None and (known.timing, known.settled_until) == (timing, row["settled_until"]):
        return Plan(timing, policy, known.settled_until, known.due_at)
    due_at = next(iter(ticks.upcoming(timing, row["settled_until"], 1)), None)
    return Plan(timing, policy, row["settled_until"], due_at)


def main() -> None:
    """Run the clock process."""
    logs.configure()
    logging.getLogger("apscheduler.executors").setLevel(logging.CRITICAL)  # the listener tells of what fails
    load_stages()
    Clock().run()


if __name__ == "__main__":
    main()
