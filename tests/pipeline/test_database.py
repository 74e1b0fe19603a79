"""Connections: single statements and transactions that go on after Postgres has dropped them."""

from __future__ import annotations

import threading

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from errors import LateFinish
from pipeline import run
from pipeline.claim import claim
from pipeline.database import database, statement, transaction
from pipeline.finish import finish
from pipeline.lease import Lease
from pipeline.stage import Child, Done
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import first

LOST = (psycopg.OperationalError, DBAPIError)


def drop_every_connection() -> None:
    with psycopg.connect(database().url, autocommit=True) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def one() -> int:
    with statement() as connection:
        return int(connection.execute("SELECT 1").fetchone()[0])  # type: ignore[index]


def one_in_a_transaction() -> int:
    with transaction() as (_, connection):
        return int(connection.execute("SELECT 1").fetchone()[0])  # type: ignore[index]


def hold_several(step: object, many: int) -> None:
    """Open several connections at once, so that several lie idle afterwards."""
    barrier = threading.Barrier(many)

    def hold(_: int) -> None:
        with step() as _lent:  # type: ignore[operator]
            barrier.wait()

    together(hold, times=many)


def tries_until_it_works(step: object, most: int) -> int:
    for tried in range(1, most + 1):
        try:
            assert step() == 1  # type: ignore[operator]
        except LOST:
            continue
        return tried
    raise AssertionError("it never works again")


@pytest.mark.usefixtures("db")
def test_a_dropped_statement_fails_once_and_the_next_works() -> None:
    one()
    drop_every_connection()
    with pytest.raises(psycopg.OperationalError):
        one()
    assert one() == 1


@pytest.mark.usefixtures("db")
def test_a_dropped_transaction_fails_once_and_the_next_works() -> None:
    one_in_a_transaction()
    drop_every_connection()
    with pytest.raises(LOST):
        one_in_a_transaction()
    assert one_in_a_transaction() == 1


@pytest.mark.usefixtures("db")
def test_after_a_restart_every_idle_connection_is_replaced() -> None:
    hold_several(statement, 5)
    hold_several(transaction, 5)
    drop_every_connection()
    assert tries_until_it_works(one, most=6) <= 6
    assert tries_until_it_works(one_in_a_transaction, most=6) <= 6


@pytest.mark.usefixtures("db")
def test_idle_connections_are_used_again() -> None:
    for _ in range(5):
        one()
    assert len(database()._idle) == 1
    hold_several(statement, 3)
    assert len(database()._idle) == 3


@pytest.mark.usefixtures("db")
def test_a_statement_that_is_wrong_does_not_cost_its_connection() -> None:
    with statement() as connection:
        pid = connection.info.backend_pid
    with pytest.raises(psycopg.errors.DivisionByZero), statement() as connection:
        connection.execute("SELECT 1 / 0")
    with statement() as connection:
        assert connection.info.backend_pid == pid
        assert connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


@pytest.mark.usefixtures("db")
def test_a_transaction_is_one_for_the_session_and_the_driver(stagehand: Stagehand) -> None:
    stagehand.puppet("anna")
    with pytest.raises(ZeroDivisionError):
        _applaud_and_fail()
    assert stagehand.rows("SELECT applause FROM puppets") == [{"applause": 0}]


def _applaud_and_fail() -> None:
    with transaction() as (session, connection):
        connection.execute("UPDATE puppets SET applause = 1")
        assert session.execute(text("SELECT applause FROM puppets")).scalar_one() == 1
        session.execute(text("UPDATE puppets SET applause = 2"))
        raise ZeroDivisionError


def test_work_goes_on_when_every_connection_was_dropped(stagehand: Stagehand, worker: Lease) -> None:
    (work,) = stagehand.add("anna", host="anna.example")
    hold_several(statement, 4)
    hold_several(transaction, 4)
    drop_every_connection()
    run.answer(first, work)
    assert stagehand.status(work) == ("Completed", None)


def test_a_column_added_by_a_migration_does_not_stop_running_workers(stagehand: Stagehand) -> None:
    for name in ("anna", "bella", "carla"):
        stagehand.hold(name)
    (work,) = stagehand.add("dora")
    with psycopg.connect(database().url, autocommit=True) as operator:
        operator.execute("ALTER TABLE puppets ADD COLUMN age int")
        try:
            run.answer(first, work)
            assert stagehand.status(work) == ("Completed", None)
        finally:
            operator.execute("ALTER TABLE puppets DROP COLUMN age")


def test_a_result_is_stored_with_its_reason_or_not_at_all(stagehand: Stagehand) -> None:
    finish(stagehand.hold("anna"), Done([Child(row={"name": "x"})]))
    turn = stagehand.hold("bella")
    stagehand.execute(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'lost'; END $$;"
        "CREATE TRIGGER fail BEFORE UPDATE ON work FOR EACH ROW WHEN (NEW.reason = 'no-new-children')"
        " EXECUTE FUNCTION fail()"
    )
    try:
        with pytest.raises(psycopg.Error):
            finish(turn, Done([Child(row={"name": "x"})]))
        assert stagehand.work(turn.work_id)["status"] == "Processing"
    finally:
        stagehand.execute("DROP FUNCTION fail CASCADE")


def test_a_claim_whose_answer_was_lost_cannot_be_finished_twice(stagehand: Stagehand, worker: Lease) -> None:
    (work,) = stagehand.add("anna")
    lost = claim(first, work, worker.id)
    assert lost is not None
    assert claim(first, work, worker.id) is None
    finish(lost, Done(reason="x"))
    with pytest.raises(LateFinish):
        finish(lost, Done(reason="x"))
