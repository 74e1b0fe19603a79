"""A name server on this machine, over UDP and TCP, that answers as its script says."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from threading import Thread

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

# Gives the bytes that go back for a query, or nothing at all.
Script = Callable[[dns.message.Message, bool], bytes | None]
Zone = Mapping[str, Mapping[str, list[str]]]


class NameServer:
    """Listens on one port of the loopback for both protocols and counts what it was asked."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.asked: list[str] = []
        self._udp, self._tcp = _one_port_for_both()
        self.address: tuple[str, int] = self._udp.getsockname()
        self._threads = [Thread(target=serve, daemon=True) for serve in (self._serve_udp, self._serve_tcp)]
        for thread in self._threads:
            thread.start()

    def __str__(self) -> str:
        return "{}:{}".format(*self.address)

    def close(self) -> None:
        self._udp.sendto(b"", self.address)  # wakes the thread that listens, which then ends
        with suppress(OSError):
            self._tcp.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._udp.close()
        self._tcp.close()

    def _serve_udp(self) -> None:
        while True:
            packet, sender = self._udp.recvfrom(4096)
            if not packet:
                return
            if reply := self._reply(packet, False):
                self._udp.sendto(reply, sender)

    def _serve_tcp(self) -> None:
        with suppress(OSError):
            while True:
                connection = self._tcp.accept()[0]
                with closing(connection), suppress(OSError, struct.error):
                    connection.settimeout(10)
                    (length,) = struct.unpack("!H", connection.recv(2))
                    if reply := self._reply(connection.recv(length), True):
                        connection.sendall(struct.pack("!H", len(reply)) + reply)

    def _reply(self, packet: bytes, over_tcp: bool) -> bytes | None:
        query = dns.message.from_wire(packet)
        question = query.question[0]
        self.asked.append(f"{question.name} {dns.rdatatype.to_text(question.rdtype)}{' tcp' if over_tcp else ''}")
        return self._script(query, over_tcp)


def _one_port_for_both() -> tuple[socket.socket, socket.socket]:
    for _ in range(50):
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        try:
            return udp, socket.create_server(udp.getsockname())
        except OSError:  # the port is somebody's over TCP
            udp.close()
    raise OSError("no port is free for both protocols")


@contextmanager
def name_server(script: Script) -> Iterator[NameServer]:
    """Run a name server for as long as the block lasts."""
    server = NameServer(script)
    try:
        yield server
    finally:
        server.close()


def reply_to(query: dns.message.Message, *records: str, rcode: int = dns.rcode.NOERROR) -> dns.message.Message:
    """Make a proper reply; a record is written as in a zone file: `name 60 IN MX 10 mx.example.`."""
    reply = dns.message.make_response(query, recursion_available=True)
    reply.set_rcode(dns.rcode.Rcode(rcode))
    for record in records:
        name, ttl, _, kind, data = record.split(" ", 4)
        reply.answer.append(dns.rrset.from_text(name, int(ttl), "IN", kind, data))
    return reply


def zone(names: Zone) -> Script:
    """Answer from a table: name to kind to data; an unknown name does not exist."""

    def answer(query: dns.message.Message, _over_tcp: bool) -> bytes:
        question = query.question[0]
        known = names.get(question.name.to_text(omit_final_dot=True))
        if known is None:
            return reply_to(query, rcode=dns.rcode.NXDOMAIN).to_wire()
        reply = reply_to(query)
        kind = dns.rdatatype.to_text(question.rdtype)
        if kind in known:
            reply.answer.append(dns.rrset.from_text_list(question.name, 60, "IN", kind, known[kind]))
        return reply.to_wire(max_size=65535)

    return answer


def silence(_query: dns.message.Message, _over_tcp: bool) -> None:
    """Never answer."""
