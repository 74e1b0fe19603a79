"""Servers: what PostgreSQL and the broker are, how large and how busy; without their passwords."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dramatiq.brokers.redis import RedisBroker

from errors import UserError
from operations.figures import rows
from pipeline.broker import broker, broker_url, check_broker
from pipeline.database import database_url
from pipeline.doorbell import BROKER_FAULTS
from redact import hide_password

POSTGRES = """
SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size_bytes,
       (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
       current_setting('max_connections')::int AS most_connections, pg_postmaster_start_time() AS started_at"""


@dataclass(frozen=True, slots=True)
class Postgres:
    """The database server."""

    address: str
    version: str
    size_bytes: int
    connections: int
    most_connections: int
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Broker:
    """The broker; of one that does not answer only what is wrong, and of RabbitMQ only that it is one."""

    address: str
    kind: str | None
    trouble: str | None = None
    memory_bytes: int | None = None
    connections: int | None = None


def postgres() -> Postgres:
    """Ask PostgreSQL about itself."""
    return Postgres(address=hide_password(database_url()), **rows(POSTGRES)[0])


def broker_server() -> Broker:
    """Ask the broker about itself."""
    address = hide_password(broker_url())
    try:
        kind, info = check_broker(), _info()
    except (UserError, *BROKER_FAULTS) as fault:
        return Broker(address, None, trouble=hide_password(str(fault)))
    return Broker(address, kind, None, info.get("used_memory"), info.get("connected_clients"))


def _info() -> dict[str, Any]:
    made = broker()
    found: Any = made.client.info() if isinstance(made, RedisBroker) else {}
    return dict(found)
