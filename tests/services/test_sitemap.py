"""Sitemaps as they are found: every format, every packing, damaged, and in the sandbox's own handwriting."""

from __future__ import annotations

import gzip
import io
from datetime import UTC, date, datetime

import pytest

from sandbox.sites import bad_sitemaps, sitemaps
from sandbox.sites.sitemaps import Entry
from services.sitemap import ChildSitemap, Reader, Refused, SitemapEntry, read

URL = "https://a.example/maps/sitemap.xml"
A, B, C = "https://a.example/a", "https://a.example/b", "https://a.example/c"
DAY = datetime(2024, 5, 17, tzinfo=UTC)
ENTRIES = [Entry(A, DAY.date(), "A"), Entry(B + "?x=1&y=2", date(2023, 1, 2), "B"), Entry(C, DAY.date(), "C")]
WHOLE = [A, B + "?x=1&y=2", C]


def opened(body: bytes | str, url: str = URL) -> Reader:
    return read(io.BytesIO(body.encode() if isinstance(body, str) else body), url=url)


def urls(body: bytes | str) -> list[str]:
    return [entry.url for entry in opened(body)]


def urlset(*rows: str, root: str = "urlset", attributes: str = "") -> str:
    return f'<?xml version="1.0"?>\n<{root}{attributes}>\n' + "\n".join(rows) + f"\n</{root}>\n"


def row(url: str, more: str = "") -> str:
    return f"<url><loc>{url}</loc>{more}</url>"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (sitemaps.urlset(ENTRIES), "standard"),
        (b"".join(sitemaps.streamed_urlset(iter(ENTRIES))), "standard"),
        (sitemaps.zipped(sitemaps.urlset(ENTRIES)), "standard"),
        (sitemaps.zipped(sitemaps.zipped(sitemaps.urlset(ENTRIES))), "standard"),
        (sitemaps.text(ENTRIES), "text"),
        (sitemaps.zipped(sitemaps.text(ENTRIES)), "text"),
        (sitemaps.rss(ENTRIES, name="A", home=A), "feed"),
        (sitemaps.atom(ENTRIES, name="A", home=A), "feed"),
        (bad_sitemaps.wrong_namespace(ENTRIES), "standard"),
        (bad_sitemaps.cdata(ENTRIES), "standard"),
        (sitemaps.urlset(ENTRIES).decode().replace("UTF-8", "UTF-16").encode("utf-16"), "standard"),
        (sitemaps.urlset(ENTRIES).decode().encode("utf-16-be"), "standard"),
        (sitemaps.urlset(ENTRIES).replace(b"UTF-8", b"UTF-16"), "standard"),
    ],
)
def test_every_format(body: bytes, kind: str) -> None:
    reader = opened(body)
    entries = list(reader)
    assert [entry.url for entry in entries] == WHOLE
    assert all(isinstance(entry, SitemapEntry) for entry in entries)
    assert (reader.kind, reader.truncated, reader.skipped) == (kind, False, 0)
    if b"<lastmod>" in body or kind == "feed":
        assert [entry.lastmod and entry.lastmod.date() for entry in entries] == [each.changed for each in ENTRIES]


def test_an_index_names_further_sitemaps() -> None:
    reader = opened(sitemaps.index(ENTRIES))
    assert next(reader) == ChildSitemap(A, DAY)
    assert len(list(reader)) == 2
    assert (reader.kind, reader.truncated) == ("index", False)


def test_everything_an_entry_says() -> None:
    more = "<lastmod>2024-05-17</lastmod><changefreq>Weekly</changefreq><priority>0.8</priority>"
    expected = [SitemapEntry(A, DAY, 0.8, "weekly")]
    assert list(opened(urlset(row(A, more)))) == expected
    assert list(opened(urlset(row(A, more).replace("<url>", "<url >")))) == expected


def test_a_file_broken_off_is_read_as_far_as_it_goes() -> None:
    reader = opened(bad_sitemaps.broken(ENTRIES))
    assert [entry.url for entry in reader] == WHOLE
    assert reader.truncated


def test_a_packed_file_broken_off_is_read_as_far_as_it_goes() -> None:
    packed = gzip.compress(urlset(*(row(f"{A}/{number}") for number in range(5_000))).encode())
    reader = opened(packed[: len(packed) // 2])
    found = [entry.url for entry in reader]
    assert 1_000 < len(found) < 5_000
    assert found == [f"{A}/{number}" for number in range(len(found))]
    assert reader.truncated


def test_a_packed_file_with_a_wrong_checksum_is_read_and_marked() -> None:
    packed = bytearray(gzip.compress(urlset(row(A)).encode()))
    packed[-6] ^= 255
    reader = opened(bytes(packed))
    assert [entry.url for entry in reader] == [A]
    assert reader.truncated


def test_a_cut_address_is_never_given() -> None:
    reader = opened(f"<urlset>{row(A)}<url><loc>{B}/half")
    assert [entry.url for entry in reader] == [A]
    assert reader.truncated


def test_packed_files_behind_one_another_are_one() -> None:
    whole = urlset(row(A), row(B)).encode()
    assert urls(gzip.compress(whole[:40]) + gzip.compress(whole[40:]) + b"\0" * 100) == [A, B]


@pytest.mark.parametrize(
    "body",
    [
        urlset(row(A), row(B), attributes=' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'),
        urlset(f"<s:url><s:loc>{A}</s:loc></s:url><s:url><s:loc>{B}</s:loc></s:url>", root="s:urlset"),
        urlset(row(f"<![CDATA[{A}]]>"), row(f" <!-- not {C} --> {B[:9]}<![CDATA[{B[9:]}]]> ")),
        urlset(row(A), f"<!-- {row(C)} -->", "<?php nothing ?>", row(B)),
        urlset(row(A.replace("/", "&#47;")), row(B.replace("e", "&#x65;"))),
        urlset(row(A), row(B)).replace("url>", "URL>").replace("loc>", "Loc>"),
        urlset(row(A), row(B)).replace("<loc>", "<loc lang='>'>"),
        urlset(row(A), row(B)).replace('<?xml version="1.0"?>', '<?xml version="1.0">'),
        urlset(row("/a"), row("../b")),
        urlset(row(A + "#top"), row(f"\n  {B}\n")),
        urlset(row(A), row("mailto:me@a.example"), "<url/>", "<url></url>", row(B)),
        "Warning: something in line 3\n<br />" + urlset(row(A), row(B)),
        "\n\n" + urlset(row(A), row(B)),
        "<!DOCTYPE urlset>" + urlset(row(A), row(B)),
        row(A) + row(B),
        urlset(row(A), row(B)).replace("</url>", ""),
        urlset(f"<url><priority>1</priority><loc>{A}</loc></url>", row(B)),
        urlset(f"<url><image><loc>{C}</loc></image><loc>{A}</loc></url>", row(B)),
        urlset(row(A, f"<image:loc>{C}</image:loc>"), row(B)),
        urlset(row(A, f"<x:link rel='alternate' href='{C}'/>"), row(B)),
        f"{A}\r\n\r\n# a comment\r\n{B}\r\n",
        f"\ufeff{A}\r{B}",
        f"{A}\nnot an address\n{B}\n",
        f"{A}\n/b\n",
    ],
)
def test_what_generators_write(body: str) -> None:
    assert urls(body) == [A, B]


def test_latin_1_is_read_as_declared_and_utf_8_as_it_is() -> None:
    body = '<?xml version="1.0" encoding="ISO-8859-1"?><urlset>' + row(A + "/ü") + "</urlset>"
    assert urls(body.encode("latin-1")) == urls(body.encode()) == [A + "/%C3%BC"]


def test_an_address_with_a_lost_character_is_skipped() -> None:
    reader = opened(
        b'<?xml version="1.0" encoding="UTF-8"?><urlset>' + row(A + "/\xfc").encode("latin-1") + b"</urlset>"
    )
    assert list(reader) == []
    assert (reader.skipped, reader.truncated) == (1, False)


def test_skipped_entries_are_counted() -> None:
    reader = opened(urlset(row(A), row("ftp://a.example/"), "<url></url>", row("https://a.example/" + "x" * 3000)))
    assert len(list(reader)) == 1
    assert reader.skipped == 3


@pytest.mark.parametrize("kind", ["image", "video", "news"])
def test_extensions_give_a_list_its_kind(kind: str) -> None:
    extension = f"<{kind}:{kind}><{kind}:loc>{C}</{kind}:loc><{kind}:title>x &amp; y</{kind}:title></{kind}:{kind}>"
    for start in ("<url>", "<url >"):
        body = urlset(row(A, extension * 2), row(B)).replace("<url>", start)
        reader = opened(body)
        assert [entry.url for entry in reader] == [A, B]
        assert reader.kind == kind
        few = opened(body.replace("</urlset>", row(C) * 2 + "</urlset>"))
        assert len(list(few)) == 4
        assert few.kind == "standard"


def test_the_link_of_a_feed() -> None:
    item = "<item><guid isPermaLink='{}'>{}</guid><pubDate>Fri, 17 May 2024 02:00:00 +0200</pubDate></item>"
    channel = f"<link>{C}</link><image><url>{C}</url><link>{C}</link></image>" + item.format("true", A)
    body = urlset(f"<channel>{channel}{item.format('false', B)}</channel>", root="rss")
    reader = opened(body)
    assert list(reader) == [SitemapEntry(A, DAY)]
    assert reader.skipped == 1
    atom = f"<entry><link rel='self' href='{C}'/><link href='{A}'/><published>2024-05-17</published></entry>"
    assert list(opened(urlset(atom, root="feed"))) == [SitemapEntry(A, DAY)]
    rdf = f"<item rdf:about='{C}'><link>{A}</link><dc:date>2024-05-17</dc:date></item>"
    assert list(opened(urlset(rdf, root="rdf:RDF"))) == [SitemapEntry(A, DAY)]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"   \n",
        b"<!DOCTYPE html><html><body><a href='/a'>not found</a></body></html>",
        b"<html><head><title>404</title></head></html>",
        b'<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://x/"><html></html>',
        b"<html><body><urlset></urlset></body></html>",
        b'{"urls": ["https://a.example/"]}',
        b"<svg xmlns='http://www.w3.org/2000/svg'></svg>",
        b"Not found. See https://a.example/ for more.",
        b"User-agent: *\nDisallow: /\nSitemap: https://a.example/sitemap.xml\n",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"%PDF-1.7\n",
        b"\x00" * 5_000,
        gzip.compress(gzip.compress(gzip.compress(b"<urlset></urlset>", mtime=0), mtime=0), mtime=0),
        gzip.compress(b"<html></html>", mtime=0),
        b"\x1f\x8b\x08broken",
    ],
)
def test_what_is_no_sitemap_is_refused(body: bytes) -> None:
    with pytest.raises(Refused) as refused:
        list(opened(body))
    assert refused.value.reason == "not-a-sitemap"


def test_an_empty_list_is_a_sitemap() -> None:
    reader = opened(urlset())
    assert list(reader) == []
    assert (reader.kind, reader.truncated) == ("standard", False)


def test_next_and_for_share_one_run() -> None:
    reader = opened(sitemaps.urlset(ENTRIES))
    assert reader.kind is None
    assert next(reader).url == A
    assert reader.kind == "standard"
    assert [entry.url for entry in reader] == WHOLE[1:]


def test_no_more_than_the_limit_is_unpacked() -> None:
    packed = gzip.compress(urlset(*(row(f"{A}/{number}") for number in range(10_000))).encode())
    reader = read(io.BytesIO(packed), url=URL, max_bytes=100_000)
    assert 1_000 < sum(1 for _ in reader) < 3_000
    assert reader.truncated
