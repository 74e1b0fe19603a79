"""Proxies on real sockets, http and SOCKS 5, that write down what they were asked for and lead where a test says."""

from __future__ import annotations

import socket
import struct
from abc import ABC, abstractmethod
from contextlib import suppress
from threading import Thread


class Middleman(ABC):
    """Accepts one kind of greeting, then passes bytes on to `leads_to`, whatever address it was asked for."""

    def __init__(self, leads_to: int, *, refuses: bool = False, password: str | None = None) -> None:
        self.asked: list[str] = []
        self.heads: list[bytes] = []
        self._leads_to = leads_to
        self._refuses = refuses
        self._password = password
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                sock, _ = self._listener.accept()
                Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        with suppress(OSError, struct.error), sock:
            if self.greet(sock):
                with socket.create_connection(("127.0.0.1", self._leads_to)) as other:
                    Thread(target=_pass_on, args=(sock, other), daemon=True).start()
                    _pass_on(other, sock)

    @abstractmethod
    def greet(self, sock: socket.socket) -> bool:
        """Speak the proxy's own protocol; True when the connection may be passed on."""


class HttpProxy(Middleman):
    def greet(self, sock: socket.socket) -> bool:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += sock.recv(1)
        self.heads.append(head)
        self.asked.append(head.split(b" ")[1].decode())
        if self._refuses:
            sock.sendall(b"HTTP/1.1 403 Not here\r\n\r\n")
            return False
        sock.sendall(b"HTTP/1.1 200 Connection established\r\nVia: middleman\r\n\r\n")
        return True


class SocksProxy(Middleman):
    def greet(self, sock: socket.socket) -> bool:
        _, count = sock.recv(2)
        methods = sock.recv(count)
        wanted = 2 if self._password else 0
        sock.sendall(bytes([5, wanted if wanted in methods else 255]))
        if wanted not in methods:
            return False
        if self._password and not self._knows(sock):
            return False
        _, _, _, kind = sock.recv(4)
        packed = sock.recv({1: 4, 4: 16, 3: 0}[kind])
        family = socket.AF_INET if kind == 1 else socket.AF_INET6
        (port,) = struct.unpack(">H", sock.recv(2))
        self.asked.append(f"{socket.inet_ntop(family, packed)}:{port}")
        sock.sendall(b"\x05" + (b"\x02" if self._refuses else b"\x00") + b"\x00\x01\x00\x00\x00\x00\x00\x00")
        return not self._refuses

    def _knows(self, sock: socket.socket) -> bool:
        _, length = sock.recv(2)
        sock.recv(length)
        said = sock.recv(sock.recv(1)[0]).decode()
        sock.sendall(b"\x01" + (b"\x00" if said == self._password else b"\x01"))
        return said == self._password


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
