"""Bombs inflate without end in sight, and whoever sends them holds next to nothing."""

from __future__ import annotations

import sys
import tracemalloc
import zlib
from collections.abc import Callable, Iterator

import brotli  # type: ignore[import-untyped, unused-ignore]
import pytest

from sandbox.sites import bombs
from sandbox.sites.misbehaviour_size import accepts

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MIB = 1 << 20
Produce = Callable[[], Iterator[bytes]]
Inflate = Callable[[], Callable[[bytes], bytes]]

CODINGS: list[tuple[Produce, Inflate]] = [
    (bombs.gzip_bomb, lambda: zlib.decompressobj(16 + zlib.MAX_WBITS).decompress),
    (bombs.brotli_bomb, lambda: brotli.Decompressor().process),
    (bombs.zstd_bomb, lambda: zstd.ZstdDecompressor().decompress),
]


@pytest.mark.parametrize(("produce", "inflate"), CODINGS)
def test_the_first_100_mib_inflate_to_a_page_of_blanks(produce: Produce, inflate: Inflate) -> None:
    decode, inflated, sent, first = inflate(), 0, 0, b""
    for piece in produce():
        data = decode(piece)
        first = first or data
        assert data[len(bombs.OPENING) :].strip() == b""
        inflated, sent = inflated + len(data), sent + len(piece)
        if inflated >= 100 * MIB:
            break
    assert inflated >= 100 * MIB
    assert sent < MIB
    assert first.startswith(b"<!doctype html>")


def test_a_whole_gzip_bomb_is_a_valid_file_of_1_gib() -> None:
    decode = zlib.decompressobj(16 + zlib.MAX_WBITS)
    inflated = sum(len(decode.decompress(piece)) for piece in bombs.gzip_bomb())
    assert decode.eof  # size and checksum at the end are right, or zlib had raised
    assert inflated == 1024 * MIB + len(bombs.OPENING)


@pytest.mark.parametrize("produce", [produce for produce, _ in CODINGS] + [bombs.huge_page])
def test_the_sender_holds_next_to_nothing(produce: Produce) -> None:
    next(produce())  # the part that repeats is made once
    tracemalloc.start()
    try:
        pieces = sum(1 for _ in produce())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert pieces > 500
    assert peak < 3 * MIB


def test_a_huge_page_is_more_than_50_mib() -> None:
    assert sum(map(len, bombs.huge_page())) > 50 * MIB


def test_an_endless_page_goes_on() -> None:
    pieces = bombs.endless_page()
    assert sum(len(next(pieces)) for _ in range(2_000)) > 100 * MIB


@pytest.mark.parametrize(
    ("header", "allowed"),
    [("gzip, deflate", True), ("br", False), ("gzip;q=0, br", False), ("*", True), ("", False), ("GZIP;q=0.5", True)],
)
def test_a_coding_is_sent_only_where_it_is_taken(header: str, allowed: bool) -> None:
    assert accepts(header, "gzip") is allowed
