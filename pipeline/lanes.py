"""Lanes: at most `cap` rows of a host are out at a time, spaced by its gap, across all workers and machines."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from psycopg.sql import Literal

from pipeline.database import Connection, transaction
from pipeline.doorbell import LONGEST_DELAY_SECONDS, Ring
from pipeline.stage import Stage, lane_stages

# The lock is a statement of its own: the next one must see what the previous holder of the lane has released.
LOCK_LANES = b"SELECT host FROM hosts WHERE host = ANY(%(lanes)s) ORDER BY host FOR UPDATE"

# A refill holds its stage's lock, so it waits for no lane: whoever holds that may be stopped, and more refills come.
LOCK_FREE_LANES = b"SELECT host FROM hosts WHERE host = ANY(%(lanes)s) FOR UPDATE SKIP LOCKED"

RUNG_OR_RUNNING = """
    (SELECT count(*) FROM work busy WHERE busy.lane = hosts.host AND busy.sent_at IS NOT NULL
        AND busy.status IN ('Queued', 'Processing'))"""

WAITING = "status = 'Queued' AND sent_at IS NULL"
SOON = "clock_timestamp() + %(longest)s * interval '1 second'"

# Rows that somebody else holds are skipped: a claim locks its row first and its lane second, we the other way round.
# First what is due when the lane opens, best first; else what falls due soonest. A row goes out with the delay that
# keeps the gap, so the lane is neither asked early nor left idle. Long delays may take half of the window: hosts that
# rest must not keep others from being visited.
#
# Stages, and whether there is one lane, are written into the statement, so that one plan serves every finish: with
# lists as parameters the server plans anew each time, which takes longer than the release itself. Room is counted only
# for stages that have a row to release.
RELEASE = f"""
WITH open_stage AS (
    SELECT given.stage, coalesce(control."window", given.size) AS size
    FROM (VALUES {{stages}}) AS given(stage, size) LEFT JOIN stage_controls control ON control.stage = given.stage
    WHERE NOT coalesce(control.paused, false)),
free AS (
    SELECT host, cap - {RUNG_OR_RUNNING} AS slots,
           greatest(next_at, coalesce(blocked_until, next_at), clock_timestamp()) AS open_at
    FROM hosts WHERE host {{among}}),
ready AS (
    SELECT row.id, row.stage, greatest(row.due_at, free.open_at) AS at FROM free, LATERAL (
        SELECT * FROM (
            SELECT due.* FROM open_stage, LATERAL (
                SELECT id, stage, priority, due_at FROM work WHERE work.stage = open_stage.stage
                    AND lane = free.host AND {WAITING} AND due_at <= free.open_at
                ORDER BY priority, due_at LIMIT free.slots) due
            ORDER BY priority, due_at LIMIT free.slots) now_due
        UNION ALL
        SELECT * FROM (
            SELECT soon.* FROM open_stage, LATERAL (
                SELECT id, stage, priority, due_at FROM work WHERE work.stage = open_stage.stage
                    AND lane = free.host AND {WAITING} AND due_at > free.open_at AND due_at <= {SOON}
                ORDER BY due_at LIMIT free.slots) soon
            ORDER BY due_at LIMIT free.slots) soon_due
        LIMIT free.slots) row
    WHERE free.slots > 0 AND free.open_at <= {SOON}),
room AS (
    SELECT stage, size, size - (
        SELECT count(*) FROM (SELECT 1 FROM work WHERE work.stage = open_stage.stage AND status = 'Queued'
                              AND sent_at IS NOT NULL LIMIT open_stage.size) rung) AS room
    FROM open_stage WHERE stage IN (SELECT stage FROM ready)),
picked AS (
    SELECT id, at FROM (SELECT ready.*, room, size, row_number() OVER (PARTITION BY stage ORDER BY at, id) AS nth
                        FROM ready JOIN room USING (stage)) numbered
    WHERE nth <= CASE WHEN at > clock_timestamp() + interval '2 seconds' THEN room - size / 2 ELSE room END
    LIMIT %(most)s),
locked AS (
    SELECT id FROM work WHERE id IN (SELECT id FROM picked) AND {WAITING} FOR UPDATE SKIP LOCKED)
UPDATE work SET sent_at = picked.at, sends = 1 FROM picked JOIN locked USING (id)
WHERE work.id = picked.id AND {WAITING}
RETURNING work.stage, work.id, extract(epoch FROM picked.at - clock_timestamp())::float8"""

# Walks from lane to lane in the index, not from row to row: a host with a million pages costs one step.
LANES_WITH_WORK = f"""
WITH RECURSIVE step(lane, nth) AS (
    (SELECT lane, 1 FROM work WHERE stage = %(stage)s AND lane > %(after)s AND {WAITING} ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT lane FROM work WHERE stage = %(stage)s AND lane > step.lane AND {WAITING} ORDER BY lane LIMIT 1),
           nth + 1 FROM step WHERE step.lane IS NOT NULL AND nth < %(steps)s)
SELECT step.lane, hosts.inflight < hosts.cap AND greatest(next_at, coalesce(blocked_until, next_at)) <= {SOON}
       AND hosts.cap > {RUNG_OR_RUNNING}
       AND EXISTS (SELECT 1 FROM work WHERE stage = %(stage)s AND lane = step.lane AND {WAITING} AND due_at <= {SOON})
FROM step JOIN hosts ON hosts.host = step.lane ORDER BY step.lane""".encode()

MOST_STEPS = 2000


def release(lanes: Collection[str]) -> list[Ring]:
    """Let the next rows of these lanes go, as many as each has slots."""
    if not lanes:
        return []
    with transaction() as (_, connection):
        connection.execute(LOCK_LANES, {"lanes": sorted(lanes)})
        return release_locked(connection, lanes)


def release_locked(
    connection: Connection, lanes: Collection[str], *, stages: Collection[Stage] = (), most: int | None = None
) -> list[Ring]:
    """Let rows go in lanes that this transaction has locked already."""
    stages = stages or lane_stages()
    if not stages:
        return []
    sql = _release_sql(tuple(stages), len(lanes) == 1)
    values = {"lanes": sorted(lanes), "lane": next(iter(lanes), None), "longest": LONGEST_DELAY_SECONDS, "most": most}
    rows = connection.execute(sql, values).fetchall()
    return [Ring(stage, work_id, max(delay, 0.0)) for stage, work_id, delay in rows]


@cache
def _release_sql(stages: tuple[Stage, ...], is_single: bool) -> bytes:
    named = ", ".join(f"({Literal(stage.name).as_string()}, {stage.window:d})" for stage in stages)
    return RELEASE.format(stages=named, among="= %(lane)s" if is_single else "= ANY(%(lanes)s)").encode()


_last_lane: dict[str, str] = {}


def refill(connection: Connection, stage: Stage, *, most: int) -> list[Ring]:
    """Start lanes of a stage that have work and stand idle, going round so that every host gets its turn."""
    after = _last_lane.get(stage.name, "")
    idle, reached_end = _idle_lanes(connection, stage, after, most)
    if after and reached_end and len(idle) < most:
        again, _ = _idle_lanes(connection, stage, "", most - len(idle))
        idle += [lane for lane in again if lane not in idle]
    free = [host for (host,) in connection.execute(LOCK_FREE_LANES, {"lanes": idle}).fetchall()] if idle else []
    return release_locked(connection, free, stages=[stage], most=most) if free else []


def _idle_lanes(connection: Connection, stage: Stage, after: str, most: int) -> tuple[list[str], bool]:
    """Walk on from lane `after`; give up to `most` idle lanes, and whether the walk came to the last lane."""
    values = {"stage": stage.name, "after": after, "steps": MOST_STEPS, "longest": LONGEST_DELAY_SECONDS}
    walked = connection.execute(LANES_WITH_WORK, values).fetchall()
    idle = [lane for lane, is_idle in walked if is_idle][:most]
    reached_end = len(walked) < MOST_STEPS and len(idle) < most
    stopped_at = "" if reached_end else idle[-1] if len(idle) == most else walked[-1][0]
    _last_lane[stage.name] = stopped_at
    return idle, reached_end
