"""A stage's list: which of its work is shown or meant, in the words of the address and in those of a question."""

from __future__ import annotations

from typing import Any, Literal
from urllib.parse import quote
from uuid import UUID

from pydantic import BaseModel, Field

from api.contract import Text
from dashboard.words import query, title_of
from operations import work, work_list
from operations.figures import Row
from operations.work import Action
from pipeline.selection import Match, retried

Status = Literal["", "Queued", "Processing", "Completed", "Filtered", "Error", "Cancelled"]
ROWS = 50
# Where an entity has a page of its own; its table is the key.
PAGES = {
    "searches": "/searches/{}",
    "places": "/journey/place/{}",
    "local_businesses": "/businesses/{}",
    "domains": "/journey/domain/{}",
    "sitemap_files": "/journey/sitemap_file/{}",
    "pages": "/journey/page/{}",
    "contacts": "/journey/contact/{}",
}
RETRYABLE, CANCELLABLE = ("Completed", "Filtered", "Error", "Cancelled"), ("Queued", "Processing")


class StageQuery(BaseModel):
    """What the address of a stage's page says: whose counts, and which of its work is listed. Empty is no condition."""

    status: Status = ""
    reason: Text = ""
    host: Text = ""
    error: Text = ""
    tenants: Literal["own", "all"] = "own"
    cursor: str | None = Field(default=None, max_length=6000)

    @property
    def conditions(self) -> dict[str, str]:
        """The conditions that are given."""
        given = {"status": str(self.status), "reason": self.reason, "host": self.host, "error": self.error}
        return {name: value for name, value in given.items() if value}

    def match(self, stage: str, tenant_id: UUID) -> Match:
        """Mean the tenant's work of a stage that meets the conditions."""
        return Match(
            stage=stage,
            status=self.status or None,
            reason=self.reason or None,
            error=self.error or None,
            lane=self.host or None,
            tenant_id=tenant_id,
        )

    def path(self, stage: str, suffix: str = "", **more: Any) -> str:
        """Write the address of the stage's page, or of something below it, with the same conditions."""
        tenants = None if self.tenants == "own" else self.tenants
        told = query({"tenants": tenants, **self.conditions, **more})
        return f"/stages/{quote(stage, safe='')}{suffix}" + (f"?{told}" if told else "")


def listed(stage: str, asked: StageQuery, tenant_id: UUID) -> dict[str, Any]:
    """Give the page of the list that was asked for, and the addresses of the others."""
    found = work_list.page(asked.match(stage, tenant_id), limit=ROWS, sort="-entity_id", cursor=asked.cursor)
    rows = [row | {"page": _page_of(row)} for row in work_list.name_entities(tenant_id, found.rows)]
    next_path = asked.path(stage, cursor=found.next_cursor) if found.next_cursor else None
    return {"rows": rows, "first_path": asked.path(stage), "next_path": next_path, "is_first": asked.cursor is None}


def count(action: Action, stage: str, asked: StageQuery, tenant_id: UUID) -> int:
    """Count what an action would touch."""
    return work.act(action, asked.match(stage, tenant_id), dry_run=True).matched_count


def in_words(action: Action, stage: str, asked: StageQuery) -> str:
    """Say which work an action would touch."""
    match = asked.match(stage, UUID(int=0))
    among = retried(match) if action is work.RETRY else CANCELLABLE
    status = str(asked.status) or " or ".join(among)
    parts = [f"of {title_of(stage)} in status {status}"]
    parts += [f"with reason {asked.reason}"] if asked.reason else []
    parts += [f"on host {asked.host}"] if asked.host else []
    parts += [f"whose error contains “{asked.error}”"] if asked.error else []
    return ", ".join(parts)


def _page_of(row: Row) -> str | None:
    path = PAGES.get(row["entity"])
    return path.format(row["entity_id"]) if path else None
