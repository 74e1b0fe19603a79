"""Erasure in texts: look through every text of the database for traces, and write back what is left without them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from errors import MAX_ERROR_CHARACTERS
from pipeline.database import Connection
from pipeline.erasure_columns import AROUND, BY_TENANT, COVERED, KEYS, OWNED, How
from services.erasure import ERASED, GAPS, Trace, without, without_in
from settings import settings

Row = dict[str, Any]
Touched = dict[str, set[Any]]

# Whether other letters have a small form depends on the server's locale, so they are left to the exact look.
ASCII = re.compile(r"[ -~]+")


def clear_texts(
    connection: Connection, tenant_id: UUID, traces: Sequence[Trace], urls: Sequence[str], *, acts: bool
) -> Touched:
    """Take traces out of every text of a tenant, and give the keys of the changed rows by table; or only look.

    `urls` are where the value was seen: snippets of those addresses are looked at for cut ends of it, too.
    """
    changed: Touched = {}
    for table in COVERED:
        is_own = tenant_id == settings().default_tenant_id
        values: Row = {"tenant": tenant_id, "urls": list(urls), "is_own": is_own}
        where = _shown_in(table, OWNED.get(table, BY_TENANT), traces, values)
        if table == "sightings" and urls:
            where = f"({where} OR {BY_TENANT} AND url = ANY(%(urls)s))"
        changed[table] = _clear(connection, table, where, values, traces, acts=acts)
    return changed


def clear_names(
    connection: Connection,
    tenant_id: UUID,
    traces: Sequence[Trace],
    around: Mapping[str, Sequence[int]],
    *,
    acts: bool,
) -> Touched:
    """Take names out of what belongs to some owners, and give the keys of the changed rows by table; or only look."""
    changed: Touched = {}
    for table, scope in AROUND.items():
        values: Row = {"tenant": tenant_id} | {name: list(ids) for name, ids in around.items()}
        where = _shown_in(table, f"{BY_TENANT} AND {scope}", traces, values)
        changed[table] = _clear(connection, table, where, values, traces, acts=acts)
    return changed


def _shown_in(table: str, owned: str, traces: Sequence[Trace], values: Row) -> str:
    """Write a cheap condition that every row with a trace fulfils; OFFSET 0, so that texts are joined once a row."""
    key, texts = KEYS.get(table, "id"), ", ".join(f"{column}::text" for column in COVERED[table])
    tests = " OR ".join(_test(trace, f"needles_{nth}", values) for nth, trace in enumerate(traces)) or "false"
    return f"""{key} IN (
        SELECT row_key FROM (
            SELECT {key} AS row_key, lower(concat_ws(' ', {texts})) AS told FROM {table}
            WHERE {owned} OFFSET 0) AS texts
        WHERE {tests})"""


def _test(trace: Trace, name: str, values: Row) -> str:
    if not trace.in_digits:
        values[name] = [f"%{_literal(part.lower())}%" for needle in trace.needles for part in ASCII.findall(needle)]
        return f"told LIKE ALL(%({name})s::text[])"
    # Taking out what stands between digits is dear, so first whether the digits are there at all, in this order.
    (digits,) = trace.needles
    values |= {"gaps": GAPS, name: f"%{'%'.join(digits)}%", f"{name}_whole": f"%{digits}%"}
    whole = f"translate(told, %(gaps)s, '') LIKE %({name}_whole)s"
    return f"CASE WHEN told LIKE %({name})s THEN {whole} ELSE false END"


def _literal(needle: str) -> str:
    return needle.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _clear(
    connection: Connection, table: str, where: str, values: Row, traces: Sequence[Trace], *, acts: bool
) -> set[Any]:
    key, columns = KEYS.get(table, "id"), COVERED[table]
    lock = "FOR UPDATE" if acts else ""
    sql = f"SELECT {key} AS row_key, {', '.join(columns)} FROM {table} WHERE {where} {lock}"
    rows = connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()
    changed = set()
    for row in rows:
        changes = _changes(row, columns, traces)
        if changes:
            changed.add(row["row_key"])
        if changes and acts:
            changed_to = ", ".join(f"{name} = %({name})s" for name in changes)
            update = f"UPDATE {table} SET {changed_to} WHERE {key} = %(row_key)s"
            connection.execute(update.encode(), changes | {"row_key": row["row_key"]})
    return changed


def _changes(row: Row, columns: Mapping[str, How], traces: Sequence[Trace]) -> Row:
    changes = {}
    for name, how in columns.items():
        left = left_of(row[name], how, traces, row["row_key"])
        if row[name] is not None and left != row[name]:
            changes[name] = Jsonb(left) if how == "json" else left
    return changes


def left_of(value: Any, how: How, traces: Sequence[Trace], row_key: object = None) -> Any:
    """Give what is left of a column's value."""
    if value is None:
        return None
    if how == "json":
        return without_in(value, traces)
    if how == "marked":
        return without(value, traces, f"[erased-{row_key}]")
    left = without(value, traces, is_cut=how == "snippet")
    if left == value or how in ("text", "snippet"):
        return left[: max(len(value), MAX_ERROR_CHARACTERS)]
    return ERASED if how == "whole" else None
