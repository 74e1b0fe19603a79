"""What an Overpass query says: settings, statements and filters as plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.places.geometry import Box, Circle

DEFAULT_SET = "_"


@dataclass(frozen=True, slots=True)
class TagFilter:
    """`["key"="value"]` and its kin; without a pattern only the key's presence counts."""

    key: str
    pattern: re.Pattern[str] | str | None = None
    negated: bool = False
    key_pattern: re.Pattern[str] | None = None

    def passes(self, tags: Mapping[str, str]) -> bool:
        """Tell whether an element with these tags gets through."""
        if self.key_pattern is not None:
            return any(self.key_pattern.search(key) and self._matches(value) for key, value in tags.items())
        value = tags.get(self.key)
        return (value is not None and self._matches(value)) != self.negated

    def _matches(self, value: str) -> bool:
        if isinstance(self.pattern, re.Pattern):
            return self.pattern.search(value) is not None
        return self.pattern is None or self.pattern == value


@dataclass(frozen=True, slots=True)
class IdFilter:
    """`(123)` and `(id:1,2)`."""

    ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class AreaFilter:
    """`(area.name)`, `(area)` and `(area:3600123)`."""

    source: str | int


@dataclass(frozen=True, slots=True)
class SetFilter:
    """`node.name`: only what is in the set already."""

    source: str


Filter = TagFilter | IdFilter | AreaFilter | SetFilter | Box | Circle


@dataclass(frozen=True, slots=True)
class Query:
    """`nwr[…](…)->.into;`"""

    types: frozenset[str]
    filters: tuple[Filter, ...]
    into: str = DEFAULT_SET


@dataclass(frozen=True, slots=True)
class Recall:
    """`.name;`"""

    source: str
    into: str = DEFAULT_SET


@dataclass(frozen=True, slots=True)
class Down:
    """`>;`: the nodes of the ways."""

    source: str
    into: str = DEFAULT_SET


@dataclass(frozen=True, slots=True)
class Union:
    """`( …; …; )->.into;`"""

    members: tuple[Statement, ...]
    into: str = DEFAULT_SET


@dataclass(frozen=True, slots=True)
class Out:
    """`.source out center tags 50;`"""

    source: str
    modes: frozenset[str]
    limit: int | None


Statement = Query | Recall | Down | Union | Out


@dataclass(frozen=True, slots=True)
class Program:
    """A whole query."""

    statements: tuple[Statement, ...]
    out: str
    timeout: int
    box: Box | None
