"""An XLSX workbook as a person brings it: a zip of XML, opened with limits on everything that could be too much.

Nothing is unpacked to memory or disk as a whole, and no entity, document type or inclusion is ever followed.
"""

from __future__ import annotations

import codecs
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from services.sitemap_entry import Refused
from services.sitemap_markup import Markup, Token, resolve

PIECE_BYTES = 64 * 1024
MOST_DIRECTORY_BYTES = 1_000_000
# Some million cells: reading more would take a processor for minutes.
MOST_PART_BYTES, MOST_TAGS = 200_000_000, 5_000_000
MOST_STRINGS, MOST_STRING_CHARACTERS = 1_000_000, 30_000_000
MOST_SHEETS, MOST_STYLES, MOST_LINKS = 1_000, 70_000, 10_000
LONGEST_CELL = 32_767
TOO_MUCH = "it holds more than a list does"

# Of the formats that Excel knows by number.
DATE_FORMATS = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_NOT_OF_A_DATE = re.compile(r"\"[^\"]*\"|\[[^\]]*\]|\\.|_.|\*.|general", re.IGNORECASE)
_OF_A_DATE = re.compile(r"[ymdhs]", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?<![\w.:-])([\w.:-]{1,100}+)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")
_FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, struct.error, LookupError)


class Unreadable(ValueError):
    """The file cannot be read as a workbook; the message says why."""


class _Source:
    """The file, of which no more is read at once than an honest workbook needs: its directory has a limit so."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size: int = -1, /) -> bytes:
        """Give at most `size` bytes, or refuse to."""
        if size > MOST_DIRECTORY_BYTES:
            raise Unreadable(TOO_MUCH)
        given = self._stream.read(size if size >= 0 else MOST_DIRECTORY_BYTES + 1)
        if len(given) > MOST_DIRECTORY_BYTES:
            raise Unreadable(TOO_MUCH)
        return given

    def seekable(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Book:
    """What is needed to read a sheet: its parts by name, the shared texts, and the styles that make a number a date."""

    archive: zipfile.ZipFile
    sheets: dict[str, str]
    texts: list[str] = field(default_factory=list)
    date_styles: frozenset[int] = frozenset()
    is_1904: bool = False

    def tokens(self, sheet: str | None) -> Iterator[Token]:
        """Give the markup of a sheet, by its name or the first."""
        known = {name.casefold(): path for name, path in self.sheets.items()}
        if sheet is not None and sheet.strip().casefold() not in known:
            raise Unreadable(f"it has no sheet {sheet.strip()[:40]!r}, only {', '.join(list(self.sheets)[:10])}")
        path = known[sheet.strip().casefold()] if sheet is not None else next(iter(self.sheets.values()))
        return tokens_of(self.archive, path)


def open_book(stream: BinaryIO) -> Book:
    """Open a workbook and read what its sheets refer to."""
    try:
        archive = zipfile.ZipFile(_Source(stream))
        return _book(archive)
    except Unreadable:
        raise
    except _FAULTS as fault:
        raise Unreadable("it is damaged or no workbook") from fault


def _book(archive: zipfile.ZipFile) -> Book:
    links = _links(archive, "xl/_rels/workbook.xml.rels")
    sheets: dict[str, str] = {}
    is_1904 = False
    for tag in tokens_of(archive, "xl/workbook.xml"):
        own = attributes_of(tag) if tag.name and not tag.is_end else {}
        if local(tag) == "workbookpr":
            is_1904 = is_1904 or own.get("date1904", "0").lower() in ("1", "true")
        if local(tag) == "sheet" and own.get("id") in links and len(sheets) < MOST_SHEETS:
            sheets.setdefault(own.get("name", f"{len(sheets) + 1}")[:100], links[own["id"]])
    if not sheets:
        raise Unreadable("it has no sheet")
    return Book(archive, sheets, list(_texts(archive)), frozenset(_date_styles(archive)), is_1904)


def _links(archive: zipfile.ZipFile, path: str) -> dict[str, str]:
    """Give the parts that a workbook names, by the id under which it does."""
    found: dict[str, str] = {}
    for tag in tokens_of(archive, path):
        own = attributes_of(tag) if local(tag) == "relationship" else {}
        if "id" in own and "target" in own and len(found) < MOST_LINKS:
            target = own["target"]
            found[own["id"]] = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    return found


def _texts(archive: zipfile.ZipFile) -> Iterator[str]:
    """Give the texts that cells share; of one in several fonts all parts, but not how it is pronounced."""
    if not _has(archive, "xl/sharedstrings.xml"):
        return
    parts: list[str] = []
    many, characters, is_text, is_phonetic = 0, 0, False, False
    for tag in tokens_of(archive, "xl/sharedstrings.xml"):
        if is_text and not is_phonetic and characters <= MOST_STRING_CHARACTERS:
            parts.append(tag.text)
            characters += len(tag.text)
        name = local(tag)
        is_phonetic = not tag.is_end and not tag.is_empty if name == "rph" else is_phonetic
        is_text = name == "t" and not tag.is_end and not tag.is_empty if tag.name else is_text
        if name == "si" and (tag.is_end or tag.is_empty):
            many += 1
            yield text_of(parts)
            parts = []
        if many > MOST_STRINGS or characters > MOST_STRING_CHARACTERS:
            raise Unreadable(TOO_MUCH)


def _date_styles(archive: zipfile.ZipFile) -> Iterator[int]:
    """Give the numbers of the styles that show a number as a date."""
    if not _has(archive, "xl/styles.xml"):
        return
    dates, nth, is_inside = set(DATE_FORMATS), -1, False
    for tag in tokens_of(archive, "xl/styles.xml"):
        name = local(tag)
        if name == "cellxfs":
            is_inside = not tag.is_end and not tag.is_empty
        own = attributes_of(tag) if name in ("numfmt", "xf") and not tag.is_end else {}
        number = number_of(own.get("numfmtid", ""))
        if name == "numfmt" and number is not None and len(dates) < MOST_STYLES:
            (dates.add if is_date_format(own.get("formatcode", "")) else dates.discard)(number)
        if name == "xf" and not tag.is_end and is_inside:
            nth += 1
            if number in dates and nth < MOST_STYLES:
                yield nth


def is_date_format(code: str) -> bool:
    """Tell whether a format such as `dd/mm/yyyy` shows a number as a date or time."""
    return _OF_A_DATE.search(_NOT_OF_A_DATE.sub("", code[:500])) is not None


def tokens_of(archive: zipfile.ZipFile, path: str) -> Iterator[Token]:
    """Give the markup of a part piece by piece; what breaks off or declares anything is refused."""
    markup = Markup(_pieces(archive, path))
    for _ in range(MOST_TAGS):
        try:
            token = markup.token()
        except Refused as fault:
            raise Unreadable("it declares what no workbook does") from fault
        if token is None:
            return
        yield token
    raise Unreadable(TOO_MUCH)


def _pieces(archive: zipfile.ZipFile, path: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    left = MOST_PART_BYTES
    try:
        with archive.open(_info(archive, path)) as part:
            while piece := part.read(PIECE_BYTES):
                left -= len(piece)
                if left < 0:
                    raise Unreadable(TOO_MUCH)
                yield decoder.decode(piece)
    except Unreadable:
        raise
    except _FAULTS as fault:
        raise Unreadable("it is damaged or locked with a password") from fault
    yield decoder.decode(b"", final=True)


def _info(archive: zipfile.ZipFile, path: str) -> zipfile.ZipInfo:
    found = next((one for one in archive.infolist() if one.filename.lower() == path.lower()), None)
    if found is None:
        raise Unreadable(f"its part {path[:60]!r} is missing")
    if found.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or found.flag_bits & 1:
        raise Unreadable("it is packed in a way that workbooks are not, or locked with a password")
    return found


def _has(archive: zipfile.ZipFile, path: str) -> bool:
    return any(one.filename.lower() == path for one in archive.infolist())


def local(tag: Token) -> str:
    """Give an element's name without its namespace."""
    return tag.name.rpartition(":")[2]


def attributes_of(tag: Token) -> dict[str, str]:
    """Give an element's attributes, their names in small letters and without namespaces."""
    found = _ATTRIBUTE.findall(tag.attributes)
    return {name.rpartition(":")[2].lower(): resolve(one or other) for name, one, other in found}


def text_of(parts: list[str]) -> str:
    """Join what was said, up to what a cell may hold."""
    return resolve("".join(parts))[:LONGEST_CELL].replace("\x00", "")


def number_of(text: str) -> int | None:
    """Read a small whole number; None when it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None
