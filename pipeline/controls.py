"""An operator's hand on a stage: pause, resume, and how much of it may be in the broker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeline import doorbell, lanes, window
from pipeline.children import clean
from pipeline.database import Connection, statement
from pipeline.stage import Stage

LARGEST_WINDOW = 100_000

# Called in the transaction of a change, to leave an audit entry.
Audit = Callable[[Connection], None]

SET_PAUSED = b"""
INSERT INTO stage_controls (stage, paused, note) VALUES (%(stage)s, %(paused)s, %(note)s)
ON CONFLICT (stage) DO UPDATE SET paused = EXCLUDED.paused, note = EXCLUDED.note, changed_at = clock_timestamp()"""

SET_WINDOW = b"""
INSERT INTO stage_controls (stage, "window") VALUES (%(stage)s, %(window)s)
ON CONFLICT (stage) DO UPDATE SET "window" = EXCLUDED."window", changed_at = clock_timestamp()"""

PAUSED = b"SELECT stage, note FROM stage_controls WHERE paused"


def pause(stage: Stage, note: str | None = None, *, audit: Audit | None = None) -> None:
    """Claim nothing more of this stage; what runs now ends as usual. Its hosts go on with other stages' work.

    `note` tells people why, until the stage is resumed.
    """
    _set(SET_PAUSED, {"stage": stage.name, "paused": True, "note": clean(note)}, audit)
    doorbell.ring(lanes.release(window.forget_rings(stage)))


def resume(stage: Stage, *, audit: Audit | None = None) -> None:
    """Let the stage go on, and ring for what waits."""
    _set(SET_PAUSED, {"stage": stage.name, "paused": False, "note": None}, audit)
    window.ring_anew(stage)


def set_window(stage: Stage, size: int | None, *, audit: Audit | None = None) -> None:
    """Override how much of the stage may be rung at a time; None returns to its declaration."""
    _set(SET_WINDOW, {"stage": stage.name, "window": size}, audit)


def _set(sql: bytes, values: dict[str, Any], audit: Audit | None) -> None:
    with statement() as connection, connection.transaction():
        connection.execute(sql, values)
        if audit is not None:
            audit(connection)


def pauses() -> dict[str, str | None]:
    """Give the paused stages, each with what is noted about it."""
    with statement() as connection:
        return dict(connection.execute(PAUSED).fetchall())


def paused_stages() -> set[str]:
    return set(pauses())
