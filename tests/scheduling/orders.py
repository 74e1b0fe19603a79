"""Standing orders for puppets, as rows, with ticks that are owed already."""

from __future__ import annotations

from typing import Any

from settings import settings
from tests.pipeline.stagehand import Stagehand

ADD = """
INSERT INTO schedules (tenant_id, name, {columns}) VALUES (%s, 'order ' || (SELECT count(*) FROM schedules), {values})
RETURNING id"""

# An interval of a minute whose last tick was a second ago, and of which so many are owed.
OWED = """
UPDATE schedules SET interval_seconds = 60, cron = NULL, starts_at = began.at - interval '10 days',
       settled_until = began.at - %s * interval '1 minute'
FROM (SELECT date_trunc('second', clock_timestamp()) - interval '1 second' AS at) began WHERE id = %s"""


def order(hand: Stagehand, **columns: Any) -> int:
    """Add a schedule, by default for a puppet's first stage, daily at nine."""
    given = {"stage": "first", "cron": "0 9 * * *"} | columns
    if "entity_id" not in given:
        given["entity_id"] = hand.puppet("anna")
    if "interval_seconds" in given:
        given["cron"] = None
    sql = ADD.format(columns=", ".join(given), values=", ".join(["%s"] * len(given)))
    return int(hand.rows(sql, settings().default_tenant_id, *given.values())[0]["id"])


def owing(hand: Stagehand, many: int, **columns: Any) -> int:
    """Add a schedule that owes so many ticks, a minute apart, the last of them just now."""
    number = order(hand, **columns)
    hand.execute(OWED, many, number)
    return number


def history(hand: Stagehand, number: int) -> list[str]:
    """Give what became of a schedule's ticks, the oldest first."""
    rows = hand.rows("SELECT result FROM schedule_fires WHERE schedule_id = %s ORDER BY fire_at", number)
    return [row["result"] for row in rows]
