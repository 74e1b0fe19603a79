"""Spending: money is reserved before each paid call, within the search's limit and the provider's limit for the day.

Both books are kept in one statement, so that all workers together never pass a limit. What was reserved stays spent
unless the call was certainly not charged: a crash in between counts too much, never too little.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import reasons
from errors import LateFinish, Snooze
from pipeline.database import statement
from pipeline.finish import FENCE
from pipeline.hosts import row_of
from pipeline.stage import Turn
from settings import settings

# A person may raise a search's budget at any time; the day's ends with the day.
LOOK_AGAIN = timedelta(hours=1)

# The search's row is locked first by everyone, then the day's.
RESERVE = f"""
WITH ours AS (SELECT 1 FROM work WHERE {FENCE}),
search AS (SELECT budget_usd - spent_usd AS left_usd FROM searches WHERE id = %(search)s FOR NO KEY UPDATE),
fits AS (SELECT 1 FROM ours WHERE NOT EXISTS (SELECT 1 FROM search WHERE left_usd < %(usd)s)),
today AS (
    INSERT INTO provider_days (provider, day, calls, usd)
    SELECT %(provider)s, (clock_timestamp() AT TIME ZONE 'UTC')::date, 1, %(usd)s FROM fits
    WHERE %(usd)s <= %(daily)s
    ON CONFLICT (provider, day) DO UPDATE
        SET calls = provider_days.calls + 1, usd = provider_days.usd + EXCLUDED.usd
        WHERE provider_days.usd + EXCLUDED.usd <= %(daily)s
    RETURNING day),
charged AS (
    UPDATE searches SET calls = calls + 1, spent_usd = spent_usd + %(usd)s FROM today WHERE searches.id = %(search)s)
SELECT EXISTS (SELECT 1 FROM ours), EXISTS (SELECT 1 FROM fits), (SELECT day FROM today),
       (clock_timestamp() AT TIME ZONE 'UTC')::date""".encode()

GIVE_BACK = b"""
WITH search AS (
    UPDATE searches SET calls = greatest(calls - 1, 0), spent_usd = greatest(spent_usd - %(usd)s, 0)
    WHERE id = %(search)s RETURNING id)
UPDATE provider_days SET calls = greatest(calls - 1, 0), usd = greatest(usd - %(usd)s, 0)
FROM (SELECT count(*) FROM search) AS counted
WHERE provider = %(provider)s AND day = %(day)s"""


@dataclass(frozen=True, slots=True)
class Charge:
    """What was reserved for one call, and in which books."""

    search_id: int | None
    provider: str
    usd: Decimal
    day: date


def reserve(turn: Turn, search_id: int | None, provider: str, usd: Decimal) -> Charge:
    """Reserve the money for one call; raise Snooze when a limit does not allow it, LateFinish when it is not ours."""
    values = {
        "id": turn.work_id,
        "token": turn.token,
        "worker": turn.worker_id,
        "search": search_id,
        "provider": provider,
        "usd": usd,
        "daily": settings().provider_daily_budget_usd,
    }
    row = row_of(RESERVE, values)
    is_ours, fits_search, day, today = row if row else (False, False, None, None)
    if not is_ours:
        raise LateFinish(f"work {turn.work_id} is no longer ours at token {turn.token}")
    if day is not None:
        return Charge(search_id, provider, usd, day)
    raise _day_is_spent(provider, today) if fits_search else _search_is_spent(search_id)


def give_back(charge: Charge) -> None:
    """Take a call that was certainly not charged out of the books."""
    values = {"search": charge.search_id, "provider": charge.provider, "usd": charge.usd, "day": charge.day}
    # Tried once: a lost answer must not give back twice, and too much counted is the safe side.
    with statement() as connection:
        connection.execute(GIVE_BACK, values)


def _search_is_spent(search_id: int | None) -> Snooze:
    said = f"search {search_id} has spent its budget: it goes on when the budget is raised"
    return Snooze(reasons.BUDGET, until=datetime.now(UTC) + LOOK_AGAIN, error=said)


def _day_is_spent(provider: str, today: date) -> Snooze:
    limit = settings().provider_daily_budget_usd
    said = f"{provider} has cost the {limit} US dollars of PROVIDER_DAILY_BUDGET_USD today: it goes on tomorrow (UTC)"
    return Snooze(reasons.BUDGET, until=datetime.combine(today + timedelta(days=1), time(), UTC), error=said)
