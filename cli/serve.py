"""Serve: the web process."""

from __future__ import annotations

import logging
import math
import signal
from types import FrameType

import structlog
import uvicorn

import logs
from accounts import signing
from api import stream
from cli.invite import invite
from cli.listening import listen
from cli.procfile import MARK
from cli.web_address import web_url
from dashboard import page
from dashboard.app import app
from errors import ServerDown
from pipeline.stage import load_stages
from settings import is_given, settings

log = structlog.get_logger("web")


def serve() -> None:
    """Answer requests until SIGTERM or SIGINT; those under way may end."""
    logs.configure()
    for noisy in ("uvicorn", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    load_stages()
    page.load()
    with listen() as listener:
        _check_log_in()
        # uvicorn raises the signal again when it is done, which would end us as if we had been killed.
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: None)
        log.info("web-listens", url=web_url())
        Server(_config()).run(sockets=[listener])


class Server(uvicorn.Server):
    """Has the streams end when it is told to: it would wait for them, and they wait for something to happen."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        stream.end_all()
        super().handle_exit(sig, frame)


def _check_log_in() -> None:
    """Say how to come in, or why nobody can; below `scrapersky up` that has been said."""
    try:
        signing.key()
    except ServerDown as fault:
        log.warning("nobody-can-log-in", error=str(fault))
    if not is_given(MARK):
        invite()


def _config() -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=settings().trusted_proxies,
        timeout_graceful_shutdown=max(1, math.floor(settings().drain_seconds)),
    )
