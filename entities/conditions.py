"""Conditions: what a person asks of an entity's columns, as SQL with parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from entities.column import Column
from entities.entity import Entity
from errors import BadInput
from services import where
from services.where import BadCondition, Condition, Operator

MOST_CONDITIONS = 20

# Lists come from strangers' pages: what is none holds nothing.
ITEMS = "jsonb_array_elements_text(CASE jsonb_typeof({sql}) WHEN 'array' THEN {sql} ELSE '[]'::jsonb END) AS item"
EMPTY = {"text": "coalesce({sql}, '') = ''", "list": "coalesce({sql}, '[]'::jsonb) = '[]'::jsonb"}

# A day is that of UTC, written so that an index on moments serves it.
DAY_BEGINS = "(%({name})s::date::timestamp AT TIME ZONE 'UTC')"
DAY_ENDS = "((%({name})s::date + 1)::timestamp AT TIME ZONE 'UTC')"
DAYS: dict[Operator, str] = {
    "=": f"{{sql}} >= {DAY_BEGINS} AND {{sql}} < {DAY_ENDS}",
    ">=": f"{{sql}} >= {DAY_BEGINS}",
    ">": f"{{sql}} >= {DAY_ENDS}",
    "<": f"{{sql}} < {DAY_BEGINS}",
    "<=": f"{{sql}} < {DAY_ENDS}",
}


def read(entity: Entity, written: Sequence[str]) -> list[Condition]:
    """Read what a person asks for, or say what is wrong with it."""
    if len(written) > MOST_CONDITIONS:
        raise BadInput(f"At most {MOST_CONDITIONS} conditions can be asked for at once: these are {len(written)}.")
    try:
        return [where.parse(each, entity.fields, where.LISTS) for each in written]
    except BadCondition as fault:
        raise BadInput(str(fault)) from None


def sql_of(entity: Entity, conditions: Iterable[Condition]) -> tuple[str, dict[str, Any]]:
    """Write conditions, joined by AND, of the table `entity` and the joins of their columns."""
    tests, values = ["true"], {}
    for nth, condition in enumerate(conditions):
        name = f"where_{nth}"
        tests.append(_test(condition, entity.by_name[condition.field], name))
        if condition.value is not None:
            values[name] = _parameter(condition)
    return " AND ".join(tests), values


def _parameter(condition: Condition) -> Any:
    if not isinstance(condition.value, tuple):
        return condition.value
    are_mixed = any(isinstance(each, float) for each in condition.value)  # which the driver does not take
    return [float(str(each)) if are_mixed else each for each in condition.value]


def _test(condition: Condition, column: Column, name: str) -> str:
    """Write one condition; what has no value is not the one asked for, so `!=` holds for it."""
    if condition.operator == "!=":
        same = _test(Condition(condition.field, "=", condition.value), column, name)
        return f"NOT coalesce({same}, false)"
    if condition.value is None:
        return _is_empty(column)
    return column.among.format(fits=_fits(condition, column, name))


def _is_empty(column: Column) -> str:
    if column.among != "{fits}":
        return f"NOT coalesce({column.among.format(fits='true')}, false)"
    return f"({EMPTY.get(column.kind, '{sql} IS NULL').format(sql=column.sql)})"


def _fits(condition: Condition, column: Column, name: str) -> str:
    sql, operator = column.asked_sql or column.sql, condition.operator
    if column.kind == "text":
        return _text(sql, operator, name, is_small=column.is_small)
    if column.kind == "list":
        return f"EXISTS (SELECT 1 FROM {ITEMS.format(sql=sql)} WHERE {_text('item', operator, name)})"
    if column.kind == "date":
        return _date(condition, sql, name)
    kind = {"choice": "text", "flag": "boolean"}.get(column.kind) or _number_type(condition)
    if isinstance(condition.value, tuple):
        return f"{sql} = ANY(%({name})s::{kind}[])"
    return f"{sql} {operator} %({name})s::{kind}"


def _text(sql: str, operator: Operator, name: str, *, is_small: bool = False) -> str:
    folded = sql if is_small else f"lower({sql})"
    if operator == "~":
        return f"position(lower(%({name})s::text) IN {folded}) > 0"
    return f"{folded} = lower(%({name})s::text)"


def _date(condition: Condition, sql: str, name: str) -> str:
    if isinstance(condition.value, date) and not isinstance(condition.value, datetime):
        return f"({DAYS[condition.operator].format(sql=sql, name=name)})"
    return f"{sql} {condition.operator} %({name})s::timestamptz"


def _number_type(condition: Condition) -> str:
    given = condition.value if isinstance(condition.value, tuple) else (condition.value,)
    return "bigint" if all(isinstance(each, int) for each in given) else "numeric"  # of which no index of ids knows
