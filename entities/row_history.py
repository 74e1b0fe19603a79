"""Row history: the decisions that touched one row, alone or with many others."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from pipeline.database import statement

Row = dict[str, Any]
MOST_LOOKED_AT = 200

# A decision keeps its rows as one list without an index, so only the newest decisions are looked through.
DECISIONS = b"""
SELECT operation.id, operation.at, operation.status, operation.updated_count, operation.undone_at,
       users.email AS user_email, change.before
FROM (SELECT * FROM operations WHERE tenant_id = %(tenant)s AND entity = %(entity)s
      ORDER BY id DESC LIMIT %(most)s) AS operation
JOIN operation_changes change ON change.operation_id = operation.id AND %(id)s = ANY(change.entity_ids)
LEFT JOIN users ON users.id = operation.user_id AND users.tenant_id = operation.tenant_id
ORDER BY operation.id DESC"""


def decisions(tenant_id: UUID, entity: str, row_id: int) -> list[Row]:
    """Give the newest decisions on a row, each with what it was before."""
    values = {"tenant": tenant_id, "entity": entity, "id": row_id, "most": MOST_LOOKED_AT}
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(DECISIONS, values).fetchall()
