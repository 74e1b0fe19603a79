"""Bodies that are small on the wire and 1 GiB when inflated, and bodies that never end, made piece by piece."""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Iterator
from functools import cache

import brotli  # type: ignore[import-untyped, unused-ignore]

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MIB = 1 << 20
BOMB_MIB = 1024
HUGE_PAGE_MIB = 64
OPENING = b"<!doctype html><html><head><title>Welcome</title></head><body><p>Welcome</p>"
GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
GZIP_CHECKSUM = 0x64860F98  # of the opening and 1 GiB of spaces: a second of work that need not be done again


def _spaces() -> bytes:
    return b" " * MIB


@cache
def _gzip_parts() -> tuple[bytes, bytes]:
    """Give the opening and one MiB of spaces, each ended by a full flush so that it can stand anywhere."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    opening = deflate.compress(OPENING) + deflate.flush(zlib.Z_FULL_FLUSH)
    return opening, deflate.compress(_spaces()) + deflate.flush(zlib.Z_FULL_FLUSH)


def gzip_bomb() -> Iterator[bytes]:
    """Yield a gzip file of 1 GiB of blank page."""
    opening, part = _gzip_parts()
    yield GZIP_HEAD + opening
    for _ in range(BOMB_MIB):
        yield part
    # An empty last block, then the checksum and the size that the format asks for.
    yield b"\x03\x00" + struct.pack("<II", GZIP_CHECKSUM, (len(OPENING) + BOMB_MIB * MIB) & 0xFFFFFFFF)


@cache
def _brotli_parts() -> tuple[bytes, bytes, bytes]:
    """Give the opening, a MiB that repeats (the coder has settled after the first one), and the end."""
    coder, spaces = brotli.Compressor(quality=5), _spaces()
    opening = coder.process(OPENING) + coder.flush() + coder.process(spaces) + coder.flush()
    part = coder.process(spaces) + coder.flush()
    return opening, part, coder.finish()


def brotli_bomb() -> Iterator[bytes]:
    """Yield a brotli stream of 1 GiB of blank page."""
    opening, part, end = _brotli_parts()
    yield opening
    for _ in range(BOMB_MIB - 1):
        yield part
    yield end


@cache
def _zstd_parts() -> tuple[bytes, bytes, bytes]:
    """Give the opening, a MiB of blocks that repeats, and the end, in one frame: some readers stop after the first."""
    coder, spaces = zstd.ZstdCompressor(), _spaces()
    opening = coder.compress(OPENING, coder.FLUSH_BLOCK) + coder.compress(spaces, coder.FLUSH_BLOCK)
    part = coder.compress(spaces, coder.FLUSH_BLOCK)
    return opening, part, coder.flush(coder.FLUSH_FRAME)


def zstd_bomb() -> Iterator[bytes]:
    """Yield a zstd frame of 1 GiB of blank page."""
    opening, part, end = _zstd_parts()
    yield opening
    for _ in range(BOMB_MIB - 1):
        yield part
    yield end


def endless_page() -> Iterator[bytes]:
    """Yield a page that never ends."""
    yield OPENING
    part = b"<p>" + b"and so on " * 6_500 + b"</p>\n"
    while True:
        yield part


def huge_page() -> Iterator[bytes]:
    """Yield more than 50 MiB of honest HTML."""
    yield OPENING
    row = b"<tr><td>Part number</td><td>in stock</td><td>ask us for a price</td></tr>\n"
    part = b"<table>" + row * 900 + b"</table>\n"
    for _ in range(HUGE_PAGE_MIB * MIB // len(part)):
        yield part
    yield b"</body></html>"
