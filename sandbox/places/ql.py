"""Reads the part of Overpass QL that a sane client sends."""

from __future__ import annotations

from sandbox.places.geometry import Box
from sandbox.places.ql_filters import box_from, read_place_filter, read_tag_filter
from sandbox.places.ql_tokens import Tokens
from sandbox.places.ql_tree import (
    DEFAULT_SET,
    Down,
    Filter,
    Out,
    Program,
    Query,
    Recall,
    SetFilter,
    Statement,
    Union,
)

MOST_STATEMENTS = 64
DEEPEST = 8
DEFAULT_TIMEOUT = 180
_TYPES = {
    "node": frozenset(("node",)),
    "way": frozenset(("way",)),
    "rel": frozenset(("relation",)),
    "relation": frozenset(("relation",)),
    "nw": frozenset(("node", "way")),
    "nr": frozenset(("node", "relation")),
    "wr": frozenset(("way", "relation")),
    "nwr": frozenset(("node", "way", "relation")),
    "area": frozenset(("area",)),
}
_MODES = frozenset("ids skel body tags meta count center geom bb asc qt noids".split())  # noqa: SIM905


def read_query(text: str) -> Program:
    """Read a whole query, or raise BadQuery."""
    return _Parser(Tokens(text)).program()


class _Parser:
    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._statements = 0

    def program(self) -> Program:
        tokens = self._tokens
        out, timeout, box = self._settings()
        statements: list[Statement] = []
        while tokens.here.kind != "end":
            statements.append(self._statement(0))
            tokens.expect(";")
        if not statements:
            raise tokens.bad("the query has no statement")
        return Program(tuple(statements), out, timeout, box)

    def _settings(self) -> tuple[str, int, Box | None]:
        tokens = self._tokens
        out, timeout, box = "xml", DEFAULT_TIMEOUT, None
        if tokens.here.value != "[":
            return out, timeout, box
        while tokens.accept("["):
            name = tokens.here.value
            tokens.accept(name)
            tokens.expect(":")
            if name == "out":
                out = tokens.text()
            elif name == "timeout":
                timeout = int(tokens.number())
            elif name == "bbox":
                box = box_from(tokens, tokens.numbers())
            elif name == "maxsize":
                tokens.number()
            else:
                raise tokens.bad(f"unknown setting '{name[:40]}'")
            tokens.expect("]")
        tokens.expect(";")
        return out, timeout, box

    def _statement(self, depth: int) -> Statement:
        self._statements += 1
        if self._statements > MOST_STATEMENTS or depth > DEEPEST:
            raise self._tokens.bad("the query has too many statements, or they are nested too deep")
        tokens = self._tokens
        if tokens.accept("("):
            return self._union(depth)
        source = tokens.text() if tokens.accept(".") else DEFAULT_SET
        if tokens.accept("out"):
            return self._out(source)
        if tokens.accept(">") or tokens.accept(">>"):
            return Down(source, self._into())
        if tokens.here.value in _TYPES and tokens.here.kind == "word":
            return self._query()
        if tokens.here.value in (";", "->"):
            return Recall(source, self._into())
        raise tokens.bad(f"unknown statement '{tokens.here.value[:40] or 'end of query'}'")

    def _union(self, depth: int) -> Union:
        members: list[Statement] = []
        while not self._tokens.accept(")"):
            members.append(self._statement(depth + 1))
            self._tokens.expect(";")
        return Union(tuple(members), self._into())

    def _query(self) -> Query:
        tokens = self._tokens
        types = _TYPES[tokens.text()]
        filters: list[Filter] = []
        while True:
            if tokens.accept("["):
                filters.append(read_tag_filter(tokens))
            elif tokens.accept("("):
                filters.append(read_place_filter(tokens))
            elif tokens.accept("."):
                filters.append(SetFilter(tokens.text()))
            else:
                break
        if not filters:
            raise tokens.bad("a query needs a filter")
        return Query(types, tuple(filters), self._into())

    def _out(self, source: str) -> Out:
        tokens = self._tokens
        modes: set[str] = set()
        limit = None
        while tokens.here.kind in ("word", "number"):
            if tokens.here.kind == "number":
                limit = max(0, int(tokens.number()))
            elif tokens.here.value in _MODES:
                modes.add(tokens.text())
            else:
                raise tokens.bad(f"unknown output mode '{tokens.here.value[:40]}'")
        return Out(source, frozenset(modes), limit)

    def _into(self) -> str:
        if not self._tokens.accept("->"):
            return DEFAULT_SET
        self._tokens.expect(".")
        return self._tokens.text()
