"""Three machines that share Postgres, the broker and nothing else finish one search, also when one of them dies."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from embedded import Servers
from sandbox import Served, serving
from tests.chaos.processes import wait_until
from tests.machines.machine import Machine, can_be_apart
from tests.machines.outside import postgres, sandbox, valkey
from tests.machines.town import FAST, Town
from tests.politeness.observe import most_at_once, shortest_gap, visits

NAMES = ("north", "south", "east")
BUSINESSES = 20
GAP = 0.2
LONGEST_SECONDS = 180.0
SETTINGS = FAST | {"LANE_GAP_SECONDS": str(GAP), "LANE_CAP": "1", "WORKER_PROCESSES": "1", "WORKER_THREADS": "6"}
READ = "work WHERE status = 'Completed' AND stage = 'page_curation'"
WORKERS = "workers WHERE queues <> '{sweeps}'"
RUNNING_ON = """work JOIN workers ON workers.id = worker_id
WHERE status = 'Processing' AND (host = %s OR pid = ANY(%s) AND host NOT IN ('north', 'south', 'east'))"""


@pytest.fixture
def town(database_url: str, servers: Servers) -> Town:
    with redis.Redis.from_url(servers.broker_url) as broker:
        broker.flushall()
    return Town(database_url, BUSINESSES)


@pytest.fixture
def sites(town: Town) -> Iterator[Served]:
    with serving(town.world, latency=0.02) as served:
        yield served


@pytest.fixture
def machines(town: Town, servers: Servers, sites: Served, tmp_path: Path) -> Iterator[list[Machine]]:
    """Three machines, each wired to the servers over TCP, the first with the processes that only one needs."""
    shared = [postgres(town.url), valkey(servers.broker_url), sandbox(sites.address)]
    is_apart = can_be_apart()
    made: list[Machine] = []
    try:
        for name in NAMES:
            made.append(Machine(name, tmp_path, shared, is_apart=is_apart))
        yield made
    finally:
        for machine in made:
            machine.kill()


def start(town: Town, machines: list[Machine]) -> None:
    """Start workers everywhere, and what one of a kind is enough of on the first machine."""
    for machine in machines:
        machine.start(["worker", "recovery", "sweeper"] if machine is machines[0] else ["worker"], SETTINGS)
    assert wait_until(lambda: town.many(WORKERS) == len(machines), 60), "".join(machine.log() for machine in machines)


def stop(machines: list[Machine]) -> None:
    """Let machines drain, all at once."""
    for machine in machines:
        machine.ask_to_stop()
    for machine in machines:
        assert machine.has_stopped(), machine.log()


def running_on(town: Town, machine: Machine) -> int:
    """Count the work that a machine is doing now; without a name of its own, its processes tell."""
    pids = [process.pid for process in machine.alive()]
    return town.many(RUNNING_ON, machine.name, pids)


def is_stopped_at_work(town: Town, machine: Machine) -> bool:
    """Stop a machine, and let it go on if it was idle: one that dies idle would prove nothing."""
    machine.signal(signal.SIGSTOP)
    if running_on(town, machine):
        return True
    machine.signal(signal.SIGCONT)
    return False


def test_a_machine_dies_and_the_others_finish_its_work(town: Town, sites: Served, machines: list[Machine]) -> None:
    start(town, machines)
    town.search()
    victim = machines[1]
    assert wait_until(lambda: town.many(READ) >= 10, LONGEST_SECONDS), town.still_open()
    assert wait_until(lambda: is_stopped_at_work(town, victim), LONGEST_SECONDS), victim.log()
    victim.kill()
    assert not town.is_over(), "all was done before the machine died"

    assert wait_until(town.is_over, LONGEST_SECONDS, 0.2), f"{town.still_open()}\n{machines[0].log()}"
    stop([machines[0], machines[2]])
    town.check()
    assert town.many("failures WHERE kind = 'crash'") > 0
    assert town.score(machines[0].env).endswith("precision=1.0000 recall=1.0000")
    seen = visits(sites.log())
    known = {row["name"] for row in town.rows("SELECT name FROM domains")}
    assert {lane: shortest_gap(seen[lane]) for lane in known & set(seen) if shortest_gap(seen[lane]) < GAP} == {}
    assert {lane for lane in known & set(seen) if most_at_once(seen[lane]) > 1} == set()
