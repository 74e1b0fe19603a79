"""What real workers count reaches the database: when they drain all of it, when they are killed all but one beat's."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from embedded import Servers
from tests.chaos.house import House
from tests.chaos.processes import procfile_command, unsupervised, wait_until


@pytest.fixture
def open_house(database_url: str, servers: Servers, tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Open a house whose processes never outlive the test."""
    opened: list[House] = []

    def open_one(**values: str) -> House:
        opened.append(House(database_url, servers.broker_url, tmp_path, WORKER_PROCESSES="1", **values))
        return opened[-1]

    yield open_one
    for house in opened:
        house.close()


def counted(house: House, name: str = "run_bucket") -> int:
    (row,) = house.rows("SELECT coalesce(sum(value), 0)::int AS n FROM meters WHERE name = %s", (name,))
    return int(row["n"])


def finish_some(house: House, tag: str, many: int) -> None:
    house.wait_for("Completed", *[house.add(f"{tag}-{number}") for number in range(many)])


def test_a_worker_that_leaves_tells_everything(open_house: Callable[..., House]) -> None:
    house = open_house(LEASE_BEAT_SECONDS="8")
    process = house.start(unsupervised(procfile_command("worker", house.env), house.env))
    finish_some(house, "before", 6)
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0
    assert counted(house) == counted(house, "attempts") == 6
    (minutes,) = house.rows("SELECT sum(completed)::int AS n FROM stage_minutes")
    assert minutes["n"] == 6


def test_a_killed_worker_takes_at_most_one_beat_with_it(open_house: Callable[..., House]) -> None:
    house = open_house(LEASE_BEAT_SECONDS="1")
    house.crew.start("worker")
    finish_some(house, "told", 5)
    assert wait_until(lambda: counted(house) == 5, 20), house.log()
    finish_some(house, "untold", 3)
    (pid,) = house.leases()
    os.kill(pid, signal.SIGKILL)
    finish_some(house, "after", 4)
    assert wait_until(lambda: 5 + 4 <= counted(house) <= 5 + 3 + 4, 20), house.log()
