"""Reasons: the short words stored on work, each defined once here and documented from here."""

from __future__ import annotations

MEANINGS: dict[str, str] = {}


def reason(word: str, meaning: str) -> str:
    """Define a reason word and what it tells a person."""
    MEANINGS[word] = meaning
    return word


WORKER_DIED = reason("worker-died", "the worker process stopped renewing its lease while it ran this; it runs again")
POISON = reason(
    "poison", "this work was running in several worker processes when they died; retry it once the cause is known"
)
DEADLINE = reason("deadline", "it was still running after the stage's time limit")
DRAINED = reason("drained", "the worker was told to stop and handed it back; no attempt was spent")
CLAIM_UNANSWERED = reason(
    "claim-unanswered", "a claim was stored but its answer was lost on the way; no attempt was spent"
)
CANCELLED = reason("cancelled", "a person cancelled it")
LATE_FINISH = reason("late-finish", "a worker finished it after losing the right to; nothing of that was stored")
ENTITY_MISSING = reason("entity-missing", "the row this work is about no longer exists")
UNEXPECTED_ERROR = reason(
    "unexpected-error", "a bug in the stage; the error text names it and the log has the traceback"
)
NO_RESULT = reason("no-result", "the stage ended without children and without saying why: a bug in the stage")
SAVE_FAILED = reason("save-failed", "the result could not be stored; the error text says why")
NO_NEW_CHILDREN = reason("no-new-children", "everything this stage found has work already")
