"""A client that sends raw bytes and reads replies off a real socket."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import Self

PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Answer:
    """A reply as it came off the wire."""

    status: int
    headers: dict[str, str]
    body: bytes


class Client:
    """One connection."""

    def __init__(self, address: tuple[str, int], *, receive_bytes: int | None = None) -> None:
        self.socket = socket.socket()
        if receive_bytes is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(PATIENCE_SECONDS)
        self.socket.connect(address)
        self.stream = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.stream.close()
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def ask(self, path: str = "/", host: str = "a.example", method: str = "GET", more: str = "") -> None:
        self.send(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode())

    def get(self, path: str = "/", host: str = "a.example", method: str = "GET", more: str = "") -> Answer:
        self.ask(path, host, method, more)
        return self.read(with_body=method != "HEAD")

    def read(self, *, with_body: bool = True) -> Answer:
        """Read one reply."""
        status, headers = self.read_head()
        if not with_body or status in (100, 204, 304):
            return Answer(status, headers, b"")
        if headers.get("transfer-encoding") == "chunked":
            return Answer(status, headers, b"".join(iter(self.read_chunk, b"")))
        if "content-length" in headers:
            return Answer(status, headers, self.stream.read(int(headers["content-length"])))
        return Answer(status, headers, self.stream.read())

    def read_head(self) -> tuple[int, dict[str, str]]:
        first = self.stream.readline()
        assert first.startswith(b"HTTP/1.1 "), first
        lines = iter(self.stream.readline, b"\r\n")
        pairs = (line.decode("latin-1").rstrip("\r\n").split(": ", 1) for line in lines)
        return int(first.split()[1]), {name.lower(): value for name, value in pairs}

    def read_chunk(self) -> bytes:
        size = int(self.stream.readline(), 16)
        data = self.stream.read(size)
        assert self.stream.read(2) == b"\r\n"
        return data

    def is_ended(self) -> bool:
        """Wait for the end of the stream."""
        return self.stream.read(1) == b""
