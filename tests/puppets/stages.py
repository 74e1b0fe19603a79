"""first → second → third (in lanes) → fourth → fifth: one performer, five declarations."""

from __future__ import annotations

import os
import signal
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from errors import Filtered, Final, Passing, Snooze
from pipeline.database import statement
from pipeline.declare import stage
from pipeline.stage import Child, Done, Snapshot, Turn
from tests.puppets.model import Puppet

HANG_SECONDS = 3600


def perform(puppet: Snapshot, turn: Turn) -> Done:
    """Play this try's act, then hand on as many children as the script says."""
    part = puppet.script.get(turn.stage.name, {}) | puppet.script.get("*", {})
    acts = part.get("acts", [])
    tries_before = turn.attempt - 1 + turn.crashes
    if turn.lane is not None:
        _visit(turn, part.get("seconds", 0))
    else:
        time.sleep(part.get("seconds", 0))
    if turn.token <= part.get("snoozes", 0):  # a snooze spends no attempt, so only the token tells how often it was
        return _act("snooze", turn)
    if tries_before < len(acts):
        return _act(acts[tries_before], turn)
    return _hand_on(puppet, turn, part)


def _act(act: str, turn: Turn) -> Done:  # noqa: C901 - one line per act is the clearest form of a script
    match act:
        case "passing":
            raise Passing("rate-limited", "try again", retry_after=timedelta(milliseconds=50))
        case "final":
            raise Final("refused", "never again")
        case "filtered":
            raise Filtered("not-wanted")
        case "snooze":
            raise Snooze("budget", until=datetime.now(UTC) + timedelta(milliseconds=50))
        case "bug":
            raise ZeroDivisionError("a bug in the stage")
        case "nothing":
            return Done()
        case "childless":
            return Done(reason="no-children")
        case "hang":
            time.sleep(HANG_SECONDS)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "no-result":
            return None  # type: ignore[return-value]
    raise AssertionError(f"no act {act}")


def _hand_on(puppet: Snapshot, turn: Turn, part: dict[str, Any]) -> Done:
    if not turn.stage.successors:
        return Done()
    fan = part.get("fan")
    if fan is None:
        return Done(children=[Child(entity_id=puppet.id)])
    rows = [{"name": f"{puppet.name}.{nth}", "host": puppet.host, "script": puppet.script} for nth in range(fan)]
    return Done(children=[Child(row=row) for row in rows], reason=None if rows else "no-children")


def _visit(turn: Turn, seconds: float) -> None:
    with statement() as connection:
        began = connection.execute(
            b"INSERT INTO puppet_visits (host, work_id, token) VALUES (%s, %s, %s) RETURNING id",
            (turn.lane, turn.work_id, turn.token),
        ).fetchone()
    time.sleep(seconds)
    with statement() as connection:
        connection.execute(b"UPDATE puppet_visits SET ended_at = clock_timestamp() WHERE id = %s", began)


def applaud(session: Session, turn: Turn, done: Done) -> None:
    """Write something of the stage's own in the finish transaction."""
    puppet = session.get_one(Puppet, turn.entity_id)
    puppet.applause += 1


LIMITS: dict[str, Any] = {
    "entity": Puppet,
    "attempts": 3,
    "time_limit": timedelta(seconds=30),
    "back_off": timedelta(milliseconds=100),
    "window": 64,
}

first = stage(name="first", successors=("second",), **LIMITS)(perform)
second = stage(name="second", successors=("third",), save=applaud, **LIMITS)(perform)
third = stage(name="third", successors=("fourth",), lane="host", **LIMITS)(perform)
fourth = stage(name="fourth", successors=("fifth",), **LIMITS)(perform)
fifth = stage(name="fifth", **LIMITS)(perform)
