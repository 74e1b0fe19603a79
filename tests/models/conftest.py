"""Empty databases, because here the migrations themselves are tested, and migrated ones without puppets."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Engine, make_url

import migrations
from embedded import Servers
from models.connect import connect_engine


@pytest.fixture(scope="session")
def postgres_url(servers: Servers) -> str:
    """The server's own database, which always exists."""
    return servers.database_url


@pytest.fixture
def database_url(make_database: Callable[[str], str]) -> str:
    """A fresh empty database of this test's own."""
    return make_database("template0")


@pytest.fixture(scope="session")
def migrated_template(make_database: Callable[[str], str]) -> str:
    """The name of a database migrated from zero."""
    url = make_database("template0")
    migrations.upgrade(url)
    return make_url(url).database or ""


@pytest.fixture
def migrated_url(migrated_template: str, make_database: Callable[[str], str]) -> str:
    """A migrated database of this test's own."""
    return make_database(migrated_template)


@pytest.fixture
def engine(migrated_url: str) -> Iterator[Engine]:
    """An engine on a migrated database."""
    engine = connect_engine(migrated_url)
    yield engine
    engine.dispose()
