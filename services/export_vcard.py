"""Export vCard: a card each, in version 3.0, which the address books of Apple, Google and Microsoft all read.

Version 4.0 says nothing more that we need, and Outlook and Google take its cards wrongly or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from services.export_cell import moment, one_line
from services.lead_row import Reach

LONGEST_LINE_BYTES = 75
_NAME = re.compile(r"[^a-z0-9-]")


@contextmanager
def vcards(stream: BinaryIO) -> Iterator[Callable[[Reach], None]]:
    """Give the function that writes a card."""
    yield lambda reach: _write(stream, reach)


def _write(stream: BinaryIO, reach: Reach) -> None:
    stream.write(b"".join(folded(line) for line in lines_of(reach)))


def lines_of(reach: Reach) -> Iterator[str]:
    """Write the lines of a card, unfolded; a property without a value is left out."""
    first, last = reach.names
    shown = reach.person or reach.company or reach.email or reach.phone or reach.key
    yield from ("BEGIN:VCARD", "VERSION:3.0", "PRODID:-//ScraperSky//Export//EN", f"UID:scrapersky-{reach.key}")
    yield f"FN:{escaped(shown)}"
    yield f"N:{escaped(last)};{escaped(first)};;;"
    yield from _of_value("ORG", reach.company)
    yield from _of_value("TITLE", reach.title)
    yield from _of_value("EMAIL;TYPE=INTERNET,WORK", reach.email)
    yield from _of_value("TEL;TYPE=WORK,VOICE", reach.phone)
    yield from _address(reach)
    yield from _of_value("URL", reach.business.website)
    for network, url in reach.socials.items():
        yield from _of_value(f"X-SOCIALPROFILE;TYPE={_NAME.sub('', network.lower()) or 'other'}", url)
    yield from _of_value("CATEGORIES", reach.business.category)
    yield from _of_value("NOTE", note_of(reach))
    yield from _of_value("REV", moment(reach.seen_at) if reach.seen_at else None)
    yield "END:VCARD"


def _of_value(name: str, value: str | None) -> Iterator[str]:
    if value and one_line(value):
        yield f"{name}:{escaped(value)}"


def _address(reach: Reach) -> Iterator[str]:
    at = reach.business
    parts = (at.street or ("" if at.city else at.address), at.city, at.region, at.postal_code, at.country)
    if any(parts):
        yield "ADR;TYPE=WORK:;;" + ";".join(escaped(part or "") for part in parts)


def note_of(reach: Reach) -> str | None:
    """Say where it was seen and whose data it is."""
    seen = f" on {reach.seen_at.date().isoformat()}" if reach.seen_at else ""
    source = f"Seen at {reach.source_url}{seen}." if reach.source_url else None
    return " ".join(part for part in (source, reach.business.attribution) if part) or None


def escaped(text: str) -> str:
    """Write a text so that it can end neither its property nor its card."""
    return re.sub(r"([\\,;])", r"\\\1", one_line(text))


def folded(line: str) -> bytes:
    """Part a line after 75 bytes, never inside a character; what follows begins with a space."""
    left, parts, room = line.encode(), [], LONGEST_LINE_BYTES
    while len(left) > room:
        cut = room
        while left[cut] & 0xC0 == 0x80:
            cut -= 1
        parts.append(left[:cut])
        left, room = left[cut:], LONGEST_LINE_BYTES - 1
    return b"\r\n ".join([*parts, left]) + b"\r\n"
