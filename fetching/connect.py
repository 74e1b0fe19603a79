"""Sockets to strangers: connected to the checked address only, and cut off when the request's time is up.

httpcore asks this backend for every new connection, so a redirect or a changed name can never get around the guard.
A pooled connection keeps the address it was checked for.
"""

from __future__ import annotations

import errno
import select
import socket
import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore

import reasons
from errors import Final, Outcome, Passing
from fetching import proxy
from fetching.proxy import Proxy
from fetching.resolve import Endpoint, Resolve, endpoints

MOST_ADDRESSES = 4
NO_WAY = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL)


class Budget:
    """What is left of one request's time and of the bytes it may be answered with, heads and chunk sizes included."""

    __slots__ = ("_bytes_left", "_until")

    def __init__(self, seconds: float = 0.0, wire_bytes: int = 0) -> None:
        self._until = time.monotonic() + seconds
        self._bytes_left = wire_bytes

    def clip(self, timeout: float | None = None) -> float:
        """Shorten a socket's own timeout to what is left; raise once nothing is."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the request's time is up")
        return left if timeout is None else min(timeout, left)

    def spend(self, wire_bytes: int) -> None:
        """Take bytes off; raise once there are none. Heads, chunk sizes and trailers are not of the body's size."""
        self._bytes_left -= wire_bytes
        if self._bytes_left < 0:
            raise Final(reasons.TOO_LARGE, "far more comes with the body than the body itself")


class Purse:
    """Holds the budget of the request that a client makes now."""

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now = Budget()


class Stream(httpcore.NetworkStream):
    """A connected socket. A site that drips a byte a second never meets a socket's timeout, but meets the deadline.

    It lives on the budget of the request that was last written to it: while one answer is read, its client may have
    asked for others elsewhere.
    """

    def __init__(self, sock: socket.socket, purse: Purse) -> None:
        self._sock = sock
        self._purse = purse
        self._budget = purse.now

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._sock.settimeout(self._budget.clip(timeout))
        try:
            heard = self._sock.recv(max_bytes)
        except TimeoutError as fault:
            raise httpcore.ReadTimeout(str(fault)) from fault
        except OSError as fault:
            raise httpcore.ReadError(str(fault)) from fault
        self._budget.spend(len(heard))
        return heard

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._budget = self._purse.now
        try:
            while buffer:
                self._sock.settimeout(self._budget.clip(timeout))
                buffer = buffer[self._sock.send(buffer) :]
        except TimeoutError as fault:
            raise httpcore.WriteTimeout(str(fault)) from fault
        except OSError as fault:
            raise httpcore.WriteError(str(fault)) from fault

    def close(self) -> None:
        self._sock.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> Stream:
        self._sock.settimeout(self._budget.clip(timeout))
        name = server_hostname and server_hostname.rstrip(".")  # no certificate is written for a name with its last dot
        try:
            secured = ssl_context.wrap_socket(self._sock, server_hostname=name)
        except (OSError, ValueError, httpcore.TimeoutException) as fault:
            self._sock.close()
            raise _why_not_safe(fault, server_hostname) from fault
        return Stream(secured, self._purse)

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # an idle connection that has something to read was closed by the other side
            return _is_readable(self._sock)
        return {"socket": self._sock, "server_addr": self._sock.getpeername}.get(info)


class Backend(httpcore.NetworkBackend):
    """Makes the connections of one client."""

    def __init__(self, purse: Purse, resolve: Resolve | None = None, through: Proxy | None = None) -> None:
        self._purse = purse
        self._resolve = resolve
        self._through = through

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> Stream:
        found = endpoints(host, port, self._purse.now.clip(timeout), self._resolve)
        fault: Outcome | None = None
        for endpoint in found[:MOST_ADDRESSES]:
            try:
                return self._connect(endpoint, self._purse.now.clip(timeout))
            except Passing as passing:
                fault = passing
        raise fault or Final(reasons.DNS, f"{host} has no address")

    def _connect(self, endpoint: Endpoint, timeout: float) -> Stream:
        if self._through is not None:
            return Stream(proxy.connect(self._through, endpoint, timeout), self._purse)
        try:
            sock = socket.create_connection(endpoint, timeout)
        except OSError as fault:
            raise why_not_connected(fault, f"{endpoint.ip}:{endpoint.port}") from fault
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return Stream(sock, self._purse)


def why_not_connected(fault: OSError, where: str) -> Passing:
    """Put a failed connection into a word."""
    if isinstance(fault, TimeoutError):
        return Passing(reasons.TIMEOUT, f"{where} did not accept us in time")
    if isinstance(fault, ConnectionRefusedError):
        return Passing(reasons.REFUSED, f"{where} refused the connection")
    if fault.errno in NO_WAY:
        return Passing(reasons.UNREACHABLE, f"no way leads to {where}")
    return Passing(reasons.CONNECTION_LOST, f"{where}: {fault.strerror or fault}")


def _why_not_safe(fault: Exception, host: str | None) -> Outcome:
    if isinstance(fault, ssl.SSLCertVerificationError):
        return Final(reasons.TLS, f"{host}: {fault.verify_message}")
    if isinstance(fault, TimeoutError | httpcore.TimeoutException):
        return Passing(reasons.TIMEOUT, f"{host} did not finish the TLS handshake in time")
    if isinstance(fault, ssl.SSLError):
        return Passing(reasons.TLS, f"{host}: {fault.reason or fault}")
    return Passing(reasons.TLS, f"{host} broke off the TLS handshake")


def _is_readable(sock: socket.socket) -> bool:
    if sock.fileno() < 0:
        return True
    if isinstance(sock, ssl.SSLSocket) and sock.pending():
        return True
    waiting = select.poll()
    waiting.register(sock, select.POLLIN)
    return bool(waiting.poll(0))
