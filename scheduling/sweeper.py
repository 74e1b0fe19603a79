"""A sweeper: what is repaired on a cron line. Every run is reported, by the clock or by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

import pendulum
from periodiq import cron

from errors import NotFound
from notices.tell import tell
from operations import alarms, jobs
from pipeline.stage import Stage, all_stages
from pipeline.sweep import sweep
from scheduling import invariants, retention

Repaired = Mapping[str, int]
PENDING = "process-pending-"


@dataclass(frozen=True, slots=True)
class Sweeper:
    """A name, a cron line, and what it calls; that gives what it has repaired, and how much of it."""

    name: str
    line: str
    repair: Callable[[], Repaired]
    stage: str | None = None

    @property
    def by_hand(self) -> str:
        """The name under which people run it now."""
        name = self.name if self.stage is None else PENDING + self.stage
        return name.replace("_", "-")

    def next_run_at(self) -> datetime:
        """Give when periodiq wakes it next, by this machine's clock."""
        found: datetime = cron(self.line).next_valid_date(pendulum.now())
        return datetime.fromtimestamp(found.timestamp(), UTC)

    def run(self) -> Repaired:
        """Repair now, and report how that went."""
        with jobs.Run(self.name, "sweeper", self.line, self.next_run_at()) as run:
            repaired = self.repair()
            run.detail = in_words(repaired)
        return repaired


def in_words(repaired: Repaired) -> str:
    """Write what was repaired on one line."""
    done = [f"{name.replace('_', ' ')} {many}" for name, many in repaired.items() if many]
    return ", ".join(done) or "nothing to repair"


def cron_line(interval_minutes: int) -> str:
    """Write an interval as cron, in minutes and hours only: periodiq never matches some weekday forms."""
    if interval_minutes < 60:
        return f"*/{interval_minutes} * * * *"
    hours = interval_minutes // 60
    return f"0 */{hours} * * *" if hours < 24 else "0 0 * * *"


def _of_stage(stage: Stage) -> Sweeper:
    line = cron_line(stage.sweeper.interval_minutes)
    return Sweeper(f"sweep_{stage.name}", line, lambda: asdict(sweep(stage)), stage=stage.name)


def check_invariants() -> Repaired:
    """Check what must always hold, keep the verdict and log what does not; give what is broken."""
    return {found.rule.name: found.violations for found in invariants.check_and_record()}


# What is swept besides the stages, in any order.
OTHERS = (
    Sweeper("check_invariants", "* * * * *", check_invariants),
    Sweeper("blank_expired", "17 * * * *", retention.blank_expired),
    Sweeper(alarms.NAME, "* * * * *", alarms.watch),
    Sweeper("tell_webhooks", "* * * * *", tell),
)


def all_sweepers() -> list[Sweeper]:
    """Give one sweeper per declared stage, in pipeline order, and the others."""
    return [*map(_of_stage, all_stages()), *OTHERS]


def sweeper_by_hand(name: str) -> Sweeper:
    """Find a sweeper by the name people run it under, or say which there are."""
    for sweeper in all_sweepers():
        if sweeper.by_hand == name:
            return sweeper
    known = ", ".join(sweeper.by_hand for sweeper in all_sweepers())
    raise NotFound(f"There is no sweeper {name[:100]!r}. Use one of: {known}.")
