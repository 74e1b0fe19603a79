"""Sitemap bytes: a stream, packed or not and in any charset, as pieces of text; never more than a piece in memory."""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Protocol

from services.charset import BYTE_ORDER_MARKS, FALLBACK, SINGLE_BYTE, codec_named

PIECE_BYTES = 64 * 1024
MOST_LAYERS = 2  # a packed file that a server packed once more
MOST_MEMBERS = 10_000
GZIP = b"\x1f\x8b\x08"
SNIFFED_BYTES = 512

_DECLARED = re.compile(rb"\s{0,64}<\?xml[^>]{0,256}?encoding\s*+=\s*+[\"']([\w.:+-]{1,40})[\"']", re.IGNORECASE)


class Packed(Exception):
    """More layers of packing than anybody honest uses."""


class Source(Protocol):
    """Anything that gives bytes when asked for at most so many."""

    def read(self, size: int, /) -> bytes | None: ...


class Whole:
    """Bytes read a whole piece at a time, whatever a socket gives at once, up to a limit."""

    def __init__(self, source: Source) -> None:
        self.source, self.waiting, self.is_cut = source, b"", False
        self.left: int | None = None

    def read(self, size: int, /) -> bytes:
        """Give `size` bytes; fewer only at the end."""
        parts, missing = [self.waiting], size - len(self.waiting)
        while missing > 0 and (part := self.source.read(missing)):
            parts.append(part)
            missing -= len(part)
        joined = b"".join(parts)
        given, self.waiting = joined[:size], joined[size:]
        return self._within_limit(given)

    def _within_limit(self, given: bytes) -> bytes:
        if self.left is None:
            return given
        if len(given) > self.left:
            self.is_cut, given, self.waiting = True, given[: self.left], b""
        self.left -= len(given)
        return given


class Unpacked:
    """What is inside a gzip file, as far as it can be unpacked."""

    def __init__(self, source: Source) -> None:
        self.source, self.waiting, self.is_cut = source, b"", False
        self.members = 1
        self.inflate = zlib.decompressobj(wbits=31)

    def read(self, size: int, /) -> bytes:
        """Give at most `size` unpacked bytes; none at the end or where the file is broken."""
        while not self.is_cut:
            if self.inflate.eof and not self._next_member():
                return b""
            packed = self.inflate.unconsumed_tail or self.waiting or self.source.read(PIECE_BYTES) or b""
            self.waiting = b""
            given = self._inflated(packed, size)
            if given:
                return given
            if not packed and not self.inflate.eof:
                self.is_cut = True
        return b""

    def _inflated(self, packed: bytes, size: int) -> bytes:
        before = self.inflate.copy()
        try:
            return self.inflate.decompress(packed, size)
        except zlib.error:
            self.is_cut = True
            return _up_to_the_fault(before, packed, size)

    def _next_member(self) -> bool:
        """Go on to a file packed behind this one; anything else behind it is padding."""
        waiting = self.inflate.unused_data or self.source.read(PIECE_BYTES) or b""
        self.members += 1
        if not waiting.startswith(GZIP[:2]) or self.members > MOST_MEMBERS:
            return False
        self.waiting, self.inflate = waiting, zlib.decompressobj(wbits=31)
        return True


def _up_to_the_fault(inflate: zlib._Decompress, packed: bytes, size: int) -> bytes:
    """Unpack byte by byte what an error would swallow whole."""
    given = b""
    try:
        for at in range(len(packed)):
            given += inflate.decompress(packed[at : at + 1], size)
            if len(given) >= size:
                break
    except zlib.error:
        pass
    return given


class Text:
    """The text of a stream; `is_cut` after the last piece tells that there should have been more."""

    def __init__(self, stream: BinaryIO, max_bytes: int) -> None:
        self.layers: list[Whole | Unpacked] = []
        self.stream, self.max_bytes = stream, max_bytes

    @property
    def is_cut(self) -> bool:
        return any(layer.is_cut for layer in self.layers)

    def pieces(self) -> Iterator[str]:
        """Read and decode to the end."""
        whole = self._unpacked()
        piece = whole.read(PIECE_BYTES)
        decoder = Decoder(piece)
        while piece:
            yield decoder.decode(piece)
            piece = whole.read(PIECE_BYTES)
        yield decoder.decode(b"", final=True)

    def _unpacked(self) -> Whole:
        source: Source = self.stream
        for _ in range(MOST_LAYERS + 1):
            whole = Whole(source)
            head = whole.read(PIECE_BYTES)
            whole.waiting = head + whole.waiting
            if not head.startswith(GZIP):
                whole.left = self.max_bytes
                self.layers.append(whole)
                return whole
            source = unpacked = Unpacked(whole)
            self.layers.append(unpacked)
        raise Packed


class Decoder:
    """Bytes to text, piece by piece: UTF-8 while it holds, then what was declared, then what browsers assume."""

    def __init__(self, head: bytes) -> None:
        charset, skipped = _charset(head[:SNIFFED_BYTES])
        self.skipped, self.waiting = skipped, b""
        declared = charset or FALLBACK
        self.is_utf8 = declared == "utf-8" or bool(SINGLE_BYTE.match(declared))
        self.otherwise = codecs.getincrementaldecoder(declared)(errors="replace")

    def decode(self, piece: bytes, *, final: bool = False) -> str:
        """Decode the next piece; a character cut in two waits for the rest of it."""
        if self.skipped:
            piece, self.skipped = piece[self.skipped :], 0
        if not self.is_utf8:
            return self.otherwise.decode(piece, final)
        piece = self.waiting + piece
        try:
            text, used = codecs.utf_8_decode(piece, "strict", final)
        except UnicodeDecodeError:
            self.is_utf8, self.waiting = False, b""
            return self.otherwise.decode(piece, final)
        self.waiting = piece[used:]
        return text


def _charset(head: bytes) -> tuple[str | None, int]:
    """Name the charset that the first bytes tell, and how many of them are its mark."""
    for mark, marked in BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return marked, len(mark)
    if head[1:2] == b"\x00" and head[3:4] == b"\x00":
        return "utf-16-le", 0
    if head[:1] == b"\x00" and head[2:3] == b"\x00":
        return "utf-16-be", 0
    found = _DECLARED.match(head)
    charset = codec_named(found[1].decode("ascii")) if found else None
    # What could be read as ASCII until here is not UTF-16, whatever it says.
    if charset is None or charset.startswith(("utf-16", "utf-32")):
        return ("utf-8" if charset else None), 0
    try:
        codecs.getincrementaldecoder(charset)
    except LookupError:
        return None, 0
    return charset, 0
