"""Whatever happens, in whatever order: no work is lost, none is done twice, and everything ends."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from errors import Outcome
from pipeline import controls, curation, doorbell, lease, rescue, run, selection, window
from pipeline.claim import claim
from pipeline.lease import Lease
from pipeline.selection import Match
from pipeline.stage import Done, Stage, Turn, stage_named
from pipeline.sweep import sweep
from tests.machine.endings import end, outcomes, results
from tests.machine.theatre import FINISHED, Theatre, broken_rules
from tests.pipeline.stagehand import Bells
from tests.puppets import fifth, first, fourth, second, third

STAGES = (first, second, third, fourth, fifth)
HOSTS = ("a.example", "b.example", "c.example", "d.example", "e.example", None)
ACTS = ("passing", "final", "filtered", "bug", "childless", "nothing", "no-result")
MOST_PUPPETS = 16

Draw = Callable[[st.SearchStrategy[Any]], Any]

stages = st.sampled_from((*STAGES, third, third))  # lanes have the most that can go wrong
picks = st.integers(min_value=0, max_value=1000)
hosts = st.lists(st.sampled_from(HOSTS), min_size=2, max_size=6)
scripts = st.one_of(
    st.just({}),
    st.builds(lambda stage, fan: {stage.name: {"fan": fan}}, st.sampled_from((first, second)), st.integers(0, 4)),
    st.builds(lambda stage, act: {stage.name: {"acts": [act]}}, stages, st.sampled_from(ACTS)),
)
PROFILES = {
    "fast": settings(max_examples=25, stateful_step_count=40, derandomize=True),
    "deep": settings(max_examples=200, stateful_step_count=80, derandomize=False),
}


class Machine(RuleBasedStateMachine):
    """Everything that can happen to the engine, one step at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.theatre = Theatre()
        self.bells = self.theatre.bells
        doorbell.install(self.bells)
        self.workers = [Lease([f"worker {nth}"]) for nth in range(3)]
        self.dead: set[int] = set()
        self.turns: list[Turn] = []
        self.reopened_by: str | None = None
        self.since_sweep = timedelta(0)

    @initialize(sizes=st.lists(st.integers(1, 4), min_size=5, max_size=5), stage=stages, hosts=hosts)
    def open_the_house(self, sizes: list[int], stage: Stage, hosts: list[str | None]) -> None:
        for one, size in zip(STAGES, sizes, strict=True):
            controls.set_window(one, size)
        self.renew()
        self.add(stage, hosts, {}, auto=True, priority=5)

    # No preconditions: they would hang on what is due just now, and Hypothesis wants to draw the same from the same
    # steps. A rule for which there is nothing to do makes work for the next instead.

    @rule(stage=stages, hosts=hosts, script=scripts, auto=st.booleans(), priority=st.integers(0, 9))
    def add(self, stage: Stage, hosts: list[str | None], script: dict[str, Any], auto: bool, priority: int) -> None:
        known = len(self.theatre.puppets)
        if known >= MOST_PUPPETS:
            return
        puppets = [self.theatre.hand.puppet(f"{known + nth}", host=host, **script) for nth, host in enumerate(hosts)]
        self.theatre.hand.queue(stage, *puppets, auto=auto, priority=priority)
        self.bells.ring(window.refill(stage))

    # Rules are drawn evenly: what happens seldom shares a rule, so that most steps get work done.

    @rule(does=st.sampled_from(("add_again", "curate", "pause_or_resume", "cancel", "retry")), data=st.data())
    def a_person(self, does: str, data: st.DataObject) -> None:
        getattr(self, does)(data.draw)

    def add_again(self, draw: Draw) -> None:
        self.reopened_by = "add"
        self.theatre.hand.queue(draw(stages), self.pick_puppet(draw(picks)), auto=draw(st.booleans()))

    def curate(self, draw: Draw) -> None:
        self.reopened_by = "curate"
        status = draw(st.sampled_from(("Selected", "Maybe", "New")))
        curated = curation.curate(draw(stages), [self.pick_puppet(draw(picks))], status, auto=draw(st.booleans()))
        assert curated.updated_count == 1
        if status != "Selected":
            assert (curated.queued_count, self.theatre.work()) == (0, self.theatre.rows)

    def pause_or_resume(self, draw: Draw) -> None:
        stage = draw(stages)
        if controls.paused_stages():
            controls.resume(stage)
        else:
            controls.pause(stage)

    def cancel(self, draw: Draw) -> None:
        row = self.pick_row(draw(picks))
        match = Match(stage=row["stage"]) if draw(st.booleans()) else Match(ids=[row["id"]])
        expected = selection.cancel(match, dry_run=True)
        assert selection.cancel(match) == expected
        assert self.theatre.hand.work(row["id"])["status"] in FINISHED

    def retry(self, draw: Draw) -> None:
        self.reopened_by = "retry"
        row = self.pick_row(draw(picks))
        status = row["status"] if row["status"] in FINISHED else None
        match = Match(stage=row["stage"], status=status) if draw(st.booleans()) else Match(ids=[row["id"]])
        expected = selection.retry(match, dry_run=True)
        assert selection.retry(match) == expected

    @rule(does=st.sampled_from(("refill", "lose", "double", "forget_everything")), data=st.data())
    def the_broker(self, does: str, data: st.DataObject) -> None:
        getattr(self, does)(data.draw)

    def refill(self, draw: Draw | None = None) -> None:
        for stage in STAGES:
            self.bells.ring(window.refill(stage))

    def lose(self, draw: Draw) -> None:
        for pick in draw(st.lists(picks, max_size=3))[: len(self.bells.rings)]:
            self.bells.rings.pop(pick % len(self.bells.rings))

    def double(self, draw: Draw) -> None:
        for pick in draw(st.lists(picks, max_size=3))[: len(self.bells.rings)]:
            self.bells.ring([self.bells.rings[pick % len(self.bells.rings)]])

    def forget_everything(self, draw: Draw) -> None:
        if draw(st.booleans()):
            self.bells.take()
        for stage in STAGES:
            window.ring_anew(stage)

    @rule(picks=st.lists(picks, min_size=1, max_size=6), worker=picks)
    def answer(self, picks: list[int], worker: int) -> None:
        if not self.living() or not self.bells.rings:
            self.refill()
            return
        lease.install(self.pick_worker(worker))
        for pick in picks[: len(self.bells.rings)]:
            ring = self.bells.rings.pop(pick % len(self.bells.rings))
            run.answer(stage_named(ring.stage), ring.work_id)

    @rule(most=st.integers(1, 9), worker=picks)
    def claim_and_hold(self, most: int, worker: int) -> None:
        if not self.living() or not self.bells.rings:
            self.refill()
            return
        for _ in range(min(most, len(self.bells.rings))):
            ring = self.bells.rings.pop()
            held = claim(stage_named(ring.stage), ring.work_id, self.pick_worker(worker).id)
            if held is not None:
                assert held.token > self.theatre.rows[held.work_id]["token"]
                self.turns.append(held)

    @rule(pick=picks, outcome=outcomes)
    def end_a_held_turn(self, pick: int, outcome: Done | Outcome) -> None:
        if not self.turns:
            self.claim_and_hold(3, pick)
            return
        end(self.theatre, self.turns.pop(pick % len(self.turns)), outcome)

    @rule(pick=picks, outcome=results)
    def complete_a_held_turn(self, pick: int, outcome: Done) -> None:
        if not self.turns:
            self.claim_and_hold(3, pick)
            return
        end(self.theatre, self.turns.pop(pick % len(self.turns)), outcome)

    @rule(does=st.sampled_from(("dies", "is_rescued", "rises_again", "drains", "hangs")), pick=picks)
    def a_worker(self, does: str, pick: int) -> None:
        if not self.turns and not self.dead:
            self.claim_and_hold(3, pick)
            return
        getattr(self, does)(pick)

    def dies(self, pick: int) -> None:
        if self.living():
            died = self.pick_worker(pick)
            self.dead.add(self.workers.index(died))
            sql = "UPDATE workers SET expires_at = clock_timestamp() - interval '1 second' WHERE id = %s"
            self.theatre.hand.execute(sql, died.id)

    def is_rescued(self, pick: int) -> None:
        held = {self.workers[died].id for died in self.dead}
        expected = {row["id"] for row in self.theatre.rows.values() if row["worker_id"] in held}
        rescued = rescue.rescue_dead()
        assert set(rescued.work_ids) == expected
        rescued.ring()

    def rises_again(self, pick: int) -> None:
        """A process that was only stopped for a while renews its lease."""
        for risen in sorted(self.dead)[: pick % 2 + 1]:
            self.dead.discard(risen)
            self.workers[risen].renew()

    def drains(self, pick: int) -> None:
        leaving = self.workers[pick % len(self.workers)]
        held = {row["id"]: row["attempts"] for row in self.theatre.rows.values() if row["worker_id"] == leaving.id}
        handed = rescue.hand_back(leaving.id)
        assert set(handed.work_ids) == held.keys()
        assert all(self.theatre.hand.work(work)["attempts"] == spent - 1 for work, spent in held.items())
        handed.ring()

    def hangs(self, pick: int) -> None:
        if self.turns:
            turn = self.turns[pick % len(self.turns)]
            sql = "UPDATE work SET deadline_at = started_at WHERE id = %s AND status = 'Processing'"
            self.theatre.hand.execute(sql, turn.work_id)
            rescue.rescue_overdue(turn.stage).ring()
            assert self.theatre.hand.work(turn.work_id)["status"] != "Processing"

    @rule(picks=st.lists(picks, min_size=1, max_size=3))
    def the_server_forgets_claims(self, picks: list[int]) -> None:
        for pick in picks[: len(self.turns)]:
            self.theatre.forget_claim(self.turns[pick % len(self.turns)])

    @rule(seconds=st.sampled_from((1, 5, 20, 60)))
    def time_passes(self, seconds: int) -> None:
        self.time_passes_by(timedelta(seconds=seconds))

    def time_passes_by(self, by: timedelta) -> None:
        """Sweepers run every minute."""
        self.theatre.pass_time(by)
        self.since_sweep += by
        self.renew()
        if self.since_sweep >= timedelta(minutes=1):
            self.sweep_all()

    def sweep_all(self) -> None:
        for stage in STAGES:
            sweep(stage)
        self.since_sweep = timedelta(0)
        assert broken_rules(after_a_sweep=True) == []

    @invariant()
    def everything_holds(self) -> None:
        self.theatre.check(reopened_by=self.reopened_by)
        self.reopened_by = None

    def teardown(self) -> None:
        try:
            self.settle()
        finally:
            doorbell.install(Bells())

    def settle(self) -> None:
        """Let everything come to rest: whatever happened before, all work ends."""
        self.turns.clear()
        self.workers, self.dead = [Lease(["the last worker"])], set()
        self.theatre.hand.execute("DELETE FROM workers")
        lease.install(self.workers[0]).renew()
        for name in controls.paused_stages():
            controls.resume(stage_named(name))
        for _ in range(60):
            self.answer_until_quiet()
            if not self.theatre.open_work():
                return
            self.time_passes_by(timedelta(minutes=1))
        raise AssertionError(f"never ends: {self.theatre.open_work()}")

    def answer_until_quiet(self) -> None:
        for _ in range(200):
            rings = self.bells.take()
            if not rings:
                return
            for ring in rings:
                run.answer(stage_named(ring.stage), ring.work_id)
            self.theatre.check(reopened_by=None)
            self.time_passes_by(timedelta(seconds=2))
        raise AssertionError("the bells never stop ringing")

    def living(self) -> list[Lease]:
        return [worker for nth, worker in enumerate(self.workers) if nth not in self.dead]

    def renew(self) -> None:
        for worker in self.living():
            worker.renew()

    def pick_worker(self, pick: int) -> Lease:
        return self.living()[pick % len(self.living())]

    def pick_puppet(self, pick: int) -> int:
        return self.theatre.puppets[pick % len(self.theatre.puppets)]

    def pick_row(self, pick: int) -> dict[str, Any]:
        return self.theatre.rows[sorted(self.theatre.rows)[pick % len(self.theatre.rows)]]


@pytest.fixture
def _quiet() -> Iterator[None]:
    """Thousands of lines about scripted failures help nobody."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.reset_defaults()


@pytest.mark.usefixtures("_quiet", "db")
def test_no_order_of_events_breaks_the_machine() -> None:
    chosen = PROFILES[os.environ.get("HYPOTHESIS_PROFILE", "fast")]
    run_state_machine_as_test(
        Machine, settings=settings(chosen, deadline=None, suppress_health_check=list(HealthCheck))
    )
