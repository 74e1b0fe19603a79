"""Sweepers: one cron actor per stage, on a queue of their own, with intervals that cron can say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

# In a process of its own: importing the sweepers sets up the broker and the logs of the whole process.
DESCRIBE = """
import json
from pendulum import datetime as at
from periodiq import cron
from scheduling import sweepers
from scheduling.sweeper import cron_line
lines = {str(n): cron_line(n) for n in [*range(1, 60), *range(60, 1441, 60)]}
for line in lines.values():
    assert cron(line).next_valid_date(at(2026, 11, 15, 12, 30, 30))
start = at(2026, 11, 15, 12, 30, 30)
made = sweepers.SWEEPERS.values()
actors = {a.actor_name: [a.queue_name, str(a.options["periodic"].next_valid_date(start))] for a in made}
print(json.dumps({"lines": lines, "actors": actors}))
"""


@pytest.fixture(scope="module")
def described() -> Any:
    environment = {**os.environ, "STAGE_MODULES": "tests.puppets", "SECOND_SCHEDULER_INTERVAL_MINUTES": "120"}
    done = subprocess.run(
        [sys.executable, "-c", DESCRIBE], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_allowed_interval_is_a_cron_line_that_comes_round(described: Any) -> None:
    lines = described["lines"]
    assert lines["1"] == "*/1 * * * *"
    assert lines["59"] == "*/59 * * * *"
    assert lines["60"] == "0 */1 * * *"
    assert lines["720"] == "0 */12 * * *"
    assert lines["1440"] == "0 0 * * *"
    assert len(lines) == 59 + 24


def test_there_is_one_sweeper_per_stage_one_check_of_the_invariants_and_one_of_retention(described: Any) -> None:
    actors = described["actors"]
    names = {f"sweep_{stage}" for stage in ("first", "second", "third", "fourth", "fifth")}
    assert actors.keys() >= names | {"check_invariants", "blank_expired"}
    assert {name for name in actors if name.startswith("sweep_")} == names
    assert {queue for queue, _ in actors.values()} == {"sweeps"}
    assert "12:31:00" in actors["sweep_first"][1]
    assert "13:17:00" in actors["blank_expired"][1]
    assert "14:00:00" in actors["sweep_second"][1]
