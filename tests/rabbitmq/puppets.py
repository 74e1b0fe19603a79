"""Puppets that travel through five stages, and what must have become of them."""

from __future__ import annotations

from psycopg.types.json import Jsonb

from tests.machines.town import TENANT, Town

MANY, HEIRS, HOSTS = 40, 2, 10
SCRIPT = {"*": {"seconds": 0.1}, "second": {"fan": HEIRS}, "fourth": {"acts": ["passing"]}}
ARRIVED = {"first": MANY, "second": MANY, "third": MANY * HEIRS, "fourth": MANY * HEIRS, "fifth": MANY * HEIRS}


def add(town: Town) -> None:
    """Queue work for every puppet; nobody rings for it."""
    for number in range(MANY):
        town.rows(
            "WITH puppet AS (INSERT INTO puppets (tenant_id, name, host, script) VALUES (%s, %s, %s, %s)"
            " RETURNING tenant_id, id)"
            " INSERT INTO work (tenant_id, stage, entity_id, auto) SELECT tenant_id, 'first', id, true FROM puppet",
            TENANT,
            f"puppet-{number}",
            f"host-{number % HOSTS}.example",
            Jsonb(SCRIPT),
        )


def arrived(town: Town) -> dict[str, int]:
    """Count what was completed at each of the puppets' stages."""
    rows = town.rows(
        "SELECT stage, count(*)::int AS many FROM work WHERE status = 'Completed' AND stage = ANY(%s) GROUP BY 1",
        list(ARRIVED),
    )
    return {row["stage"]: row["many"] for row in rows}


def applause(town: Town) -> set[int]:
    """Give how often the puppets that were on the second stage were applauded: once each."""
    return {row["applause"] for row in town.rows("SELECT applause FROM puppets WHERE name !~ '[.]'")}
