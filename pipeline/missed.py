"""A ring that found nothing to claim, or whose claim was lost: put its row back where it will be rung in time."""

from __future__ import annotations

from typing import Any

from pipeline import doorbell, lanes
from pipeline.database import statement
from pipeline.doorbell import LONGEST_DELAY_SECONDS, Ring
from pipeline.stage import Stage, Turn

# Touches nothing when the row has moved on (the usual case: a duplicate), was not let out by its window (a stray), is
# rung for later already (a duplicate of a delayed ring, which would otherwise breed), or the stage is paused.
PUT_BACK = """
UPDATE work SET sent_at = CASE WHEN lane IS NULL AND due_at <= clock_timestamp() + %(longest)s * interval '1 second'
                               THEN greatest(due_at, clock_timestamp()) END
WHERE id = %(id)s AND stage = %(stage)s AND status = 'Queued' AND sent_at <= clock_timestamp() + interval '250 ms'
  AND NOT EXISTS (SELECT 1 FROM stage_controls WHERE stage = %(stage)s AND paused)"""

BACK = "lane, sent_at IS NOT NULL, extract(epoch FROM due_at - clock_timestamp())::float8"

MISSED = f"{PUT_BACK} RETURNING {BACK}".encode()

# A rescue, a cancel and another claim leave a token that is no smaller; only a server crash makes it smaller. The crash
# forgot with the claim when the host was last asked, so the lane rests first.
CLAIM_LOST = f"""
WITH back AS ({PUT_BACK} AND token < %(token)s RETURNING lane, sent_at, due_at),
rested AS (
    UPDATE hosts SET next_at = greatest(next_at, clock_timestamp() + gap) FROM back WHERE hosts.host = back.lane)
SELECT {BACK} FROM back""".encode()


def put_back(stage: Stage, work_id: int) -> None:
    """Ring again when it is due, or leave it to its lane, or to the sweeper when that is far away."""
    _put_back(MISSED, stage, work_id)


def put_back_if_claim_was_lost(turn: Turn) -> None:
    """After a late finish: when the server has forgotten the claim, its ring is spent and no rescue rings for it."""
    _put_back(CLAIM_LOST, turn.stage, turn.work_id, token=turn.token)


def _put_back(sql: bytes, stage: Stage, work_id: int, **more: Any) -> None:
    values = {"id": work_id, "stage": stage.name, "longest": LONGEST_DELAY_SECONDS, **more}
    with statement() as connection:
        row = connection.execute(sql, values).fetchone()
    if row is None:
        return
    lane, rung, wait = row
    if rung:
        doorbell.ring([Ring(stage.name, work_id, max(wait, 0.0))])
    elif lane is not None:
        doorbell.ring(lanes.release([lane]))
