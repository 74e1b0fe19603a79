"""A campaign: load, faults one after another, and the wait until everything has settled."""

from __future__ import annotations

import random
import time

from redis.exceptions import RedisError

from tests.chaos.faults import FAULTS
from tests.chaos.havoc import Havoc
from tests.chaos.lies import message
from tests.chaos.load import STAGES, Feeder, make_items
from tests.chaos.plan import Plan
from tests.chaos.processes import Crew, environment, is_gone, wait_until
from tests.chaos.world import World

OPEN = "SELECT count(*) FROM work WHERE status IN ('Queued', 'Processing')"
LIVING_WORKERS = "SELECT count(*) FROM workers WHERE expires_at > clock_timestamp()"
BOOT_SECONDS, LONGEST_SECONDS, SETTLE_SECONDS, ORPHAN_SECONDS = 60.0, 240.0, 180.0, 20.0


class Campaign:
    """One run, from the first item until nothing is queued or running."""

    def __init__(self, world: World, plan: Plan) -> None:
        self.world, self.plan = world, plan
        self.dice = random.Random(plan.seed)
        self.items = make_items(self.dice, plan.items)
        own = {"CHAOS_DIR": str(world.control), "WORKER_PROCESSES": str(plan.workers)}
        self.crew = Crew(environment(str(world.root), **world.settings, **own), world.logs)
        self.havoc = Havoc(world, self.crew, self.dice, plan)
        self.is_settled = False
        self.faults: list[str] = []
        self._swept_at = time.monotonic()

    def run(self) -> None:
        """Start everybody, break things while items come in, and wait until all is quiet."""
        try:
            self._start()
            feeder = Feeder(self.world, self.items, self.plan.feeding_seconds, random.Random(self.plan.seed))
            feeder.start()
            self._break_things()
            feeder.finish()
            self.is_settled = wait_until(self._is_quiet, SETTLE_SECONDS, pause=0.5)
            self._look_for_orphans()
        finally:
            self.havoc.put_right(everything=True)
            self.crew.stop()

    def _start(self) -> None:
        for name in ("worker", "recovery", "sweeper"):
            self.crew.start(name)
        if not wait_until(lambda: self.world.one(LIVING_WORKERS) > self.plan.workers, BOOT_SECONDS):
            raise SystemExit("chaos: the workers did not come up")

    def _break_things(self) -> None:
        """Do what can be done at the moment, first come first; then wait for what must still be put right."""
        waiting, until = self.plan.draw(self.dice), time.monotonic() + LONGEST_SECONDS
        while waiting and time.monotonic() < until:
            kind = next((kind for kind in waiting if FAULTS[kind](self.havoc)), None)
            if kind is not None:
                waiting.remove(kind)
            self._pause(self.dice.uniform(*self.plan.seconds_between) if kind else 0.2)
        while self.havoc.later:
            self._pause(0.2)

    def _pause(self, seconds: float) -> None:
        """Wait, putting right what is due meanwhile."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.havoc.put_right()
            self._ring_sweepers()
            time.sleep(0.1)

    def _is_quiet(self) -> bool:
        self._ring_sweepers()
        return bool(self.world.one(OPEN) == 0)

    def _ring_sweepers(self) -> None:
        """Have the real sweepers run more often than cron can say."""
        every = self.plan.sweeps_every_seconds
        if every is None or time.monotonic() - self._swept_at < every:
            return
        self._swept_at = time.monotonic()
        try:
            self.world.broker().rpush("scrapersky:sweeps", *(message("sweeps", actor=f"sweep_{s}") for s in STAGES))
        except RedisError:
            return  # the broker is away, which is the point

    def _look_for_orphans(self) -> None:
        """A worker whose parent was killed must be gone by now."""
        orphans = self.havoc.orphans
        wait_until(lambda: all(map(is_gone, orphans)), ORPHAN_SECONDS)
        self.faults += [f"process {pid} outlived its parent" for pid in orphans if not is_gone(pid)]
        if not self.is_settled:
            self.faults.append(f"{self.world.one(OPEN)} rows are still queued or running")
