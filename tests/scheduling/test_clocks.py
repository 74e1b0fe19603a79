"""Three clock processes on the same schedules, one of them killed: every tick fires once, and none is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from embedded import Servers
from pipeline import doorbell
from tests.chaos.processes import environment, start, wait_until
from tests.pipeline.stagehand import Bells, Stagehand
from tests.scheduling.orders import owing

Clock = subprocess.Popen[bytes]

SCHEDULES, TICKS = 20, 90
FIRED = "SELECT count(*)::int AS many FROM schedule_fires"
LOSE_CONNECTIONS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"""
# Every tick that was ever due and is not in the history, or is there without having been fired.
WRONG = """
SELECT schedules.id, due.at, result FROM schedules
CROSS JOIN LATERAL generate_series(starts_at, settled_until, interval '1 minute') AS due (at)
LEFT JOIN schedule_fires ON schedule_id = schedules.id AND fire_at = due.at
WHERE due.at > %s AND enabled AND (result IS NULL OR result = 'missed')"""


@pytest.fixture
def hand(db: str) -> Stagehand:
    doorbell.install(Bells())
    return Stagehand(Bells())


@pytest.fixture
def start_three(db: str, servers: Servers, tmp_path: Path) -> Iterator[Callable[[], list[Clock]]]:
    """Starts three clocks, whose words end up in files."""
    given = {"DATABASE_URL": db, "REDIS_URL": servers.broker_url, "STAGE_MODULES": "tests.puppets"}
    env = environment("clocks", **given, LOG_FORMAT="json", LOG_LEVEL="INFO")
    made: list[Clock] = []

    def start_them() -> list[Clock]:
        command = [sys.executable, "-m", "scheduling.clock"]
        made.extend(start(command, env, tmp_path / f"clock-{nth}.log") for nth in range(3))
        return made

    yield start_them
    for clock in made:
        clock.kill()
        clock.wait()


def fired(hand: Stagehand) -> int:
    return int(hand.rows(FIRED)[0]["many"])


def test_three_clocks_of_which_one_is_killed_fire_each_tick_once(
    hand: Stagehand, start_three: Callable[[], list[Clock]], tmp_path: Path
) -> None:
    since = hand.rows("SELECT date_trunc('second', clock_timestamp()) - %s * interval '1 minute' AS at", TICKS)[0]["at"]
    puppets = [hand.puppet(f"puppet {nth}") for nth in range(SCHEDULES)]
    for puppet in puppets:
        owing(hand, TICKS, entity_id=puppet, catch_up="all", misfire_grace_seconds=604800)
    paused = owing(hand, TICKS, entity_id=puppets[0], catch_up="all", enabled=False)
    # One more tick of each is to come while they run.
    hand.execute("UPDATE schedules SET starts_at = starts_at - interval '50 seconds' WHERE enabled")
    three = start_three()
    assert wait_until(lambda: fired(hand) > 50, 60)
    os.kill(three[0].pid, signal.SIGKILL)
    assert wait_until(lambda: fired(hand) > 300, 60)
    hand.rows(LOSE_CONNECTIONS)
    assert wait_until(lambda: fired(hand) >= SCHEDULES * (TICKS + 1), 120), fired(hand)
    assert hand.rows(WRONG, since) == []
    assert hand.rows("SELECT * FROM schedule_fires WHERE schedule_id = %s", paused) == []
    told = Counter(lines(tmp_path))
    assert set(told.values()) == {1}
    kept = hand.rows("SELECT schedule_id, fire_at FROM schedule_fires")
    assert told.keys() <= {(row["schedule_id"], row["fire_at"].isoformat()) for row in kept}
    assert [clock.poll() for clock in three] == [-signal.SIGKILL, None, None]


def lines(folder: Path) -> Iterator[tuple[int, str]]:
    """Every firing that any clock has told of."""
    for log in folder.glob("clock-*.log"):
        for line in log.read_text().splitlines():
            if '"schedule-fired"' in line:
                told = json.loads(line)
                yield told["schedule"], told["due"]


def test_clocks_tell_when_each_job_runs_next(hand: Stagehand, start_three: Callable[[], list[Clock]]) -> None:
    owing(hand, 1)
    start_three()
    wanted = "SELECT name FROM jobs WHERE kind = 'clock' AND next_run_at > clock_timestamp() ORDER BY name"
    assert wait_until(lambda: len(hand.rows(wanted)) == 2, 60)
    names = [row["name"] for row in hand.rows(wanted)]
    assert names[0] == "read-schedules"
    assert names[1].startswith("schedule-")
