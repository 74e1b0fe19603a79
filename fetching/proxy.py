"""Through a proxy, http or SOCKS 5, to a checked address: the proxy is never given a name to resolve.

Plain http goes through CONNECT as well: a forwarding proxy would resolve the name anew, and might be led inside.
"""

from __future__ import annotations

import base64
import socket
import struct
import time
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from urllib.parse import unquote, urlsplit

import reasons
from errors import Passing
from fetching.resolve import Endpoint

DEFAULT_PORTS = {"http": 3128, "socks5": 1080, "socks5h": 1080}
LONGEST_HEAD = 16 * 1024
SOCKS_FAULTS = {
    1: "general failure",
    2: "not allowed",
    3: "network unreachable",
    4: "host unreachable",
    5: "connection refused",
    6: "expired",
    7: "no such command",
    8: "no such kind of address",
}


@dataclass(frozen=True, slots=True)
class Proxy:
    """Where the proxy is and who we are to it."""

    scheme: str
    host: str
    port: int
    user: str = ""
    password: str = ""

    @classmethod
    def at(cls, url: str) -> Proxy:
        """Read a URL such as socks5://user:password@host:1080."""
        parts = urlsplit(url)
        return cls(
            parts.scheme,
            parts.hostname or "",
            parts.port or DEFAULT_PORTS[parts.scheme],
            unquote(parts.username or ""),
            unquote(parts.password or ""),
        )

    def __repr__(self) -> str:
        return f"Proxy({self.scheme}://{self.host}:{self.port})"


def connect(proxy: Proxy, target: Endpoint, timeout: float) -> socket.socket:
    """Open a connection to `target` through the proxy."""
    until = time.monotonic() + timeout
    try:
        sock = socket.create_connection((proxy.host, proxy.port), timeout)
    except OSError as fault:
        raise Passing(reasons.PROXY, f"the proxy cannot be reached ({fault.strerror or fault})") from fault
    line = _Line(sock, until)
    try:
        (_connect_http if proxy.scheme == "http" else _connect_socks)(line, proxy, target)
    except (OSError, Passing) as fault:
        sock.close()
        if isinstance(fault, Passing):
            raise
        raise Passing(reasons.PROXY, f"the proxy broke off ({fault.strerror or fault})") from fault
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


class _Line:
    """The proxy's socket, read exactly and in time."""

    def __init__(self, sock: socket.socket, until: float) -> None:
        self._sock = sock
        self._until = until

    def say(self, data: bytes) -> None:
        self._sock.settimeout(self._left())
        self._sock.sendall(data)

    def hear(self, count: int) -> bytes:
        heard = b""
        while len(heard) < count:
            self._sock.settimeout(self._left())
            piece = self._sock.recv(count - len(heard))
            if not piece:
                raise Passing(reasons.PROXY, "the proxy closed the connection")
            heard += piece
        return heard

    def _left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise Passing(reasons.PROXY, "the proxy did not answer in time")
        return left


def _connect_http(line: _Line, proxy: Proxy, target: Endpoint) -> None:
    where = f"[{target.ip}]:{target.port}" if ":" in target.ip else f"{target.ip}:{target.port}"
    lines = [f"CONNECT {where} HTTP/1.1", f"Host: {where}"]
    if proxy.user:
        secret = base64.b64encode(f"{proxy.user}:{proxy.password}".encode()).decode()
        lines.append(f"Proxy-Authorization: Basic {secret}")
    line.say("\r\n".join([*lines, "", ""]).encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):  # a byte at a time: what follows the head is the site's
        head += line.hear(1)
        if len(head) > LONGEST_HEAD:
            raise Passing(reasons.PROXY, "the proxy's answer has no end")
    status = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
    if len(status) < 2 or not status[1].startswith("2"):
        raise Passing(reasons.PROXY, f"the proxy answered {' '.join(status[1:])[:100]!r}")


def _connect_socks(line: _Line, proxy: Proxy, target: Endpoint) -> None:
    methods = b"\x00\x02" if proxy.user else b"\x00"
    line.say(bytes([5, len(methods)]) + methods)
    version, method = line.hear(2)
    if version != 5 or method not in methods:
        raise Passing(reasons.PROXY, "the proxy wants a user and password, or is not a SOCKS 5 proxy")
    if method == 2:
        _log_in(line, proxy)
    ip = ip_address(target.ip)
    kind = b"\x01" if isinstance(ip, IPv4Address) else b"\x04"
    line.say(b"\x05\x01\x00" + kind + ip.packed + struct.pack(">H", target.port))
    _, answer, _, bound = line.hear(4)
    if answer != 0:
        raise Passing(reasons.PROXY, f"the proxy said: {SOCKS_FAULTS.get(answer, answer)}")
    length = {1: 4, 4: 16}.get(bound) or line.hear(1)[0]
    line.hear(length + 2)


def _log_in(line: _Line, proxy: Proxy) -> None:
    user, password = proxy.user.encode()[:255], proxy.password.encode()[:255]
    line.say(bytes([1, len(user)]) + user + bytes([len(password)]) + password)
    if line.hear(2)[1] != 0:
        raise Passing(reasons.PROXY, "the proxy does not know this user and password")
