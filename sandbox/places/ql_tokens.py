"""Overpass QL as tokens, and a reader that walks over them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite

MOST_CHARACTERS = 20_000
MOST_NUMBERS = 1_000
_TOKEN = re.compile(
    r"""
    (?P<space>\s+ | //[^\n]* | /\*.*?\*/)
  | (?P<text>"(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*')
  | (?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign>->|!=|!~|>>|<<|[\[\](){}=~!,;:.<>|*-])
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_ESCAPES = {"n": "\n", "t": "\t"}


class BadQuery(Exception):
    """The query cannot be read; carries the line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the query."""

    kind: str  # text, number, word, sign, end
    value: str
    line: int


class Tokens:
    """Walks over the tokens of a query."""

    def __init__(self, query: str) -> None:
        self._tokens = _cut(query)
        self._at = 0

    @property
    def here(self) -> Token:
        """The token that comes next."""
        return self._tokens[self._at]

    def bad(self, message: str) -> BadQuery:
        """Say what is wrong here."""
        return BadQuery(self.here.line, message)

    def accept(self, value: str) -> bool:
        """Step over a sign or word if it comes next."""
        if self.here.kind in ("sign", "word") and self.here.value == value:
            self._at += 1
            return True
        return False

    def expect(self, value: str) -> None:
        """Step over a sign or word that must come next."""
        if not self.accept(value):
            raise self.bad(f"'{value}' expected - '{self.here.value[:40] or 'end of query'}' found")

    def text(self) -> str:
        """Read a quoted text, or words and numbers joined by colons, as in `addr:city`."""
        if self.here.kind not in ("text", "word", "number"):
            raise self.bad(f"a name expected - '{self.here.value[:40] or 'end of query'}' found")
        text = self._take()
        while text.kind != "text" and self.here.value == ":" and self._tokens[self._at + 1].kind == "word":
            self._at += 1
            text = Token("word", f"{text.value}:{self._take().value}", text.line)
        return text.value

    def number(self) -> float:
        """Read a number."""
        if self.here.kind != "number":
            raise self.bad(f"a number expected - '{self.here.value[:40] or 'end of query'}' found")
        number = float(self.here.value)
        if not isfinite(number):
            raise self.bad("the number is too great")
        self._at += 1
        return number

    def numbers(self) -> list[float]:
        """Read numbers between commas."""
        numbers = [self.number()]
        while self.accept(","):
            numbers.append(self.number())
            if len(numbers) > MOST_NUMBERS:
                raise self.bad(f"more than {MOST_NUMBERS} numbers in a list")
        return numbers

    def _take(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]


def _cut(query: str) -> list[Token]:
    if len(query) > MOST_CHARACTERS:
        raise BadQuery(1, f"the query is longer than {MOST_CHARACTERS} characters")
    tokens: list[Token] = []
    at, line = 0, 1
    while at < len(query):
        match = _TOKEN.match(query, at)
        if match is None or match.lastgroup is None:
            raise BadQuery(line, f"unexpected character {query[at]!r}")
        if match.lastgroup != "space":
            value = _unquoted(match[0]) if match.lastgroup == "text" else match[0]
            tokens.append(Token(match.lastgroup, value, line))
        line += match[0].count("\n")
        at = match.end()
    tokens.append(Token("end", "", line))
    return tokens


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text[1:-1], flags=re.DOTALL)
