"""How a held turn may end, and what must follow: the outcome's status, or nothing at all when it comes too late."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import strategies as st

from errors import Filtered, Final, LateFinish, Outcome, Passing, Snooze
from pipeline import run
from pipeline.finish import finish
from pipeline.stage import Child, Done, Turn
from tests.machine.theatre import Theatre

HOSTS = (None, "a.example", "f.example", "g.example", "h.example")


def _passing(seconds: int) -> Outcome:
    return Passing("rate-limited", retry_after=timedelta(seconds=seconds))


def _snooze(seconds: int) -> Outcome:
    return Snooze("budget", until=datetime.now(UTC) + timedelta(seconds=seconds))


results = st.builds(Done, st.lists(st.sampled_from(HOSTS), max_size=6))
outcomes = st.one_of(
    results,
    st.just(Filtered("not-wanted")),
    st.just(Final("refused", "never again")),
    st.builds(_passing, st.sampled_from((0, 5, 300))),
    st.builds(_snooze, st.sampled_from((-5, 0, 5, 300))),
)


def end(theatre: Theatre, turn: Turn, outcome: Done | Outcome) -> None:
    """End a turn; one that is no longer ours to end changes nobody's fate."""
    if isinstance(outcome, Done):
        outcome = _with_children(turn, outcome)
    row = theatre.rows[turn.work_id]
    if (row["status"], row["token"], row["worker_id"]) == ("Processing", turn.token, turn.worker_id):
        assert run.end(turn, outcome)
        _check_ending(theatre, turn, outcome)
        return
    before = theatre.state()
    with pytest.raises(LateFinish):
        finish(turn, outcome)
    assert theatre.state() == before
    _end_late(theatre, turn, outcome)


def _end_late(theatre: Theatre, turn: Turn, outcome: Done | Outcome) -> None:
    """Nothing happens at all, unless the server forgot the claim: then the ring that was spent on it is put back."""
    state, fates, rings = theatre.state(), theatre.fates(), list(theatre.bells.rings)
    was_forgotten = theatre.rows[turn.work_id]["token"] < turn.token
    awaits_an_answer = was_forgotten and theatre.awaits_an_answer(turn.work_id)
    assert not run.end(turn, outcome)
    assert theatre.fates() == fates
    if not was_forgotten:
        assert (theatre.state(), theatre.bells.rings) == (state, rings)
    if awaits_an_answer:
        (ring,) = theatre.bells.rings[len(rings) :]
        assert (ring.work_id, ring.delay_seconds) == (turn.work_id, 0.0)


def _with_children(turn: Turn, done: Done) -> Done:
    """Turn the drawn hosts into children of this turn's entity."""
    hosts = tuple(done.children) if turn.stage.successors else ()
    rows = [{"name": f"{nth} of {turn.entity_id}", "host": host} for nth, host in enumerate(hosts)]
    return Done([Child(row=row) for row in rows], reason=None if rows else "no-children")


def _check_ending(theatre: Theatre, turn: Turn, outcome: Done | Outcome) -> None:
    row = theatre.hand.work(turn.work_id)
    is_last = turn.attempt >= turn.stage.attempts
    match outcome:
        case Done():
            assert row["status"] == "Completed"
        case Filtered():
            assert row["status"] == "Filtered"
        case Final():
            assert row["status"] == "Error"
        case Passing():
            assert (row["status"], row["attempts"]) == ("Error" if is_last else "Queued", turn.attempt)
        case Snooze():
            assert (row["status"], row["attempts"]) == ("Queued", turn.attempt - 1)
    assert isinstance(outcome, Done) or row["reason"] == outcome.reason
