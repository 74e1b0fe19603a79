"""Engines reach PostgreSQL by any of its URLs and notice a pooler in between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg.pq import TransactionStatus
from sqlalchemy import Engine

from errors import BadSetting
from models.connect import connect_driver, connect_engine, sqlalchemy_url
from tests.models.pooler import pretending_to_be_a_pooler


@contextmanager
def driver_of(engine: Engine) -> Iterator[psycopg.Connection[object]]:
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        yield driver
    engine.dispose()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_usual_scheme_becomes_the_drivers(scheme: str) -> None:
    assert sqlalchemy_url(f"{scheme}://anna:p%40ss@db:5432/leads?sslmode=require") == (
        "postgresql+psycopg://anna:p%40ss@db:5432/leads?sslmode=require"
    )


@pytest.mark.parametrize("url", ["mysql://host/name", "postgres", ""])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(BadSetting, match="must look like postgresql://"):
        sqlalchemy_url(url)


def test_a_direct_connection_prepares_on_second_use(database_url: str) -> None:
    with driver_of(connect_engine(database_url)) as connection:
        assert connection.prepare_threshold == 1
        assert connection.info.transaction_status == TransactionStatus.IDLE
        assert connection.autocommit is False


def test_a_bare_connection_is_in_autocommit(database_url: str) -> None:
    with connect_driver(database_url) as connection:
        assert connection.prepare_threshold == 1
        assert connection.autocommit is True
        assert connection.info.get_parameters()["application_name"] == "scrapersky"


def test_behind_a_pooler_nothing_is_prepared(database_url: str) -> None:
    with pretending_to_be_a_pooler(database_url) as url, driver_of(connect_engine(url)) as connection:
        assert connection.prepare_threshold is None
        assert connection.info.transaction_status == TransactionStatus.IDLE


def idle_limit(connection: psycopg.Connection[object]) -> object:
    row = connection.execute("SELECT current_setting('idle_in_transaction_session_timeout')").fetchone()
    assert isinstance(row, tuple)
    return row[0]


def test_a_direct_connection_may_not_idle_in_a_transaction_for_long(database_url: str) -> None:
    with driver_of(connect_engine(database_url)) as connection:
        assert idle_limit(connection) == "10s"
    with connect_driver(database_url) as bare:
        assert idle_limit(bare) == "10s"


def test_behind_a_pooler_nothing_is_set_that_the_next_one_would_inherit(database_url: str) -> None:
    with pretending_to_be_a_pooler(database_url) as url, driver_of(connect_engine(url)) as connection:
        assert idle_limit(connection) == "0"


def test_the_servers_own_limit_and_the_urls_stay(database_url: str) -> None:
    with driver_of(connect_engine(f"{database_url}&options=-cidle_in_transaction_session_timeout%3D7s")) as connection:
        assert idle_limit(connection) == "7s"


def test_a_connection_says_who_it_is_and_gives_up_after_five_seconds(database_url: str) -> None:
    with driver_of(connect_engine(database_url)) as connection:
        parameters = connection.info.get_parameters()

    assert parameters["application_name"] == "scrapersky"
    assert parameters["connect_timeout"] == "5"


def test_what_the_url_says_wins(database_url: str) -> None:
    engine = connect_engine(f"{database_url}&connect_timeout=9&application_name=mine")
    with driver_of(engine) as connection:
        parameters = connection.info.get_parameters()

    assert (parameters["connect_timeout"], parameters["application_name"]) == ("9", "mine")
