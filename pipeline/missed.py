"""A ring that found nothing to claim: put its row back where it will be rung at the right time."""

from __future__ import annotations

from pipeline import doorbell, lanes
from pipeline.database import statement
from pipeline.doorbell import LONGEST_DELAY_SECONDS, Ring
from pipeline.stage import Stage

# Touches nothing when the row has moved on (the usual case: a duplicate), was not let out by its window (a stray), is
# rung for later already (a duplicate of a delayed ring, which would otherwise breed), or the stage is paused.
PUT_BACK = b"""
UPDATE work SET sent_at = CASE WHEN lane IS NULL AND due_at <= clock_timestamp() + %(longest)s * interval '1 second'
                               THEN greatest(due_at, clock_timestamp()) END
WHERE id = %(id)s AND stage = %(stage)s AND status = 'Queued' AND sent_at <= clock_timestamp() + interval '250 ms'
  AND NOT EXISTS (SELECT 1 FROM stage_controls WHERE stage = %(stage)s AND paused)
RETURNING lane, sent_at IS NOT NULL, extract(epoch FROM due_at - clock_timestamp())::float8"""


def put_back(stage: Stage, work_id: int) -> None:
    """Ring again when it is due, or leave it to its lane, or to the sweeper when that is far away."""
    with statement() as connection:
        row = connection.execute(
            PUT_BACK, {"id": work_id, "stage": stage.name, "longest": LONGEST_DELAY_SECONDS}
        ).fetchone()
    if row is None:
        return
    lane, rung, wait = row
    if rung:
        doorbell.ring([Ring(stage.name, work_id, max(wait, 0.0))])
    elif lane is not None:
        doorbell.ring(lanes.release([lane]))
