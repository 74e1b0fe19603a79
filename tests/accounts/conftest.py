"""A database of each test's own, a secret to sign with, and people."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from pipeline.database import statement
from settings import settings
from tests.accounts.residents import SECRET


@pytest.fixture
def house(db: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The settings of an installation with servers of its own."""
    monkeypatch.setenv("DATABASE_URL", db)
    monkeypatch.setenv("JWT_SECRET_KEY", SECRET)
    settings.cache_clear()
    return db


@pytest.fixture
def tenant(house: str) -> UUID:
    """A tenant without people."""
    tenant_id = uuid4()
    with statement() as connection:
        connection.execute("INSERT INTO tenants (id, name) VALUES (%s, 'A tenant')", (tenant_id,))
    return tenant_id
