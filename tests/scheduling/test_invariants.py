"""Every rule is broken on purpose and must say so; a healthy machine must not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from errors import Filtered, Final
from pipeline import controls, run, window
from pipeline.finish import finish
from pipeline.stage import Child, Done
from scheduling import invariants
from tests.pipeline.stagehand import Stagehand
from tests.puppets import first, fourth, third


def broken() -> dict[str, str | None]:
    return {verdict.rule.name: verdict.detail for verdict in invariants.check() if verdict.violations}


def unowned(stagehand: Stagehand) -> str:
    turn = stagehand.hold("anna")
    stagehand.execute("UPDATE work SET worker_id = NULL")
    return str(turn.work_id)


def without_a_deadline(stagehand: Stagehand) -> str:
    turn = stagehand.hold("anna")
    stagehand.execute("UPDATE work SET deadline_at = NULL")
    return str(turn.work_id)


def ended_but_owned(stagehand: Stagehand) -> str:
    turn = stagehand.hold("anna")
    finish(turn, Filtered("x"))
    stagehand.execute("UPDATE work SET worker_id = gen_random_uuid()")
    return str(turn.work_id)


def ended_without_an_end(stagehand: Stagehand) -> str:
    turn = stagehand.hold("anna")
    finish(turn, Filtered("x"))
    stagehand.execute("UPDATE work SET finished_at = NULL")
    return str(turn.work_id)


def completed_in_silence(stagehand: Stagehand) -> str:
    turn = stagehand.hold("anna")
    finish(turn, Done([Child(row={"name": "x"})]))
    stagehand.execute("DELETE FROM work WHERE parent_id = %s", turn.work_id)
    return str(turn.work_id)


def failed_in_silence(stagehand: Stagehand) -> str:
    turn = stagehand.hold("anna")
    finish(turn, Final("refused"))
    stagehand.execute("UPDATE work SET reason = NULL")
    return str(turn.work_id)


def shrunken_token(stagehand: Stagehand) -> str:
    turn = stagehand.hold("anna")
    invariants.check_and_record()
    stagehand.execute("UPDATE work SET token = token - 1, status = 'Queued', worker_id = NULL, deadline_at = NULL")
    return str(turn.work_id)


def overfull_window(stagehand: Stagehand) -> str:
    controls.set_window(first, 2)
    stagehand.add("a", "b", "c", "d")
    stagehand.execute("UPDATE work SET sent_at = clock_timestamp()")
    return "first 4"


def miscounted_lane(stagehand: Stagehand) -> str:
    stagehand.hold("anna", stage=third, host="one.example")
    stagehand.execute("UPDATE hosts SET inflight = 0")
    return "one.example"


def phantom_visit(stagehand: Stagehand) -> str:
    stagehand.hold("anna", stage=third, host="one.example")
    stagehand.execute("DELETE FROM work")
    return "one.example"


def crowded_lane(stagehand: Stagehand) -> str:
    stagehand.execute("INSERT INTO hosts (host, cap, gap) VALUES ('one.example', 2, '0')")
    for name in ("anna", "bella"):
        stagehand.hold(name, stage=third, host="one.example")
    stagehand.execute("UPDATE hosts SET cap = 1")
    return "one.example"


def forgotten(stagehand: Stagehand) -> str:
    (work,) = stagehand.queue(first, stagehand.puppet("anna"))
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '1 hour'")
    return str(work)


def forgotten_in_a_lane(stagehand: Stagehand) -> str:
    (work,) = stagehand.queue(third, stagehand.puppet("anna", host="one.example"))
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '1 hour'")
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() - interval '1 hour'")
    return str(work)


BREAKS: list[tuple[str, Callable[[Stagehand], str]]] = [
    ("processing-is-owned", unowned),
    ("processing-is-owned", without_a_deadline),
    ("one-finish-per-run", ended_but_owned),
    ("one-finish-per-run", ended_without_an_end),
    ("completed-has-children-or-reason", completed_in_silence),
    ("ended-with-a-word", failed_in_silence),
    ("tokens-only-grow", shrunken_token),
    ("window-is-kept", overfull_window),
    ("lanes-are-kept", miscounted_lane),
    ("lanes-are-kept", phantom_visit),
    ("lanes-are-kept", crowded_lane),
    ("nothing-due-is-forgotten", forgotten),
    ("nothing-due-is-forgotten", forgotten_in_a_lane),
]


@pytest.mark.parametrize(("rule", "break_it"), BREAKS, ids=lambda given: getattr(given, "__name__", None))
def test_a_broken_rule_is_reported_with_its_offender(
    stagehand: Stagehand, rule: str, break_it: Callable[[Stagehand], str]
) -> None:
    assert broken() == {}
    offender = break_it(stagehand)
    assert broken() == {rule: offender}


def test_two_rows_for_one_stage_and_entity_are_reported(stagehand: Stagehand) -> None:
    stagehand.execute("ALTER TABLE work DROP CONSTRAINT uq_work_stage_entity_id")
    try:
        assert broken() == {"one-finish-per-run": "no unique key on (stage, entity_id)"}
    finally:
        stagehand.execute("ALTER TABLE work ADD CONSTRAINT uq_work_stage_entity_id UNIQUE (stage, entity_id)")


def test_every_rule_has_a_break() -> None:
    assert {rule for rule, _ in BREAKS} == {rule.name for rule in invariants.RULES}


def test_a_machine_at_work_breaks_no_rule(stagehand: Stagehand) -> None:
    stagehand.add("anna", "bella", host="one.example", first={"fan": 3})
    stagehand.hold("carla", stage=third, host="two.example")
    stagehand.add("dora", stage=fourth, fourth={"acts": ["final"]})
    for ring in stagehand.bells.take():
        run.answer(first if ring.stage == "first" else fourth, ring.work_id)
        assert broken() == {}


def test_what_waits_for_a_person_a_lane_or_a_window_is_not_forgotten(stagehand: Stagehand) -> None:
    stagehand.hold("anna", stage=third, host="busy.example")
    stagehand.queue(third, stagehand.puppet("bella", host="busy.example"))
    stagehand.queue(third, stagehand.puppet("carla", host="blocked.example"))
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() - interval '1 hour'")
    stagehand.execute("UPDATE hosts SET blocked_until = clock_timestamp() + interval '1 hour' WHERE host ^@ 'blocked'")
    stagehand.queue(fourth, stagehand.puppet("dora"))
    controls.pause(fourth)
    controls.set_window(first, 1)
    stagehand.add("emma", "frida")
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '1 hour'")
    assert broken() == {}


def test_an_old_backlog_that_is_being_worked_off_is_not_forgotten(stagehand: Stagehand) -> None:
    """A window is topped up when half of it has drained, so a busy stage has room nearly all the time."""
    controls.set_window(first, 4)
    stagehand.queue(first, *(stagehand.puppet(f"p{nth}") for nth in range(10)))
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '1 hour'")
    for ring in window.fill(first)[:1]:
        finish(stagehand.claim(ring.work_id), Filtered("x"))
    assert window.refill(first) == []
    assert broken() == {}


def test_verdicts_are_recorded_and_replaced(stagehand: Stagehand) -> None:
    work = failed_in_silence(stagehand)
    invariants.check_and_record()
    kept = {row["name"]: row for row in stagehand.rows("SELECT * FROM invariant_checks")}
    assert kept.keys() == {rule.name for rule in invariants.RULES}
    assert (kept["ended-with-a-word"]["violations"], kept["ended-with-a-word"]["detail"]) == (1, work)
    stagehand.execute("UPDATE work SET reason = 'refused'")
    invariants.check_and_record()
    assert stagehand.rows("SELECT sum(violations)::int AS n FROM invariant_checks") == [{"n": 0}]
