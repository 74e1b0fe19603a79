"""Schedules: people's standing orders as rows, with what came of them last and when they are due next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from psycopg.errors import UniqueViolation
from psycopg.rows import dict_row

from errors import BadInput, Conflict, NotFound
from pipeline.database import Connection, statement
from pipeline.paging import Listed, pages_of
from scheduling import ticks, wish
from scheduling.ticks import Timing
from scheduling.wish import Wish

Row = dict[str, Any]

MOST_SCHEDULES = 1000
NEXT_RUNS = 5
# A change of these makes another timetable: what the old one owed is not owed any more.
TIMETABLE = ("cron", "interval_seconds", "starts_at", "timezone")
FIXED = ("stage", "entity_id", "action")

COLUMNS = """
schedules.id, name, action, stage, entity_id, cron, interval_seconds, starts_at, timezone, enabled,
misfire_grace_seconds, catch_up, settled_until, created_by_id, created_at, updated_at"""
FIRE_COLUMNS = "id, fire_at, fired_at, result, queued_count, error, by_hand"

ONE = f"""
SELECT {COLUMNS}, to_jsonb(last) AS last_fire, clock_timestamp() AS now FROM schedules
LEFT JOIN LATERAL (SELECT {FIRE_COLUMNS} FROM schedule_fires WHERE schedule_id = schedules.id
                   ORDER BY fire_at DESC LIMIT 1) last ON true
WHERE tenant_id = %(tenant)s"""
PAGE = ONE + " AND schedules.id > %(after)s AND {condition} ORDER BY schedules.id LIMIT %(most)s"
TOTAL = "SELECT count(*)::int AS many FROM schedules WHERE tenant_id = %(tenant)s AND {condition}"
FILTERS = {"enabled": "enabled = %(enabled)s", "stage": "stage = %(stage)s", "entity_id": "entity_id = %(entity_id)s"}

LOCK = f"SELECT {COLUMNS} FROM schedules WHERE tenant_id = %(tenant)s AND id = %(id)s FOR UPDATE".encode()
ADD = b"""
INSERT INTO schedules (tenant_id, created_by_id, name, entity_id, stage, action, cron, interval_seconds, starts_at,
                       timezone, enabled, misfire_grace_seconds, catch_up)
VALUES (%(tenant)s, %(by)s, %(name)s, %(entity_id)s, %(stage)s, %(action)s, %(cron)s, %(interval_seconds)s,
        %(starts_at)s, %(timezone)s, %(enabled)s, %(misfire_grace_seconds)s, %(catch_up)s) RETURNING id"""
CHANGE = b"""
UPDATE schedules SET name = %(name)s, cron = %(cron)s, interval_seconds = %(interval_seconds)s,
    starts_at = %(starts_at)s, timezone = %(timezone)s, enabled = %(enabled)s, catch_up = %(catch_up)s,
    misfire_grace_seconds = %(misfire_grace_seconds)s, updated_at = now(),
    settled_until = CASE WHEN %(anew)s THEN clock_timestamp() ELSE settled_until END
WHERE id = %(id)s"""
REMOVE = b"DELETE FROM schedules WHERE id = %(id)s"

FIRES = f"""
SELECT {FIRE_COLUMNS} FROM schedule_fires
WHERE tenant_id = %(tenant)s AND schedule_id = %(id)s AND (fire_at, id) < (%(before)s::timestamptz, %(before_id)s)
ORDER BY fire_at DESC, id DESC LIMIT %(most)s""".encode()
FIRES_TOTAL = b"""
SELECT count(*)::int AS many FROM schedule_fires WHERE tenant_id = %(tenant)s AND schedule_id = %(id)s"""
AFTER_ALL = ("infinity", 2**63 - 1)


def add(connection: Connection, tenant_id: UUID, wanted: Wish, *, by: UUID | None = None) -> Row:
    """Store a schedule, in the caller's transaction."""
    now = datetime.now(UTC)
    wish.check(wanted, now)
    wish.check_entity(connection, tenant_id, wanted)
    if _many(connection, TOTAL.format(condition="true"), {"tenant": tenant_id}) >= MOST_SCHEDULES:
        raise Conflict(f"There are {MOST_SCHEDULES} schedules already: remove one first.")
    values = asdict(wanted) | {"starts_at": wanted.timing(now).starts_at, "name": wanted.name.strip()}
    try:
        row = connection.execute(ADD, values | {"tenant": tenant_id, "by": by}).fetchone()
    except UniqueViolation:
        raise _name_taken(wanted.name) from None
    return _one(connection, tenant_id, row[0] if row else 0)


def change(connection: Connection, tenant_id: UUID, schedule_id: int, changes: Mapping[str, Any]) -> tuple[Row, Row]:
    """Change a schedule, in the caller's transaction; give how it was and how it is."""
    before = _locked(connection, tenant_id, schedule_id)
    now, wanted = datetime.now(UTC), _merged(before, changes)
    if wanted.enabled or changes.keys() != {"enabled"}:  # what cannot be read can at least be paused
        wish.check(wanted, now)
    values = asdict(wanted) | {"starts_at": wanted.timing(now).starts_at, "name": wanted.name.strip()}
    is_on_again = wanted.enabled and not before["enabled"]
    is_anew = is_on_again or any(values[name] != before[name] for name in TIMETABLE)
    try:
        connection.execute(CHANGE, values | {"id": schedule_id, "anew": is_anew})
    except UniqueViolation:
        raise _name_taken(wanted.name) from None
    return before, _one(connection, tenant_id, schedule_id)


def remove(connection: Connection, tenant_id: UUID, schedule_id: int) -> Row:
    """Remove a schedule with its history, in the caller's transaction; give what it was."""
    row = _locked(connection, tenant_id, schedule_id)
    connection.execute(REMOVE, {"id": schedule_id})
    return row


def one(tenant_id: UUID, schedule_id: int) -> Row:
    """Give a schedule, or say that there is none."""
    with statement() as connection:
        return _one(connection, tenant_id, schedule_id)


def page(tenant_id: UUID, wanted: Mapping[str, Any], *, limit: int, cursor: str | None = None) -> Listed[Row]:
    """List a tenant's schedules by their ids."""
    given = {name: value for name, value in wanted.items() if value is not None}
    condition = " AND ".join(FILTERS[name] for name in given) or "true"
    pages = pages_of("schedules", sorted(given.items()))
    (after,) = pages.place(cursor, int)
    values = {**given, "tenant": tenant_id, "after": after or 0, "most": limit + 1}
    with statement() as connection:
        rows = _rows(connection, PAGE.format(condition=condition).encode(), values)
        total = _many(connection, TOTAL.format(condition=condition), values)
    found = pages.listed(rows, limit, total, lambda row: (row["id"],))
    return replace(found, rows=[_with_outlook(row) for row in found.rows])


def fires(tenant_id: UUID, schedule_id: int, *, limit: int, cursor: str | None = None) -> Listed[Row]:
    """List what became of a schedule's ticks, the newest first."""
    pages = pages_of("fires", schedule_id)
    before, before_id = AFTER_ALL if cursor is None else pages.place(cursor, datetime, int)
    values = {"tenant": tenant_id, "id": schedule_id, "before": before, "before_id": before_id}
    with statement() as connection:
        _one(connection, tenant_id, schedule_id)
        rows = _rows(connection, FIRES, {**values, "most": limit + 1})
        total = _many(connection, FIRES_TOTAL.decode(), values)
    return pages.listed(rows, limit, total, lambda row: (row["fire_at"], row["id"]))


def outlook(row: Row, many: int = NEXT_RUNS) -> list[dict[str, datetime]]:
    """Give the next times at which a schedule is due, in UTC and in its own zone."""
    timing = Timing(row["cron"], row["interval_seconds"], row["starts_at"], row["timezone"])
    found = ticks.upcoming(timing, max(row["now"], row["settled_until"]), many)
    zone = ticks.zone_named(row["timezone"])
    return [{"at": at, "local": at.astimezone(zone)} for at in found]


def _with_outlook(row: Row) -> Row:
    """Add when the schedule is due next: never while it is paused, or when it cannot be read, which is said."""
    if not row["enabled"]:
        return row | {"next_runs": [], "trouble": None}
    try:
        return row | {"next_runs": outlook(row), "trouble": None}
    except BadInput as fault:
        return row | {"next_runs": [], "trouble": str(fault)}


def _merged(before: Row, changes: Mapping[str, Any]) -> Wish:
    """Put changes over a row; a cron line takes the place of an interval, and the other way round."""
    if refused := changes.keys() & set(FIXED):
        raise BadInput(f"A schedule keeps its {', '.join(sorted(refused))}: add another one instead.")
    merged = {field.name: before[field.name] for field in fields(Wish)}
    if changes.get("cron") is not None:
        merged["interval_seconds"] = None
    if changes.get("interval_seconds") is not None:
        merged["cron"] = None
    return Wish(**merged | dict(changes))


def _locked(connection: Connection, tenant_id: UUID, schedule_id: int) -> Row:
    rows = _rows(connection, LOCK, {"tenant": tenant_id, "id": schedule_id})
    if not rows:
        raise _unknown(schedule_id)
    return rows[0]


def _one(connection: Connection, tenant_id: UUID, schedule_id: int) -> Row:
    sql = f"{ONE} AND schedules.id = %(id)s".encode()
    rows = _rows(connection, sql, {"tenant": tenant_id, "id": schedule_id})
    if not rows:
        raise _unknown(schedule_id)
    return _with_outlook(rows[0])


def _rows(connection: Connection, sql: bytes, values: Mapping[str, Any]) -> list[Row]:
    return connection.cursor(row_factory=dict_row).execute(sql, values).fetchall()


def _many(connection: Connection, sql: str, values: Mapping[str, Any]) -> int:
    return int(_rows(connection, sql.encode(), values)[0]["many"])


def _unknown(schedule_id: int) -> NotFound:
    return NotFound(f"There is no schedule {schedule_id}.")


def _name_taken(name: str) -> Conflict:
    return Conflict(f"There is a schedule named {name.strip()[:60]!r} already: choose another name.")
