"""A curator's desk: pages of one site to decide on, their work in any status, and what becomes of both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest

from accounts.caller import ROLE_SCOPES, Caller
from entities import curate
from entities.chosen import Chosen
from entities.curate import Decided, Decision
from pipeline import doorbell
from settings import settings
from tests.pipeline.doors import add_work, insert
from tests.pipeline.stagehand import Bells, Stagehand

STAGE = "page_curation"
HOST = "anna.example"
# What a stage leaves on a row in each status, of which none contradicts a rule that must always hold.
LEFT: dict[str, dict[str, Any]] = {
    "Queued": {},
    "Processing": {"token": 1, "attempts": 1, "worker_id": uuid4(), "started_at": "now", "deadline_at": "tomorrow"},
    "Completed": {"token": 1, "attempts": 1, "finished_at": "now"},
    "Filtered": {"token": 1, "attempts": 1, "finished_at": "now", "reason": "saturated"},
    "Error": {"token": 5, "attempts": 5, "finished_at": "now", "reason": "timeout", "error": "no answer"},
    "Cancelled": {"token": 1, "finished_at": "now", "reason": "cancelled"},
}


@pytest.fixture
def desk(db: str, product_stages: None) -> Iterator[Desk]:
    """A desk in an empty house, whose bells can be heard."""
    bells = Bells()
    doorbell.install(bells)
    yield Desk(bells)
    doorbell.install(Bells())


class Desk(Stagehand):
    """The hands of a curator of one tenant."""

    def __init__(self, bells: Bells) -> None:
        super().__init__(bells)
        self.caller = person(settings().default_tenant_id)
        self.domain = insert("domains", name=HOST)

    def page(self, decided: str = "New", work: str | None = None, **columns: Any) -> int:
        """Add a page, decided on, with work in a status."""
        nth = len(self.rows("SELECT 1 FROM pages"))
        page = insert("pages", domain_id=self.domain, url=f"/{nth}", host=HOST, curation_status=decided)
        if work is not None:
            add_work(STAGE, page, work, **{"lane": HOST, **LEFT[work], **columns})
        return page

    def decide(self, status: str, *ids: int, **more: Any) -> Decided:
        """Decide on pages by id."""
        return curate.decide(self.caller, "pages", Decision(status, Chosen(ids=ids), **more))

    def decided(self) -> dict[int, str]:
        """Give what is decided on each page."""
        rows = self.rows("SELECT id, curation_status FROM pages ORDER BY id")
        return {row["id"]: row["curation_status"] for row in rows}

    def works(self) -> dict[int, str]:
        """Give the status of each page's work."""
        rows = self.rows("SELECT entity_id, concat_ws(' ', status, reason) AS status FROM work ORDER BY 1")
        return {row["entity_id"]: row["status"] for row in rows}


def person(tenant_id: UUID, role: str = "curator") -> Caller:
    """Make a user of a tenant, and give them as a caller."""
    sql = "INSERT INTO users (tenant_id, email, role) VALUES (%s, %s, %s) RETURNING id"
    (row,) = Stagehand(Bells()).rows(sql, tenant_id, f"{uuid4().hex}@example.org", role)
    return Caller(tenant_id, row["id"], role, ROLE_SCOPES[role])
