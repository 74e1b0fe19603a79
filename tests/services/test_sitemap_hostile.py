"""Sitemaps meant to harm, arbitrary bytes, real sitemaps with bytes changed: nothing crashes, resolves or swells."""

from __future__ import annotations

import gzip
import io
import re
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sandbox.sites import bad_sitemaps, bombs, sitemaps
from sandbox.sites.sitemaps import Entry
from services.sitemap import Refused, read

URL = "https://a.example/sitemap.xml"
ENTRIES = [Entry(f"https://a.example/{name}?a=1&b=ü", date(2024, 5, 17), name) for name in ("a", "b", "c")]
STORED = re.compile(r"https?://(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?/[!-~]*")
REAL = [
    sitemaps.urlset(ENTRIES),
    sitemaps.index(ENTRIES),
    sitemaps.text(ENTRIES),
    sitemaps.rss(ENTRIES, name="A", home="https://a.example/"),
    sitemaps.atom(ENTRIES, name="A", home="https://a.example/"),
    sitemaps.zipped(sitemaps.urlset(ENTRIES)),
    sitemaps.urlset(ENTRIES).decode().encode("utf-16"),
    bad_sitemaps.cdata(ENTRIES),
    bad_sitemaps.broken(ENTRIES),
    bad_sitemaps.entity_bomb(ENTRIES),
]
MIB = 1 << 20


def harvest(body: bytes) -> list[str]:
    """Read what can be read; anything but Refused is a crash."""
    found = []
    with suppress(Refused):
        for entry in read(io.BytesIO(body), url=URL):
            found.append(entry.url)
            assert entry.lastmod is None or entry.lastmod.tzinfo is not None
    assert all(STORED.fullmatch(url) and len(url) <= 2048 for url in found)
    return found


@given(st.binary(max_size=600))
def test_arbitrary_bytes(body: bytes) -> None:
    harvest(body)
    harvest(b"<urlset>" + body)
    harvest(b"<urlset><url><loc>" + body + b"</loc></url></urlset>")
    harvest(b"https://a.example/\n" + body)
    harvest(b"\x1f\x8b\x08" + body)


MARKUP = "<>/!-[]?&;#x\"'= \n:a"
PIECES = [
    "<url>",
    "</url>",
    "<loc>",
    "</loc>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "https://a.example/",
    "&amp;",
    "<?",
    "?>",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(MARKUP, max_size=3), max_size=40))
@example(["<url>", "<loc>", "https://a.example/", "</loc>", "<url>"])
def test_arbitrary_markup(parts: list[str]) -> None:
    harvest(("<urlset>" + "".join(parts)).encode())


@given(st.sampled_from(REAL), st.lists(st.tuples(st.integers(0, 2000), st.binary(max_size=4), st.integers(0, 9))))
def test_real_sitemaps_with_bytes_changed(body: bytes, changes: list[tuple[int, bytes, int]]) -> None:
    for place, put, taken in changes:
        at = place % (len(body) + 1)
        body = body[:at] + put + body[at + taken :]
    harvest(body)


@given(st.sampled_from(REAL), st.integers(1, 7), st.data())
def test_how_a_stream_arrives_does_not_matter(body: bytes, size: int, data: st.DataObject) -> None:
    body = body[: data.draw(st.integers(0, len(body)))]

    class Dripping(io.BytesIO):
        def read(self, amount: int | None = -1, /) -> bytes:
            return super().read(min(size, amount) if amount and amount > 0 else size)

    dripped: list[str] = []
    with suppress(Refused):
        dripped.extend(entry.url for entry in read(Dripping(body), url=URL))
    assert dripped == harvest(body)


@pytest.mark.parametrize(
    "body",
    [
        bad_sitemaps.entity_bomb(ENTRIES),
        bad_sitemaps.external_entity(ENTRIES),
        b"<!DOCTYPE urlset SYSTEM 'http://127.0.0.1/x.dtd'><urlset><url><loc>https://a.example/</loc></url></urlset>",
        b"<!DOCTYPE urlset PUBLIC 'x' 'y'><urlset></urlset>",
        b"<!DOCTYPE urlset [ ]><urlset></urlset>",
        b"<!DOCTYPE\nurlset[<!ENTITY x 'y'>]><urlset></urlset>",
        b"<!DOCTYPE urlset" + b" " * 100_000 + b"[<!ENTITY x 'y'>]><urlset></urlset>",
        b"<urlset><!ENTITY x 'y'></urlset>",
        b"<urlset><xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='file:///etc/passwd'/></urlset>",
        b"<urlset xmlns:i='http://www.w3.org/2001/XInclude'><url><loc><i:include href='/x'/></loc></url></urlset>",
        b"<urlset><url><loc>https://a.example/</loc><xi:include href='file:///etc/passwd'/></url></urlset>",
        gzip.compress(bad_sitemaps.entity_bomb(ENTRIES)),
        bad_sitemaps.entity_bomb(ENTRIES).decode().encode("utf-16"),
    ],
)
def test_hostile_xml_is_refused(body: bytes) -> None:
    with pytest.raises(Refused) as refused:
        list(read(io.BytesIO(body), url=URL))
    assert refused.value.reason == "hostile-xml"


def test_entities_that_nobody_declared_stay_as_they_stand() -> None:
    body = b"<urlset><url><loc>https://a.example/?a=1&file;&lol9;&b=2</loc></url></urlset>"
    assert harvest(body) == ["https://a.example/?a=1&file;&lol9;&b=2"]


class Endless(io.RawIOBase):
    """A stream of parts that is never whole in memory."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self.parts, self.rest = parts, b""

    def read(self, size: int = -1, /) -> bytes:
        while len(self.rest) < size and (part := next(self.parts, b"")):
            self.rest += part
        given, self.rest = self.rest[:size], self.rest[size:]
        return given


def flood(opening: bytes, part: bytes, mib: int) -> Iterator[bytes]:
    yield opening
    whole = part * (MIB // len(part))
    for _ in range(mib):
        yield whole


FLOODS = [
    (b"<urlset>", b"<"),
    (b"<urlset>", b"<url>"),
    (b"<urlset>", b"<!"),
    (b"<urlset>", b"<!--"),
    (b"<urlset>", b"<![CDATA["),
    (b"<urlset><url><loc>", b"<![CDATA[x"),
    (b"<urlset><url><loc>", b"x"),
    (b"<urlset><url><loc>", b"&#"),
    (b"<urlset><url>", b"<loc></loc>"),
    (b"<urlset><url ", b'a="'),
    (b"<urlset><url ", b"a='b' "),
    (b"<urlset>", b"<url><loc>x</loc><a:b>"),
    (b"<urlset><?", b"? "),
    (b"<urlset>", b"</"),
    (b"<feed>", b"<entry><link href="),
    (b"https://a.example/\n", b"https://a.example/"),
    (b"https://a.example/\n", b"\n"),
    (b"<!-- ", b"x"),
    (b"", b"<a>"),
]


def drown(opening: bytes, part: bytes, mib: int) -> None:
    with suppress(Refused):
        for _ in read(Endless(flood(opening, part, mib)), url=URL):  # type: ignore[arg-type]
            pass


@pytest.mark.parametrize(("opening", "part"), FLOODS)
def test_floods_take_linear_time(opening: bytes, part: bytes) -> None:
    started = time.process_time()
    drown(opening, part, 1)
    assert time.process_time() - started < 10


@pytest.mark.parametrize(("opening", "part"), [each for each in FLOODS if len(each[1]) == 1 or b'="' in each[1]])
def test_floods_take_little_memory(opening: bytes, part: bytes) -> None:
    tracemalloc.start()
    drown(opening, part, 4)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * MIB


@pytest.mark.parametrize("layers", [1, 2])
def test_a_bomb_is_not_unpacked_to_its_end(layers: int) -> None:
    packed = b"".join(bombs.gzip_bomb()) if layers == 1 else gzip.compress(b"".join(bombs.gzip_bomb()))
    with pytest.raises(Refused):
        list(read(io.BytesIO(packed), url=URL))
