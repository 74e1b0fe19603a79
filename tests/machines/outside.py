"""The servers that all machines share, as each of them reaches them: over TCP, whatever they really listen on."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import make_url

from tests.machines.machine import Server


def postgres(url: str) -> Server:
    """Name the database's server and the setting that leads to it."""
    parts = make_url(url)
    directory, port = parts.query.get("host"), parts.query.get("port", 5432)
    target = Path(f"{directory}/.s.PGSQL.{port}") if directory else (str(parts.host), parts.port or 5432)
    login = f"{parts.username}:{parts.password}" if parts.password else parts.username
    return Server(target, "DATABASE_URL", f"postgresql://{login}@{{address}}/{parts.database}")


def valkey(url: str) -> Server:
    """Name the broker and the setting that leads to it."""
    parts = make_url(url)
    target = Path(url.removeprefix("unix://")) if url.startswith("unix:") else (str(parts.host), parts.port or 6379)
    login = f":{parts.password}@" if parts.password else ""
    return Server(target, "REDIS_URL", f"redis://{login}{{address}}/0")


def sandbox(address: tuple[str, int]) -> Server:
    """Name the made-up internet."""
    return Server(address, "SANDBOX_ADDRESS", "{address}")
