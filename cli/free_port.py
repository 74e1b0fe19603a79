"""A port for the web process of a run that nobody has asked a port for."""

from __future__ import annotations

import os
import socket

from cli.serve import listen
from errors import ServerDown
from settings import settings


def take_free_web_port() -> None:
    """Choose another port for this process and those below it when the usual one is taken."""
    if "WEB_PORT" in os.environ:
        return
    try:
        listen().close()
    except ServerDown:
        with socket.create_server((settings().web_host, 0)) as free:
            os.environ["WEB_PORT"] = str(free.getsockname()[1])
        settings.cache_clear()
