"""Order: by what a list is sorted, and what comes after a given row of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from entities.column import Column
from entities.entity import Entity
from errors import BadInput

NEWEST_FIRST = "-id"
MOST_KEYS = 3


@dataclass(frozen=True, slots=True)
class Key:
    """One column to sort by; what has no value comes last in either direction."""

    column: Column
    is_descending: bool

    @property
    def direction(self) -> str:
        nulls = " NULLS LAST" if self.column.is_nullable else ""  # said only where it matters: no index has them so
        return f"{'DESC' if self.is_descending else 'ASC'}{nulls}"

    @property
    def beyond(self) -> str:
        return "<" if self.is_descending else ">"


@dataclass(frozen=True, slots=True)
class Order:
    """Keys, the last of them the id, so that no two rows are equal."""

    keys: tuple[Key, ...]

    def __str__(self) -> str:
        return ",".join(f"{'-' if key.is_descending else ''}{key.column.name}" for key in self.keys)

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(key.column for key in self.keys)

    @property
    def select_sql(self) -> str:
        """Write what the rows are sorted by, as `key_0`, `key_1` and so on."""
        return ", ".join(f"{key.column.sort_sql} AS key_{nth}" for nth, key in enumerate(self.keys))

    def order_sql(self, of: str = "") -> str:
        """Write the order by these keys, of a table that has them."""
        return ", ".join(f"{of}key_{nth} {key.direction}" for nth, key in enumerate(self.keys))

    def after(self, values: Sequence[str | None]) -> tuple[str, dict[str, Any]]:
        """Write the condition that a row comes after the one with these values."""
        given = {f"after_{nth}": value for nth, value in enumerate(values)}
        one_way = len({key.is_descending for key in self.keys}) == 1
        if one_way and not any(key.column.is_nullable for key in self.keys):
            return self._after_at_once(), given
        return self._after(values, 0), given

    def _after_at_once(self) -> str:
        """Compare whole rows, for which an index can be used."""
        own = ", ".join(key.column.sort_sql for key in self.keys)
        return f"({own}) {self.keys[0].beyond} ({', '.join(map(self._value, range(len(self.keys))))})"

    def _after(self, values: Sequence[str | None], nth: int) -> str:
        key, sql = self.keys[nth], self.keys[nth].column.sort_sql
        if values[nth] is None:
            later, same = "false", f"{sql} IS NULL"
        else:
            later, same = f"{sql} {key.beyond} {self._value(nth)}", f"{sql} = {self._value(nth)}"
            later += f" OR {sql} IS NULL" if key.column.is_nullable else ""
        if nth + 1 == len(self.keys):
            return f"({later})"
        return f"({later} OR ({same} AND {self._after(values, nth + 1)}))"

    def _value(self, nth: int) -> str:
        return f"%(after_{nth})s::text::{self.keys[nth].column.sort_type}"


def read(entity: Entity, written: str) -> Order:
    """Read an order such as `-score,url`; rows that are equal in it are in the order of their ids."""
    names = [each.strip() for each in written.split(",")] if written.strip() else [NEWEST_FIRST]
    if len(names) > MOST_KEYS:
        raise BadInput(f"A list can be sorted by {MOST_KEYS} columns at most: these are {len(names)}.")
    keys = [Key(entity.sortable(name.removeprefix("-")), name.startswith("-")) for name in names]
    if len({key.column.name for key in keys}) < len(keys):
        raise BadInput(f"A list is sorted by each column once: {written[:60]!r} names one twice.")
    if all(key.column.name != "id" for key in keys):
        keys.append(Key(entity.sortable("id"), keys[0].is_descending))
    return Order(tuple(keys))
