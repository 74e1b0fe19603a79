"""Contacts script: what simple scripts put together from pieces of text, without running them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

# An address is put together within a few lines, so only what stands around a trace of one is read.
AROUND = 700
MOST_TRACES = 60
MOST_NAMES = 200
LONGEST_VALUE = 600
LONGEST_TRACE = 16

# A script without any of these has no trace: that is quicker to see than to search.
MARKS = (
    "@",
    "64;",
    "x40",
    "%40",
    "u0040",
    "fromCharCode",
    "mailto",
    "MAILTO",
    "reverse(",
    "atob(",
    "at)",
    "at]",
    "mmat;",
)
_SIGN = r"(?:@|&#0{0,4}64;|&#x0{0,4}40;|&commat;|%40|\\x40|\\u0040|[(\[]at[)\]])"
_TRACE = re.compile(
    rf"[\"'`]{_SIGN}|{_SIGN}[\"'`]|&#0{{0,4}}64;|\\x40|%40|fromCharCode|mailto|\.reverse\(|atob\(", re.IGNORECASE
)
_STRING = r"\"(?:[^\"\\\n]|\\.){0,400}+\"|'(?:[^'\\\n]|\\.){0,400}+'|`(?:[^`\\$]|\\.){0,400}+`"
_TOKEN = re.compile(
    rf"(?P<codes>String\.fromCharCode\((?P<numbers>[\dxa-fA-F,\s]{{1,1200}})\))"
    rf"|(?P<coded>(?:window\.)?atob\(\s{{0,4}}(?P<base64>{_STRING})\s{{0,4}}\))"
    rf"|(?P<list>\[(?P<items>(?:\s{{0,9}}(?:{_STRING})\s{{0,9}},?){{1,80}}+)\](?P<back>\.reverse\(\))?\.join\((?P<glue>{_STRING})?\))"
    r"|(?P<reversed>\.split\(\s?(?:''|\"\")\s?\)\.reverse\(\)\.join\(\s?(?:''|\"\")\s?\))"
    rf"|(?P<string>{_STRING})"
    r"|(?P<name>[A-Za-z_$][\w$]*+(?:\.(?!split\b|reverse\b|join\b|concat\b|replace\b)[A-Za-z_$][\w$]*+)*+)"
    r"|(?P<sign>\+=|[=+]|\S)"
)
_ITEM = re.compile(_STRING)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|([\s\S]))")
_PLAIN_ESCAPES = {"n": "\n", "r": "\n", "t": "\t", "b": " ", "f": " ", "v": " ", "0": " "}
# Neither is a part of a text; what is called only reads what _text has read already.
_WORDS = frozenset(("var", "let", "const", "return"))
_CALLS = frozenset(("unescape", "decodeURIComponent", "decodeURI"))


def unescaped(source: str) -> str:
    """Read the escapes of a script's text: \\u0040, \\x40, \\n, \\/."""
    return _ESCAPE.sub(_character, source) if "\\" in source else source


def _character(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2] or escape[3]
    if code is None:
        return _PLAIN_ESCAPES.get(escape[4], escape[4])
    number = int(code, 16)
    return chr(number) if number < 0xD800 or 0xDFFF < number < 0x110000 else " "


def put_together(source: str) -> Iterator[str]:
    """Give the texts that a script puts together near anything that looks like a part of an address."""
    marks = [mark for mark in MARKS if mark in source]
    if not marks:
        return
    first = min(source.find(mark) for mark in marks)
    last = max(source.rfind(mark) + len(mark) for mark in marks)
    for window in _windows(source, max(0, first - LONGEST_TRACE), last + LONGEST_TRACE):
        yield from _Assembly().read(window)


def _windows(source: str, first: int, last: int) -> Iterator[str]:
    """Cut out what stands around traces, which are looked for between two places."""
    start = end = -1
    for count, trace in enumerate(_TRACE.finditer(source, first, last)):
        if count >= MOST_TRACES:
            break
        if end < 0 or trace.start() - AROUND > end:
            if end > 0:
                yield source[start:end]
            start = max(0, trace.start() - AROUND)
        end = trace.end() + AROUND
    if end > 0:
        yield source[start:end]


class _Assembly:
    """Follows texts, names and plus signs through a few statements; anything else ends a text."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.target: str | None = None  # the name that the text is given to
        self.before: str | None = None  # the last name seen, perhaps the next target
        self.pieces: list[str] = []
        self.wants_piece = True
        self.calls = 0  # open ones, whose end does not end the text
        self.is_made = False  # a text that stands in the source as it is was not put together

    def read(self, window: str) -> Iterator[str]:
        for token in _TOKEN.finditer(window):
            kind = token.lastgroup
            if kind == "sign":
                yield from self.sign(token["sign"])
            elif kind == "name":
                yield from self.name(token["name"])
            elif kind == "reversed":
                if self.pieces:
                    self.pieces[-1] = self.pieces[-1][::-1]
                    self.is_made = True
            else:
                value = _value(token)
                yield from self.piece(value)
                self.is_made |= value not in token[0]
        yield from self.end()

    def sign(self, sign: str) -> Iterator[str]:
        if sign == "+":
            self.wants_piece = bool(self.pieces)
        elif sign in ("=", "+="):
            target = self.before
            yield from self.end()
            self.target = target
            if sign == "+=" and target in self.names:
                self.pieces = [self.names[target]]
        elif sign == ")" and self.calls:
            self.calls -= 1
        elif sign not in "()" or not self.wants_piece:
            yield from self.end()

    def name(self, name: str) -> Iterator[str]:
        if name in _CALLS or name in _WORDS:
            self.calls += name in _CALLS
            return
        if name in self.names and self.wants_piece:
            yield from self.piece(self.names[name], name)
            return
        yield from self.end()
        self.before = name

    def piece(self, value: str, name: str | None = None) -> Iterator[str]:
        if not self.wants_piece:
            yield from self.end()
        self.pieces.append(value[:LONGEST_VALUE])
        self.wants_piece = False
        self.before = name

    def end(self) -> Iterator[str]:
        if self.pieces:
            value = "".join(self.pieces)[:LONGEST_VALUE]
            if self.target and len(self.names) < MOST_NAMES:
                self.names[self.target] = value
            if self.is_made or len(self.pieces) > 1:
                yield value
        self.pieces, self.target, self.before, self.wants_piece, self.is_made = [], None, None, True, False
        self.calls = 0


def _value(token: re.Match[str]) -> str:
    if token["codes"]:
        return _from_codes(token["numbers"])
    if token["coded"]:
        return from_base64(token["base64"][1:-1])
    if token["list"]:
        items = [_text(item[0]) for item in _ITEM.finditer(token["items"])]
        return _text(token["glue"] or '","').join(items[::-1] if token["back"] else items)
    return _text(token["string"])


def _text(literal: str) -> str:
    """Read a literal: its escapes, its HTML references, and the percent signs of unescape()."""
    value = unescaped(literal[1:-1])
    if "&" in value:
        value = unescape(value)
    return unquote(value) if "%" in value else value


def _from_codes(numbers: str) -> str:
    found = []
    for number in numbers.split(","):
        try:
            found.append(chr(int(number.strip(), 0)))
        except (ValueError, OverflowError):
            return ""
    return "".join(found)


def from_base64(text: str) -> str:
    """Decode base64 text; empty when it is none."""
    try:
        return base64.b64decode(text[:800], validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return ""
