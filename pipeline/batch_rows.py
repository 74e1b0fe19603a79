"""The rows of a batch, each with what became of it and of the work that it led to; a page at a time, or as a file."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import astuple, dataclass
from uuid import UUID

from psycopg.rows import dict_row

from errors import BadInput
from models.batch import ITEM_RESULTS
from pipeline import batches
from pipeline.database import statement
from pipeline.owner import tenant_of
from pipeline.paging import Listed, pages_of
from pipeline.progress import Row
from services.export_csv import csv_rows
from services.pieces import Pieces

ROWS_A_CHUNK = 2_000
COLUMNS = ("row_number", "raw", "result", "reason", "entity_id", "stage", "work_status", "work_reason", "work_error")

CONDITION = """
item.tenant_id = %(tenant)s AND item.batch_id = %(batch)s
  AND (%(result)s::text IS NULL OR item.result = %(result)s)
  AND (%(reason)s::text IS NULL OR item.reason = %(reason)s)"""

ROWS = f"""
SELECT item.row_number, item.raw, item.result, item.reason, item.entity_id, item.stage, work.status AS work_status,
       work.reason AS work_reason, work.error AS work_error
FROM batch_items item LEFT JOIN work ON work.stage = item.stage AND work.entity_id = item.entity_id
WHERE {CONDITION} AND item.row_number > %(after)s ORDER BY item.row_number LIMIT %(most)s""".encode()

COUNT = f"SELECT count(*) FROM batch_items item WHERE {CONDITION}".encode()


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows of which batch; a result is added, duplicate or rejected."""

    batch_id: int
    result: str | None = None
    reason: str | None = None

    def values(self, tenant_id: UUID | None) -> Row:
        """Give the parameters, once the batch is known to be the tenant's."""
        batches.check_exists(self.batch_id, tenant_id)
        if self.result is not None and self.result not in ITEM_RESULTS:
            raise BadInput(f"There is no result {self.result[:40]!r}: use one of {', '.join(ITEM_RESULTS)}.")
        own = {"batch": self.batch_id, "result": self.result, "reason": self.reason}
        return own | {"tenant": tenant_of(tenant_id)}


def page(
    wanted: Wanted, *, limit: int, cursor: str | None = None, with_total: bool = True, tenant_id: UUID | None = None
) -> Listed[Row]:
    """Give a page of the rows in the order of the list."""
    pages = pages_of("batch rows", *astuple(wanted))
    (after,) = pages.place(cursor, int)
    values = wanted.values(tenant_id)
    found = _rows(values, after or 0, limit + 1)
    return pages.listed(found, limit, _many(values) if with_total else None, lambda row: (row["row_number"],))


def result_file(wanted: Wanted, *, tenant_id: UUID | None = None) -> Generator[bytes]:
    """Give the rows as CSV, piece by piece; no connection is held between two."""
    values, pieces = wanted.values(tenant_id), Pieces()
    return _pieces(values, pieces)


def _pieces(values: Row, pieces: Pieces) -> Generator[bytes]:
    after = 0
    with csv_rows(pieces, COLUMNS) as write:
        while found := _rows(values, after, ROWS_A_CHUNK):
            for row in found:
                write([row[name] for name in COLUMNS])
            after = found[-1]["row_number"]
            yield from pieces.taken()
    yield from pieces.taken(all_of_it=True)


def _many(values: Row) -> int:
    with statement() as connection:
        row = connection.execute(COUNT, values).fetchone()
    return int(row[0]) if row else 0


def _rows(values: Row, after: int, most: int) -> list[Row]:
    with statement() as connection:
        given = values | {"after": after, "most": most}
        return connection.cursor(row_factory=dict_row).execute(ROWS, given).fetchall()
