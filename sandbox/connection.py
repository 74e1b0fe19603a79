"""One client's connection: requests in, replies out one after the other, and everything stops when the client goes."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import Callable, Iterator
from typing import Protocol, cast

from sandbox.log import OWN_HOSTS, Log
from sandbox.message import PLAIN, Reply, Request
from sandbox.wire import CONTINUE, UNREADABLE, Head, Refused, may_go_on, take_head, write_pieces

Answer = Callable[[Request], Reply]

FAULT = Reply(500, b"The sandbox has a fault: see its standard error.\n", PLAIN)
MOST_WAITING_BYTES = 256 * 1024  # of further requests, while a reply is under way
TURN_SECONDS = 0.002  # then it is the turn of other clients
RESET_ON_CLOSE = struct.pack("ii", 1, 0)

IDLE, BUSY, LEAVING = "idle", "busy", "leaving"


class House(Protocol):
    """What a connection needs of its server."""

    answer: Answer
    log: Log

    def admit(self, connection: Connection) -> bool: ...
    def forget(self, connection: Connection) -> None: ...


class Connection(asyncio.Protocol):
    """Reads requests and sends replies; never takes a piece of a body before the last one has been sent."""

    def __init__(self, house: House, loop: asyncio.AbstractEventLoop) -> None:
        self.house = house
        self.loop = loop
        self.state = IDLE
        self.quiet_since = time.monotonic()
        self._arrived = bytearray()
        self._head: Head | None = None  # of a request whose body has not fully arrived
        self._is_full = False  # the client, or the network, takes nothing more for now
        self._clear()

    def _clear(self) -> None:
        self._number = 0  # in the log; 0 when nothing is to be logged
        self._request = UNREADABLE
        self._reply = FAULT
        self._pieces: Iterator[bytes] | None = None
        self._timer: asyncio.Handle | None = None
        self._sent_bytes = 0
        self._keep_alive = False

    # Coming and going

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.set_write_buffer_limits(high=0)  # so that "not full" means "all of it has been taken"
        if not self.house.admit(self):
            self.drop()

    def eof_received(self) -> bool:
        return False  # who has closed one half has gone

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self.state == BUSY:
            self._end(left=not self._is_all_sent())
        self.state = LEAVING
        self._clear()
        self._arrived.clear()
        self.house.forget(self)

    def _is_all_sent(self) -> bool:
        """Tell whether the client went after the last byte, and only we had not got round to noticing."""
        return self._pieces is not None and not self._is_full and next(self._pieces, None) is None

    def drop(self) -> None:
        """Break the connection at once."""
        self.transport.abort()

    def _reset(self) -> None:
        """Break the connection so that the client sees a reset, not an end."""
        self._end(left=False)
        self.state = LEAVING
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        self.transport.abort()

    def _leave(self) -> None:
        """Send the end of the stream, and listen until the client has read it; closing now could cost it the reply."""
        self.state = LEAVING
        self._arrived.clear()
        self.transport.resume_reading()
        try:
            self.transport.write_eof()
        except OSError:  # it has gone already
            self.drop()

    # Requests

    def data_received(self, data: bytes) -> None:
        if self.state == LEAVING:
            return
        self._arrived += data
        if self.state == IDLE:
            self._read_on()
        self._limit_reading()

    def _limit_reading(self) -> None:
        if self.state == BUSY and len(self._arrived) > MOST_WAITING_BYTES:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()

    def _read_on(self) -> None:
        """Answer what has arrived, request by request, until a reply takes its time or nothing whole is left."""
        while self.state == IDLE and self._arrived:
            try:
                request = self._take_request()
            except Refused as refused:
                self._begin(UNREADABLE, ("", "", ""))
                self._start(refused.reply)
                return
            if request is None:
                return
            self._answer(request)

    def _take_request(self) -> Request | None:
        head = self._head
        if head is None:
            head = self._head = take_head(self._arrived)
            if head is None:
                return None
            if head.body_bytes and head.headers.get("expect", "").lower() == "100-continue":
                self.transport.write(CONTINUE)
        if len(self._arrived) < head.body_bytes:
            return None
        body = bytes(self._arrived[: head.body_bytes])
        del self._arrived[: head.body_bytes]
        return Request(head.method, head.host, head.path, head.query, head.headers, body)

    def _answer(self, request: Request) -> None:
        head, self._head = cast(Head, self._head), None
        target = f"{request.path}?{request.query}" if request.query else request.path
        self._begin(head, (request.host, target, request.method))
        reply = FAULT
        try:
            reply = self.house.answer(request)
        finally:  # what a site raises goes on to the loop, which tells it; the client gets an answer all the same
            self._start(reply)

    def _begin(self, head: Head, words: tuple[str, str, str]) -> None:
        self.state = BUSY
        self._request = head
        self._number = 0 if head.host in OWN_HOSTS else self.house.log.begin(*words)

    # Replies

    def _start(self, reply: Reply) -> None:
        self._reply = reply
        self.quiet_since = time.monotonic()
        if reply.hangs:
            return
        if reply.wait_seconds > 0:
            self._timer = self.loop.call_later(reply.wait_seconds, self._go_on)
        else:
            self._speak()

    def _go_on(self) -> None:
        """Take up a reply after a pause, and then what came in meanwhile."""
        self._timer = None
        if self.state == BUSY:
            self.quiet_since = time.monotonic()
            self._speak()
        if self.state == IDLE:
            self._read_on()
            self._limit_reading()

    def _speak(self) -> None:
        if self._reply.resets:
            self._reset()
            return
        told = False
        try:
            if self._pieces is None:
                self._keep_alive = self._reply is not FAULT and may_go_on(self._reply, self._request)
                self._pieces = write_pieces(self._reply, self._request, keep_alive=self._keep_alive)
            self._send_pieces(self._pieces)
            told = True
        finally:  # as in _answer
            if not told:
                self._break_off()

    def _send_pieces(self, pieces: Iterator[bytes]) -> None:
        """Send what the client takes, one turn's worth at most."""
        until = time.monotonic() + TURN_SECONDS
        while not self._is_full and not self.transport.is_closing():
            if time.monotonic() >= until:
                self._timer = self.loop.call_soon(self._go_on)
                return
            piece = next(pieces, None)
            if piece is None:
                self._finish()
                return
            self.transport.write(piece)
            self._sent_bytes += len(piece)
            if self._reply.drip_seconds > 0:
                self._timer = self.loop.call_later(self._reply.drip_seconds, self._go_on)
                return

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False
        if self.state == BUSY and self._pieces is not None and self._timer is None:
            self._go_on()

    def _break_off(self) -> None:
        """Answer 500 when a body broke before its first byte; afterwards only breaking the connection is honest."""
        if self._sent_bytes == 0 and self._reply is not FAULT:
            self._reply, self._pieces = FAULT, None
            self._speak()
        else:
            self._reset()

    def _finish(self) -> None:
        keep_alive = self._keep_alive
        self._end(left=False)
        self._clear()
        self.quiet_since = time.monotonic()
        if keep_alive:
            self.state = IDLE
        else:
            self._leave()

    def _end(self, *, left: bool) -> None:
        if self._number:
            status = self._reply.status if self._sent_bytes else 0
            self.house.log.end(self._number, status=status, sent_bytes=self._sent_bytes, left=left)
