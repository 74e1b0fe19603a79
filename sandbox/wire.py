"""Bytes to heads of requests, and replies to bytes: HTTP/1.1 without sockets."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus

from sandbox.message import PLAIN, Reply

MOST_HEAD_BYTES = 32 * 1024
MOST_BODY_BYTES = 1024 * 1024
PIECE_BYTES = 64 * 1024
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105
_REQUEST_LINE = re.compile(rf"({_TOKEN}) ([!-~\x80-\xff]+) HTTP/([0-9])\.([0-9])")
_FIELD = re.compile(rf"({_TOKEN}):(.*)")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z._~-]+)(?::[0-9]{0,5})?")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_WITHOUT_BODY = frozenset((204, 304))


class Refused(Exception):
    """Bytes that are no request we take, with the status to say so."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why

    @property
    def reply(self) -> Reply:
        return Reply(self.status, f"{self.why}\n".encode(), PLAIN)


@dataclass(frozen=True, slots=True)
class Head:
    """All of a request but its body."""

    method: str
    host: str
    path: str
    query: str
    headers: dict[str, str]
    body_bytes: int
    keep_alive: bool
    chunks: bool  # whether the client understands chunked replies: HTTP/1.1


UNREADABLE = Head("", "", "", "", {}, 0, False, False)  # stands for what could not be understood


def take_head(buffer: bytearray) -> Head | None:
    """Take the next head off the front of what has arrived; None when it is not yet whole."""
    while buffer.startswith(b"\r\n"):  # some clients end a body with an empty line
        del buffer[:2]
    end = buffer.find(b"\r\n\r\n", 0, MOST_HEAD_BYTES)
    if end < 0:
        _check_beginning(buffer)
        return None
    text = buffer[:end].decode("latin-1")
    del buffer[: end + 4]
    return read_head(text)


def _check_beginning(buffer: bytearray) -> None:
    """Refuse at once what cannot become a request, so that nobody waits for its end."""
    if buffer and buffer[0] not in _LETTERS and buffer != b"\r":  # the other half of an empty line may follow
        raise Refused(400, "This is not HTTP.")
    line, newline, _ = bytes(buffer[:MOST_HEAD_BYTES]).partition(b"\n")
    if newline and not _REQUEST_LINE.fullmatch(line.decode("latin-1").removesuffix("\r")):
        raise Refused(400, "The first line is not that of a request.")
    if len(buffer) >= MOST_HEAD_BYTES:
        raise Refused(431, f"The head of a request may have {MOST_HEAD_BYTES} bytes.")


def read_head(text: str) -> Head:
    """Read a head without its last, empty line."""
    first, *lines = text.split("\r\n")
    match = _REQUEST_LINE.fullmatch(first)
    if match is None:
        raise Refused(400, "The first line is not that of a request.")
    method, target, major, minor = match.groups()
    if major != "1":
        raise Refused(505, "Only HTTP/1.0 and HTTP/1.1 are spoken here.")
    headers = _read_fields(lines)
    authority, path, query = _split_target(target)
    return Head(
        method,
        _read_host(authority or headers.get("host"), is_new=minor != "0"),
        path,
        query,
        headers,
        _read_length(headers),
        _keeps_alive(headers.get("connection"), is_new=minor != "0"),
        minor != "0",
    )


def _read_fields(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        name, value = _read_field(line)
        if name not in headers:
            headers[name] = value
        elif name in ("host", "content-length") and headers[name] != value:
            raise Refused(400, f"There are two different {name} headers.")
        elif name not in ("host", "content-length"):
            headers[name] += f", {value}"
    return headers


def _read_field(line: str) -> tuple[str, str]:
    return _read_short_field(line) if len(line) <= 200 else _parse_field(line)


@lru_cache(4096)  # clients say the same few lines again and again
def _read_short_field(line: str) -> tuple[str, str]:
    return _parse_field(line)


def _parse_field(line: str) -> tuple[str, str]:
    match = _FIELD.fullmatch(line)
    if match is None or _CONTROL.search(line):
        raise Refused(400, "A line of the head is not a header.")
    return match[1].lower(), match[2].strip(" \t")


def _split_target(target: str) -> tuple[str | None, str, str]:
    """Split a target into host (if it is a whole URL), path and query."""
    authority = None
    if target[:7].lower() == "http://":
        authority, slash, rest = target[7:].partition("/")
        target = slash + rest or "/"
    elif target[0] != "/" and target != "*":
        raise Refused(400, "The target is neither a path nor a URL.")
    path, _, query = target.partition("#")[0].partition("?")
    return authority, path, query


@lru_cache(4096)
def _read_host(value: str | None, *, is_new: bool) -> str:
    if value is None and not is_new:
        return ""
    match = _HOST.fullmatch((value or "").lower())
    if match is None:
        raise Refused(400, "There is no valid Host header.")
    return match[1].strip("[]").removesuffix(".")


def _read_length(headers: dict[str, str]) -> int:
    if "transfer-encoding" in headers:
        raise Refused(501, "Bodies in chunks are not taken here: send a Content-Length.")
    value = headers.get("content-length")
    if value is None:
        return 0
    if not (value.isascii() and value.isdecimal()):
        raise Refused(400, "The Content-Length is not a number.")
    if len(value) > 18 or int(value) > MOST_BODY_BYTES:
        raise Refused(413, f"The body of a request may have {MOST_BODY_BYTES} bytes.")
    return int(value)


@lru_cache(64)
def _keeps_alive(connection: str | None, *, is_new: bool) -> bool:
    wishes = [wish.strip().lower() for wish in (connection or "").split(",")]
    return "close" not in wishes if is_new else "keep-alive" in wishes


def may_go_on(reply: Reply, head: Head) -> bool:
    """Tell whether the connection can carry another request after this reply."""
    said = {name.lower(): value.lower() for name, value in reply.headers} if reply.headers else {}
    if "content-length" in said or said.get("connection") == "close":  # a length that a site states may be a lie
        return False
    return head.keep_alive and (head.chunks or isinstance(reply.body, bytes))


def write_pieces(reply: Reply, head: Head, *, keep_alive: bool) -> Iterator[bytes]:
    """Give the bytes of a reply bit by bit, its head with the first; of one that drips, byte by byte."""
    pieces = _pieces(reply, head, keep_alive)
    return (bytes((byte,)) for piece in pieces for byte in piece) if reply.drip_seconds else pieces


def _pieces(reply: Reply, head: Head, keep_alive: bool) -> Iterator[bytes]:
    chunked = head.chunks and not isinstance(reply.body, bytes) and not _states_length(reply)
    first = write_head(reply, chunked=chunked, keep_alive=keep_alive)
    if reply.status in _WITHOUT_BODY or head.method == "HEAD":
        return iter((first,))
    if not isinstance(reply.body, bytes):
        return _stream(first, reply.body, chunked=chunked)
    if len(reply.body) <= PIECE_BYTES:
        return iter((first + reply.body,))
    return _slices(first, reply.body)


def _states_length(reply: Reply) -> bool:
    return any(name.lower() == "content-length" for name, _ in reply.headers)


def _slices(head: bytes, body: bytes) -> Iterator[bytes]:
    yield head + body[:PIECE_BYTES]
    view = memoryview(body)
    for start in range(PIECE_BYTES, len(body), PIECE_BYTES):
        yield bytes(view[start : start + PIECE_BYTES])


def _stream(head: bytes, body: Iterable[bytes], *, chunked: bool) -> Iterator[bytes]:
    """Send the head with the first piece only, so that a body that breaks at once can still become an honest 500."""
    for piece in body:
        if piece:
            yield head + (b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
            head = b""
    if head or chunked:
        yield head + (b"0\r\n\r\n" if chunked else b"")


def write_head(reply: Reply, *, chunked: bool, keep_alive: bool) -> bytes:
    """Give the head of a reply; what the reply says itself wins over what we would say."""
    said = {name.lower() for name, _ in reply.headers} if reply.headers else ()
    lines = [_status_line(reply.status), _date_line(int(time.time()))]
    lines += [f"{name}: {value}" for name, value in reply.headers]
    if reply.content_type is not None and "content-type" not in said:
        lines.append(f"Content-Type: {reply.content_type}")
    if chunked:
        lines.append("Transfer-Encoding: chunked")
    elif isinstance(reply.body, bytes) and "content-length" not in said and reply.status not in _WITHOUT_BODY:
        lines.append(f"Content-Length: {len(reply.body)}")
    if not keep_alive and "connection" not in said:
        lines.append("Connection: close")
    if any("\r" in line or "\n" in line for line in lines[2:]):
        raise ValueError(f"A header of the sandbox has a line break: {reply.headers}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


@lru_cache(128)
def _status_line(status: int) -> str:
    known = {each.value: each.phrase for each in HTTPStatus}
    return f"HTTP/1.1 {status} {known.get(status, 'Unknown')}\r\nServer: sandbox"


@lru_cache(1)
def _date_line(second: int) -> str:
    return f"Date: {formatdate(second, usegmt=True)}"
