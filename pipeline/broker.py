"""The broker, chosen by URL: Redis or Valkey through our own doorbell lists, or RabbitMQ."""

from __future__ import annotations

import time
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import dramatiq
import redis
from dramatiq.brokers.rabbitmq import RabbitmqBroker
from dramatiq.brokers.redis import RedisBroker
from redis.backoff import NoBackoff
from redis.retry import Retry

import embedded
from errors import ServerDown
from pipeline.doorbell import BROKER_FAULTS, BrokerDoorbell, install
from pipeline.redis_doorbell import NAMESPACE, RedisDoorbell
from redact import hide_password
from settings import settings

MEMORY_KEY = f"{NAMESPACE}:memory"
SOCKET_TIMEOUT_SECONDS = 5.0


def broker_url() -> str:
    """Give the configured broker, or the embedded one of this directory."""
    configured = settings().broker_url or settings().redis_url
    return configured or embedded.urls(settings().scrapersky_dir).broker_url


@cache
def broker() -> dramatiq.Broker:
    """Make this process's broker and its doorbell; nothing is connected yet.

    No middleware: Dramatiq's retries, pipelines, callbacks and results enqueue inside hooks that swallow errors.
    """
    url = broker_url()
    if urlsplit(url).scheme in ("amqp", "amqps"):
        made: dramatiq.Broker = RabbitmqBroker(url=url, middleware=[], confirm_delivery=True)
    else:
        made = RedisDoorbell(client=redis_client(url), middleware=[])
    dramatiq.set_broker(made)
    install(BrokerDoorbell(made))
    return made


def redis_client(url: str) -> redis.Redis:
    """Connect with explicit limits: by default redis-py waits 5 s and sends a message up to three times."""
    return redis.Redis.from_url(
        url,
        socket_timeout=SOCKET_TIMEOUT_SECONDS,
        socket_connect_timeout=2.0,
        retry=Retry(NoBackoff(), 0),
        health_check_interval=0,
    )


def check_broker() -> str:
    """Prove that the broker answers and give its kind; otherwise say in one sentence what is wrong."""
    url = broker_url()
    made = broker()
    try:
        if isinstance(made, RedisBroker):
            info: Any = made.client.info("server")
            return f"{info.get('server_name', 'redis')} {info.get('valkey_version') or info['redis_version']}"
        return "RabbitMQ" if made.connection.is_open else "RabbitMQ, closed"  # type: ignore[attr-defined]
    except (*BROKER_FAULTS, redis.AuthenticationError) as fault:
        said = str(fault) or type(fault).__name__
        raise ServerDown(
            f"The broker at {hide_password(url)} cannot be used ({said}): start it, or correct BROKER_URL or REDIS_URL."
        ) from None


def has_lost_its_memory() -> bool:
    """Tell, once per loss and to one process only, that a Redis broker was flushed or started again.

    Also with a dump: it is older than the last rings. The key then holds the run id of the server before.
    """
    made = broker()
    if not isinstance(made, RedisBroker):
        return False
    info: Any = made.client.info("server")
    run_id = str(info["run_id"]).encode()
    return bool(made.client.set(MEMORY_KEY, run_id, get=True) != run_id)


def wait_for_broker(seconds: float) -> None:
    """Wait until the broker answers, at most so long, and then let the last failure speak."""
    until = time.monotonic() + seconds
    while True:
        try:
            check_broker()
        except ServerDown:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
        else:
            return
