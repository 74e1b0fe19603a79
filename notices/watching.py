"""Watching: how a search or all of a tenant's work fares, and its newest contacts, for those who follow it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from leads.lead_suppression import Withheld
from models.work import WORK_STATUSES
from notices.search_facts import facts_of
from pipeline import search_view
from pipeline.database import statement
from pipeline.stage import all_stages

Row = dict[str, Any]

MOST_AT_ONCE = 100
MOST_AT_FIRST = 10

BY_STATUS = b"SELECT stage, status, count(*)::int FROM work WHERE tenant_id = %(tenant)s GROUP BY stage, status"

SHOWN = """
SELECT contacts.id, contacts.kind, contacts.value, contacts.label, contacts.verdict, contacts.person_name,
       domains.name AS domain, contacts.created_at AS found_at
FROM contacts JOIN domains ON domains.id = contacts.domain_id"""

# Up to the first that has to settle: ids are handed out in another order than transactions end, and one that still
# runs may have a contact with a smaller id, which would be passed over.
SETTLED = """
(%(is_over)s OR contacts.id < coalesce(
    (SELECT min(young.id) FROM contacts young WHERE young.tenant_id = %(tenant)s AND young.created_at >= least(
        clock_timestamp() - interval '1 second',
        (SELECT min(xact_start) FROM pg_stat_activity
         WHERE datname = current_database() AND backend_xid IS NOT NULL))),
    contacts.id + 1))"""

# From what the search has found: there may be few, far back.
NEWEST = f"""
SELECT * FROM ({SHOWN} WHERE contacts.tenant_id = %(tenant)s AND contacts.gone_at IS NULL AND {SETTLED}
  AND contacts.domain_id IN (
    SELECT link.domain_id FROM search_places found JOIN local_businesses business USING (place_id)
    JOIN local_business_domains link ON link.local_business_id = business.id WHERE found.search_id = %(search)s)
ORDER BY contacts.id DESC LIMIT %(most)s) AS newest ORDER BY id""".encode()

# From the newest contacts: there are few, whosever they are.
AFTER = f"""
{SHOWN} WHERE contacts.tenant_id = %(tenant)s AND contacts.id > %(after)s AND contacts.gone_at IS NULL
  AND {SETTLED}
  AND EXISTS (SELECT 1 FROM local_business_domains link
              JOIN local_businesses business ON business.id = link.local_business_id
              JOIN search_places found ON found.place_id = business.place_id
              WHERE link.domain_id = contacts.domain_id AND found.search_id = %(search)s)
ORDER BY contacts.id LIMIT %(most)s""".encode()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody follows: one search of a tenant's, or all its work."""

    tenant_id: UUID
    search_id: int | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """One look, whether nothing more will change by itself, and how long it took."""

    facts: Row
    is_over: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Newest:
    """Contacts in the order of their ids, and up to which one was looked at."""

    rows: list[Row]
    last_id: int


def look(wanted: Wanted) -> Look:
    """Look once; a search that is not this tenant's does not exist."""
    began = time.monotonic()
    if wanted.search_id is None:
        facts: Row = {"stages": _by_stage(wanted.tenant_id), "workers": search_view.workers_alive()}
        return Look(facts, seconds=time.monotonic() - began)
    view = search_view.look(wanted.search_id, newest=0, tenant_id=wanted.tenant_id)
    facts = facts_of(view) | {"workers": view.workers}
    return Look(facts, is_over=not view.is_open, seconds=time.monotonic() - began)


def contacts(wanted: Wanted, after: int | None, *, is_over: bool = False) -> Newest:
    """Give contacts of a search: those after one, or else the newest few; without whom is suppressed."""
    if wanted.search_id is None:
        return Newest([], after or 0)
    values = {"tenant": wanted.tenant_id, "search": wanted.search_id, "after": after, "is_over": is_over}
    sql, most = (NEWEST, MOST_AT_FIRST) if after is None else (AFTER, MOST_AT_ONCE)
    with statement() as connection:
        rows = connection.cursor(row_factory=dict_row).execute(sql, values | {"most": most}).fetchall()
    return Newest(_without_suppressed(wanted.tenant_id, rows), rows[-1]["id"] if rows else after or 0)


def _without_suppressed(tenant_id: UUID, rows: list[Row]) -> list[Row]:
    if not rows:
        return []
    withheld = Withheld(tenant_id)
    return [row for row in rows if not withheld.contact(row["kind"], row["value"], row["domain"])]


def _by_stage(tenant_id: UUID) -> dict[str, dict[str, int]]:
    made = {stage.name: dict.fromkeys(WORK_STATUSES, 0) for stage in all_stages()}
    with statement() as connection:
        for stage, status, many in connection.execute(BY_STATUS, {"tenant": tenant_id}).fetchall():
            made.setdefault(stage, dict.fromkeys(WORK_STATUSES, 0))[status] = many
    return made
