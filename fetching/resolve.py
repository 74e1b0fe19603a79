"""Names to addresses that may be asked. Resolved once, refused unless every address is public, then connected to."""

from __future__ import annotations

import queue
import socket
from collections.abc import Callable
from threading import Thread
from typing import NamedTuple

import reasons
from errors import Final, Outcome, Passing
from fetching.address import is_literal, is_public, why_unsafe
from settings import settings

# RFC 2606 keeps it free for ever, so no real site is ever meant by it.
SANDBOX_SUFFIX = ".example"
SANDBOX_PORT = 80

# The name is gone for good; any other answer of a resolver may change in a moment.
NO_SUCH_NAME = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))


class Endpoint(NamedTuple):
    """One address and port that may be connected to."""

    ip: str
    port: int


# Gives every address of a name within a number of seconds, or raises Passing or Final.
Resolve = Callable[[str, float], list[str]]


def endpoints(host: str, port: int, timeout: float, resolve: Resolve | None = None) -> list[Endpoint]:
    """Give where a host may be reached; one address that is not public spoils them all."""
    sandbox = settings().sandbox_address
    if sandbox and host.rstrip(".").endswith(SANDBOX_SUFFIX):
        return [_in_sandbox(sandbox, port)]
    fault = why_unsafe(host)
    if fault:
        raise Final(reasons.UNSAFE_ADDRESS, fault)
    found = [host] if is_literal(host) else (resolve or ask_resolver)(host, timeout)
    private = [ip for ip in found if not is_public(ip)]
    if private:
        raise Final(reasons.UNSAFE_ADDRESS, f"{host} leads to {private[0]}, which is not a public address")
    return [Endpoint(ip, port) for ip in dict.fromkeys(found)]


def _in_sandbox(address: str, port: int) -> Endpoint:
    if port != SANDBOX_PORT:
        raise Passing(reasons.REFUSED, "the sandbox speaks plain http only")
    host, _, sandbox_port = address.partition(":")
    return Endpoint(host, int(sandbox_port))


def ask_resolver(host: str, timeout: float) -> list[str]:
    """Ask the system's resolver, which knows no time limit, from a thread that may be left behind."""
    answer: queue.SimpleQueue[list[str] | Outcome] = queue.SimpleQueue()
    Thread(target=lambda: answer.put(_look_up(host)), name=f"resolve {host}", daemon=True).start()
    try:
        found = answer.get(timeout=max(timeout, 0.001))
    except queue.Empty:
        raise Passing(reasons.DNS, f"no resolver answered for {host} within {timeout:.1f} s") from None
    if isinstance(found, Outcome):
        raise found
    return found


def _look_up(host: str) -> list[str] | Outcome:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except socket.gaierror as fault:
        kind = Final if fault.errno in NO_SUCH_NAME else Passing
        return kind(reasons.DNS, f"{host}: {fault.strerror}")
    except (OSError, UnicodeError) as fault:
        return Final(reasons.DNS, f"{host}: {fault}")
    return [str(entry[4][0]) for entry in found] or Final(reasons.DNS, f"{host} has no address")
