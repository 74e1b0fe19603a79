"""A wire from a machine's own loopback to a server outside: TCP in, TCP or a unix socket out."""

from __future__ import annotations

import ctypes
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

LOOPBACK = "127.0.0.1"
CLONE_NEWNET = 0x40000000
CHUNK_BYTES = 65536

Target = Path | tuple[str, int]


class Wire:
    """Passes every connection to a port on to a server, until it is cut."""

    def __init__(self, listener: socket.socket, target: Target) -> None:
        self.listener = listener
        self.target = target
        self.address = "{}:{}".format(*listener.getsockname())
        self.ends: set[socket.socket] = set()
        self.threads = [Thread(target=self._accept, name="wire")]
        self.threads[0].start()

    def cut(self) -> None:
        """End all connections and take no more."""
        _hang_up(self.listener)
        self.threads[0].join()
        for end in tuple(self.ends):
            _hang_up(end)
        for thread in self.threads:
            thread.join()

    def _accept(self) -> None:
        with suppress(OSError), self.listener:  # until it is cut
            while True:
                near, _ = self.listener.accept()
                self.threads.append(Thread(target=self._serve, args=(near,), name="wire"))
                self.threads[-1].start()

    def _serve(self, near: socket.socket) -> None:
        with near, suppress(OSError), reach(self.target) as far:
            self.ends |= {near, far}
            upward = Thread(target=_pass_on, args=(near, far), name="wire")
            upward.start()
            _pass_on(far, near)
            upward.join()
            self.ends -= {near, far}


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    """Pass bytes one way to the end, and then end both ways: nobody here speaks after he has hung up."""
    with suppress(OSError):
        while received := source.recv(CHUNK_BYTES):
            sink.sendall(received)
    for end in (source, sink):
        _hang_up(end)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


def reach(target: Target) -> socket.socket:
    """Connect to a server."""
    if isinstance(target, tuple):
        return socket.create_connection(target)
    far = socket.socket(socket.AF_UNIX)
    far.connect(str(target))
    return far


def listen() -> socket.socket:
    """Take a free port of the loopback."""
    return socket.create_server((LOOPBACK, 0))


def inside(pid: int, make: Callable[[], socket.socket]) -> socket.socket:
    """Make a socket in the network of another process: a socket stays where it was made, whoever holds it."""
    made: list[socket.socket] = []

    def enter_and_make() -> None:
        network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
        try:
            if ctypes.CDLL(None, use_errno=True).setns(network, CLONE_NEWNET) == 0:
                made.append(make())
        finally:
            os.close(network)

    thread = Thread(target=enter_and_make)  # only this thread changes its network, and it ends
    thread.start()
    thread.join()
    if not made:
        raise PermissionError(f"the network of process {pid} cannot be entered")
    return made[0]
