"""Wish: a schedule as a person asks for it, and everything that can be wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from errors import BadInput, NotFound
from models.schedule import (
    ACTIONS,
    CATCH_UPS,
    LONGEST_GRACE_SECONDS,
    LONGEST_INTERVAL_SECONDS,
    SHORTEST_INTERVAL_SECONDS,
)
from pipeline.database import Connection
from scheduling import cron_line, errand, ticks
from scheduling.errand import Errand
from scheduling.ticks import Timing

LONGEST_NAME = 200
EARLIEST_START = datetime(2000, 1, 1, tzinfo=UTC)
LATEST_START = timedelta(days=3660)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be done again, and when."""

    name: str
    entity_id: int
    stage: str = "search"
    action: str = "run"
    cron: str | None = None
    interval_seconds: int | None = None
    starts_at: datetime | None = None
    timezone: str = "UTC"
    enabled: bool = True
    misfire_grace_seconds: int = 3600
    catch_up: str = "last"

    def timing(self, now: datetime) -> Timing:
        """Give when it is due; without a start it starts now."""
        starts_at = (now if self.starts_at is None else self.starts_at).replace(microsecond=0)
        return Timing(self.cron, self.interval_seconds, starts_at, self.timezone)


def check(wish: Wish, now: datetime) -> None:
    """Refuse in one sentence what could never work."""
    if not wish.name.strip() or len(wish.name) > LONGEST_NAME:
        raise BadInput(f"A schedule needs a name of at most {LONGEST_NAME} characters.")
    _check_word("action", wish.action, ACTIONS)
    _check_word("catch_up", wish.catch_up, CATCH_UPS)
    if not 0 <= wish.misfire_grace_seconds <= LONGEST_GRACE_SECONDS:
        raise BadInput(f"The grace for late ticks is from 0 to {LONGEST_GRACE_SECONDS} seconds, which is a week.")
    check_timing(wish, now)
    errand.stage_of(wish.action, wish.stage)


def check_entity(connection: Connection, tenant_id: UUID, wish: Wish) -> None:
    """Refuse a schedule for something that does not exist, or not for this tenant."""
    if not errand.has_entity(connection, Errand(tenant_id, wish.action, wish.stage, wish.entity_id)):
        raise NotFound(f"There is nothing numbered {wish.entity_id} on which the stage {wish.stage!r} works.")


def _check_word(name: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise BadInput(f"There is no {name} {word[:40]!r}. Use one of: {', '.join(known)}.")


def check_timing(wish: Wish, now: datetime) -> None:
    """Refuse a timetable that cannot be read, or that names no moment to come."""
    if wish.starts_at is not None and not EARLIEST_START <= wish.starts_at <= now + LATEST_START:
        raise BadInput("A schedule starts between the year 2000 and ten years from now: give another `starts_at`.")
    if (wish.cron is None) == (wish.interval_seconds is None):
        raise BadInput("A schedule is due by a cron line or by an interval: give one of the two.")
    ticks.zone_named(wish.timezone)
    if wish.cron is not None:
        cron_line.check(wish.cron)
        if not ticks.upcoming(wish.timing(now), now, 1):
            raise BadInput(f"{wish.cron!r} names no day that will ever come: change its day or month.")
    elif not SHORTEST_INTERVAL_SECONDS <= (wish.interval_seconds or 0) <= LONGEST_INTERVAL_SECONDS:
        raise BadInput("An interval is from one minute to 366 days.")
