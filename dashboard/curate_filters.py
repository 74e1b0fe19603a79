"""Filters of Curate: conditions in words, each of which can be taken away, and those that are one click away."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.curate_asked import Asked
from dashboard.curate_tabs import DECISION, Tab
from dashboard.words import title_of
from entities import conditions
from entities.column import Column
from models.base import CURATION_STATUSES

# What the comparisons are called; the last two are written with nothing behind `=` and `!=`.
OPERATORS = {
    "=": "is", "!=": "is not", "~": "contains", ">=": "is at least", "<=": "is at most", ">": "is more than",
    "<": "is less than", "empty": "is empty", "filled": "is not empty",
}  # fmt: skip
WRITTEN = {"empty": "=", "filled": "!="}


@dataclass(frozen=True, slots=True)
class Chip:
    """A condition in words, and the address of the table without it."""

    says: str
    written: str
    without: str


@dataclass(frozen=True, slots=True)
class Quick:
    """A condition that is one click away: what it is called, whether it is on, and where the click leads."""

    label: str
    path: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A column that can be asked for, with what a builder needs to know of it."""

    name: str
    title: str
    kind: str
    operators: tuple[str, ...]
    values: tuple[str, ...]


def chips(asked: Asked) -> list[Chip]:
    """Say each condition in words."""
    read = conditions.read(asked.tab.entity, asked.where)
    return [
        Chip(
            _says(each.field, each.operator, each.value),
            asked.where[nth],
            asked.other(where=asked.where[:nth] + asked.where[nth + 1 :]),
        )
        for nth, each in enumerate(read)
    ]


def _says(field: str, operator: str, value: object) -> str:
    if value is None:
        return f"{title_of(field)} {OPERATORS['empty' if operator == '=' else 'filled']}"
    values = value if isinstance(value, tuple) else (value,)
    return f"{title_of(field)} {OPERATORS[operator]} {', '.join(map(_word, values))}"


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def of_status(asked: Asked) -> list[Quick]:
    """Offer each decision as a filter, and all of them."""
    others = _without(asked, DECISION)
    now = [each for each in asked.where if each not in others]
    on = {status: now == [f"{DECISION}={status}"] for status in CURATION_STATUSES}
    offered = [
        Quick(status, asked.other(where=(*others, f"{DECISION}={status}")), is_on) for status, is_on in on.items()
    ]
    return [Quick("All", asked.other(where=others), not now), *offered]


def of_errors(asked: Asked) -> list[Quick]:
    """Offer what has failed, for each stage."""
    offered = []
    for stage, shown in asked.tab.entity.stages.items():
        written = f"{shown}_status=Error"
        is_on = written in asked.where
        where = tuple(each for each in asked.where if each != written) if is_on else (*asked.where, written)
        label = "Has failed" if len(asked.tab.entity.stages) == 1 else f"Failed: {title_of(stage).lower()}"
        offered.append(Quick(label, asked.other(where=where), is_on))
    return offered


def _without(asked: Asked, field: str) -> tuple[str, ...]:
    read = conditions.read(asked.tab.entity, asked.where)
    return tuple(each for each, known in zip(asked.where, read, strict=True) if known.field != field)


def choices(tab: Tab) -> list[Choice]:
    """List the columns that can be asked for, the one that names a row first."""
    known = [column for column in tab.entity.columns if column.field is not None]
    first = (tab.name, DECISION, *tab.columns)
    known.sort(key=lambda column: first.index(column.name) if column.name in first else len(first))
    return [_choice(column) for column in known]


def _choice(column: Column) -> Choice:
    values = ("true", "false") if column.kind == "flag" else column.choices
    return Choice(column.name, title_of(column.name), column.kind, (*column.operators, "empty", "filled"), values)


def written(column: str, operator: str, value: str) -> str:
    """Write what a person has put together as a condition."""
    if operator in WRITTEN:
        return f"{column}{WRITTEN[operator]}"
    return f"{column}{operator}{value.strip()}"


def check(tab: Tab, condition: str) -> None:
    """Refuse a condition that cannot be read."""
    conditions.read(tab.entity, [condition])
