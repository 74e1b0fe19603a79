"""Serve: the web process."""

from __future__ import annotations

import logging
import math
import os
import signal
import socket

import structlog
import uvicorn

import logs
from api.app import app
from errors import ServerDown
from settings import settings

log = structlog.get_logger("web")


def serve() -> None:
    """Answer requests until SIGTERM or SIGINT; those under way may end."""
    logs.configure()
    for noisy in ("uvicorn", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    with listen() as listener:
        # uvicorn raises the signal again when it is done, which would end us as if we had been killed.
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: None)
        log.info("web-listens", url=web_url())
        uvicorn.Server(_config()).run(sockets=[listener])


def _config() -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=max(1, math.floor(settings().drain_seconds)),
    )


def listen() -> socket.socket:
    """Take the port, or say that it is taken."""
    host, port = settings().web_host, settings().web_port
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except OSError as fault:
        raise ServerDown(
            f"The web process cannot listen on {host} port {port} ({_why(fault)}):"
            " stop what uses it, or set WEB_HOST and WEB_PORT."
        ) from None


def _why(fault: OSError) -> str:
    return os.strerror(fault.errno) if fault.errno and fault.errno > 0 else str(fault.strerror or fault)


def web_url() -> str:
    host = settings().web_host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings().web_port}"
