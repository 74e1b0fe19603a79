"""The window: how much of a stage may be rung and unclaimed; the rest waits in Postgres until there is room.

The lower half of a window belongs to pushes: each process may ring for children up to its share of it, without asking
the database every time. The upper half belongs to refills, which count exactly and take turns. So a stage never has
more rung than its window and one batch, a batch being half a window.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

from models.work import HIGHEST_PRIORITY, LOWEST_PRIORITY
from pipeline import doorbell, lanes
from pipeline.database import Connection, statement, transaction
from pipeline.doorbell import Ring
from pipeline.stage import Stage

# Counting stops at the window's size, so its cost does not grow with the queue.
LOOK = b"""
SELECT CASE WHEN control.paused THEN control.size ELSE (SELECT count(*) FROM (
           SELECT 1 FROM work WHERE stage = %(stage)s AND status = 'Queued' AND sent_at IS NOT NULL
           LIMIT control.size) rung) END, control.size,
       EXISTS (SELECT 1 FROM work WHERE stage = %(stage)s AND status = 'Queued' AND sent_at IS NULL),
       (SELECT count(*) FROM workers WHERE expires_at > clock_timestamp())
FROM (SELECT coalesce(max("window"), %(window)s) AS size, coalesce(bool_or(paused), false) AS paused
      FROM stage_controls WHERE stage = %(stage)s) control"""

# One index probe per priority instead of a sort: rows that are due later are never walked over.
FILL = f"""
WITH due AS (
    SELECT row.id FROM generate_series({HIGHEST_PRIORITY}, {LOWEST_PRIORITY}) AS level,
    LATERAL (SELECT id FROM work
             WHERE stage = %(stage)s AND lane IS NULL AND priority = level AND due_at <= clock_timestamp()
               AND status = 'Queued' AND sent_at IS NULL
             ORDER BY due_at LIMIT %(most)s FOR UPDATE SKIP LOCKED) row
    LIMIT %(most)s),
filled AS (
    UPDATE work SET sent_at = clock_timestamp(), sends = 1 FROM due
    WHERE work.id = due.id AND status = 'Queued' AND sent_at IS NULL RETURNING work.id, priority, due_at)
SELECT id FROM filled ORDER BY priority, due_at""".encode()

FORGET_RINGS = b"""
UPDATE work SET sent_at = NULL, sends = 0
WHERE stage = %s AND status = 'Queued' AND sent_at IS NOT NULL RETURNING lane"""

LOCK_CLASS = 7301
LOCK = b"SELECT pg_advisory_xact_lock(%s, hashtext(%s))"
TRY_LOCK = b"SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))"

SHARE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Room:
    """What a look at a stage's window found."""

    rung: int
    size: int
    has_waiting: bool
    workers: int

    @property
    def free(self) -> int:
        return max(self.size - self.rung, 0)

    @property
    def is_below_half(self) -> bool:
        return self.rung * 2 <= self.size

    @property
    def share(self) -> int:
        """A process's part of what is left of the lower half."""
        left = (self.size + 1) // 2 - self.rung
        return -(-left // max(self.workers, 1)) if left > 0 else 0


class Shares:
    """What this process may still ring for each stage before it must look again."""

    def __init__(self) -> None:
        self._left: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def take(self, stage: Stage, wanted: int) -> int:
        """Take up to `wanted` rings of the stage's share."""
        with self._lock:  # held during the look too, or several threads would each take the whole share
            left, until = self._left.get(stage.name, (0, 0.0))
            if time.monotonic() >= until:
                left, until = look(stage).share, time.monotonic() + SHARE_SECONDS
            taken = min(left, wanted)
            self._left[stage.name] = (left - taken, until)
            return taken

    def grant(self, stage: Stage, room: Room) -> None:
        """Renew the share from a look that somebody else took."""
        with self._lock:
            self._left[stage.name] = (room.share, time.monotonic() + SHARE_SECONDS)

    def forget(self) -> None:
        with self._lock:
            self._left.clear()


shares = Shares()


def look(stage: Stage, connection: Connection | None = None) -> Room:
    """Count what is rung; a paused stage has a full window."""
    values = {"stage": stage.name, "window": stage.window}
    if connection is not None:
        row = connection.execute(LOOK, values).fetchone()
    else:
        with statement() as own:
            row = own.execute(LOOK, values).fetchone()
    return Room(*row) if row else Room(0, 0, False, 0)


def refill(stage: Stage) -> list[Ring]:
    """When less than half of the window is rung and rows wait, move the next due ones in."""
    room = look(stage)
    shares.grant(stage, room)
    if not (room.has_waiting and room.is_below_half):
        return []
    with transaction() as (_, connection):  # when another process is at it, it sees the same rows
        row = connection.execute(TRY_LOCK, (LOCK_CLASS, stage.name)).fetchone()
        return _fill(connection, stage) if row and row[0] else []


def fill(stage: Stage) -> list[Ring]:
    """Fill the window with the next due rows, after whoever is filling it now has ended: our rows may be newer."""
    with transaction() as (_, connection):
        connection.execute(LOCK, (LOCK_CLASS, stage.name))
        return _fill(connection, stage)


def _fill(connection: Connection, stage: Stage) -> list[Ring]:
    free = look(stage, connection).free
    if free <= 0:
        return []
    values: dict[str, Any] = {"stage": stage.name, "most": free}
    rings = [Ring(stage.name, work_id) for (work_id,) in connection.execute(FILL, values).fetchall()]
    if stage.lane and len(rings) < free:
        rings += lanes.refill(connection, stage, most=free - len(rings))
    return rings


def forget_rings(stage: Stage) -> set[str]:
    """Count every unanswered ring as never rung; give the lanes that are free for others now."""
    with statement() as connection:
        return {lane for (lane,) in connection.execute(FORGET_RINGS, (stage.name,)).fetchall() if lane is not None}


def ring_anew(stage: Stage) -> None:
    """Forget every unanswered ring and ring again: workers ignored them while paused, or the broker lost them."""
    forget_rings(stage)
    doorbell.ring(fill(stage))
