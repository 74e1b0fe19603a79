"""A socket in front of PostgreSQL that gives a backend number of its own, as a pooler does."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

from sqlalchemy.engine import make_url

SOCKET_NAME = ".s.PGSQL.5432"


@contextmanager
def pretending_to_be_a_pooler(url: str) -> Iterator[str]:
    """Pass on one connection to the server at `url`, changing only the backend number it announces."""
    target = make_url(url)
    with (
        tempfile.TemporaryDirectory(dir="/tmp") as directory,
        socket.socket(socket.AF_UNIX) as listener,
        socket.socket(socket.AF_UNIX) as server,
    ):
        listener.bind(f"{directory}/{SOCKET_NAME}")
        listener.listen(1)
        listener.settimeout(10)
        server.connect(f"{target.query['host']}/{SOCKET_NAME}")
        relay = Thread(target=_relay, args=(listener, server))
        relay.start()
        yield target.update_query_dict({"host": directory}).render_as_string(hide_password=False)
        relay.join(10)


def _relay(listener: socket.socket, server: socket.socket) -> None:
    """Pass bytes both ways until the client leaves."""
    client, _ = listener.accept()
    with client:
        upward = Thread(target=_pass_on, args=(client, server))
        upward.start()
        _pass_greeting(server, client)
        _pass_on(server, client)
        upward.join(10)


def _pass_greeting(server: socket.socket, client: socket.socket) -> None:
    """Pass on the server's messages until it is ready, with another number in its BackendKeyData."""
    kind = b""
    with server.makefile("rb", buffering=0) as messages:
        while kind != b"Z":
            kind, size = messages.read(1), messages.read(4)
            body = messages.read(int.from_bytes(size) - 4)
            if kind == b"K":
                body = (int.from_bytes(body[:4]) ^ 1).to_bytes(4) + body[4:]
            client.sendall(kind + size + body)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    while received := source.recv(65536):
        target.sendall(received)
    with suppress(OSError):  # the other side may have left already
        target.shutdown(socket.SHUT_WR)
