"""Real servers for every test: one PostgreSQL and one Valkey per run, one template database cloned per test."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator

import hypothesis
import psycopg
import pytest
from sqlalchemy.engine import make_url

import embedded
import settings
from embedded import Servers
from migrations import upgrade
from models.connect import connect_engine
from pipeline import database, window
from pipeline.stage import _registry

_numbers = itertools.count()

# How long an example takes says more about what else runs here than about the code.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

# Few and long: what runs beside the others must not be left for the end.
LONGEST_FIRST = ("whole", "browser", "politeness", "chaos", "machines", "machine", "stages", "cli")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the folders whose tests take longest."""

    def place(item: pytest.Item) -> int:
        folder = item.nodeid.split("/")[1]
        return LONGEST_FIRST.index(folder) if folder in LONGEST_FIRST else len(LONGEST_FIRST)

    items.sort(key=place)


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Private servers that are gone after the run, also when the run is killed; or your own, by two variables."""
    database_url, broker_url = os.environ.get("TEST_DATABASE_URL"), os.environ.get("TEST_REDIS_URL")
    if database_url and broker_url:
        yield Servers(database_url, broker_url)
        return
    with embedded.temporary() as started:
        yield started


@pytest.fixture(scope="session")
def make_database(servers: Servers) -> Callable[[str], str]:
    """Create an empty database, or a copy of a template, and give its URL."""

    def make(template: str = "template0") -> str:
        name = f"test_{next(_numbers)}"
        with psycopg.connect(servers.database_url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
        return make_url(servers.database_url).set(database=name).render_as_string(hide_password=False)

    return make


@pytest.fixture(scope="session")
def template(make_database: Callable[[str], str]) -> str:
    """The migrated database, with the puppets' tables, from which each test gets its copy."""
    from tests.puppets import create_tables

    url = make_database("template0")
    upgrade(url)
    engine = connect_engine(url)
    create_tables(engine)
    engine.dispose()
    return make_url(url).database or ""


@pytest.fixture
def database_url(template: str, make_database: Callable[[str], str]) -> str:
    """A fresh migrated database of this test's own."""
    return make_database(template)


@pytest.fixture
def db(database_url: str) -> Iterator[str]:
    """Point this process at a fresh database."""
    database.use(database_url)
    window.shares.forget()
    yield database_url
    database.use(None)


@pytest.fixture
def product_stages() -> None:
    """Have the product's own stages declared during a test; all other tests see the puppets alone."""
    import actors  # noqa: F401 - importing declares them


@pytest.fixture(autouse=True)
def _own_stages(request: pytest.FixtureRequest) -> Iterator[None]:
    """Show each test either the product's stages or those that tests declare: one process has imported both."""
    if "product_stages" in request.fixturenames:
        request.getfixturevalue("product_stages")
    wants_product = "product_stages" in request.fixturenames
    known = dict(_registry)
    for name, stage in known.items():
        if stage.work.__module__.startswith("actors.") != wants_product:
            del _registry[name]
    yield
    declared = dict(_registry)
    _registry.clear()
    _registry.update(known | declared)


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the developer's own settings out of the tests."""
    for name in settings.Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("ENVIRONMENT", "test")
    settings.settings.cache_clear()
    yield
    settings.settings.cache_clear()
