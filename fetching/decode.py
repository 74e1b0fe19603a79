"""Undo a Content-Encoding piece by piece: at most one small piece is ever inflated, however dense the bytes are."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

import brotli

import reasons
from errors import Final

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PIECE = 64 * 1024
MOST_LAYERS = 2
# Files joined from parts have a few. Each costs a decoder and a copy of what follows it, so thousands are an attack.
MOST_MEMBERS = 1000
GZIP_MAGIC = b"\x1f\x8b"
# A window larger than 8 MiB needs that much memory at once; RFC 9659 forbids it on the web.
ZSTD_WINDOW_LOG = 23

ACCEPTED = "gzip, deflate, br, zstd"


class Layer(Protocol):
    """One decoder: takes bytes, gives pieces of at most about PIECE bytes."""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Inflate what came in, piece by piece."""
        ...


class Inflate:
    """gzip and deflate. What is not compressed at all, though the header says so, passes as it is."""

    def __init__(self, window_bits: int) -> None:
        self._bits = window_bits
        self._decoder: Any = None
        self._is_plain = self._is_over = False
        self._members = 1

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._decoder is None and not self._is_plain:
            self._start(data)
        if self._is_plain:
            yield data
            return
        while data and not self._is_over:
            if self._decoder.eof:
                self._go_on(data)
            if not self._is_over:
                yield self._decoder.decompress(data, PIECE)
                data = self._decoder.unused_data if self._decoder.eof else self._decoder.unconsumed_tail

    def _start(self, data: bytes) -> None:
        if self._bits == GZIP:
            self._is_plain = not data.startswith(GZIP_MAGIC[: len(data)])
        elif data[0] & 0x0F != 8:  # "deflate" is sent both with the zlib head, as it should be, and without
            self._bits = -zlib.MAX_WBITS
        self._decoder = zlib.decompressobj(self._bits)

    def _go_on(self, data: bytes) -> None:
        """Begin the next gzip member; anything else after the end is rubbish that browsers ignore too.

        A decoder at its end is given none of it: it would copy all it was given before for each further piece.
        """
        self._is_over = self._bits != GZIP or not data.startswith(GZIP_MAGIC[: len(data)])
        if not self._is_over:
            self._members = _count(self._members)
            self._decoder = zlib.decompressobj(GZIP)


GZIP = zlib.MAX_WBITS | 16


class Brotli:
    """br."""

    def __init__(self) -> None:
        self._decoder = brotli.Decompressor()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._decoder.is_finished():
            return
        piece = self._decoder.process(data, output_buffer_limit=PIECE)
        yield piece
        # A full piece may leave output behind even when all input was taken.
        while len(piece) >= PIECE or not self._decoder.can_accept_more_data():
            piece = self._decoder.process(b"", output_buffer_limit=PIECE)
            yield piece


class Zstandard:
    """zstd, of one or several frames."""

    def __init__(self) -> None:
        self._decoder = self._new()
        self._members = 1

    @staticmethod
    def _new() -> Any:
        return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW_LOG})

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while True:
            if self._decoder.eof:
                data = self._decoder.unused_data + data
                if not data:
                    return
                self._members = _count(self._members)
                self._decoder = self._new()
            yield self._decoder.decompress(data, PIECE)
            data = b""
            if self._decoder.needs_input:
                return


def _count(members: int) -> int:
    if members >= MOST_MEMBERS:
        raise Final(reasons.BAD_RESPONSE, f"the body is cut into more than {MOST_MEMBERS} compressed parts")
    return members + 1


LAYERS: dict[str, Callable[[], Layer]] = {
    "gzip": lambda: Inflate(GZIP),
    "x-gzip": lambda: Inflate(GZIP),
    "deflate": lambda: Inflate(zlib.MAX_WBITS),
    "br": Brotli,
    "zstd": Zstandard,
}


def decoded(parts: Iterable[bytes], content_encoding: str, max_bytes: int) -> Iterator[bytes]:
    """Give the decoded pieces of a body; between two layers there may be no more than `max_bytes` either."""
    names = [name for word in content_encoding.lower().split(",") if (name := word.strip()) not in ("", "identity")]
    if len(names) > MOST_LAYERS or any(name not in LAYERS for name in names):
        raise Final(reasons.BAD_RESPONSE, f"Content-Encoding {content_encoding[:100]!r} is not known here")
    pieces: Iterator[bytes] = iter(parts)
    for name in reversed(names):
        pieces = _through(LAYERS[name](), _within(pieces, max_bytes), name)
    return pieces


def _within(pieces: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
    """Stop a bomb inside a bomb: gigabytes that inflate to nothing never meet the limit of what comes out."""
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > max_bytes:
            raise Final(reasons.TOO_LARGE, f"the limit is {max_bytes:,} bytes, there are more inside the first layer")
        yield piece


def _through(layer: Layer, parts: Iterator[bytes], name: str) -> Iterator[bytes]:
    try:
        for part in parts:
            if part:
                yield from layer.pieces(part)
    except (zlib.error, brotli.error, zstd.ZstdError, EOFError) as fault:
        raise Final(reasons.BAD_RESPONSE, f"the body is not {name}: {fault}") from fault
