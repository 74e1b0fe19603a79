"""Sitemaps that are wrong, sly or hostile, each with the site's real addresses in it somewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sandbox.sites.sitemaps import HEAD, NAMESPACE, Entry, urlset

LAUGHS = 9  # tenfold each time: a billion words from one


def broken(entries: Sequence[Entry]) -> bytes:
    """Break off in the middle of the entry after the last."""
    whole = urlset([*entries, Entry("http://cut-off.example/never-read", entries[-1].changed)])
    return whole[: whole.rindex(b"/never-read") - 4]


def entity_bomb(entries: Sequence[Entry]) -> bytes:
    """Swell to a billion words in a reader that expands entities."""
    words = "".join(f'<!ENTITY lol{depth} "{f"&lol{depth - 1};" * 10}">\n' for depth in range(1, LAUGHS + 1))
    kinds = f'<!DOCTYPE urlset [\n<!ENTITY lol0 "lol">\n{words}]>\n'
    bomb = f"<url><loc>{escape(entries[0].url)}?&lol{LAUGHS};</loc></url>\n"
    return _with(entries, doctype=kinds, more=bomb)


def external_entity(entries: Sequence[Entry]) -> bytes:
    """Ask the reader to put in a file of its own machine, and a page of an address inside its network."""
    kinds = (
        '<!DOCTYPE urlset [\n<!ENTITY file SYSTEM "file:///etc/passwd">\n'
        '<!ENTITY inside SYSTEM "http://169.254.169.254/latest/meta-data/">\n'
        '<!ENTITY % more SYSTEM "http://127.0.0.1/more.dtd">\n%more;\n]>\n'
    )
    home = escape(entries[0].url)
    rows = f"<url><loc>{home}?file=&file;</loc></url>\n<url><loc>{home}?inside=&inside;</loc></url>\n"
    return _with(entries, doctype=kinds, more=rows)


def _with(entries: Sequence[Entry], *, doctype: str, more: str) -> bytes:
    """The honest addresses come first: a reader that refuses the entities has them by then, or refuses the file."""
    honest = "".join(f"<url><loc>{escape(entry.url)}</loc></url>\n" for entry in entries)
    return f'{HEAD}{doctype}<urlset xmlns="{NAMESPACE}">\n{honest}{more}</urlset>\n'.encode()


def wrong_namespace(entries: Sequence[Entry]) -> bytes:
    """Name another namespace, as old generators do."""
    return urlset(entries, namespace="http://www.google.com/schemas/sitemap/0.84")


def cdata(entries: Sequence[Entry]) -> bytes:
    """Wrap every address in CDATA, with room around it, after a byte order mark."""
    rows = "".join(f"<url><loc>\n  <![CDATA[{entry.url}]]>\n</loc></url>\n" for entry in entries)
    return b"\xef\xbb\xbf" + f'{HEAD}<urlset xmlns="{NAMESPACE}">\n{rows}</urlset>\n'.encode()
