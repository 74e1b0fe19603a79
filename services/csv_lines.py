"""Lines of a file as text: any line ending, UTF-8, UTF-16 or what Windows writes, in constant memory."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

CHUNK_BYTES = 16 * 1024
LONGEST_LINE = 64 * 1024
# Longest first: the mark of UTF-32 begins with that of UTF-16.
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its ending; `is_cut` when it was longer than we read."""

    number: int
    text: str
    is_cut: bool = False


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """Give the lines of a stream one by one, numbered from 1."""
    begin = stream.read(CHUNK_BYTES)
    mark, encoding = next(((mark, name) for mark, name in MARKS if begin.startswith(mark)), (b"", "utf-8"))
    pieces = _decoded(begin[len(mark) :], stream, encoding)
    for number, (text, is_cut) in enumerate(_split(pieces), start=1):
        yield Line(number, _legible(text) if encoding == "utf-8" else text.replace("\x00", ""), is_cut)


def _decoded(begin: bytes, stream: BinaryIO, encoding: str) -> Iterator[str]:
    """Decode chunk by chunk; bytes that are no UTF-8 travel on as surrogates, to be told line by line."""
    errors = "surrogateescape" if encoding == "utf-8" else "replace"
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)(errors), translate=True)
    chunk = begin
    while chunk:
        yield decoder.decode(chunk)
        chunk = stream.read(CHUNK_BYTES)
    yield decoder.decode(b"", final=True)


def _split(pieces: Iterator[str]) -> Iterator[tuple[str, bool]]:
    """Cut text into lines; of a line without end only the beginning is kept."""
    rest, is_cut = "", False
    for piece in pieces:
        *whole, rest = (rest + piece).split("\n")
        for text in whole:
            yield text[:LONGEST_LINE], is_cut or len(text) > LONGEST_LINE
            is_cut = False
        if len(rest) > LONGEST_LINE:
            rest, is_cut = rest[:LONGEST_LINE], True
    if rest:
        yield rest, is_cut


def _legible(text: str) -> str:
    """Read a line that is no UTF-8 as Windows would have written it; a list pasted together may hold both."""
    text = text.replace("\x00", "")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raw = text.encode("utf-8", "surrogateescape")
        return raw.decode("cp1252", "replace")
    return text
