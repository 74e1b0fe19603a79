"""On RabbitMQ as on Valkey: a search is pushed from stage to stage, and a broker that loses all loses no work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandbox import serving
from tests.chaos.processes import Crew, environment, wait_until
from tests.machines.town import FAST, Town
from tests.rabbitmq import puppets
from tests.rabbitmq.node import Node

PERFECT = "precision=1.0000 recall=1.0000"
LONGEST_SECONDS = 240.0


@pytest.fixture
def town(database_url: str) -> Town:
    return Town(database_url, 8)


@pytest.fixture
def crew(town: Town, node: Node, tmp_path: Path) -> Iterator[Callable[..., Crew]]:
    """Start processes of the Procfile on the node, in the made-up town."""
    started: list[Crew] = []
    with serving(town.world) as served:

        def start(*names: str, **values: str) -> Crew:
            sites = f"127.0.0.1:{served.address[1]}"
            urls = {"DATABASE_URL": town.url, "BROKER_URL": node.url, "SANDBOX_ADDRESS": sites}
            started.append(Crew(environment(str(tmp_path), **FAST, **urls, **values), tmp_path))
            for name in names:
                started[-1].start(name)
            return started[-1]

        try:
            yield start
        finally:
            for each in started:
                each.kill_rest()


def wait_for_the_end(town: Town, tmp_path: Path) -> None:
    has_ended = wait_until(town.is_over, LONGEST_SECONDS, 0.5)
    logs = "".join(file.read_text(errors="replace")[-3000:] for file in tmp_path.glob("*.log"))
    assert has_ended, f"{town.still_open()}\n{logs}"


def test_a_search_is_pushed_to_its_end_without_sweepers(town: Town, crew: Callable[..., Crew], tmp_path: Path) -> None:
    town.search()
    workers = crew("worker")
    wait_for_the_end(town, tmp_path)
    workers.stop()
    town.check()
    assert town.many("work WHERE status = 'Completed' AND stage = 'page_curation'") > 0
    assert town.score(workers.env).endswith(PERFECT)


def test_a_broker_that_loses_everything_loses_no_work(
    town: Town, node: Node, crew: Callable[..., Crew], tmp_path: Path
) -> None:
    town.search()
    puppets.add(town)
    everybody = crew("worker", "recovery", "sweeper", STAGE_MODULES="actors,tests.puppets")
    assert wait_until(lambda: town.done() >= 100, LONGEST_SECONDS, 0.05), town.still_open()
    node.lose_everything()
    assert not town.is_over(), "all was done before the broker was killed"
    node.start()
    wait_for_the_end(town, tmp_path)
    everybody.stop()
    town.check()
    assert puppets.arrived(town) == puppets.ARRIVED
    assert puppets.applause(town) == {1}
    assert town.score(everybody.env).endswith(PERFECT)
