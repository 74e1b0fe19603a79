"""Erased: what a tenant must not store again, as a condition in SQL, and taken out of facts before they are stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

import reasons
from errors import Filtered
from pipeline.children import plain
from pipeline.database import Connection, statement
from pipeline.erasure_columns import COVERED
from pipeline.erasure_text import left_of
from pipeline.patience import patiently
from pipeline.suppressions import hash_sql
from services.erasure import Trace, subjects_in, trace_of
from services.suppression import DEFAULT_REGION, Subject

Row = dict[str, Any]


def has_erasures_sql(tenant: str) -> str:
    """Write the condition that a tenant has erased anything at all: one look at an index that is mostly empty."""
    return f"EXISTS (SELECT 1 FROM suppressions AS any_listed WHERE any_listed.tenant_id = {tenant} AND is_erased)"


def is_erased_sql(tenant: str, named: str) -> str:
    """Write the condition that one of the kinds and values which a query names was erased.

    A CASE, because it alone promises that nothing is hashed where nothing was erased.
    """
    return f"""(CASE WHEN {has_erasures_sql(tenant)} THEN EXISTS (
        SELECT 1 FROM tenants AS salted CROSS JOIN LATERAL ({named}) AS named(kind, value)
        JOIN suppressions AS listed ON listed.tenant_id = salted.id AND listed.is_erased AND listed.kind = named.kind
                                   AND listed.value_hash = {hash_sql("named.kind", "named.value")}
        WHERE salted.id = {tenant}) ELSE false END)"""


# `domains` is the row of a domain.
DOMAIN_IS_ERASED = is_erased_sql("domains.tenant_id", "SELECT 'domain', domains.name")

_TENANT = "%(tenant)s::uuid"
IS_DOMAIN_ERASED = ("SELECT " + is_erased_sql(_TENANT, "SELECT 'domain', %(name)s::text")).encode()
HAS_ERASURES = f"SELECT {has_erasures_sql(_TENANT)}".encode()
AMONG = f"""
SELECT given.kind, given.value FROM unnest(%(kinds)s::text[], %(values)s::text[]) AS given(kind, value)
WHERE {is_erased_sql(_TENANT, "SELECT given.kind, given.value")}""".encode()


def refuse_domain(tenant_id: UUID, name: str) -> None:
    """End the work on a domain that was erased."""
    with_erased = {"tenant": tenant_id, "name": name}
    if patiently(lambda: _tells(IS_DOMAIN_ERASED, with_erased)):
        raise Filtered(reasons.ERASED)


def _tells(sql: bytes, values: Row) -> bool:
    with statement() as connection:
        return _is_true(connection, sql, values)


def _is_true(connection: Connection, sql: bytes, values: Row) -> bool:
    row = connection.execute(sql, values).fetchone()
    return bool(row and row[0])


def is_domain_erased(connection: Connection, tenant_id: UUID, name: str) -> bool:
    """Tell whether a domain was erased, in a transaction that goes on."""
    return _is_true(connection, IS_DOMAIN_ERASED, {"tenant": tenant_id, "name": name})


def among(connection: Connection, tenant_id: UUID, subjects: Collection[Subject]) -> list[Subject]:
    """Give those of some subjects that were erased."""
    known = list(subjects)
    values = {"tenant": tenant_id, "kinds": [each.kind for each in known], "values": [each.value for each in known]}
    found = set(connection.execute(AMONG, values).fetchall()) if known else set()
    return [each for each in known if (each.kind, each.value) in found]


def cleared(table: str, row: Mapping[str, Any], traces: Sequence[Trace]) -> Row:
    """Give what is left of the columns of a table's row."""
    hows = COVERED[table] if traces else {}
    return {
        name: left_of(plain(value), hows[name], traces) if hows.get(name, "marked") != "marked" else value
        for name, value in row.items()
    }


def clear_rows(connection: Connection, tenant_id: UUID, table: str, rows: Sequence[Row]) -> list[Row]:
    """Take what was erased out of rows that are about to be stored; phones and websites that were become blank."""
    if not _is_true(connection, HAS_ERASURES, {"tenant": tenant_id}):
        return list(rows)
    return [_clear_row(connection, tenant_id, table, row) for row in rows]


def _clear_row(connection: Connection, tenant_id: UUID, table: str, row: Row) -> Row:
    subjects = subjects_in(row, row.get("country_code") or DEFAULT_REGION)
    erased = among(connection, tenant_id, subjects)
    return cleared(table, row, [trace_of(subject) for subject in erased]) if erased else row


def clear_facts(tenant_id: UUID, table: str, rows: Sequence[Row]) -> list[Row]:
    """Do the same outside a transaction."""

    def clear() -> list[Row]:
        with statement() as connection:
            return clear_rows(connection, tenant_id, table, rows)

    return patiently(clear)
