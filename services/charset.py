"""Charset: bytes of a page to text. Declared, byte order mark, meta, and what the bytes themselves say."""

from __future__ import annotations

import codecs
import encodings
import pkgutil
import re
from dataclasses import dataclass
from encodings.aliases import aliases

BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
SNIFFED_BYTES = 4096
FALLBACK = "cp1252"

# What browsers read under these names, since that is what their authors saw.
AS_BROWSERS_DO = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "big5": "big5hkscs",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "x-mac-cyrillic": "mac-cyrillic",
}
# Every byte means something in these, so they never fail, and UTF-8 read as one of them is a page of rubbish.
SINGLE_BYTE = re.compile(r"cp125\d|cp874|iso8859|koi8|mac-|latin")

# Asking Python for any other name would import and remember it for ever, and the names come from strangers.
KNOWN = {*aliases, *aliases.values(), *(module.name for module in pkgutil.iter_modules(encodings.__path__))}
LONGEST_LABEL = 40
# No browser reads pages in these: they fail on purpose or by mistake, or take the square of a page's length.
NOT_FOR_PAGES = ("utf-7", "idna", "punycode", "unicode", "raw", "undefined", "iso2022_jp_", "iso2022_kr", "hz")

# Nothing is given back once taken (*+), or a run of spaces is split in every possible way.
_DECLARED = re.compile(r"charset\s*+=\s*+[\"']?+\s*+([\w.:+-]+)", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,512}?charset\s*+=\s*+[\"']?+\s*+([\w.:+-]+)", re.IGNORECASE)
_XML = re.compile(rb"^\s{0,64}<\?xml[^>]{0,256}?encoding\s*+=\s*+[\"']([\w.:+-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Text:
    """A decoded page, the codec it was read with, and what decided that."""

    text: str
    charset: str
    decided_by: str  # byte-order-mark, header, meta, content, fallback


def decode(body: bytes, content_type: str | None = None) -> Text:
    """Decode a page the way its readers see it; never fails."""
    for mark, marked in BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return Text(body[len(mark) :].decode(marked, "replace"), marked, "byte-order-mark")
    charset, decided_by = _declared(body, content_type)
    if charset is not None and not SINGLE_BYTE.match(charset):
        text = _strictly(body, charset)
        if text is not None:
            return Text(text, charset, decided_by)
    text = _strictly(body, "utf-8")
    if text is not None and (charset is None or not body.isascii()):
        return Text(text, "utf-8", "content")
    if charset is not None and SINGLE_BYTE.match(charset):
        return Text(body.decode(charset, "replace"), charset, decided_by)
    return _damaged(body, charset, decided_by)


def _declared(body: bytes, content_type: str | None) -> tuple[str | None, str]:
    found = _DECLARED.search(content_type or "")
    if found and (charset := codec_named(found[1])):
        return charset, "header"
    head = body[:SNIFFED_BYTES]
    within = _META.search(head) or _XML.match(head)
    if within and (charset := codec_named(within[1].decode("ascii", "replace"))):
        # A page whose meta element could be read as ASCII is not UTF-16, whatever it says.
        return ("utf-8" if charset.startswith("utf-16") else charset), "meta"
    return None, ""


def codec_named(label: str) -> str | None:
    """Give Python's name of the codec that browsers read under a label; None when there is none for pages."""
    label = label.strip().lower()
    if len(label) > LONGEST_LABEL:
        return None
    known = encodings.normalize_encoding(AS_BROWSERS_DO.get(label, label))
    if known not in KNOWN:
        return None
    try:
        codec = codecs.lookup(known)
    except (LookupError, ValueError):
        return None
    is_text = getattr(codec, "_is_text_encoding", True)
    return codec.name if is_text and not codec.name.startswith(NOT_FOR_PAGES) else None


def _strictly(body: bytes, charset: str) -> str | None:
    try:
        return body.decode(charset)
    except (UnicodeDecodeError, ValueError):
        return None


def _damaged(body: bytes, charset: str | None, decided_by: str) -> Text:
    """Neither what was declared nor UTF-8 fits: a few broken characters, or a false declaration.

    A UTF-8 page with some bad bytes keeps its charset; where most of what is not ASCII is broken, it was never it. Few
    letters of another charset happen to be UTF-8, so as many whole ones as broken ones are proof enough.
    """
    if charset is not None:
        text = body.decode(charset, "replace")
        broken = text.count("\ufffd")
        whole = sum(not character.isascii() for character in text) - broken
        if broken * (1 if charset == "utf-8" else 3) <= whole:
            return Text(text, charset, decided_by)
    return Text(body.decode(FALLBACK, "replace"), FALLBACK, "fallback")
