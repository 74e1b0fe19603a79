"""A port for the web process of a run that nobody has asked a port for."""

from __future__ import annotations

import socket

from cli.listening import listen
from errors import ServerDown
from settings import is_given, settings, use


def take_free_web_port() -> None:
    """Choose another port for this process and those below it when the usual one is taken."""
    if is_given("WEB_PORT"):
        return
    try:
        listen().close()
    except ServerDown:
        with socket.create_server((settings().web_host, 0)) as free:
            use({"WEB_PORT": str(free.getsockname()[1])})
