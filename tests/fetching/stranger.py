"""A stranger's server on a real socket: it says exactly what a test has written down, byte for byte."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Thread

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

# Gets the request's head, gives the bytes to send back; the pieces may be slow, and may have no end.
Script = Callable[[bytes], Iterable[bytes]]


def answer(body: bytes = b"<html>hello</html>", *headers: str, status: str = "200 OK") -> bytes:
    """Write a whole answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *(headers or ("Content-Type: text/html",))]
    return "\r\n".join([*lines, "", ""]).encode() + body


class Stranger:
    """Listens on loopback and plays its script for every request; `heard` keeps the heads."""

    def __init__(self, script: Script, *, tls: ssl.SSLContext | None = None) -> None:
        self.heard: list[bytes] = []
        self.connections = 0
        self._script = script
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        Thread(target=self._listen, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # a thread that waits in accept keeps the port open otherwise
        self._listener.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                sock, _ = self._listener.accept()
                self.connections += 1
                Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        with suppress(OSError), sock, self._secured(sock) as secured:
            while head := _head(secured):
                self.heard.append(head)
                for piece in self._script(head):
                    secured.sendall(piece)

    def _secured(self, sock: socket.socket) -> socket.socket:
        return self._tls.wrap_socket(sock, server_side=True) if self._tls else sock


def _head(sock: socket.socket) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head:  # a body may come along with it
        piece = sock.recv(65536)
        if not piece:
            return b""
        head += piece
    return head


def path_of(head: bytes) -> str:
    """Give the path of a request's head."""
    return head.split(b" ")[1].decode()


def header_of(head: bytes, name: str) -> str | None:
    """Give a header of a request's head."""
    for line in head.decode("latin-1").split("\r\n")[1:]:
        key, _, value = line.partition(":")
        if key.lower() == name.lower():
            return value.strip()
    return None
