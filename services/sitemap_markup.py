"""Sitemap markup: pieces of XML, sound or damaged, as tags and text. No tree, no entities, no document type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from services.sitemap_entry import HOSTILE, NOT_A_SITEMAP, Refused

LONGEST_TAG = 32 * 1024
PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}

# Neither crosses the next "<", so trying them at every "<" of a hostile file still reads it once.
_TAG = re.compile(r"([^<]*+)<(/?)([^\s<>/!?\"'=]++)((?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>")
_LOOSE_TAG = re.compile(r"([^<]*+)<(/?)([^\s<>/!?\"'=]++)([^<>]*+)>")
# Signs that begin nothing, taken together with the text between them.
_NO_TAG = re.compile(r"(?:<(?!/?[^\s<>/!?\"'=]|[!?])[^<]*+)++")
_BARE_DOCTYPE = re.compile(r"<!doctype\s++([^\s<>\[\"']++)\s*+>", re.IGNORECASE)
_HTML_DOCTYPE = re.compile(r"<!doctype\s++html\b", re.IGNORECASE)
_DECLARATION = re.compile(r"<!(?:doctype|entity|element|attlist|notation)\b", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));")


class Token(NamedTuple):
    """Some text, its references as they stand, and the tag behind it, if there is one: its name in small letters."""

    text: str
    is_end: str = ""
    name: str = ""
    attributes: str = ""

    @property
    def is_empty(self) -> bool:
        return self.attributes.endswith("/")


class Markup:
    """A place in a text that arrives in pieces."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self.pieces = pieces
        self.buffer, self.at, self.is_over = "", 0, False
        # Inside a comment or CDATA section: what ends it, and whether its text counts.
        self.until, self.counts = "", False

    def fill(self) -> bool:
        """Read on until any honest tag that begins here is here to its end; False when nothing is left."""
        while len(self.buffer) - self.at < LONGEST_TAG and not self.is_over:
            piece = next(self.pieces, None)
            if piece is None:
                self.is_over = True
            elif piece:
                self.buffer, self.at = self.buffer[self.at :] + piece, 0
        return self.at < len(self.buffer)

    def refill(self) -> bool:
        """Read on when little is left; False when there was no need or nothing came."""
        left = len(self.buffer) - self.at
        return left < LONGEST_TAG and self.fill() and len(self.buffer) - self.at > left

    def runs(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Take what a pattern matches here, and again behind it, as long as it does."""
        buffer, match = self.buffer, pattern.match
        found = match(buffer, self.at)
        while found is not None:
            self.at = found.end()
            yield found
            found = match(buffer, self.at)

    def token(self) -> Token | None:
        """Take some text and the next tag, or only text where something else follows; None at the end."""
        while len(self.buffer) - self.at >= LONGEST_TAG or self.fill():
            if self.until:
                text = self._section()
            else:
                found = _TAG.match(self.buffer, self.at) or _LOOSE_TAG.match(self.buffer, self.at)
                if found is not None:
                    self.at = found.end()
                    text, is_end, name, attributes = found.groups()
                    return Token(text, is_end, name.lower(), attributes)
                text = self._text()
            if text:
                return Token(text)
        return None

    def _text(self) -> str:
        """Take the text up to what is no tag, or pass over that."""
        start = self.buffer.find("<", self.at)
        if start != self.at:
            stop = start if start >= 0 else len(self.buffer)
            text, self.at = self.buffer[self.at : stop], stop
            return text
        mark = self.buffer[start + 1 : start + 2]
        if mark == "!":
            self._exclamation(start)
        elif mark == "?":
            self._instruction(start)
        else:
            found = _NO_TAG.match(self.buffer, start)
            self.at = found.end() if found else start + 1
            return self.buffer[start : self.at]
        return ""

    def _instruction(self, start: int) -> None:
        """Pass over <?…?>; where its end was forgotten, the next tag is one all the same."""
        following = self.buffer.find("<", start + 1)
        end = self.buffer.find("?>", start, following if following >= 0 else len(self.buffer))
        if end >= 0:
            self.at = end + 2
        else:
            self.at = following if following >= 0 else len(self.buffer)

    def _exclamation(self, start: int) -> None:
        opening = self.buffer[start : start + 9]
        if opening.startswith("<!--"):
            self.at, self.until, self.counts = start + 4, "-->", False
        elif opening == "<![CDATA[":
            self.at, self.until, self.counts = start + 9, "]]>", True
        else:
            self._declaration(start)

    def _declaration(self, start: int) -> None:
        """Refuse whatever declares something; a document type that is only a name does not."""
        if _HTML_DOCTYPE.match(self.buffer, start):
            raise Refused(NOT_A_SITEMAP)
        bare = _BARE_DOCTYPE.match(self.buffer, start)
        if bare is None and _DECLARATION.match(self.buffer, start):
            raise Refused(HOSTILE)
        self.at = bare.end() if bare else start + 2

    def _section(self) -> str:
        """Take what a comment or CDATA section holds, as far as it is here."""
        end = self.buffer.find(self.until, self.at)
        if end >= 0:
            text, self.at, self.until = self.buffer[self.at : end], end + len(self.until), ""
        else:
            # The last characters may be the first half of the end.
            stop = len(self.buffer) if self.is_over else len(self.buffer) - len(self.until) + 1
            text, self.at = self.buffer[self.at : stop], stop
        return text.replace("&", "&amp;") if self.counts else ""


def resolve(text: str) -> str:
    """Put in the five characters that XML names itself and the numbered ones; anything else stays as it stands."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    decimal, hexadecimal, name = found.groups()
    if name:
        return PREDEFINED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if code < 0xD800 or 0xE000 <= code <= 0x10FFFF else "\ufffd"
