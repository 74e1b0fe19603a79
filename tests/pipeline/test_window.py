"""The window: a million rows may wait in Postgres, but only a few are rung at a time."""

from __future__ import annotations

from pipeline import controls, doorbell, window
from pipeline.finish import finish
from pipeline.lanes import release
from pipeline.stage import Child, Done, Stage
from pipeline.window import shares
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import first, second, third

MANY = 500


def rung(stagehand: Stagehand, stage: Stage) -> int:
    sql = "SELECT count(*)::int AS n FROM work WHERE stage = %s AND status = 'Queued' AND sent_at IS NOT NULL"
    return int(stagehand.rows(sql, stage.name)[0]["n"])


def many(stagehand: Stagehand, stage: Stage, number: int = MANY) -> None:
    """Queue much work in one statement, without ringing."""
    stagehand.execute(
        "WITH made AS (INSERT INTO puppets (tenant_id, name) SELECT %s, 'many ' || nth"
        " FROM generate_series(1, %s) nth RETURNING id, tenant_id)"
        " INSERT INTO work (tenant_id, stage, entity_id) SELECT tenant_id, %s, id FROM made",
        "00000000-0000-0000-0000-000000000001",
        number,
        stage.name,
    )


def close_what_is_rung(stagehand: Stagehand, stage: Stage, number: int) -> None:
    """Play a worker that answers so many rings."""
    sql = (
        "UPDATE work SET status = 'Filtered', reason = 'done', finished_at = clock_timestamp() WHERE id IN ("
        "SELECT id FROM work WHERE stage = %s AND status = 'Queued' AND sent_at IS NOT NULL ORDER BY sent_at LIMIT %s)"
    )
    stagehand.execute(sql, stage.name, number)


def test_a_fan_out_of_500_rings_no_more_than_the_lower_half_of_the_window(stagehand: Stagehand) -> None:
    finished = finish(stagehand.hold("anna"), Done([Child(row={"name": f"child {nth}"}) for nth in range(MANY)]))
    assert finished.queued == MANY
    assert len(finished.rings) == rung(stagehand, second) == second.window // 2
    assert stagehand.counts()["second Queued"] == MANY


def test_the_next_fan_out_gets_only_what_is_left(stagehand: Stagehand) -> None:
    for name in ("anna", "bella", "carla"):
        finish(stagehand.hold(name), Done([Child(row={"name": f"{name} {nth}"}) for nth in range(20)]))
    assert rung(stagehand, second) == second.window // 2


def test_a_fill_rings_up_to_the_window(stagehand: Stagehand) -> None:
    many(stagehand, first)
    assert len(window.fill(first)) == first.window
    assert window.fill(first) == []


def test_a_refill_moves_the_rest_in_once_half_has_drained(stagehand: Stagehand) -> None:
    many(stagehand, first, 150)
    window.fill(first)
    close_what_is_rung(stagehand, first, first.window // 2 - 1)
    assert window.refill(first) == []
    close_what_is_rung(stagehand, first, 1)
    assert len(window.refill(first)) == first.window // 2
    for _ in range(3):
        close_what_is_rung(stagehand, first, MANY)
        window.refill(first)
    assert stagehand.counts() == {"first Filtered": 150}


def test_two_refills_at_once_do_not_exceed_the_window(stagehand: Stagehand) -> None:
    many(stagehand, first)
    for _ in range(5):
        refilled = together(lambda _: len(window.fill(first)), times=4)
        assert sum(refilled) == rung(stagehand, first) == first.window
        close_what_is_rung(stagehand, first, MANY)


def test_threads_that_finish_at_once_share_one_share(stagehand: Stagehand) -> None:
    taken = []
    for _ in range(10):
        shares.forget()
        taken.append(sum(together(lambda _: shares.take(second, MANY), times=4)))
    assert max(taken) <= second.window // 2


def test_a_share_is_divided_among_the_living_workers(stagehand: Stagehand) -> None:
    alone = window.look(second).share
    stagehand.execute(
        "INSERT INTO workers SELECT gen_random_uuid(), host, pid, queues, started_at, beat_at, expires_at FROM workers"
    )
    assert (alone, window.look(second).share) == (second.window // 2, second.window // 4)


def test_an_operator_may_set_the_window_and_take_it_back(stagehand: Stagehand) -> None:
    many(stagehand, first)
    controls.set_window(first, 5)
    assert len(window.fill(first)) == 5
    controls.set_window(first, None)
    assert len(window.fill(first)) == first.window - 5


def test_a_window_that_was_made_smaller_rings_nothing_until_it_has_drained(stagehand: Stagehand) -> None:
    many(stagehand, first)
    window.fill(first)
    controls.set_window(first, 5)
    assert window.fill(first) == []
    assert window.look(first).share == 0


def test_a_paused_stage_rings_nothing_and_a_resumed_one_rings_anew(stagehand: Stagehand) -> None:
    stagehand.add("anna", "bella")
    controls.pause(first)
    stagehand.answer_all()
    many(stagehand, first, 3)
    assert window.fill(first) == []
    assert window.refill(first) == []
    controls.resume(first)
    assert len(stagehand.bells.take()) == 5


def test_children_of_a_paused_stage_wait_unrung(stagehand: Stagehand) -> None:
    controls.pause(second)
    finished = finish(stagehand.hold("anna"), Done([Child(row={"name": "x"})]))
    assert (finished.rings, rung(stagehand, second)) == ([], 0)


def test_the_highest_priority_goes_first(stagehand: Stagehand) -> None:
    controls.set_window(first, 4)
    ids = {
        priority: stagehand.queue(first, stagehand.puppet(f"p{priority}"), priority=priority)
        for priority in (9, 5, 0, 7)
    }
    more = stagehand.queue(first, stagehand.puppet("older"), priority=5)
    stagehand.execute("UPDATE work SET due_at = due_at - interval '1 hour' WHERE id = %s", more[0])
    assert [ring.work_id for ring in window.fill(first)] == [*ids[0], *more, *ids[5], *ids[7]]


def test_rings_of_a_large_fill_go_out_in_order_of_priority(stagehand: Stagehand) -> None:
    many(stagehand, first, 300)
    stagehand.execute("ANALYZE work")
    stagehand.execute("UPDATE work SET priority = id %% 10")
    rings = window.fill(first)
    priorities = {row["id"]: row["priority"] for row in stagehand.rows("SELECT id, priority FROM work")}
    assert [priorities[ring.work_id] for ring in rings] == sorted(priorities[ring.work_id] for ring in rings)


def test_work_that_is_not_due_is_not_rung(stagehand: Stagehand) -> None:
    many(stagehand, first, 3)
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() + interval '1 second'")
    assert window.fill(first) == []


def test_ringing_anew_forgets_what_was_rung(stagehand: Stagehand) -> None:
    stagehand.add("anna", "bella")
    lost = stagehand.bells.take()
    window.ring_anew(first)
    assert {ring.work_id for ring in stagehand.bells.take()} == {ring.work_id for ring in lost}
    assert rung(stagehand, first) == 2


def test_nothing_to_ring_needs_no_broker(stagehand: Stagehand) -> None:
    assert doorbell.ring([]) == 0


def test_lanes_released_together_stay_within_the_window(stagehand: Stagehand) -> None:
    hosts = [f"{nth}.example" for nth in range(3 * third.window)]
    finished = finish(
        stagehand.hold("anna", stage=second), Done([Child(row={"name": host, "host": host}) for host in hosts])
    )
    rings = release(finished.lanes)
    assert len(rings) == rung(stagehand, third)
    assert rung(stagehand, third) <= third.window * 1.5
