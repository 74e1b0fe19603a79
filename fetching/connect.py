"""Sockets to strangers: connected to the checked address only, and cut off when the request's time is up.

httpcore asks this backend for every new connection, so a redirect or a changed name can never get around the guard.
A pooled connection keeps the address it was checked for.
"""

from __future__ import annotations

import errno
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


class Deadline:
    """The moment by which the request that runs on this client must have ended."""

    __slots__ = ("_at",)

    def __init__(self) -> None:
        self._at = 0.0

    def set(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def clip(self, timeout: float | None) -> float:
        """Shorten a socket's own timeout to what is left; raise once nothing is."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the request's time is up")
        return left if timeout is None else min(timeout, left)


class Stream(httpcore.NetworkStream):
    """A connected socket. A site that drips a byte a second never meets a socket's timeout, but meets the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._sock.settimeout(self._deadline.clip(timeout))
        try:
            return self._sock.recv(max_bytes)
        except TimeoutError as fault:
            raise httpcore.ReadTimeout(str(fault)) from fault
        except OSError as fault:
            raise httpcore.ReadError(str(fault)) from fault

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        try:
            while buffer:
                self._sock.settimeout(self._deadline.clip(timeout))
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
        self._sock.settimeout(self._deadline.clip(timeout))
        try:
            secured = ssl_context.wrap_socket(self._sock, server_hostname=server_hostname)
        except (OSError, ValueError, httpcore.TimeoutException) as fault:
            self._sock.close()
            raise _why_not_safe(fault, server_hostname) from fault
        return Stream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # an idle connection that has something to read was closed by the other side
            return _is_readable(self._sock)
        return {"socket": self._sock, "server_addr": self._sock.getpeername}.get(info)


class Backend(httpcore.NetworkBackend):
    """Makes the connections of one client."""

    def __init__(self, deadline: Deadline, resolve: Resolve | None = None, through: Proxy | None = None) -> None:
        self._deadline = deadline
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
        found = endpoints(host, port, self._deadline.clip(timeout), self._resolve)
        fault: Outcome | None = None
        for endpoint in found[:MOST_ADDRESSES]:
            try:
                return self._connect(endpoint, self._deadline.clip(timeout))
            except Passing as passing:
                fault = passing
        raise fault or Final(reasons.DNS, f"{host} has no address")

    def _connect(self, endpoint: Endpoint, timeout: float) -> Stream:
        if self._through is not None:
            return Stream(proxy.connect(self._through, endpoint, timeout), self._deadline)
        try:
            sock = socket.create_connection(endpoint, timeout)
        except OSError as fault:
            raise why_not_connected(fault, f"{endpoint.ip}:{endpoint.port}") from fault
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return Stream(sock, self._deadline)


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
    sock.setblocking(False)
    try:
        return sock.recv(1, socket.MSG_PEEK) is not None
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    except (OSError, ValueError):
        return True
