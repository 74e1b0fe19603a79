"""Decisions: what of a search waits at a stage for a person, and what can be decided on it."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from psycopg.rows import dict_row

from errors import BadInput
from models.base import CURATION_STATUSES
from pipeline.database import statement
from pipeline.owner import tenant_of
from pipeline.progress import Row
from pipeline.searches import REACHED
from pipeline.stage import Stage, all_stages, stage_named

UNDECIDED = "New"

# What belongs to a domain is found through it.
REACHED_BY_DOMAIN = """search_places found JOIN local_businesses business USING (place_id)
        JOIN local_business_domains link ON link.local_business_id = business.id
        JOIN {table} entity ON entity.domain_id = link.domain_id"""

# A later stage on the same rows is reached by what the earlier one has completed and handed on.
CHOSEN = """
FROM {table} entity
WHERE id IN (SELECT entity.id FROM {reached} WHERE found.search_id = %(search)s)
  AND curation_status = ANY(%(statuses)s)
  AND (%(before)s::text IS NULL OR EXISTS (
      SELECT 1 FROM work
      WHERE stage = %(before)s AND entity_id = entity.id AND status = 'Completed' AND reason IS NULL))
  AND NOT (%(waits)s AND EXISTS (SELECT 1 FROM work WHERE stage = %(stage)s AND entity_id = entity.id))
ORDER BY id"""

KNOWN = "SELECT id FROM {table} WHERE id = ANY(%(ids)s) AND tenant_id = %(tenant)s"

# What a person sees of an entity: of each line the first column that it has and that is filled.
SHOWN = {"name": ("name", "url"), "address": ("formatted_address", "address"), "website": ("website", "final_url")}


def curated_stages() -> list[Stage]:
    """Give the stages before which a person decides, in pipeline order."""
    return [stage for stage in all_stages() if stage.is_curated]


def curated_stage(name: str) -> Stage:
    """Find a stage before which a person decides, or say which there are."""
    stage = stage_named(name)
    if not stage.is_curated:
        known = ", ".join(stage.name for stage in curated_stages()) or "none"
        raise BadInput(f"Nothing waits for a decision before {stage.name}. The stages where it does are: {known}.")
    return stage


def stage_of_table(table: str, name: str | None = None) -> Stage:
    """Find the stage that a decision on a table's rows lets them into: the first, unless another is named."""
    known = [stage for stage in curated_stages() if stage.table == table]
    found = [stage for stage in known if name in (None, stage.name)]
    if found:
        return found[0]
    named = f"before {name!r}" if name is not None else "at any stage"
    there = f"The stages where they do are: {', '.join(stage.name for stage in known)}." if known else ""
    raise BadInput(f"No {table} wait for a decision {named}. {there}".rstrip())


def known_decision(words: str) -> str:
    """Accept a curation status in any case, or say which there are."""
    plain = " ".join(words.replace("-", " ").replace("_", " ").lower().split())
    known = {status.lower(): status for status in CURATION_STATUSES}
    if plain in known:
        return known[plain]
    close = get_close_matches(plain, known, n=1)
    hint = f"Did you mean {known[close[0]]}?" if close else f"Use one of: {', '.join(CURATION_STATUSES)}."
    raise BadInput(f"There is no curation status {words!r}. {hint}")


def of_search(stage: Stage, search_id: int, status: str | None, most: int) -> list[Row]:
    """Give what a search has at a stage in a status; without one, what waits there for a person."""
    columns = ", ".join(f"{_first_of(stage, names)} AS {shown}" for shown, names in SHOWN.items())
    sql = f"SELECT id, {columns}, curation_status AS status, created_at AS found_at {_chosen(stage)} LIMIT %(most)s"
    with statement() as connection:
        values = _values(stage, search_id, status) | {"most": most}
        return connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()


def ids_of_search(stage: Stage, search_id: int, status: str | None) -> list[int]:
    """Give the ids of all of it."""
    with statement() as connection:
        sql = f"SELECT id {_chosen(stage)}".encode()
        return [row[0] for row in connection.execute(sql, _values(stage, search_id, status)).fetchall()]


def check_ids(stage: Stage, ids: Sequence[int]) -> None:
    """Refuse ids that no entity of the stage has, for the person at the keyboard."""
    values = {"ids": list(ids), "tenant": tenant_of(None)}
    with statement() as connection:
        rows = connection.execute(KNOWN.format(table=stage.table).encode(), values).fetchall()
    missing = sorted(set(ids) - {row[0] for row in rows})
    if missing:
        raise BadInput(
            f"There is no id {', '.join(map(str, missing))} in {stage.table}:"
            f" `scrapersky curate list SEARCH --stage {stage.name}` shows what waits."
        )


def _chosen(stage: Stage) -> str:
    reached = REACHED.get(stage.table)
    if reached is None and "domain_id" in stage.entity.__table__.columns:
        reached = REACHED_BY_DOMAIN.format(table=stage.table)
    if reached is None:
        raise BadInput(f"What waits before {stage.name} does not come from a search: decide on it by id.")
    return CHOSEN.format(table=stage.table, reached=reached)


def _values(stage: Stage, search_id: int, status: str | None) -> dict[str, Any]:
    earlier = _stage_before(stage)
    # The decision that let it into the earlier stage still stands on what has come through.
    undecided = [UNDECIDED] if earlier is None else [UNDECIDED, "Selected"]
    return {
        "search": search_id,
        "stage": stage.name,
        "before": None if earlier is None else earlier.name,
        "statuses": undecided if status is None else [status],
        "waits": status in (None, UNDECIDED),
    }


def _stage_before(stage: Stage) -> Stage | None:
    """Give the stage that the same rows pass first, if there is one."""
    same = [other for other in curated_stages() if other.table == stage.table]
    at = same.index(stage)
    return same[at - 1] if at else None


def _first_of(stage: Stage, names: Sequence[str]) -> str:
    known = [f"entity.{name}" for name in names if name in stage.entity.__table__.columns]
    return f"coalesce({', '.join(known)})" if known else "NULL::text"
