"""Entity: what people see of one noun, and the tables behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from entities.column import Column, join_of_stage
from errors import BadInput
from models.base import Base
from services.where import Fields


@dataclass(frozen=True, eq=False)
class Entity:
    """One noun: its model, its columns, its stages with the names people know, and what has to be joined for them."""

    name: str
    noun: str
    model: type[Base]
    columns: tuple[Column, ...]
    stages: Mapping[str, str] = field(default_factory=dict)
    joins: Mapping[str, str] = field(default_factory=dict)

    @property
    def plural(self) -> str:
        return self.name.replace("_", " ")

    @property
    def table(self) -> str:
        return str(self.model.__tablename__)

    @cached_property
    def by_name(self) -> Mapping[str, Column]:
        return {column.name: column for column in self.columns}

    @cached_property
    def fields(self) -> Fields:
        """Give what can be asked for, for `services.where`."""
        return {column.name: column.field for column in self.columns if column.field is not None}

    @cached_property
    def listed(self) -> tuple[Column, ...]:
        """Give the columns of a list, by each of which it can be sorted."""
        return tuple(column for column in self.columns if column.is_shown and column.is_listed)

    @cached_property
    def shown(self) -> tuple[Column, ...]:
        """Give all columns of one row."""
        return tuple(column for column in self.columns if column.is_shown)

    @property
    def is_curated(self) -> bool:
        return "curation_status" in self.by_name

    def from_sql(self, columns: Iterable[Column]) -> str:
        """Write the table as `entity`, with the joins that these columns need."""
        return f"{self.table} AS entity {self.joins_sql(columns)}"

    def joins_sql(self, columns: Iterable[Column]) -> str:
        """Write the joins that columns need; none of them adds or drops a row."""
        needed = {column.join for column in columns if column.join is not None}
        return " ".join(sql for alias, sql in self._all_joins.items() if alias in needed)

    @cached_property
    def _all_joins(self) -> Mapping[str, str]:
        return {**self.joins, **{f"{stage}_work": join_of_stage(stage) for stage in self.stages}}

    def sortable(self, name: str) -> Column:
        """Find a column to sort by, or say which there are."""
        column = self.by_name.get(name)
        if column is None or column not in self.listed or column.kind == "object":
            known = ", ".join(column.name for column in self.listed if column.kind != "object")
            raise BadInput(f"{self.plural.capitalize()} cannot be sorted by {name[:60]!r}. Use one of: {known}.")
        return column
