"""Listening: the port of the web process, taken without loading what answers there."""

from __future__ import annotations

import os
import socket

from errors import ServerDown
from settings import settings


def listen() -> socket.socket:
    """Take the port, or say that it is taken."""
    host, port = settings().web_host, settings().web_port
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return _at_once(socket.create_server(address[:2], family=family))
    except OSError as fault:
        raise ServerDown(
            f"The web process cannot listen on {host} port {port} ({_why(fault)}):"
            " stop what uses it, or set WEB_HOST and WEB_PORT."
        ) from None


def _at_once(listener: socket.socket) -> socket.socket:
    """Have what is accepted send small answers at once: else the rest of one waits 40 ms to be asked for.

    The event loop does so by itself, but not for a socket of ours, which does not name its protocol.
    """
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _why(fault: OSError) -> str:
    return os.strerror(fault.errno) if fault.errno and fault.errno > 0 else str(fault.strerror or fault)
