"""A PostgreSQL that is killed forgets a claim that was not on its disk yet; the late finish puts its ring back."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import embedded
from embedded import processes
from errors import Filtered
from migrations import upgrade
from models.connect import connect_engine
from pipeline import database, doorbell, lease, run
from pipeline.lease import Lease
from pipeline.window import shares
from tests.chaos.world import PID_FILES
from tests.pipeline.stagehand import Bells, Stagehand
from tests.puppets import create_tables


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A server that leaves what need not wait for the disk in its memory for long."""
    place = tmp_path / "root"
    with embedded.temporary(root=place, parts=["postgres"]) as servers:
        upgrade(servers.database_url)
        engine = connect_engine(servers.database_url)
        create_tables(engine)
        engine.dispose()
        with psycopg.connect(servers.database_url, autocommit=True) as operator:
            operator.execute("ALTER SYSTEM SET wal_writer_delay = '10s'")
        embedded.stop(place, ["postgres"])
        embedded.start(place, ["postgres"])
        database.use(servers.database_url)
        yield place
        database.use(None)


@pytest.fixture
def stagehand(root: Path) -> Iterator[Stagehand]:
    bells = Bells()
    doorbell.install(bells)
    shares.forget()
    lease.install(Lease(["tests"])).renew()
    yield Stagehand(bells)
    doorbell.install(Bells())


def kill_and_start_again(root: Path) -> None:
    pid = processes.recorded_pid(root / PID_FILES["postgres"])
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    processes.wait_until(lambda: not processes.is_alive(pid), 10)
    embedded.start(root, ["postgres"])


def test_work_whose_claim_was_forgotten_is_rung_again_by_its_late_finish(root: Path, stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    stagehand.bells.take()
    turn = stagehand.claim(work)
    kill_and_start_again(root)
    assert not run.end(turn, Filtered("x"))
    row = stagehand.work(work)
    assert (row["status"], row["token"], row["attempts"]) == ("Queued", 0, 0)
    assert [ring.work_id for ring in stagehand.bells.rings] == [work]
    stagehand.answer_all()
    assert stagehand.work(work)["status"] == "Completed"
