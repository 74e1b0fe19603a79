"""Look at work: a list, or one piece with its entity, its failures and its lineage."""

from __future__ import annotations

from collections.abc import Sequence

from cli.ready import ready
from cli.text import console, duration, note, print_json, print_table, safe, say
from errors import BadInput
from operations import figures, lineage
from operations.figures import Row
from pipeline.selection import Match
from pipeline.stage import Stage, all_stages

HEADERS = ("id", "stage", "status", "entity", "tries", "queued", "due", "reason", "error")
LINEAGE_HEADERS = ("id", "stage", "status", "entity", "reason")
FAILURE_HEADERS = ("when", "attempt", "kind", "reason", "error")
LONGEST_CELL, LONGEST_FACT = 80, 300

LIST = """
SELECT id, stage, status, entity_id, tenant_id::text, auto, priority, lane, attempts, crashes, reason, error, parent_id,
       queued_at, due_at, sent_at, started_at, deadline_at, finished_at,
       extract(epoch FROM clock_timestamp() - queued_at)::float8 AS queued_seconds,
       extract(epoch FROM clock_timestamp() - due_at)::float8 AS due_seconds
FROM work WHERE {condition} ORDER BY id DESC LIMIT %(most)s"""

ONE = "SELECT * FROM work WHERE id = %(id)s"


def show_list(match: Match, *, limit: int, as_json: bool) -> None:
    """Print the newest work that matches."""
    condition, values = match.sql()
    ready()
    found = figures.rows(LIST.format(condition=condition), values | {"most": limit + 1})
    if as_json:
        print_json(found[:limit])
    elif found:
        print_table(HEADERS, [_line(row) for row in found[:limit]])
    else:
        say("No work matches.")
    if len(found) > limit:
        note(f"There is more than these {limit}: narrow it down, or raise --limit.")


def _line(row: Row) -> list[object]:
    names = ("id", "stage", "status", "entity_id", "attempts")
    waits = row["status"] == "Queued"
    return [
        *(row[name] for name in names),
        f"{duration(row['queued_seconds'])} ago",
        _due(row["due_seconds"]) if waits else None,
        row["reason"],
        None if row["error"] is None else safe(row["error"], LONGEST_CELL),
    ]


def _due(seconds: float) -> str | None:
    return f"{duration(seconds)} ago" if seconds >= 0 else duration(seconds)


def show_one(work_id: int) -> None:
    """Print a row, its entity, its failures, where it came from and what came of it."""
    ready()
    found = figures.rows(ONE, {"id": work_id})
    if not found:
        raise BadInput(f"There is no work {work_id}: `scrapersky work list` shows what there is.")
    row = found[0]
    _print_facts(f"Work {work_id}", row)
    _print_entity(row)
    _print_failures(lineage.failures([work_id])[work_id])
    _print_lineage("Comes from", lineage.ancestors(work_id))
    children = lineage.children(work_id)
    many = children[0]["many"] if children else 0
    _print_lineage(
        f"Led to {many}, the first {lineage.MOST_CHILDREN}" if many > lineage.MOST_CHILDREN else "Led to", children
    )


def _print_facts(title: str, row: Row) -> None:
    say(title)
    width = max(len(name) for name in row)
    for name, value in row.items():
        if value is not None:
            _say_fact(name.ljust(width), value)


def _say_fact(name: str, value: object) -> None:
    """Print a name and its value, indented; a long value is cut."""
    console().print(f"  {name}  {safe(value, LONGEST_FACT)}", soft_wrap=True)


def _print_entity(row: Row) -> None:
    stage = next((stage for stage in all_stages() if stage.name == row["stage"]), None)
    if stage is None:
        say(f"Stage {row['stage']} is not declared, so its entity cannot be shown.")
        return
    found = figures.rows(_entity_sql(stage), {"id": row["entity_id"]})
    if found:
        _print_facts(f"{stage.table} {row['entity_id']}", found[0])
    else:
        say(f"{stage.table} {row['entity_id']} no longer exists.")


def _entity_sql(stage: Stage) -> str:
    return f"SELECT * FROM {stage.table} WHERE id = %(id)s"  # noqa: S608 - the table's name is from our own model


def _print_failures(failures: Sequence[Row]) -> None:
    if not failures:
        say("Nothing has gone wrong with it.")
        return
    lines = [[f"{duration(row['seconds'])} ago", row["attempt"], *_words(row, "kind", "reason")] for row in failures]
    errors = [None if row["error"] is None else safe(row["error"], LONGEST_FACT) for row in failures]
    print_table(
        FAILURE_HEADERS, [[*line, error] for line, error in zip(lines, errors, strict=True)], title="What went wrong"
    )


def _print_lineage(title: str, rows: Sequence[Row]) -> None:
    if rows:
        print_table(
            LINEAGE_HEADERS, [_words(row, "id", "stage", "status", "entity_id", "reason") for row in rows], title=title
        )


def _words(row: Row, *names: str) -> list[object]:
    return [row[name] for name in names]
