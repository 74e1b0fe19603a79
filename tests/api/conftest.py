"""The application on a real socket, with a database that is emptied before each test."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator

import psycopg
import pytest
import uvicorn

from cli.listening import listen
from dashboard.app import app
from embedded import Servers
from embedded.processes import wait_until
from pipeline import database, window
from pipeline.broker import broker, redis_client
from settings import settings
from tests.api.people import People, Person
from tests.cli.terminal import free_port
from tests.emptied import empty


@pytest.fixture(scope="session")
def houses(template: str, make_database: Callable[[str], str]) -> Iterator[str]:
    """Databases for the folder: most tests need only one, and leave it whole."""
    return (make_database(template) for _ in itertools.count())


@pytest.fixture(scope="session")
def lived_in(houses: Iterator[str]) -> list[str]:
    return [next(houses)]


@pytest.fixture
def db(houses: Iterator[str], lived_in: list[str]) -> Iterator[str]:
    """Point this process at the folder's database, emptied; at another when a test before has torn that down."""
    database.use(lived_in[0])
    try:
        empty()
    except psycopg.errors.UndefinedTable:
        lived_in[0] = next(houses)
        database.use(lived_in[0])
    window.shares.forget()
    yield lived_in[0]
    database.use(None)


@pytest.fixture
def url(db: str, servers: Servers, product_stages: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the application, which this process serves."""
    monkeypatch.setenv("DATABASE_URL", db)
    monkeypatch.setenv("REDIS_URL", servers.broker_url)
    monkeypatch.setenv("JWT_SECRET_KEY", "a-secret-for-tests-that-is-long-enough")
    monkeypatch.setenv("WEB_PORT", str(free_port()))
    settings.cache_clear()
    # The broker was made when this process first imported a stage, which was before it had a server.
    monkeypatch.setattr(broker(), "client", redis_client(servers.broker_url))
    listener = listen()
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off"))
    thread = threading.Thread(target=lambda: server.run(sockets=[listener]), daemon=True)
    thread.start()
    assert wait_until(lambda: server.started, 20)
    yield f"http://127.0.0.1:{settings().web_port}"
    server.should_exit = True
    thread.join(20)
    listener.close()


@pytest.fixture
def people(url: str, db: str) -> Iterator[People]:
    """A maker of callers."""
    made = People(url, db)
    yield made
    made.close()


@pytest.fixture
def admin(people: People) -> Person:
    """An admin of the installation's own tenant."""
    return people.person("admin")


@pytest.fixture
def curator(people: People) -> Person:
    return people.person("curator")


@pytest.fixture
def viewer(people: People) -> Person:
    return people.person("viewer")


@pytest.fixture
def stranger(people: People) -> Person:
    """An admin of another tenant."""
    return people.stranger()
