"""Answer a doorbell: claim the row, do the stage's work, finish it, ring for what comes next."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import structlog

import reasons
from errors import Filtered, Final, LateFinish, Outcome, Passing, Snooze
from pipeline import doorbell, lanes, lease, missed
from pipeline.claim import claim
from pipeline.database import DRIVER_FAULTS, is_lost, statement
from pipeline.doorbell import Ring
from pipeline.finish import Finished, finish
from pipeline.meters import meters
from pipeline.patience import patiently
from pipeline.refill import refill_soon
from pipeline.stage import Done, Stage, Turn

log = structlog.get_logger("run")

NOT_STORABLE = "neither the result nor the reason for failing could be stored; the log has both"

# With an unchanged token the finish was refused because it had been stored already: the answer got lost, not the work.
NOTE_LATE = b"""
INSERT INTO failures (work_id, attempt, kind, reason, error)
SELECT id, %(attempt)s, 'late-finish', %(reason)s, %(error)s FROM work WHERE id = %(id)s AND token <> %(token)s"""


def answer(stage: Stage, work_id: int) -> None:
    """Run one piece of work from claim to the next stage's doorbell; a row left behind is given back by the beat."""
    try:
        _answer(stage, work_id)
    except DRIVER_FAULTS as fault:
        log.error("database-away" if is_lost(fault) else "not-stored", stage=stage.name, work=work_id, error=str(fault))


def _answer(stage: Stage, work_id: int) -> None:
    worker = lease.current()
    if not worker.wait_until_held():
        doorbell.ring([Ring(stage.name, work_id)])  # for a worker that is not about to leave
        return
    turn = patiently(lambda: claim(stage, work_id, worker.id))
    if turn is None:
        patiently(lambda: missed.put_back(stage, work_id))
        return
    with worker.runs(work_id, turn.stage.time_limit):
        outcome = perform(turn)
        end(turn, outcome)
    refill_soon(stage)


def perform(turn: Turn) -> Done | Outcome:
    """Do the stage's own work, holding no database connection, and put whatever happens into a word."""
    if turn.entity is None:
        return Final(reasons.ENTITY_MISSING, f"{turn.stage.table} {turn.entity_id} no longer exists")
    try:
        return _with_children_or_reason(turn, turn.stage.work(turn.entity, turn))
    except Outcome as outcome:
        return outcome
    except LateFinish as late:  # the stage noticed on its way; the fence has the last word on whose the work is
        return Snooze(reasons.LATE_FINISH, until=datetime.now(UTC), error=str(late))
    except Exception as fault:
        log.exception("unexpected-error", stage=turn.stage.name, work=turn.work_id)
        return Passing(reasons.UNEXPECTED_ERROR, f"{type(fault).__name__}: {fault}")


def _with_children_or_reason(turn: Turn, done: Done) -> Done | Outcome:
    """A success that did nothing is a bug."""
    if not isinstance(done, Done):
        return Final(reasons.NO_RESULT, f"{turn.stage.name} returned {type(done).__name__} instead of Done")
    done = Done(tuple(done.children), done.reason, done.value)
    if turn.stage.successors and not done.children and done.reason is None:
        return Final(reasons.NO_RESULT, f"{turn.stage.name} completed with no children and no reason")
    return done


def end(turn: Turn, outcome: Done | Outcome) -> bool:
    """Store the outcome and ring; False when the work was no longer ours."""
    try:
        finished = patiently(lambda: finish(turn, outcome))
    except LateFinish as late:
        if patiently(partial(_note_late, turn, late)):
            log.warning("late-finish", stage=turn.stage.name, work=turn.work_id, token=turn.token)
            meters.finished_late(turn.stage.name)
        patiently(lambda: missed.put_back_if_claim_was_lost(turn))
        return False
    except Exception as fault:  # the stage frame again: `save` and its rows are the stage's own
        if is_lost(fault) or (isinstance(outcome, Outcome) and outcome.error == NOT_STORABLE):
            raise
        return end(turn, _instead(turn, outcome, fault))
    meters.ended(turn.stage.name, turn.tenant_id, finished.outcome, finished.reason, turn.seconds)
    _ring(finished)
    log.debug("finished", stage=turn.stage.name, work=turn.work_id, outcome=_word(outcome))
    return True


def _instead(turn: Turn, outcome: Done | Outcome, fault: Exception) -> Outcome:
    """Say how a turn ends whose outcome could not be stored."""
    was_saving = isinstance(outcome, Done) or outcome.value is not None
    if isinstance(fault, Outcome) and was_saving:
        return fault  # `save` found that the work ends in another way
    log.error("save-failed", stage=turn.stage.name, work=turn.work_id, exc_info=fault)
    if was_saving:
        return Passing(reasons.SAVE_FAILED, f"{type(fault).__name__}: {fault}")
    return Final(reasons.SAVE_FAILED, NOT_STORABLE)


def _ring(finished: Finished) -> None:
    for stage in finished.crowded.values():
        refill_soon(stage)
    rings = finished.rings
    if finished.lanes:
        rings = rings + patiently(lambda: lanes.release(finished.lanes))
    doorbell.ring(rings)


def _note_late(turn: Turn, late: LateFinish) -> bool:
    values = {
        "id": turn.work_id,
        "attempt": turn.attempt,
        "token": turn.token,
        "reason": reasons.LATE_FINISH,
        "error": str(late),
    }
    with statement() as connection:
        return connection.execute(NOTE_LATE, values).rowcount > 0


def _word(outcome: Done | Outcome) -> str:
    if isinstance(outcome, Filtered):
        return f"Filtered {outcome.reason}"
    return "Completed" if isinstance(outcome, Done) else f"{type(outcome).__name__} {outcome.reason}"
