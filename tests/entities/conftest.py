"""Two tenants' rows in one database."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from tests.entities.world import World


@pytest.fixture
def world(db: str, product_stages: None) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


@pytest.fixture
def elsewhere(db: str) -> Iterator[World]:
    """Another tenant, with rows of its own."""
    made = World(db, uuid4())
    yield made
    made.close()
