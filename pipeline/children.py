"""Children: entities upserted on their natural key, and work queued for them, rung as far as the window allows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, overload
from uuid import UUID

from psycopg.types.json import Jsonb

from errors import BadSetting
from pipeline.hold import HELD_UNTIL, unless_held
from pipeline.stage import Child, Stage, stage_named
from pipeline.window import shares
from settings import settings

# Facts may be found again and updated; the person's decision and the row's identity never are.
NEVER_OVERWRITTEN = {"id", "tenant_id", "curation_status", "created_at"}


@dataclass
class Group:
    """Children for one stage: rows that bring the same columns, or existing entities by id."""

    stage: Stage
    columns: tuple[str, ...]
    again_after: timedelta | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    room: int = 0

    def take_share(self) -> None:
        """Take as much of the stage's window as there are children, or what is left of it."""
        self.room = shares.take(self.stage, self.many)

    @property
    def many(self) -> int:
        return len(self.rows) + len(self.ids)

    @property
    def shape(self) -> tuple[Stage, tuple[str, ...], bool, bool]:
        """What the SQL for this group depends on."""
        return self.stage, self.columns, self.many == 1, self.again_after is not None


def by_stage(parent: Stage, children: Iterable[Child]) -> list[Group]:
    """Sort children by stage, and rows by natural key, so that two finishes lock rows in the same order."""
    groups: dict[tuple[str, tuple[str, ...], str], Group] = {}
    for child in children:
        name = child.stage or _first_successor(parent)
        columns = tuple(sorted(child.row)) if child.row is not None else ()
        key = name, columns, str(child.again_after)
        group = groups.setdefault(key, Group(stage_named(name), columns, child.again_after))
        if child.entity_id is not None:
            group.ids.append(child.entity_id)
        elif child.row is not None:
            group.rows.append({key: plain(value) for key, value in child.row.items()})
    for group in groups.values():
        group.rows = _unique(group)
        group.ids = sorted(set(group.ids))
    return [groups[key] for key in sorted(groups)]


def _first_successor(parent: Stage) -> str:
    if not parent.successors:
        raise BadSetting(f"Stage {parent.name} has children but no successor: declare one.")
    return parent.successors[0]


def _unique(group: Group) -> list[dict[str, Any]]:
    """Keep the last of several rows with the same natural key: Postgres refuses to upsert one row twice."""
    key = [column for column in group.stage.entity.natural_key if column != "tenant_id"]
    if group.rows and not set(key) <= set(group.columns):
        raise BadSetting(f"Rows for {group.stage.table} must bring its natural key: {', '.join(key)}.")
    found = {json.dumps([row.get(column) for column in key]): row for row in group.rows}
    return [found[name] for name in sorted(found)]


@overload
def clean(text: str) -> str: ...
@overload
def clean(text: None) -> None: ...
def clean(text: str | None) -> str | None:
    """Drop what Postgres cannot hold: NUL and lone surrogates, both of which strangers do send."""
    if text is None:
        return None
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def plain(value: Any) -> Any:
    """Turn a Python value into JSON that Postgres reads back as the column's type."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    if isinstance(value, timedelta):
        return f"{value.total_seconds()} seconds"
    if isinstance(value, Mapping):
        return {clean(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return value


OPEN_LANES = """
opened AS (
    INSERT INTO hosts (host, cap, gap) SELECT DISTINCT lane, %(cap)s::smallint, %(gap)s FROM target
    WHERE lane IS NOT NULL ORDER BY lane ON CONFLICT DO NOTHING)"""

# Work that exists already is left alone: a finished later stage is never touched by an earlier one.
QUEUE = f"""
queued AS (
    INSERT INTO work (tenant_id, stage, entity_id, auto, priority, lane, parent_id, due_at, sent_at, sends)
    SELECT parent.tenant_id, %(next)s, target.id, parent.auto, parent.priority, target.lane, parent.id,
           {unless_held("clock_timestamp()", row="parent")},
           CASE WHEN target.rings THEN clock_timestamp() END, CASE WHEN target.rings THEN 1 ELSE 0 END
    FROM parent, LATERAL (
        SELECT id, lane, lane IS NULL AND {{nth}} <= %(room)s AND parent.due_at < {HELD_UNTIL} AS rings
        FROM target) target
    WHERE {{goes_on}}
    ON CONFLICT (stage, entity_id) DO {{if_known}}
    RETURNING id, lane, sent_at IS NOT NULL AS rung)"""

# What has gone stale starts a new run with a clean slate, as the child of whoever found it again. What a person
# cancelled stays so.
START_ANEW = """UPDATE SET
        status = 'Queued', auto = EXCLUDED.auto, priority = EXCLUDED.priority, lane = EXCLUDED.lane,
        parent_id = EXCLUDED.parent_id, sent_at = EXCLUDED.sent_at, sends = EXCLUDED.sends, attempts = 0, crashes = 0,
        due_at = EXCLUDED.due_at, queued_at = clock_timestamp(), started_at = NULL, finished_at = NULL,
        reason = NULL, error = NULL
    WHERE work.status IN ('Completed', 'Filtered', 'Error')
      AND work.finished_at <= clock_timestamp() - %(again_after)s::interval"""

# A row per child queued; a single row of nulls when none was.
SELECT_QUEUED = "SELECT queued.id, queued.rung, queued.lane FROM parent LEFT JOIN queued ON true"


def queue_children_sql(stage: Stage, columns: tuple[str, ...], *, single: bool, again: bool = False) -> list[str]:
    """Give the CTEs that follow `parent`: the entities, the lanes they open, the work queued."""
    lane = stage.lane or "NULL::text"
    existing = f"SELECT id, {lane} AS lane FROM {stage.table} WHERE id = ANY(%(ids)s)"
    return [
        f"target AS ({_upsert_sql(stage, columns, lane) if columns else existing})",
        *([OPEN_LANES] if stage.lane else []),
        QUEUE.format(
            nth="1" if single else "row_number() OVER (ORDER BY id)",
            goes_on="parent.auto" if stage.is_curated else "true",
            if_known=START_ANEW if again else "NOTHING",
        ),
    ]


def values_of(group: Group) -> dict[str, Any]:
    """Give the parameters of `queue_children_sql` for one group."""
    own: dict[str, Any] = {"rows": Jsonb(group.rows)} if group.columns else {"ids": group.ids}
    if group.stage.lane:
        own |= {"cap": settings().lane_cap, "gap": timedelta(seconds=settings().lane_gap_seconds)}
    return own | {"next": group.stage.name, "room": group.room, "again_after": group.again_after}


def _upsert_sql(stage: Stage, columns: tuple[str, ...], lane: str) -> str:
    """Touch only the columns that the rows bring; the others keep their default or what they hold."""
    key = stage.entity.natural_key
    known = stage.entity.__table__.columns
    if not key or not set(columns) <= set(known.keys()) - NEVER_OVERWRITTEN:
        raise BadSetting(f"Rows for {stage.table} need a natural key and known columns, got {', '.join(columns)}.")
    changes = [f"{name} = EXCLUDED.{name}" for name in columns if name not in key]
    if "updated_at" in known and "updated_at" not in columns:
        changes.append("updated_at = now()")
    return f"""
    INSERT INTO {stage.table} (tenant_id, {", ".join(columns)})
    SELECT parent.tenant_id, {", ".join(f"given.{name}" for name in columns)}
    FROM parent, jsonb_populate_recordset(NULL::{stage.table}, %(rows)s) AS given
    ON CONFLICT ({", ".join(key)}) DO UPDATE SET {", ".join(changes) or f"{key[-1]} = EXCLUDED.{key[-1]}"}
    RETURNING id, {lane} AS lane"""
