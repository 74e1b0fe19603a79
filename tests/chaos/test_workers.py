"""Worker processes as the Procfile starts them: how they drain, die, and leave nobody behind."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from embedded import Servers
from tests.chaos.house import House
from tests.chaos.lies import message
from tests.chaos.processes import procfile_command, unsupervised, wait_until
from tests.chaos.trap import LAST_ORDER

ENOUGH_TO_DRAIN, TOO_LONG_TO_DRAIN = 1, 60


@pytest.fixture
def open_house(database_url: str, servers: Servers, tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Open a house whose processes never outlive the test."""
    opened: list[House] = []

    def open_one(**values: str) -> House:
        opened.append(House(database_url, servers.broker_url, tmp_path, **values))
        return opened[-1]

    yield open_one
    for house in opened:
        house.close()


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    return open_house(WORKER_PROCESSES="1")


def supervised_worker(house: House) -> list[str]:
    return procfile_command("worker", house.env)


def bare_worker(house: House) -> list[str]:
    return unsupervised(supervised_worker(house), house.env)


def busy_rows(house: House) -> tuple[int, int, int]:
    """Add work that can be drained, work that cannot, and such work in a lane; all of it is running."""
    brief = house.add("brief", seconds=ENOUGH_TO_DRAIN)
    endless = house.add("endless", seconds=TOO_LONG_TO_DRAIN)
    visiting = house.add("visiting", stage="third", host="slow.example", seconds=TOO_LONG_TO_DRAIN)
    house.wait_for("Processing", brief, endless, visiting)
    return brief, endless, visiting


def assert_drained(house: House, brief: int, *endless: int) -> None:
    """What could end has ended in its first run; the rest waits unspent; no process, lease or lane is held."""
    house.wait_until_empty()
    assert (house.work(brief)["status"], house.work(brief)["token"]) == ("Completed", 1), house.log()
    for work_id in endless:
        row = house.work(work_id)
        assert (row["status"], row["attempts"], row["crashes"]) == ("Queued", 0, 0), house.log()
    assert house.leases() == []
    assert house.rows("SELECT host FROM hosts WHERE inflight <> 0") == []
    assert house.rows("SELECT kind FROM failures") == []


def test_sigterm_lets_running_work_end_and_hands_back_the_rest(open_house: Callable[..., House]) -> None:
    house = open_house(DRAIN_SECONDS="2")
    process = house.start(bare_worker(house))
    rows = busy_rows(house)
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0
    assert_drained(house, *rows)


def test_sigint_to_the_supervisor_drains_too(house: House) -> None:
    process = house.start(supervised_worker(house))
    rows = busy_rows(house)
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0
    assert_drained(house, *rows)


def test_honcho_may_signal_the_whole_group_and_twice(open_house: Callable[..., House]) -> None:
    house = open_house(DRAIN_SECONDS="2")  # honcho kills what has not ended after five
    procfile = house.directory / "Procfile"
    procfile.write_text(f"worker: {shlex.join(supervised_worker(house))}\n")
    command = [sys.executable, "-m", "honcho", "start", "--env", os.devnull, "--procfile", str(procfile)]
    honcho = house.start(command)
    rows = busy_rows(house)
    for _ in range(2):
        os.killpg(honcho.pid, signal.SIGTERM)
        time.sleep(0.3)
    honcho.wait(10)
    assert_drained(house, *rows)


def test_a_killed_supervisor_leaves_no_orphans(house: House) -> None:
    process = house.start(supervised_worker(house))
    brief = house.add("brief", seconds=ENOUGH_TO_DRAIN)
    house.wait_for("Processing", brief)
    process.kill()
    assert_drained(house, brief)
    process.wait()


def test_a_worker_whose_parent_is_killed_drains_and_ends(open_house: Callable[..., House]) -> None:
    house = open_house(DRAIN_SECONDS="2")
    process = house.start(bare_worker(house))
    rows = busy_rows(house)
    process.kill()
    assert_drained(house, *rows)
    process.wait()


def test_a_dead_consumer_thread_makes_the_process_leave_and_another_come(open_house: Callable[..., House]) -> None:
    house = open_house(STAGE_MODULES="tests.chaos.dying", WORKER_PROCESSES="1")
    house.crew.start("worker")
    house.wait_for("Completed", house.add("before"))
    (pid,) = house.leases()
    far_away = (time.time() + 3600) * 1000
    house.broker.rpush("scrapersky:first.DQ", message("first.DQ", LAST_ORDER, options={"eta": far_away}))
    assert wait_until(lambda: house.leases() not in ([pid], []), 20), house.log()
    assert "consumer-thread-dead: first.DQ" in house.log()
    house.wait_for("Completed", house.add("after"))


def test_peers_run_a_crashed_workers_row_again_within_20_seconds(open_house: Callable[..., House]) -> None:
    house = open_house(WORKER_PROCESSES="2")
    house.crew.start("worker")
    assert wait_until(lambda: len(house.leases()) == 2, 20), house.log()
    row = house.add("victim", seconds=1)
    house.wait_for("Processing", row)
    (held,) = house.rows("SELECT pid FROM workers JOIN work ON work.worker_id = workers.id")
    os.kill(held["pid"], signal.SIGKILL)
    assert wait_until(lambda: house.work(row)["token"] == 3, 20), house.log()
    assert house.work(row)["crashes"] == 1
    house.wait_for("Completed", row)
